"""What a beginner sees in a move of Number Run: the way to the goal, points, an easy challenge."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.grid import distance
from gridwise.games.number_run import rules
from gridwise.games.number_run.rules import CHALLENGE, State


def appeal(board: Board, state: State, action: int) -> float:
    """How good the move looks at first sight."""
    stepped = rules.play(board, state, action % CHALLENGE)
    looks = 0.4 * board.cells[stepped.your_cell]
    looks -= distance(board, stepped.your_cell, board.homes[3 - state.turn])
    if action >= CHALLENGE:
        lead = stepped.your_score - stepped.my_score
        looks += 5.0 if lead > 0 else -5.0 if lead < 0 else -0.5
    return looks
