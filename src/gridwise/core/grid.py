"""Distances on a grid."""

from __future__ import annotations

from gridwise.core.board import Board


def distance(board: Board, one: int, other: int) -> int:
    """Steps up, down, left and right between two cells, with nothing in the way."""
    row, col = divmod(one, board.cols)
    other_row, other_col = divmod(other, board.cols)
    return abs(row - other_row) + abs(col - other_col)
