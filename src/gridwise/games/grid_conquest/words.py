"""How Grid Conquest is written, read, told and looked at. What is legal is asked of `rules`."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.game import Notation, Question
from gridwise.core.notation import LetterNumber
from gridwise.core.view import CellView, Drawing, sides
from gridwise.games.grid_conquest import rules
from gridwise.games.grid_conquest.rules import State

NOTATION: Notation = LetterNumber(letter_is_row=True)
DRAWING = Drawing("brackets", width=2)
REFUSAL = ""
SUMMARY = "Claim cells of a face-down grid; each claim turns up its neighbours. First to 15."
HELP = (
    "Type the cell to claim: the letter of its row and the number of its column, like C3.\n"
    "Face-down cells may be claimed too: you see what you got when you have it."
)

cell_name = NOTATION.cell_name


def board_fault(board: Board) -> str:
    """Any grid of numbers will do."""
    return ""


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell claimed."""
    return action


def action_name(board: Board, state: State, action: int) -> str:
    """`C3`."""
    return cell_name(board, action)


def parse_action(board: Board, state: State, text: str) -> int:
    """A cell."""
    return NOTATION.parse_cell(board, text)


def listed(board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
    """Row by row."""
    return list(actions)


def why_not(board: Board, state: State, action: int) -> str:
    """Whose it is."""
    mine = state.my_cells >> action & 1
    owner = "you" if mine else "your opponent"
    return f"{cell_name(board, action)} has already been claimed by {owner}."


# The dialogue


def turn_lines(board: Board, state: State) -> list[str]:
    """The prompt says it all."""
    return []


def prompt(board: Board, state: State) -> str:
    """Who, and the question for the cell."""
    return f"Player {state.turn}, enter the cell you wish to claim: "


def question(board: Board, state: State, action: int) -> Question | None:
    """A cell says it all."""
    return None


def told(board: Board, before: State, action: int, after: State) -> list[str]:
    """What was under it, and the new score."""
    value, score = board.cells[action], after.your_score
    return [
        f"You have claimed cell {cell_name(board, action)} with a value of {value}.",
        f"Your new score is {score}.",
    ]


def ending(board: Board, state: State) -> list[str]:
    """The last words."""
    result = rules.winner(board, state)
    if state.your_score >= board.target:
        last = f"Congratulations! You have reached {state.your_score} points and won the game!"
    elif result == 3:
        last = "All cells are claimed and the scores are equal. The game is a draw."
    else:
        last = f"All cells are claimed. Player {result} has the higher score and wins the game!"
    return [caption(state), last]


def reason(board: Board, state: State) -> str:
    """Why it is over."""
    if state.your_score >= board.target:
        return f"reached {board.target} points"
    if rules.winner(board, state) == 3:
        return "all cells claimed, equal scores"
    return "all cells claimed, higher score"


# The look


def scores(state: State) -> tuple[int, int]:
    """Points of both players."""
    return sides(state.turn, state.my_score, state.your_score)


def caption(state: State) -> str:
    """Both scores, as they stand after each turn."""
    one, two = scores(state)
    return f"Scores: Player 1 has {one}, Player 2 has {two}."


def cell_views(board: Board, state: State) -> list[CellView]:
    """Owners, numbers that have been turned up, and blanks."""
    claimed = sides(state.turn, state.my_cells, state.your_cells)
    cells = []
    for cell, value in enumerate(board.cells):
        owner = next((player for player in (1, 2) if claimed[player - 1] >> cell & 1), 0)
        cells.append(
            CellView(
                value=value,
                text=f"P{owner}" if owner else str(value or ""),
                about=f"Player {owner}'s" if owner else "" if value else "face down",
                owner=owner,
                hidden=not value,
            )
        )
    return cells
