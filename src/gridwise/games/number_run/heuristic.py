"""What a beginner sees in a move of Number Run: the way to the goal, points, an easy challenge."""

from __future__ import annotations

from gridwise.core.board import Board, grid_distance
from gridwise.games.number_run.rules import CHALLENGE, State, play


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    stepped = play(board, state, action % CHALLENGE)
    looks = 0.4 * board.cells[stepped.your_cell]
    looks -= grid_distance(board.cols, stepped.your_cell, board.starts[3 - state.turn])
    if action >= CHALLENGE:
        lead = stepped.your_score - stepped.my_score
        looks += 5.0 if lead > 0 else -5.0 if lead < 0 else -0.5
    return looks
