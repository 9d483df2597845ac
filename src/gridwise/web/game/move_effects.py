"""A move as an event: what a page has to show happening, from one position to the next.

It is found by comparing the cells as they can be seen before and after, so it holds nothing that is
hidden and names no game. A token that is sent away by its own move makes two steps: it goes to the
cell of the move, and from there home.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import is_not
from typing import Any, TypeAlias

from gridwise.core.position import Position
from gridwise.core.view import CellView, by_player
from gridwise.play.match import Match

Difference: TypeAlias = tuple[int, CellView, CellView]  # a cell, before and after
Mark: TypeAlias = dict[str, str | None]  # "from" and "to"
Marks: TypeAlias = dict[str, Mark]  # by the number of the player


def differences(old: Sequence[CellView], new: Sequence[CellView]) -> list[Difference]:
    """The cells that can be seen to have changed, before and after."""
    others = compress(range(len(old)), map(is_not, old, new))  # most are the same object
    return [(cell, old[cell], new[cell]) for cell in others if old[cell] != new[cell]]


def move_event(
    before: Position, after: Position, changed: list[Difference] | None = None
) -> dict[str, Any]:
    """What happened between two positions that are one move apart, for pages and programs.

    Cells are given by name. `tokens` are the steps in their order: the player who moved first, then
    whoever was sent home. Of a challenge it says whether it was won, null for a tie, and with how
    many points each player went into it. Who has compared the cells already gives what has changed.
    """
    if changed is None:
        changed = differences(before.bare_cells, after.bare_cells)
    names = before.game.text.NOTATION.cell_names(before.board)
    action, mover, text = after.history[-1], before.turn, before.game.text
    to = before.target(action)
    points = text.challenge(before.board, before.state, action)
    # A challenge may send a token home to where it came from: nothing is different there.
    seen = changed
    if points:
        seen = list(zip(range(before.board.size), before.bare_cells, after.bare_cells, strict=True))
    old_scores, new_scores = before.scores, after.scores
    scored = None
    if old_scores and new_scores:
        scored = [now - was for was, now in zip(old_scores, new_scores, strict=True)]
    return {
        "player": mover,
        "move": before.name(action),
        "to": names[to],
        "tokens": [
            {"player": player, "from": names[start], "to": names[end]}
            for player, start, end in _steps(mover, to, seen)
        ],
        "claimed": [names[cell] for cell, was, now in changed if was.owner != now.owner],
        "revealed": [names[cell] for cell, was, now in changed if was.hidden and not now.hidden],
        "scored": scored,
        "challenge": points and {"won": points.won, "points": list(by_player(mover, *points))},
    }


def mark_of(event: dict[str, Any]) -> Mark:
    """Where a move came from, if a token made it, and where it went."""
    steps = event["tokens"]
    return {"from": steps[0]["from"] if steps else None, "to": event["to"]}


def last_marks(match: Match) -> Marks:
    """The marks of the last move of each player, by number."""
    marks: Marks = {}
    for plies in range(len(match.actions), 0, -1):
        event = move_event(match.position_after(plies - 1), match.position_after(plies))
        marks.setdefault(str(event["player"]), mark_of(event))
        if len(marks) == 2:
            break
    return marks


def _steps(mover: int, to: int, cells: list[Difference]) -> list[tuple[int, int, int]]:
    """Who goes from where to where, one after the other; `cells` are those that tokens were on."""
    old = {was.token: cell for cell, was, _ in cells if was.token}
    new = {now.token: cell for cell, _, now in cells if now.token}
    other = 3 - mover
    steps = []
    if mover in old and mover in new:
        steps += [(mover, old[mover], to), (mover, to, new[mover])]
    if other in old and other in new:
        steps.append((other, old[other], new[other]))
    return [(player, start, end) for player, start, end in steps if start != end]
