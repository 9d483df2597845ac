"""Evening out Grid Runner, which Player 1 wins on the standard board if both play perfectly.

Found with the engine: of the 18 places for one more obstacle, two, B2 and D4, leave a game in which
neither player can force a win; on all others Player 1 still wins in 15 plies.
"""

from __future__ import annotations

from dataclasses import replace

from gridwise.core.board import Board
from gridwise.games.grid_runner.rules import OBSTACLE

IN_POINTS = False
ABOUT = "There is one more obstacle, next to Player 2; neither side can force a win now."


def even(board: Board) -> Board:
    """The same board with an obstacle a cell up and a cell left of where Player 2 starts."""
    ahead = board.homes[2] - board.cols - 1
    if ahead <= 0:
        return board
    cells = tuple(OBSTACLE if cell == ahead else value for cell, value in enumerate(board.cells))
    return replace(board, cells=cells)
