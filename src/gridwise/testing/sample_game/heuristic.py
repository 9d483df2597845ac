"""What a beginner sees in a move of Sample Game: the number."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.testing.sample_game.rules import State


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight; only the order counts."""
    return float(board.cells[action])
