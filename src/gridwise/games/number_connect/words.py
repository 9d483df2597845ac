"""How Number Connect is written, read, told and looked at. What is legal is asked of `rules`."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.game import Notation, Question
from gridwise.core.notation import RowColumn
from gridwise.core.view import CellView, Drawing, sides
from gridwise.games.number_connect import rules
from gridwise.games.number_connect.rules import State

NOTATION: Notation = RowColumn(base=0)
DRAWING = Drawing("boxes", width=3)
REFUSAL = ""
SUMMARY = "Grow a territory whose numbers add up to exactly 15; one more and you have lost."
HELP = (
    "Type the cell to claim as row,column: 0,1 is the top row, second cell.\n"
    "Your first cell may be anywhere; after that, next to one of yours."
)
MARKERS = " XO"


def board_fault(board: Board) -> str:
    """Any grid of numbers will do."""
    return ""


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell claimed."""
    return action


def action_name(board: Board, state: State, action: int) -> str:
    """`0,1`."""
    return NOTATION.cell_name(board, action)


def parse_action(board: Board, state: State, text: str) -> int:
    """A cell."""
    return NOTATION.parse_cell(board, text)


def listed(board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
    """Row by row."""
    return list(actions)


def why_not(board: Board, state: State, action: int) -> str:
    """Whose it is, or that it is too far away."""
    cell = _at(board, action)
    if state.my_cells >> action & 1:
        return f"You have already claimed {cell}."
    if state.your_cells >> action & 1:
        return f"Your opponent has already claimed {cell}."
    return f"{cell} is not next to a cell of yours."


# The dialogue


def turn_lines(board: Board, state: State) -> list[str]:
    """The prompt says it all."""
    return []


def prompt(board: Board, state: State) -> str:
    """Who, and the question for the cell."""
    return f"Player {state.turn} ({MARKERS[state.turn]}), enter your move (row,column): "


def question(board: Board, state: State, action: int) -> Question | None:
    """A cell says it all."""
    return None


def told(board: Board, before: State, action: int, after: State) -> list[str]:
    """What was claimed, what it adds up to, and who must pass."""
    total = before.my_total + board.cells[action]
    lines = [
        f"You selected cell [{NOTATION.cell_name(board, action)}] "
        f"with value {board.cells[action]}. Your total is now {total}."
    ]
    if after.turn == before.turn:
        lines.append(f"Player {3 - before.turn} has no cell to claim and passes.")
    return lines


def ending(board: Board, state: State) -> list[str]:
    """The last words."""
    other, result = 3 - state.turn, rules.winner(board, state)
    if state.your_total == board.target:
        return [f"Player {other} has reached a total of {board.target} and wins the game!"]
    if state.your_total > board.target:
        return [
            f"Player {other}'s total is over {board.target}. Player {state.turn} wins the game!"
        ]
    if result == 3:
        return ["All cells are claimed and the totals are equal. The game is a draw."]
    return [f"All cells are claimed. Player {result} has the higher total and wins the game!"]


def reason(board: Board, state: State) -> str:
    """Why it is over."""
    if state.your_total == board.target:
        return f"reached exactly {board.target}"
    if state.your_total > board.target:
        return f"the opponent went over {board.target}"
    if rules.winner(board, state) == 3:
        return "all cells claimed, equal totals"
    return "all cells claimed, higher total"


# The look


def scores(state: State) -> tuple[int, int]:
    """Totals of both players."""
    return sides(state.turn, state.my_total, state.your_total)


def caption(state: State) -> str:
    """Both totals."""
    one, two = scores(state)
    return f"Totals: Player 1 (X) has {one}, Player 2 (O) has {two}."


def cell_views(board: Board, state: State) -> list[CellView]:
    """Numbers that are free, and the marker of whoever has claimed the others."""
    claimed = sides(state.turn, state.my_cells, state.your_cells)
    cells = []
    for cell, value in enumerate(board.cells):
        owner = next((player for player in (1, 2) if claimed[player - 1] >> cell & 1), 0)
        cells.append(
            CellView(
                value=value,
                text=MARKERS[owner] if owner else str(value),
                about=f"Player {owner}'s" if owner else "",
                owner=owner,
            )
        )
    return cells


def _at(board: Board, cell: int) -> str:
    return f"({NOTATION.cell_name(board, cell)})"
