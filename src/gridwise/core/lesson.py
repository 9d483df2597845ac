"""A guided first game: a board, a few moves that are asked for, and what is said about them.

A lesson is data. Each game has its own, in `games/<game>/lesson.py`; whoever teaches it plays it
through with the rules, and a test does too.
"""

from __future__ import annotations

from typing import NamedTuple


class Coached(NamedTuple):
    """One move that the learner makes."""

    say: str  # what is told before it
    move: str  # the move that is asked for
    otherwise: str  # what is told about any other legal move
    because: str  # what is told once it is made
    then: str = ""  # how the game goes on before the next one; moves of either side


class Lesson(NamedTuple):
    """A guided first game, from the first move to the end. The learner is Player 1 and begins."""

    board: str
    opening: str  # what is told before anything else
    steps: tuple[Coached, ...]
    end: str  # what is told when it is won
