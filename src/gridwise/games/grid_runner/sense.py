"""What a beginner sees in a move of Grid Runner: the shortest way."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.grid import distance
from gridwise.games.grid_runner.rules import State


def appeal(board: Board, state: State, action: int) -> float:
    """How good the move looks at first sight."""
    return -float(distance(board, board.steps[state.my_cell][action], board.homes[3 - state.turn]))
