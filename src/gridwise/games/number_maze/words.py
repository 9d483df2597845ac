"""How Number Maze is written, read, told and looked at. What is legal is asked of `rules`."""

from __future__ import annotations

from gridwise.core.board import DIRECTIONS, DOWN, LEFT, RIGHT, UP, Board
from gridwise.core.game import Notation, Question
from gridwise.core.notation import RowColumn, parse_direction
from gridwise.core.view import CellView, Drawing, sides
from gridwise.errors import IllegalMove, UnreadableMove, quoted
from gridwise.games.number_maze import rules
from gridwise.games.number_maze.rules import State

NOTATION: Notation = RowColumn(base=1)
DRAWING = Drawing("boxes", width=4)
REFUSAL = ""
SUMMARY = "The number under your token is how far it must go. Land on the opponent's corner."
HELP = (
    "Type a direction: up, down, left or right, or just its first letter.\n"
    "You go exactly as many steps as the number you stand on says."
)


def board_fault(board: Board) -> str:
    """Any grid of numbers will do."""
    return ""


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell landed on."""
    return rules.play(board, state, action).your_cell


def action_name(board: Board, state: State, action: int) -> str:
    """`up`, `down`, `left`, `right`."""
    return DIRECTIONS[action]


def parse_action(board: Board, state: State, text: str) -> int:
    """A direction, or the cell to land on."""
    direction = parse_direction(text)
    if direction is not None:
        return direction
    try:
        to = NOTATION.parse_cell(board, text)
    except UnreadableMove:
        if any(char.isdigit() for char in text):
            raise  # it was meant as a cell, and the message says what is wrong with it
        raise UnreadableMove(
            f"Cannot read {quoted(text.strip())}. Give a direction: up, down, left or right."
        ) from None
    row, col = divmod(state.my_cell, board.cols)
    for action in range(rules.ACTIONS):
        if divmod(to, board.cols) == _landing(board, state, row, col, action):
            return action
    length = board.cells[state.my_cell]
    raise IllegalMove(
        f"{_at(board, to)} is not {length} straight from {_at(board, state.my_cell)}."
    )


def listed(board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
    """Up, down, left, right."""
    return list(actions)


def why_not(board: Board, state: State, action: int) -> str:
    """Why this direction is closed."""
    length = board.cells[state.my_cell]
    steps = f"{length} step{'s' if length > 1 else ''} {DIRECTIONS[action]}"
    row, col = _landing(board, state, *divmod(state.my_cell, board.cols), action)
    if 0 <= row < board.rows and 0 <= col < board.cols:
        return f"Going {steps} would land on your opponent."
    return f"Going {steps} would leave the grid."


def _landing(board: Board, state: State, row: int, col: int, action: int) -> tuple[int, int]:
    """Row and column, from 0, of where a move would end, on the grid or off it."""
    length = board.cells[state.my_cell]
    ends = {
        UP: (row - length, col),
        DOWN: (row + length, col),
        LEFT: (row, col - length),
        RIGHT: (row, col + length),
    }
    return ends[action]


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


def question(board: Board, state: State, action: int) -> Question | None:
    """A direction says it all."""
    return None


def told(board: Board, before: State, action: int, after: State) -> list[str]:
    """Where the token went."""
    return ["", f"Player {before.turn} moves to {_at(board, after.your_cell)}"]


def ending(board: Board, state: State) -> list[str]:
    """The last words."""
    if state.your_cell == board.homes[state.turn]:
        other = 3 - state.turn
        return [f"Player {other} reaches the opponent's starting cell and wins the game!"]
    closed = [
        f"  - {DIRECTIONS[action].title()}: Invalid ({_closed(board, state, action)})"
        for action in range(rules.ACTIONS)
    ]
    return [
        "",
        *turn_lines(board, state),
        "Possible Moves:",
        *closed,
        "No valid moves available.",
        f"Player {state.turn} cannot move and loses the game.",
    ]


def _closed(board: Board, state: State, action: int) -> str:
    """Why a direction is closed; the text names the target sideways, but not up and down."""
    row, col = _landing(board, state, *divmod(state.my_cell, board.cols), action)
    if 0 <= row < board.rows and 0 <= col < board.cols:
        return "occupied by the opponent"
    if action in (UP, DOWN):
        return "would move off the grid"
    return f"would move to ({row + 1},{col + 1})"


def reason(board: Board, state: State) -> str:
    """Why it is over."""
    if state.your_cell == board.homes[state.turn]:
        return "reached the opponent's start"
    return "the opponent has no valid moves"


# The look


def scores(state: State) -> None:
    """There are no points."""
    return


def caption(state: State) -> str:
    """There are no points."""
    return ""


def cell_views(board: Board, state: State) -> list[CellView]:
    """Numbers and tokens."""
    tokens = sides(state.turn, state.my_cell, state.your_cell)
    cells = []
    for cell, value in enumerate(board.cells):
        token = tokens.index(cell) + 1 if cell in tokens else 0
        cells.append(
            CellView(
                value=value,
                text=f"P{token}:{value}" if token else str(value),
                about=f"Player {token} is here" if token else "",
                token=token,
                home=board.homes.index(cell) if cell in board.homes else 0,
            )
        )
    return cells


def _at(board: Board, cell: int) -> str:
    return f"({NOTATION.cell_name(board, cell)})"
