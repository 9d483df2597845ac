"""How long a game of Number Run can be.

Every move uses up a cell for the one who makes it, and nobody can use up the own start, nor the
opponent's without ending the game. So each player makes at most as many moves as there are other
cells, and then one of them makes a last one. With a handicap one of Player 2's cells is used up.

From 3x4 on, where a side is odd, there is a game of that length without a challenge, so it can be
played whatever the numbers are. Elsewhere the numbers matter, because who is sent back has another
way to go. Small boards are searched; on larger ones the bound is a little too high, by one or two
plies on 4x4.
"""

from __future__ import annotations

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.games.number_run import rules

SEARCHED = 14  # cells; 2x7 boards have 8,000 positions, 13 ms, and 4x4 boards 280,000


def max_plies(board: Board) -> int:
    """The most plies of a game; on some large boards an upper bound of it."""
    shorter = min(board.rows, board.cols)
    most = 2 * (board.size - 2) + (0 if board.handicap else 1)
    odd = board.rows % 2 == 1 or board.cols % 2 == 1
    if odd and shorter > 2 and board.size > 9 and not board.handicap:
        return most
    return _longest(board) if shorter == 1 or board.size <= SEARCHED else most


def _longest(board: Board) -> int:
    """How long the longest game is, found by looking at all."""
    plies, level = 0, {rules.start(board, 1)}
    while True:
        # Positions of different plies are different: one more cell has been used up.
        level = {
            rules.play(board, state, action)
            for state in level
            for action in bit_indices(rules.moves(board, state))
        }
        if not level:
            return plies
        plies += 1
