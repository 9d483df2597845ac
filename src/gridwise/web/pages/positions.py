"""Positions on pages: the picture, the moves to choose from, and the moves that led there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from gridwise.core.narration import Names
from gridwise.core.position import Position
from gridwise.core.view import View
from gridwise.engine.evaluation import Evaluation
from gridwise.play.look_back import BEST_LINE, NO_LINE
from gridwise.play.values import cell_values, values_data
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg
from gridwise.web.game.move_effects import move_event
from gridwise.web.game.snapshot import questions


def picture(view: View) -> str:
    """A board for a page with a script, which can walk over its cells."""
    return svg(view, PAGE, playable=True)


def playable(position: Position) -> dict[str, Any]:
    """What a page's script needs to let somebody play on."""
    return {
        "svg": picture(position.view),
        "legal": position.legal_moves,
        "questions": questions(position),
    }


def values_shown(position: Position, evaluation: Evaluation | None) -> dict[str, Any]:
    """What each move is worth, on its cell; nothing once the game is over."""
    return values_data(cell_values(position, evaluation) if evaluation else {})


def line_shown(moves: Sequence[str]) -> dict[str, Any]:
    """Best play, to be stepped through; where there is none to show, why."""
    return {"name": BEST_LINE, "moves": list(moves), "note": "" if moves else NO_LINE}


def frames(positions: Sequence[Position], names: Names) -> list[dict[str, Any]]:
    """One move after the other, for a script to play; only the last is there to be played on."""
    last = positions[-1]
    return [
        {
            "svg": picture(after.view if after is last else after.view.without_moves()),
            "event": move_event(before, after),
            "news": f"{after.last_line(names)}.",
        }
        for before, after in pairwise(positions)
    ]


def choices(shown: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The legal moves of a position or a state, and what their buttons say without scripts."""
    labels = {
        move: f"{question['cell']}: {label}"
        for question in shown["questions"]
        for move, label in zip(question["answers"].values(), question["labels"], strict=True)
    }
    return [(move, labels.get(move, move)) for move in shown["legal"]]


def move_rows(state: Mapping[str, Any]) -> list[tuple[dict[str, Any] | None, ...]]:
    """The moves in rows of two, whoever began on the left: in row 3 the third of each.

    A player who has passed has fewer, so the places at the end may be None.
    """
    columns: dict[int, list[dict[str, Any]]] = {state["first"]: [], 3 - state["first"]: []}
    for at, move in enumerate(state["moves"], 1):
        columns[move["player"]].append({"at": at, **move})
    return list(zip_longest(*columns.values()))


def scores_text(position: Position, names: Names) -> str:
    """The points of both, in a sentence; empty where the game has none."""
    if position.scores is None:
        return ""
    (mine, yours), (one, two) = position.scores, names
    points = f"point{'s' * (mine != 1)}"
    return f"{one.does('have')} {mine} {points}, {two.object} {two.verb('have')} {yours}."
