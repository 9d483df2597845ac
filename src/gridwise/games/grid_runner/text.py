"""How Grid Runner is written, read and talked about. What is legal is up to `rules`."""

from __future__ import annotations

from functools import lru_cache

from gridwise.core.board import DIRECTIONS, Board
from gridwise.core.contracts import Ending, Notation, Objective
from gridwise.core.defaults import (
    direction_name,
    race_ending,
    race_objective,
    race_starts,
    race_tokens,
)
from gridwise.core.narration import Names
from gridwise.core.notation import LetterNumber, parse_step
from gridwise.core.view import CellView, Drawing
from gridwise.games.grid_runner.rules import OBSTACLE, State

NOTATION: Notation = LetterNumber(letter_is_row=False)
DRAWING = Drawing("boxes", width=3)
REFUSAL = "Invalid move. Please choose a different direction."
SUMMARY = "Race around the obstacles, one step per turn. Be the first on the other's corner."
HELP = (
    "Type a direction: up, down, left or right, or just its first letter.\n"
    "You take one step. You cannot step onto an obstacle or your opponent."
)

_WHERE = ("above", "below", "left of", "right of")  # by direction: where a cell would be

cell_name = NOTATION.cell_name
action_name = direction_name


def board_problem(board: Board) -> str:
    """The two corners that tokens start on must be open."""
    for player in (1, 2):
        cell = board.starts[player]
        if board.cells[cell] == OBSTACLE:
            name = cell_name(board, cell)
            return f"There is an obstacle on {name}, where Player {player} starts."
    return ""


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell stepped to."""
    return board.steps[state.my_cell][action]


def parse_action(board: Board, state: State, text: str) -> int:
    """A direction, or the cell to step to."""
    far = f"is not one step away from {cell_name(board, state.my_cell)}"
    return parse_step(NOTATION, board, text, board.steps[state.my_cell], far)


def why_not(board: Board, state: State, action: int) -> str:
    """What is in the way."""
    to = target(board, state, action)
    if to < 0:
        return f"There is no cell {_WHERE[action]} {cell_name(board, state.my_cell)}."
    if to == state.your_cell:
        return f"Your opponent stands on {cell_name(board, to)}."
    return f"There is an obstacle on {cell_name(board, to)}."


# The dialogue


def prompt(board: Board, state: State) -> str:
    """Who, where, and the question for the direction."""
    at = cell_name(board, state.my_cell)
    return f"Player {state.turn} (P{state.turn}) at {at}, enter move (up/down/left/right): "


def log_line(board: Board, before: State, action: int, after: State, names: Names) -> str:
    """The direction, and where to."""
    mover = names[before.turn - 1]
    return f"{mover.does('go')} {DIRECTIONS[action]} to {cell_name(board, after.your_cell)}"


def objective(board: Board, state: State, player: int) -> Objective:
    """The opponent's corner."""
    return race_objective(board, player, cell_name(board, board.starts[3 - player]))


def ending(board: Board, state: State) -> Ending:
    """Reaching the opponent's start, or leaving the opponent without a move."""
    other, goal = 3 - state.turn, cell_name(board, state.your_cell)
    return race_ending(
        board,
        state,
        [f"Player {other} wins by reaching the opponent's starting position at Cell {goal}!"],
        [f"Player {state.turn} cannot move. Player {other} wins the game!"],
    )


# The board


def cell_views(board: Board, state: State) -> list[CellView]:
    """Obstacles and tokens."""
    return list(map(_cell_view, board.cells, race_tokens(board, state), race_starts(board)))


@lru_cache(maxsize=64)
def _cell_view(value: int, token: int, start: int) -> CellView:
    blocked = value == OBSTACLE
    about = "an obstacle" if blocked else "open"
    return CellView(
        value=0,
        text=f"P{token}" if token else "X" if blocked else "",
        about=f"where Player {token} stands" if token else about,
        token=token,
        start=start,
        blocked=blocked,
    )
