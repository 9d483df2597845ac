"""Puzzles by their address.

Nothing is stored between two requests: the same address is always the same puzzle.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

from gridwise.engine.puzzles import Puzzle, PuzzleAddress, explained, puzzle_at, refuted
from gridwise.errors import BadBoard, MoveError
from gridwise.show.svg import PAGE, svg
from gridwise.web.game import questions


@lru_cache(maxsize=256)
def _puzzle(address: PuzzleAddress) -> Puzzle:
    return puzzle_at(address)


def puzzle_page(address: PuzzleAddress, move: str, *, show_answer: bool) -> dict[str, Any]:
    """What to show of a puzzle, after an attempt if there was one. For a worker thread."""
    puzzle = _puzzle(address)
    position, solution = puzzle.position, puzzle.solution.action
    wrong, solved = "", False
    if move:
        try:
            action = position.read(move)
        except MoveError as error:
            wrong = str(error)
        else:
            solved = action == solution
            wrong = "" if solved else f"{refuted(puzzle, action)} Try again."
    over = solved or show_answer
    shown = position
    if over:
        with suppress(BadBoard):  # it would turn up a cell that nobody has seen
            shown = position.play(solution)
    return {
        "turn": position.turn,
        "difficulty": puzzle.difficulty,
        "solved": solved,
        "over": over,
        "wrong": wrong,
        "explanation": explained(puzzle) if over else "",
        "caption": shown.view.caption,
        "svg": svg(shown.view, PAGE, playable=True),
        "questions": [] if over else questions(shown),
    }
