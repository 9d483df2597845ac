"""How Grid Conquest is written, read and talked about. What is legal is up to `rules`."""

from __future__ import annotations

from functools import lru_cache

from gridwise.core.board import Board
from gridwise.core.contracts import Ending, Notation
from gridwise.core.defaults import claim_owners, full_board_ending
from gridwise.core.narration import Names
from gridwise.core.notation import LetterNumber
from gridwise.core.outcome import Termination
from gridwise.core.view import CellView, Drawing
from gridwise.games.grid_conquest import rules
from gridwise.games.grid_conquest.rules import State

NOTATION: Notation = LetterNumber(letter_is_row=True)
DRAWING = Drawing("brackets", width=2)
SUMMARY = "Claim cells on a face-down grid; each turns up its neighbours. Be first to 15 points."
HELP = (
    "Type the cell to claim: the letter of its row and the number of its column, like C3.\n"
    "You can also claim a face-down cell. You see its number once it is yours."
)

cell_name = NOTATION.cell_name


# Moves


def why_not(board: Board, state: State, action: int) -> str:
    """Whose it is."""
    mine = state.my_cells >> action & 1
    owner = "You have" if mine else "Your opponent has"
    return f"{owner} already claimed {cell_name(board, action)}."


# The dialogue


def prompt(board: Board, state: State) -> str:
    """Who, and the question for the cell."""
    return f"Player {state.turn}, enter the cell you wish to claim: "


def move_lines(board: Board, before: State, action: int, after: State) -> list[str]:
    """What was under it, and the new score."""
    value, score = board.cells[action], after.your_score
    return [
        f"You have claimed cell {cell_name(board, action)} with a value of {value}.",
        f"Your new score is {score}.",
    ]


def log_line(board: Board, before: State, action: int, after: State, names: Names) -> str:
    """What was claimed, and the new score."""
    mover = names[before.turn - 1]
    claim = f"{mover.does('claim')} {cell_name(board, action)}"
    return f"{claim} (+{board.cells[action]}), now {after.your_score}"


def ending(board: Board, state: State) -> Ending:
    """Reaching the target, or a full board."""
    if state.your_score >= board.target:
        line = f"Congratulations! You have reached {state.your_score} points and won the game!"
        return Ending(Termination.TARGET, f"reached {board.target} points", [line])
    return full_board_ending(rules.winner(board, state), "score")


# The board


def cell_views(board: Board, state: State) -> list[CellView]:
    """Owners, numbers that have been turned up, and blanks."""
    owners = claim_owners(board, state.turn, state.my_cells, state.your_cells)
    return list(map(_cell_view, board.cells, owners))


@lru_cache(maxsize=1_024)
def _cell_view(value: int, owner: int) -> CellView:
    return CellView(
        value=value,
        text=f"P{owner}" if owner else str(value or ""),
        about=f"Player {owner}'s" if owner else "" if value else "face down",
        owner=owner,
        hidden=not value,
    )
