"""What a beginner sees in a move of Grid Runner: the shortest way."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.grid_runner.rules import State


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    return -float(board.distance(board.steps[state.my_cell][action], board.starts[3 - state.turn]))
