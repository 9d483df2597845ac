"""How Number Maze is written, read and talked about. What is legal is up to `rules`."""

from __future__ import annotations

from functools import lru_cache

from gridwise.core.board import DIRECTIONS, DOWN, UP, Board
from gridwise.core.contracts import Ending, Notation, Objective
from gridwise.core.defaults import (
    direction_name,
    race_ending,
    race_objective,
    race_starts,
    race_tokens,
)
from gridwise.core.narration import Names
from gridwise.core.notation import RowColumn, parse_step
from gridwise.core.view import CellView, Drawing
from gridwise.games.number_maze import rules
from gridwise.games.number_maze.rules import State

NOTATION: Notation = RowColumn(base=1)
DRAWING = Drawing("boxes", width=4, number_in_token=True, rays=True)
SUMMARY = "Move as far as the number under your token says. Land on your opponent's corner to win."
HELP = (
    "Type a direction: up, down, left or right, or just its first letter.\n"
    "You go exactly as many steps as the number you stand on says."
)

action_name = direction_name
_at = NOTATION.mention


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell landed on; -1 off the grid."""
    row, col = _landing(board, state, action)
    return row * board.cols + col if 0 <= row < board.rows and 0 <= col < board.cols else -1


def parse_action(board: Board, state: State, text: str) -> int:
    """A direction, or the cell to land on."""
    targets = [target(board, state, action) for action in range(rules.ACTIONS)]
    far = f"is not {_steps(board, state)} in a straight line from {_at(board, state.my_cell)}"
    return parse_step(NOTATION, board, text, targets, far)


def why_not(board: Board, state: State, action: int) -> str:
    """Why this direction is closed."""
    going = f"Going {_steps(board, state)} {DIRECTIONS[action]}"
    if target(board, state, action) < 0:
        return f"{going} would leave the grid."
    return f"{going} would land on your opponent."


def _steps(board: Board, state: State) -> str:
    length = board.cells[state.my_cell]
    return f"{length} step{'s' if length > 1 else ''}"


def _landing(board: Board, state: State, action: int) -> tuple[int, int]:
    """Row and column, from 0, of where a move would end, on the grid or off it."""
    row, col = divmod(state.my_cell, board.cols)
    way = board.cells[state.my_cell] * (1 if action % 2 else -1)
    return (row + way, col) if action in (UP, DOWN) else (row, col + way)


# The dialogue


def turn_lines(board: Board, state: State) -> list[str]:
    """Who, where, and how far."""
    return [
        f"Player {state.turn}'s Turn:",
        f"- Current Position: {_at(board, state.my_cell)}",
        f"- Number on Current Cell: {board.cells[state.my_cell]}",
    ]


def prompt(board: Board, state: State) -> str:
    """The question for the direction."""
    return "Enter direction (Up/Down/Left/Right): "


def move_lines(board: Board, before: State, action: int, after: State) -> list[str]:
    """Where the token went."""
    return ["", f"Player {before.turn} moves to {_at(board, after.your_cell)}"]


def log_line(board: Board, before: State, action: int, after: State, names: Names) -> str:
    """How far, where, and where to."""
    mover = names[before.turn - 1]
    far = f"{_steps(board, before)} {DIRECTIONS[action]}"
    return f"{mover.does('go')} {far} to {NOTATION.cell_name(board, after.your_cell)}"


def objective(board: Board, state: State, player: int) -> Objective:
    """The opponent's corner, and the number that drives the token."""
    number = board.cells[state.my_cell if player == state.turn else state.your_cell]
    goal = NOTATION.cell_name(board, board.starts[3 - player])
    return race_objective(board, player, goal, number=number)


def ending(board: Board, state: State) -> Ending:
    """Landing on the opponent's start, or leaving the opponent without a move."""
    stuck = [
        "",
        *turn_lines(board, state),
        "Possible Moves:",
        *(_closed(board, state, action) for action in range(rules.ACTIONS)),
        "No valid moves available.",
        f"Player {state.turn} cannot move and loses the game.",
    ]
    goal = f"Player {3 - state.turn} reaches the opponent's starting cell and wins the game!"
    return race_ending(board, state, [goal], stuck)


def _closed(board: Board, state: State, action: int) -> str:
    """Why a direction is closed; the dialogue names the target sideways, but not up and down."""
    if target(board, state, action) >= 0:
        why = "occupied by the opponent"
    elif action in (UP, DOWN):
        why = "would move off the grid"
    else:
        row, col = _landing(board, state, action)
        why = f"would move to ({row + 1},{col + 1})"
    return f"  - {DIRECTIONS[action].title()}: Invalid ({why})"


# The board


def cell_views(board: Board, state: State) -> list[CellView]:
    """Numbers and tokens."""
    return list(map(_cell_view, board.cells, race_tokens(board, state), race_starts(board)))


@lru_cache(maxsize=1_024)
def _cell_view(value: int, token: int, start: int) -> CellView:
    return CellView(
        value=value,
        text=f"P{token}:{value}" if token else str(value),
        about=f"Player {token} is here" if token else "",
        token=token,
        start=start,
    )
