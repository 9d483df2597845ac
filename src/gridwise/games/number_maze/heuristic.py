"""What a beginner sees in a move of Number Maze: getting closer, and being able to go on."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.number_maze import rules
from gridwise.games.number_maze.rules import State


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    after = rules.play(board, state, action)
    ways_on = rules.moves(board, State(state.turn, after.your_cell, after.my_cell)).bit_count()
    return 1.5 * ways_on - board.distance(after.your_cell, board.starts[3 - state.turn])
