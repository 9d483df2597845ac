"""What a beginner sees in a move of Number Maze: getting closer, and being able to go on."""

from __future__ import annotations

from gridwise.core.board import Board, grid_distance
from gridwise.games.number_maze.rules import State, moves, play


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    after = play(board, state, action)
    ways = moves(board, State(state.turn, after.your_cell, after.my_cell))
    ways_on = (ways & 1) + (ways >> 1 & 1) + (ways >> 2 & 1) + (ways >> 3 & 1)
    goal = board.starts[3 - state.turn]
    return 1.5 * ways_on - grid_distance(board.cols, after.your_cell, goal)
