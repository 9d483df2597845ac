"""How Number Connect is written, read and talked about. What is legal is up to `rules`."""

from __future__ import annotations

from functools import lru_cache

from gridwise.core.board import Board
from gridwise.core.contracts import Ending, Notation, Objective
from gridwise.core.defaults import claim_owners, full_board_ending, points_objective
from gridwise.core.narration import NEUTRAL, Names
from gridwise.core.notation import RowColumn
from gridwise.core.outcome import Termination
from gridwise.core.view import CellView, Drawing, by_player
from gridwise.games.number_connect import rules
from gridwise.games.number_connect.rules import State

NOTATION: Notation = RowColumn(base=0)
DRAWING = Drawing("boxes", width=3, letters=("X", "O"))
SUMMARY = "Claim neighbouring cells that add up to exactly 15. Go over and you lose."
HELP = (
    "Type the cell to claim as row,column: 0,1 is the top row, second cell.\n"
    "Your first cell may be anywhere; after that, next to one of yours."
)
MARKERS = " XO"


# Moves


def why_not(board: Board, state: State, action: int) -> str:
    """Whose it is, or that it is too far away."""
    cell = NOTATION.mention(board, action)
    if state.my_cells >> action & 1:
        return f"You have already claimed {cell}."
    if state.your_cells >> action & 1:
        return f"Your opponent has already claimed {cell}."
    return f"{cell} is not next to one of your cells."


# The dialogue


def prompt(board: Board, state: State) -> str:
    """Who, and the question for the cell."""
    return f"Player {state.turn} ({MARKERS[state.turn]}), enter your move (row,column): "


def move_lines(board: Board, before: State, action: int, after: State) -> list[str]:
    """What was claimed, the new total, and who must pass."""
    total = before.my_total + board.cells[action]
    claimed = (
        f"You selected cell [{NOTATION.cell_name(board, action)}] "
        f"with value {board.cells[action]}. Your total is now {total}."
    )
    passes = after.turn == before.turn
    return [claimed, f"{_passing(before, NEUTRAL)}."] if passes else [claimed]


def log_line(board: Board, before: State, action: int, after: State, names: Names) -> str:
    """What was claimed, the new total, and who must pass."""
    mover = names[before.turn - 1]
    value = board.cells[action]
    claim = f"{mover.does('claim')} {NOTATION.cell_name(board, action)}"
    line = f"{claim} (+{value}), now {before.my_total + value}"
    return f"{line}. {_passing(before, names)}" if after.turn == before.turn else line


def _passing(before: State, names: Names) -> str:
    other = names[2 - before.turn]
    return f"{other.does('have')} no cell to claim and {other.verb('pass')}"


def objective(board: Board, state: State, player: int) -> Objective:
    """What is left to exactly the target."""
    return points_objective(scores(state)[player - 1], board.target, "exactly ")


def ending(board: Board, state: State) -> Ending:
    """Exactly the target, over the target, or a full board; a blank line sets it off."""
    other = 3 - state.turn
    if state.your_total == board.target:
        line = f"Player {other} has reached a total of {board.target} and wins the game!"
        return Ending(Termination.TARGET, f"reached exactly {board.target}", ["", line])
    if state.your_total > board.target:
        line = f"Player {other}'s total is over {board.target}. Player {state.turn} wins the game!"
        return Ending(Termination.OVER_TARGET, f"the opponent went over {board.target}", ["", line])
    full = full_board_ending(rules.winner(board, state), "total")
    return full._replace(lines=["", *full.lines])


# The board


def scores(state: State) -> tuple[int, int]:
    """Totals of both players."""
    return by_player(state.turn, state.my_total, state.your_total)


def caption(state: State) -> str:
    """Both totals."""
    one, two = scores(state)
    return f"Totals: Player 1 (X) has {one}, Player 2 (O) has {two}."


def cell_views(board: Board, state: State) -> list[CellView]:
    """Numbers that are free, and the marker of the player who has claimed the others."""
    owners = claim_owners(board, state.turn, state.my_cells, state.your_cells)
    return list(map(_cell_view, board.cells, owners))


@lru_cache(maxsize=1_024)
def _cell_view(value: int, owner: int) -> CellView:
    return CellView(
        value=value,
        text=MARKERS[owner] if owner else str(value),
        about=f"Player {owner}'s" if owner else "",
        owner=owner,
    )
