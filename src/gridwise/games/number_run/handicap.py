"""Evening out Number Run, which Player 1 wins on every board if both play perfectly.

Found with the engine: on 5x5, with Player 2 starting a cell up and left and 7 points ahead, perfect
play gives Player 1 151 of 300 uniform boards and Player 2 the other 149. With 6 points it is 193
to 107, with 8 it is 110 to 190. Between two casual bots it is 161 to 139, not 224 to 76.
"""

from __future__ import annotations

from dataclasses import replace

from gridwise.core.board import Board
from gridwise.core.narration import NEUTRAL, Names

IN_POINTS = True
EVEN = 7


def even(board: Board) -> Board:
    """A board with a head start for Player 2."""
    return replace(board, handicap=EVEN)


def about(board: Board, names: Names = NEUTRAL) -> str:
    """What is different on this board."""
    at = f"{board.rows - 2},{board.cols - 2}"
    is_even = (board.rows, board.cols, board.handicap) == (5, 5, EVEN)
    return (
        f"{names[1].subject} starts at {at} with {board.handicap} points{': about even' * is_even}."
    )
