"""Evening out Grid Runner, which Player 1 wins on the standard board if both play perfectly.

Who gets through first is a matter of odd and even distances, so a row less changes it: on the
standard board without its middle row neither player can force a win, and of 5,000 games between
casual bots Player 1 won 2,642 and Player 2 2,358. One more obstacle on the standard board does not
do: of the 18 places two take the win from Player 1, and they wall a player in for good.
"""

from __future__ import annotations

from dataclasses import replace

from gridwise.core.board import Board
from gridwise.core.narration import NEUTRAL, Names
from gridwise.errors import BadBoard

IN_POINTS = False


def even(board: Board) -> Board:
    """A board without its middle row."""
    if board.rows < 3:
        raise BadBoard("A handicap needs a board of at least 3 rows.")
    middle = board.rows // 2 * board.cols
    cells = board.cells[:middle] + board.cells[middle + board.cols :]
    return replace(board, rows=board.rows - 1, cells=cells)


def about(board: Board, names: Names = NEUTRAL) -> str:  # noqa: ARG001 - the contract
    """What is different on this board."""
    even_there = ": neither side can force a win" if (board.rows, board.cols) == (4, 5) else ""
    return f"The board is a row shorter{even_there}."
