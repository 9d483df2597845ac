"""What an agent sees of Grid Runner, from its own side. Obstacles are the cells of value 2."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.grid_runner.rules import State

VALUE = "1 for an open cell, 2 for an obstacle"
PLANES = {
    "my token": "where I stand",
    "their token": "where the opponent stands",
    "my home": "my start, which the opponent must reach",
    "their home": "the opponent's start, which I must reach",
}
COUNTS: dict[str, str] = {}
ACTIONS: tuple[str, ...] = ("a step up", "a step down", "a step left", "a step right")


def planes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """Tokens and homes."""
    turn, cell, other_cell = state
    if player != turn:
        cell, other_cell = other_cell, cell
    return 1 << cell, 1 << other_cell, 1 << board.homes[player], 1 << board.homes[3 - player]


def counts(board: Board, state: State, player: int) -> tuple[int, ...]:
    """There are no points."""
    return ()
