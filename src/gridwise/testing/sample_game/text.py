"""How Sample Game is written and talked about. What is legal is up to `rules`."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.contracts import Ending, Notation
from gridwise.core.defaults import claim_owners
from gridwise.core.narration import Names, with_article
from gridwise.core.notation import RowColumn
from gridwise.core.outcome import Termination
from gridwise.core.view import CellView, Drawing
from gridwise.testing.sample_game.rules import State

NOTATION: Notation = RowColumn(base=1)
DRAWING = Drawing("boxes", width=3)
SUMMARY = "Claim numbers, never next to a cell of your own. Be first to 12 points."
HELP = (
    "Type the cell to claim as row,column: 1,2 is the top row, second cell.\n"
    "A cell next to one of your own is closed to you. If no cell is open to you, you lose."
)


def why_not(board: Board, state: State, action: int) -> str:
    """Whose it is, or that it is too near."""
    cell = NOTATION.mention(board, action)
    if state.my_cells >> action & 1:
        return f"You have already claimed {cell}."
    if state.your_cells >> action & 1:
        return f"Your opponent has already claimed {cell}."
    return f"{cell} is next to one of your cells."


def prompt(board: Board, state: State) -> str:
    """The line that asks for a move."""
    return f"Player {state.turn}, claim a cell (row,column): "


def move_lines(board: Board, before: State, action: int, after: State) -> list[str]:
    """What the claim was worth."""
    return [f"That is {with_article(board.cells[action])}. You have {after.your_score} points."]


def log_line(board: Board, before: State, action: int, after: State, names: Names) -> str:
    """Who claimed what, and how many points that makes."""
    claim = f"{names[before.turn - 1].does('claim')} {NOTATION.cell_name(board, action)}"
    return f"{claim} (+{board.cells[action]}), now {after.your_score}"


def ending(board: Board, state: State) -> Ending:
    """The target, or nothing left to claim."""
    wins = f"Player {3 - state.turn} wins the game!"
    if state.your_score >= board.target:
        reached = f"Player {3 - state.turn} has {state.your_score} points."
        return Ending(Termination.TARGET, f"reached {board.target} points", [reached, wins])
    stuck = f"Player {state.turn} has no cell to claim."
    return Ending(Termination.NO_MOVES, "the opponent has no cell to claim", [stuck, wins])


def cell_views(board: Board, state: State) -> list[CellView]:
    """The numbers that are free, and who has claimed the others."""
    owners = claim_owners(board, state.turn, state.my_cells, state.your_cells)
    return [
        CellView(
            value=value,
            text=f"P{owner}" if owner else str(value),
            about=f"Player {owner}'s" if owner else "",
            owner=owner,
        )
        for value, owner in zip(board.cells, owners, strict=True)
    ]
