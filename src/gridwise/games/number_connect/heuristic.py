"""What a beginner sees in a move of Number Connect: getting near the target, not over it."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.number_connect.rules import State


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    total = state.my_total + board.cells[action]
    return float(total) if total <= board.target else -float(total)
