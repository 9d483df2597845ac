"""Guided first games: what stands on the board at each step, and what the coach says.

Nothing is stored between two requests: the address says which step it is. What happened on the way
to a step comes with it as frames, which the page's script plays one after the other.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from gridwise.core.contracts import Lesson
from gridwise.core.game import Game
from gridwise.core.narration import numbered_names
from gridwise.core.position import Position, replay
from gridwise.errors import MoveError
from gridwise.show.svg import PAGE, svg, svg_cell
from gridwise.web.errors import NotFound
from gridwise.web.game.move_event import move_event
from gridwise.web.pages.positions import playable
from gridwise.web.pages.study.story import scores_text

LEARNER = numbered_names(1)  # you are Player 1


def lesson_step(game: Game, step: int) -> dict[str, Any]:
    """What to show before the coached move `step`, counted from 1; after the last, the end."""
    lesson, positions = _at(game, step, ends=1)
    steps, position = len(lesson.steps), positions[-1]
    done = step > steps
    says = lesson.steps[step - 2].because if step > 1 else lesson.opening
    coming = None if done else lesson.steps[step - 1]
    before = len(lesson.steps[step - 2].then.split()) + 1 if step > 1 else 0
    return _shown(position, positions[len(positions) - 1 - before :]) | {
        "step": step,
        "steps": steps,
        "done": done,
        "trapped": False,
        "says": [says, lesson.end] if done else [says],
        "task": coming.say if coming else "",
        "trap": coming.trap.say if coming and coming.trap else "",
        "highlight": [_target(position, coming.move), *coming.look.split()] if coming else [],
    }


def trapped(game: Game, step: int) -> dict[str, Any]:
    """What a line that goes wrong at that step leads to."""
    lesson, positions = _at(game, step)
    trap = lesson.steps[step - 1].trap
    if trap is None:
        raise NotFound(f"There is nothing that goes wrong at step {step}.")
    line, true_board = [positions[-1]], game.parse_board(lesson.board)
    for move in trap.moves.split():
        line.append(line[-1].after(move, true_board))
    return _shown(line[-1], line) | {
        "svg": svg(line[-1].view.without_moves(), PAGE, playable=True),
        "step": step,
        "steps": len(lesson.steps),
        "done": False,
        "trapped": True,
        "says": [trap.because],
        "task": "",
        "trap": trap.say,
        "highlight": [],
    }


def check_answer(game: Game, step: int, text: str) -> str:
    """What is wrong with a move at that step; empty if it is the one that was asked for."""
    lesson, positions = _at(game, step)
    coached = lesson.steps[step - 1]
    try:
        action = positions[-1].read(text)
    except MoveError as error:
        return str(error)
    return "" if action == positions[-1].read(coached.move) else coached.otherwise


def starts_trap(game: Game, step: int, text: str) -> bool:
    """Whether a move is the first of the line that goes wrong at that step."""
    lesson, positions = _at(game, step)
    trap, position = lesson.steps[step - 1].trap, positions[-1]
    try:
        return trap is not None and position.read(text) == position.read(trap.moves.split()[0])
    except MoveError:
        return False


def _shown(position: Position, way: list[Position]) -> dict[str, Any]:
    """A position, and the moves on the way to it."""
    return {
        "caption": scores_text(position, LEARNER),
        **playable(position),
        "frames": [_frame(before, after) for before, after in pairwise(way)],
    }


def _frame(before: Position, after: Position) -> dict[str, Any]:
    """A move that is seen to happen: the cells that look different, and what to say."""
    old, new = (at.view.without_moves() for at in (before, after))
    return {
        "svg_cells": {
            now.name: svg_cell(now, new.drawing)
            for was, now in zip(old.cells, new.cells, strict=True)
            if was != now
        },
        "event": move_event(before, after),
        "news": [f"{before.log_line(after, LEARNER)}."],
    }


def _target(position: Position, move: str) -> str:
    """The cell that a move goes to."""
    return position.cell_name(position.target(position.read(move)))


def _at(game: Game, step: int, ends: int = 0) -> tuple[Lesson, list[Position]]:
    """A lesson, and its positions up to that step; raises NotFound for one beyond the last."""
    lesson = game.lesson
    if lesson is None:
        raise NotFound(f"There is no guided game of {game.title} yet. You can read its rules.")
    if not 1 <= step <= len(lesson.steps) + ends:
        raise NotFound(f"There is no step {step}. This lesson has {len(lesson.steps)} steps.")
    moves = [
        move for each in lesson.steps[: step - 1] for move in f"{each.move} {each.then}".split()
    ]
    return lesson, list(replay(game, lesson.board, 1, moves))
