"""What is marked on a board besides what a view says."""

from __future__ import annotations

from gridwise.core.position import Position


def goal_cells(position: Position) -> dict[int, int]:
    """The cells that tokens have to reach, each with its player."""
    goals = {position.objective(player).goal: player for player in (1, 2)}
    return {cell: player for cell, player in goals.items() if cell >= 0}


def left_cells(before: Position, after: Position) -> list[int]:
    """The cells that tokens have left between two positions."""
    was, now = _tokens(before), _tokens(after)
    return [cell for cell, player in was.items() if now.get(cell) != player]


def _tokens(position: Position) -> dict[int, int]:
    cells = position.view.cells
    return {cell: shown.token for cell, shown in enumerate(cells) if shown.token}
