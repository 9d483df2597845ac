"""What a beginner sees in a move of Grid Runner: the shortest way."""

from __future__ import annotations

from gridwise.core.board import Board, grid_distance
from gridwise.games.grid_runner.rules import State


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    to, goal = board.steps[state.my_cell][action], board.starts[3 - state.turn]
    return -float(grid_distance(board.cols, to, goal))
