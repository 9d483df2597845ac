"""A finished game as a story: its turning point, its mistakes, what each move was worth.

All of it as data for the page of `look_back`, in the words of the person who looks at it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from gridwise.core.narration import Names
from gridwise.core.position import Position
from gridwise.engine.review import (
    MARKS,
    SERIOUS,
    Resignation,
    Review,
    ReviewedMove,
    accuracy_text,
    move_label,
    verdict,
)
from gridwise.show.graph import graph
from gridwise.show.svg import PAGE

Arrow = tuple[str | None, str]  # from a cell, where a token stands, to another


def review_story(found: Review, positions: Sequence[Position], names: Names) -> dict[str, Any]:
    """A review for a page."""
    marks = {number: MARKS.get(each.grade, "") for number, each in enumerate(found.moves, 1)}
    turning = found.turning_point
    return {
        "graph": graph(
            found.curve,
            marks,
            PAGE,
            names,
            None if turning is None else _at(found, turning),
            # As in the list of moves: of whoever began, the first is 1.
            {
                number + 1: found.own_number(number)
                for number, each in enumerate(found.moves)
                if each.mover == found.moves[0].mover
            },
        ),
        "moves": [
            {
                "grade": each.grade,
                "mark": MARKS.get(each.grade, ""),
                "text": verdict(found, number, names),
                "arrows": _arrows(positions[number], each),
            }
            for number, each in enumerate(found.moves)
        ],
        "resigned": verdict(found, len(found.moves), names) if found.resignation else "",
        "turning": None if turning is None else _moment(found, turning, names),
        "moments": [
            _moment(found, number, names)
            for number, each in enumerate(found.decisions)
            if each.grade in SERIOUS
        ],
        "summary": _summary(found, names),
    }


def _at(found: Review, number: int) -> int:
    """The position that shows what a decision led to."""
    return min(number + 1, len(found.moves))


def _moment(found: Review, number: int, names: Names) -> dict[str, Any]:
    decision = found.decisions[number]
    label = move_label(found, number, names)
    return {
        "at": _at(found, number),
        "label": label,
        "title": label[0].upper() + label[1:],
        "mark": MARKS.get(decision.grade, ""),
        "grade": decision.grade,
        "move": "" if isinstance(decision, Resignation) else decision.chosen.move,
        "text": verdict(found, number, names),
    }


def _summary(found: Review, names: Names) -> list[str]:
    serious = found.turning_point is not None or found.turning_points
    known = all(each.judged for each in found.decisions)
    lines = ["No mistakes by either player."] if known and not serious else []
    return [*lines, *(accuracy_text(found, player, names) for player in (1, 2))]


def _arrows(position: Position, reviewed: ReviewedMove) -> dict[str, Arrow]:
    """The move that was made and the one that was better, where there was a better one."""
    if reviewed.grade not in MARKS:
        return {}
    return {
        "played": arrow(position, reviewed.chosen.action),
        "best": arrow(position, reviewed.best.action),
    }


def arrow(position: Position, action: int) -> Arrow:
    """A move as an arrow from the token that makes it, if it is made by one."""
    cells = enumerate(position.bare_cells)
    stands = next((cell for cell, shown in cells if shown.token == position.turn), None)
    start = None if stands is None else position.cell_name(stands)
    return start, position.cell_name(position.target(action))


def scores_text(position: Position, names: Names) -> str:
    """The points of both, in a sentence; empty where the game has none."""
    if position.scores is None:
        return ""
    (mine, yours), (one, two) = position.scores, names
    points = f"point{'s' * (mine != 1)}"
    return f"{one.does('have')} {mine} {points}, {two.object} {two.verb('have')} {yours}."


def move_list(moves: Sequence[Mapping[str, Any]], first: int) -> list[list[dict[str, Any] | None]]:
    """The moves in rows of two, whoever began on the left: in row 3 the third of each.

    A player who has passed has fewer, so the places at the end may be None.
    """
    columns: dict[int, list[dict[str, Any]]] = {first: [], 3 - first: []}
    for at, move in enumerate(moves, 1):
        columns[move["player"]].append({"at": at, **move})
    return [list(row) for row in zip_longest(*columns.values())]
