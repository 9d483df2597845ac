"""The rules of Grid Conquest, and nothing else.

Players claim cells of a face-down grid. A claim scores the cell's number and turns up the cells
around it. The first to reach the target wins.

Pure functions over small integers. Nothing is checked: `play` is given legal actions only. A state
is seen from the side of the player to move: `my_…` is that player's, `your_…` the other's.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board

ACTIONS = 0  # one a cell: action k claims cell k
LOW, HIGH = 1, 5
CYCLIC = False


class State(NamedTuple):
    """Who has claimed what, what has been turned up, and the points."""

    turn: int
    my_cells: int
    your_cells: int
    revealed: int
    my_score: int
    your_score: int


def start(board: Board, first: int) -> State:
    """Nothing claimed, everything face down. A coin has decided who is first."""
    return State(first, 0, 0, 0, 0, 0)


def moves(board: Board, state: State) -> int:
    """Any cell that nobody has claimed, face down or not."""
    if state.your_score >= board.target:
        return 0
    return board.full & ~(state.my_cells | state.your_cells)


def play(board: Board, state: State, action: int) -> State:
    """Claim the cell, score it, turn up everything around it, pass the turn."""
    turn, my_cells, your_cells, revealed, my_score, your_score = state
    return State(
        3 - turn,
        your_cells,
        my_cells | 1 << action,
        revealed | 1 << action | board.neighbours8[action],
        your_score,
        my_score + board.cells[action],
    )


def winner(board: Board, state: State) -> int:
    """The target wins at once; on a full board the higher score does, and equal ones draw."""
    turn, my_cells, your_cells, _, my_score, your_score = state
    if your_score >= board.target:
        return 3 - turn
    if my_cells | your_cells != board.full:
        return 0
    if my_score == your_score:
        return 3
    return turn if my_score > your_score else 3 - turn


def hidden(board: Board, state: State) -> int:
    """The cells still face down."""
    return board.full & ~state.revealed
