"""What an agent sees of Grid Conquest, from its own side. Nothing here looks at a cell's value."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.grid_conquest.rules import State

VALUE = "the cell's number, 0 while it is face down"
PLANES = {
    "mine": "the cells I have claimed",
    "theirs": "the cells the opponent has claimed",
    "face down": "the cells nobody has seen",
}
COUNTS = {
    "my score": "my points",
    "their score": "the opponent's points",
    "target": "the points that win",
}
ACTIONS: tuple[str, ...] = ()


def planes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """Who has claimed what, and what is face down."""
    face_down = board.full & ~state.revealed
    if player == state.turn:
        return state.my_cells, state.your_cells, face_down
    return state.your_cells, state.my_cells, face_down


def counts(board: Board, state: State, player: int) -> tuple[int, ...]:
    """The scores and the target."""
    if player == state.turn:
        return state.my_score, state.your_score, board.target
    return state.your_score, state.my_score, board.target
