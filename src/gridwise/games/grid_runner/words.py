"""How Grid Runner is written, read, told and looked at. What is legal is asked of `rules`."""

from __future__ import annotations

from gridwise.core.board import DIRECTIONS, Board
from gridwise.core.game import Notation, Question
from gridwise.core.notation import LetterNumber, parse_direction
from gridwise.core.view import CellView, Drawing, sides
from gridwise.errors import IllegalMove, UnreadableMove, quoted
from gridwise.games.grid_runner.rules import OBSTACLE, State

NOTATION: Notation = LetterNumber(letter_is_row=False)
DRAWING = Drawing("boxes", width=3)
REFUSAL = "Invalid move. Please choose a different direction."
SUMMARY = "Walk around the obstacles, a step a turn; be the first on the other's corner."
HELP = (
    "Type a direction: up, down, left or right, or just its first letter.\n"
    "You take one step. Obstacles and the opponent are in the way."
)

cell_name = NOTATION.cell_name


def board_fault(board: Board) -> str:
    """The two corners that tokens start on must be open."""
    for player in (1, 2):
        cell = board.homes[player]
        if board.cells[cell] == OBSTACLE:
            name = cell_name(board, cell)
            return f"There is an obstacle on {name}, where Player {player} starts."
    return ""


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell stepped to."""
    return board.steps[state.my_cell][action]


def action_name(board: Board, state: State, action: int) -> str:
    """`up`, `down`, `left`, `right`."""
    return DIRECTIONS[action]


def parse_action(board: Board, state: State, text: str) -> int:
    """A direction, or the cell to step to."""
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
    steps = board.steps[state.my_cell]
    if to not in steps:
        here = cell_name(board, state.my_cell)
        raise IllegalMove(f"{cell_name(board, to)} is not one step away from {here}.")
    return steps.index(to)


def listed(board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
    """Up, down, left, right."""
    return list(actions)


def why_not(board: Board, state: State, action: int) -> str:
    """What is in the way."""
    to = target(board, state, action)
    if to < 0:
        return f"There is no cell {DIRECTIONS[action]} of {cell_name(board, state.my_cell)}."
    if to == state.your_cell:
        return f"Your opponent stands on {cell_name(board, to)}."
    return f"There is an obstacle on {cell_name(board, to)}."


# The dialogue


def turn_lines(board: Board, state: State) -> list[str]:
    """The prompt says it all."""
    return []


def prompt(board: Board, state: State) -> str:
    """Who, where, and the question for the direction."""
    at = cell_name(board, state.my_cell)
    return f"Player {state.turn} (P{state.turn}) at {at}, enter move (up/down/left/right): "


def question(board: Board, state: State, action: int) -> Question | None:
    """A direction says it all."""
    return None


def told(board: Board, before: State, action: int, after: State) -> list[str]:
    """The grid shows it."""
    return []


def ending(board: Board, state: State) -> list[str]:
    """The last words."""
    other = 3 - state.turn
    if state.your_cell == board.homes[state.turn]:
        goal = cell_name(board, state.your_cell)
        return [f"Player {other} wins by reaching the opponent's starting position at Cell {goal}!"]
    return [f"Player {state.turn} cannot move. Player {other} wins the game!"]


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
    """Obstacles and tokens."""
    tokens = sides(state.turn, state.my_cell, state.your_cell)
    cells = []
    for cell, value in enumerate(board.cells):
        token = tokens.index(cell) + 1 if cell in tokens else 0
        blocked = value == OBSTACLE
        about = "an obstacle" if blocked else "open"
        cells.append(
            CellView(
                value=0,
                text=f"P{token}" if token else "X" if blocked else "",
                about=f"where Player {token} stands" if token else about,
                token=token,
                home=board.homes.index(cell) if cell in board.homes else 0,
                blocked=blocked,
            )
        )
    return cells
