"""The rules of tic-tac-toe: pure functions over small integers, which also compile."""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board

ACTIONS = 0  # one a cell: action k marks cell k
LOW, HIGH = 1, 1  # the cells have no numbers: each has the value 1
CYCLIC = False


class State(NamedTuple):
    """Who has marked what, from the side of the player to move."""

    turn: int
    mine: int
    yours: int


def start(board: Board, first: int) -> State:
    """Nothing marked."""
    return State(first, 0, 0)


def moves(board: Board, state: State) -> int:
    """Any free cell, until somebody has a line."""
    if has_line(board, state.yours):
        return 0
    return board.full & ~(state.mine | state.yours)


def play(board: Board, state: State, action: int) -> State:
    """Mark the cell and pass the turn."""
    return State(3 - state.turn, state.yours, state.mine | 1 << action)


def winner(board: Board, state: State) -> int:
    """A line wins; a full board without one is a draw."""
    if has_line(board, state.yours):
        return 3 - state.turn
    return 3 if state.mine | state.yours == board.full else 0


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0


def has_line(board: Board, marked: int) -> bool:
    """Whether a row, a column, or a diagonal of a square board is complete."""
    rows, cols = board.rows, board.cols
    for row in range(rows):
        line = ((1 << cols) - 1) << row * cols
        if marked & line == line:
            return True
    column = down = up = 0
    for row in range(rows):
        column |= 1 << row * cols
        down |= 1 << row * cols + row
        up |= 1 << row * cols + cols - 1 - row
    for col in range(cols):
        if marked & column << col == column << col:
            return True
    return rows == cols and (marked & down == down or marked & up == up)
