"""How tic-tac-toe is written and talked about. Everything else has a default."""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.contracts import Ending, Notation
from gridwise.core.defaults import claim_owners
from gridwise.core.notation import RowColumn
from gridwise.core.outcome import Termination
from gridwise.core.view import CellView, Drawing
from tic_tac_toe import rules
from tic_tac_toe.rules import State

NOTATION: Notation = RowColumn(base=1)
DRAWING = Drawing("boxes", width=3)
SUMMARY = "Three in a row."
HELP = "Type a cell as row,column."


def why_not(board: Board, state: State, action: int) -> str:
    """A cell that is not free has been marked."""
    return "That cell is taken."


def prompt(board: Board, state: State) -> str:
    """The line that asks for a move."""
    return f"Player {state.turn}, mark a cell: "


def ending(board: Board, state: State) -> Ending:
    """A line, or no cell left."""
    winner = rules.winner(board, state)
    if winner in (1, 2):
        return Ending(Termination.GOAL, "a line", [f"Player {winner} wins."])
    return Ending(Termination.BOARD_FULL, "no cell left", ["A draw."])


def cell_views(board: Board, state: State) -> list[CellView]:
    """X, O or nothing."""
    return [
        CellView(value=0, text=" XO"[owner].strip(), about=("free", "X", "O")[owner], owner=owner)
        for owner in claim_owners(board, state.turn, state.mine, state.yours)
    ]
