"""What an agent sees of Number Maze, from its own side."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.number_maze.rules import State

VALUE = "the cell's number, which is how far a token on it must go"
PLANES = {
    "my token": "where I stand",
    "their token": "where the opponent stands",
    "my home": "my start, which the opponent must land on",
    "their home": "the opponent's start, which I must land on",
}
COUNTS: dict[str, str] = {}
ACTIONS: tuple[str, ...] = (
    "up, as far as the number says",
    "down, as far as the number says",
    "left, as far as the number says",
    "right, as far as the number says",
)


def planes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """Tokens and homes."""
    turn, cell, other_cell = state
    if player != turn:
        cell, other_cell = other_cell, cell
    return 1 << cell, 1 << other_cell, 1 << board.homes[player], 1 << board.homes[3 - player]


def counts(board: Board, state: State, player: int) -> tuple[int, ...]:
    """There are no points."""
    return ()
