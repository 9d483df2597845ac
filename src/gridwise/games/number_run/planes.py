"""What an agent sees of Number Run, from its own side."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.games.number_run.rules import State

VALUE = "the cell's number, which is scored on entering"
PLANES = {
    "my token": "where I stand",
    "their token": "where the opponent stands",
    "my visited": "the cells I may not enter again",
    "their visited": "the cells the opponent may not enter again",
    "my start": "my start, which the opponent must reach",
    "their start": "the opponent's start, which I must reach",
}
COUNTS = {"my score": "my points", "their score": "the opponent's points"}
ACTIONS: tuple[str, ...] = (
    "a step up",
    "a step down",
    "a step left",
    "a step right",
    "a step up, and a challenge",
    "a step down, and a challenge",
    "a step left, and a challenge",
    "a step right, and a challenge",
)


def planes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """Tokens, visited cells, starts."""
    turn, cell, other_cell, visited, other_visited, _, _ = state
    if player != turn:
        cell, other_cell, visited, other_visited = other_cell, cell, other_visited, visited
    start, goal = board.starts[player], board.starts[3 - player]
    return 1 << cell, 1 << other_cell, visited, other_visited, 1 << start, 1 << goal


def counts(board: Board, state: State, player: int) -> tuple[int, ...]:
    """The scores."""
    if player == state.turn:
        return state.my_score, state.your_score
    return state.your_score, state.my_score
