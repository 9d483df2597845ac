"""Evening out Grid Runner, which Player 1 wins on the standard board if both play perfectly.

Found with the engine: of the 18 places for one more obstacle, two, B2 and D4, leave a game in which
neither player can force a win; on all others Player 1 still wins in 15 plies.
"""

from __future__ import annotations

from dataclasses import replace

from gridwise.core.board import Board
from gridwise.errors import BadBoard
from gridwise.games.grid_runner.rules import OBSTACLE
from gridwise.games.grid_runner.text import NOTATION

IN_POINTS = False


def even(board: Board) -> Board:
    """The same board with an obstacle a cell up and a cell left of where Player 2 starts."""
    if min(board.rows, board.cols) < 3:
        raise BadBoard("A handicap needs a board of at least 3 rows and 3 columns.")
    ahead = board.starts[2] - board.cols - 1
    cells = tuple(OBSTACLE if cell == ahead else value for cell, value in enumerate(board.cells))
    return replace(board, cells=cells)


def about(board: Board) -> str:
    """What is different on this board."""
    even_there = ": neither side can force a win now" if (board.rows, board.cols) == (5, 5) else ""
    name = NOTATION.cell_name(board, board.starts[2] - board.cols - 1)
    return f"There is one more obstacle, on {name}{even_there}."
