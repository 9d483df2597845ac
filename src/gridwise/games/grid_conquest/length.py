"""How long a game of Grid Conquest can be."""

from __future__ import annotations

from gridwise.core.board import Board


def max_plies(board: Board) -> int:
    """The most plies of a game on a board that is face down: every cell may turn out to be a 1.

    Then both players can have one point less than the target, and the next claim reaches it.
    """
    return min(board.size, 2 * board.target - 1)
