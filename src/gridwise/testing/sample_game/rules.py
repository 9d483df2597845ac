"""The rules of Sample Game, and nothing else.

Players claim cells of a grid of numbers, never next to a cell of their own, and add up the numbers.
Who reaches the target wins; who cannot claim loses.

Pure functions over small integers. Nothing is checked: `play` is given legal actions only. A state
is seen from the side of the player to move: `my_…` is that player's, `your_…` the other's.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board

ACTIONS = 0  # one a cell: action k claims cell k
LOW, HIGH = 1, 5  # the numbers that cells are dealt
CYCLIC = False  # every move uses up a cell, so a game always ends


class State(NamedTuple):
    """Who has claimed what, and the points. A set of cells is an int: bit k is cell k."""

    turn: int
    my_cells: int
    your_cells: int
    my_score: int
    your_score: int


def start(board: Board, first: int) -> State:
    """Nothing claimed."""
    return State(first, 0, 0, 0, 0)


def moves(board: Board, state: State) -> int:
    """Any free cell that is not next to one of your own."""
    if state.your_score >= board.target:
        return 0
    near = 0
    for cell in range(board.size):
        if state.my_cells >> cell & 1:
            near |= board.neighbours4[cell]
    return board.full & ~(state.my_cells | state.your_cells | near)


def play(board: Board, state: State, action: int) -> State:
    """Claim the cell, score its number, pass the turn."""
    turn, my_cells, your_cells, my_score, your_score = state
    score = my_score + board.cells[action]
    return State(3 - turn, your_cells, my_cells | 1 << action, your_score, score)


def winner(board: Board, state: State) -> int:
    """A player who has no move has lost: the opponent is at the target, or nothing is left."""
    return 0 if moves(board, state) else 3 - state.turn


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0
