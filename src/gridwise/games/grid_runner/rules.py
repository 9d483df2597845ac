"""The rules of Grid Runner, and nothing else.

Two tokens walk around obstacles, one step a turn. Reaching the opponent's start wins.

Pure functions over small integers. Nothing is checked: `play` is given legal actions only. A state
is seen from the side of the player to move: `my_…` is that player's, `your_…` the other's.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board

ACTIONS = 4  # up, down, left, right
OPEN, OBSTACLE = 1, 2
LOW, HIGH = OPEN, OBSTACLE
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
    """One step, not off the grid, not onto an obstacle, not onto the opponent."""
    turn, my_cell, your_cell = state
    if your_cell == board.starts[turn]:
        return 0
    cells = board.cells
    legal = 0
    for action, to in enumerate(board.steps[my_cell]):
        if to >= 0 and cells[to] == OPEN and to != your_cell:
            legal |= 1 << action
    return legal


def play(board: Board, state: State, action: int) -> State:
    """Take the step and pass the turn."""
    turn, my_cell, your_cell = state
    return State(3 - turn, your_cell, board.steps[my_cell][action])


def winner(board: Board, state: State) -> int:
    """A player who cannot move has lost: the opponent is on their start, or they are stuck."""
    if moves(board, state):
        return 0
    return 3 - state.turn


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0
