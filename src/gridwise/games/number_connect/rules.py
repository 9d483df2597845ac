"""The rules of Number Connect, and nothing else.

Players grow a territory cell by cell and add up its numbers. Exactly the target wins, more loses.

Pure functions over small integers. Nothing is checked: `play` is given legal actions only. A state
is seen from the side of the player to move: `my_…` is that player's, `your_…` the other's.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board

ACTIONS = 0  # one a cell: action k claims cell k
LOW, HIGH = 1, 9
CYCLIC = False


class State(NamedTuple):
    """Who has claimed what, what each may claim as far as it is free, and the totals."""

    turn: int
    my_cells: int
    your_cells: int
    my_reach: int
    your_reach: int
    my_total: int
    your_total: int


def start(board: Board, first: int) -> State:
    """Nothing claimed, and everything within reach of both."""
    return State(first, 0, 0, board.full, board.full, 0, 0)


def moves(board: Board, state: State) -> int:
    """A free cell next to one's own, or any free cell as long as one has none."""
    _, my_cells, your_cells, my_reach, _, _, your_total = state
    if your_total >= board.target:
        return 0
    return my_reach & ~(my_cells | your_cells)


def play(board: Board, state: State, action: int) -> State:
    """Claim the cell and add it up; the turn passes, unless the other has nothing to claim."""
    turn, my_cells, your_cells, my_reach, your_reach, my_total, your_total = state
    my_reach = my_reach | board.neighbours4[action] if my_cells else board.neighbours4[action]
    my_cells |= 1 << action
    my_total += board.cells[action]
    claimed = my_cells | your_cells
    if my_total < board.target and not your_reach & ~claimed and claimed != board.full:
        return State(turn, my_cells, your_cells, my_reach, your_reach, my_total, your_total)
    return State(3 - turn, your_cells, my_cells, your_reach, my_reach, your_total, my_total)


def winner(board: Board, state: State) -> int:
    """Exactly the target wins, more loses; on a full board the higher total wins."""
    turn, my_cells, your_cells, _, _, my_total, your_total = state
    if your_total == board.target:
        return 3 - turn
    if your_total > board.target:
        return turn
    if my_cells | your_cells != board.full:
        return 0
    if my_total == your_total:
        return 3
    return turn if my_total > your_total else 3 - turn


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0
