"""What an agent sees of Number Connect, from its own side."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.number_connect.rules import State

VALUE = "the cell's number, which is added on claiming"
PLANES = {
    "mine": "the cells I have claimed",
    "theirs": "the cells the opponent has claimed",
    "open to me": "the free cells I could claim if it were my turn",
    "open to them": "the free cells the opponent could claim",
}
COUNTS = {
    "my total": "the sum of my cells",
    "their total": "the sum of the opponent's cells",
    "target": "the sum that wins, and that nobody may go over",
}
ACTIONS: tuple[str, ...] = ()


def planes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """Who has claimed what, and what is within reach."""
    turn, cells, other_cells, reach, other_reach, _, _ = state
    if player != turn:
        cells, other_cells, reach, other_reach = other_cells, cells, other_reach, reach
    free = board.full & ~(cells | other_cells)
    return cells, other_cells, reach & free, other_reach & free


def counts(board: Board, state: State, player: int) -> tuple[int, ...]:
    """The totals and the target."""
    if player == state.turn:
        return state.my_total, state.your_total, board.target
    return state.your_total, state.my_total, board.target
