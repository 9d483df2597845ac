"""The rules of Number Maze, and nothing else.

The number under a token says how far it must go, in one straight line. Landing on the opponent's
start wins; a player who cannot move loses.

Pure functions over small integers. Nothing is checked: `play` is given legal actions only. A state
is seen from the side of the player to move: `my_…` is that player's, `your_…` the other's.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import DOWN, LEFT, RIGHT, UP, Board

ACTIONS = 4  # up, down, left, right
LOW, HIGH = 1, 4
CYCLIC = True


class State(NamedTuple):
    """Where the two tokens stand is all there is."""

    turn: int
    my_cell: int
    your_cell: int


def start(board: Board, first: int) -> State:
    """Both tokens on their starts."""
    return State(first, board.starts[first], board.starts[3 - first])


def moves(board: Board, state: State) -> int:
    """The directions with room for the whole way and the opponent not at its end."""
    turn, my_cell, your_cell = state
    if your_cell == board.starts[turn]:
        return 0
    rows, cols = board.rows, board.cols
    length = board.cells[my_cell]
    row, col = divmod(my_cell, cols)
    legal = 0
    if row >= length and my_cell - length * cols != your_cell:
        legal |= 1 << UP
    if row + length < rows and my_cell + length * cols != your_cell:
        legal |= 1 << DOWN
    if col >= length and my_cell - length != your_cell:
        legal |= 1 << LEFT
    if col + length < cols and my_cell + length != your_cell:
        legal |= 1 << RIGHT
    return legal


def play(board: Board, state: State, action: int) -> State:
    """Go the whole way and pass the turn."""
    turn, my_cell, your_cell = state
    length = board.cells[my_cell]
    if action == UP:
        my_cell -= length * board.cols
    elif action == DOWN:
        my_cell += length * board.cols
    elif action == LEFT:
        my_cell -= length
    else:
        my_cell += length
    return State(3 - turn, your_cell, my_cell)


def winner(board: Board, state: State) -> int:
    """A player who cannot move has lost: the opponent is on their start, or they are stuck."""
    if moves(board, state):
        return 0
    return 3 - state.turn


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0
