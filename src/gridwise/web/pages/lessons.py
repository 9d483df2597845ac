"""Guided first games: what stands on the board at each step, and what the coach says.

Nothing is stored between two requests: the address says which step it is.
"""

from __future__ import annotations

from typing import Any

from gridwise.core.contracts import Lesson
from gridwise.core.game import Game
from gridwise.errors import MoveError
from gridwise.play.match import Match
from gridwise.show.svg import PAGE, svg
from gridwise.web.errors import NotFound
from gridwise.web.game import questions


def lesson_step(game: Game, step: int) -> dict[str, Any]:
    """What to show before the coached move `step`, counted from 1; after the last, the end."""
    lesson, match = _at(game, step, ends=1)
    steps = len(lesson.steps)
    done = step > steps
    says = lesson.steps[step - 2].because if step > 1 else lesson.opening
    return {
        "step": step,
        "steps": steps,
        "done": done,
        "says": [says, lesson.end] if done else [says],
        "task": "" if done else lesson.steps[step - 1].say,
        "caption": match.view.caption,
        "svg": svg(match.view, PAGE, playable=True),
        "questions": questions(match.position),
    }


def check_answer(game: Game, step: int, text: str) -> str:
    """What is wrong with a move at that step; empty if it is the one that was asked for."""
    lesson, match = _at(game, step)
    coached = lesson.steps[step - 1]
    try:
        action = match.read(text)
    except MoveError as error:
        return str(error)
    return "" if action == match.read(coached.move) else coached.otherwise


def _at(game: Game, step: int, ends: int = 0) -> tuple[Lesson, Match]:
    """A lesson, and its game before that step; raises NotFound for a step beyond the last."""
    lesson = game.lesson
    if lesson is None:
        raise NotFound(f"There is no guided game of {game.title} yet. You can read its rules.")
    if not 1 <= step <= len(lesson.steps) + ends:
        raise NotFound(f"There is no step {step}. This lesson has {len(lesson.steps)} steps.")
    match = Match(game, lesson.board, first=1)
    for coached in lesson.steps[: step - 1]:
        for move in (coached.move, *coached.then.split()):
            match.move(move)
    return lesson, match
