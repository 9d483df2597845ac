"""What a beginner sees in a move of Grid Conquest: the number, where there is one."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.grid_conquest.rules import HIGH, LOW, State

AVERAGE = (LOW + HIGH) / 2


def score(board: Board, state: State, action: int) -> float:
    """How good the move looks at first sight. Face-down cells are worth an average number."""
    value = board.cells[action]
    return float(value) if value else AVERAGE
