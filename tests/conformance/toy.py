"""Tic-tac-toe: what it takes to add a game. One folder's worth of code, here in one file.

Nothing in the product knows it. It is registered for the conformance suite and the console, and
must get everything the five games get.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple, cast

from gridwise.core.board import Board
from gridwise.core.game import Game, Question, Rules, Words
from gridwise.core.notation import RowColumn
from gridwise.core.view import CellView, Drawing, sides

# The rules


class State(NamedTuple):
    """Who has marked what."""

    turn: int
    mine: int
    yours: int


def start(board: Board, first: int) -> State:
    """Nothing marked."""
    return State(first, 0, 0)


def has_line(board: Board, marked: int) -> bool:
    """Whether a row, a column, or a diagonal of a square is complete."""
    rows, cols = board.rows, board.cols
    for row in range(rows):
        line = ((1 << cols) - 1) << row * cols
        if marked & line == line:
            return True
    column = down = up = 0
    for row in range(rows):
        column |= 1 << row * cols
        down |= 1 << row * cols + row
        up |= 1 << row * cols + cols - 1 - row
    for col in range(cols):
        if marked & column << col == column << col:
            return True
    return rows == cols and (marked & down == down or marked & up == up)


def moves(board: Board, state: State) -> int:
    """Any free cell, until somebody has a line."""
    if has_line(board, state.yours):
        return 0
    return board.full & ~(state.mine | state.yours)


def play(board: Board, state: State, action: int) -> State:
    """Mark the cell."""
    return State(3 - state.turn, state.yours, state.mine | 1 << action)


def winner(board: Board, state: State) -> int:
    """A line wins; a full board without one is a draw."""
    if has_line(board, state.yours):
        return 3 - state.turn
    return 3 if state.mine | state.yours == board.full else 0


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0


# The words

NOTATION = RowColumn(base=1)


def _views(board: Board, state: State) -> list[CellView]:
    marked = sides(state.turn, state.mine, state.yours)
    owners = [
        next((player for player in (1, 2) if marked[player - 1] >> cell & 1), 0)
        for cell in range(board.size)
    ]
    return [
        CellView(value=0, text=" XO"[owner].strip(), about="free XO"[5 * owner :], owner=owner)
        for owner in owners
    ]


def _prompt(board: Board, state: State) -> str:
    return f"Player {state.turn}, mark a cell: "


def _told(board: Board, before: State, action: int, after: State) -> list[str]:
    return [f"Marked {NOTATION.cell_name(board, action)}."]


def _ending(board: Board, state: State) -> list[str]:
    return [("", "Player 1 wins.", "Player 2 wins.", "A draw.")[winner(board, state)]]


def _question(board: Board, state: State, action: int) -> Question | None:
    return None


RULES = SimpleNamespace(
    ACTIONS=0,
    LOW=1,
    HIGH=1,
    CYCLIC=False,
    start=start,
    moves=moves,
    play=play,
    winner=winner,
    hidden=hidden,
)

WORDS = SimpleNamespace(
    NOTATION=NOTATION,
    DRAWING=Drawing("boxes", width=3),
    REFUSAL="",
    SUMMARY="Three in a row.",
    HELP="Type a cell as row,column.",
    board_fault=lambda board: "",
    action_name=lambda board, state, action: NOTATION.cell_name(board, action),
    parse_action=lambda board, state, text: NOTATION.parse_cell(board, text),
    target=lambda board, state, action: action,
    listed=lambda board, state, actions: list(actions),
    why_not=lambda board, state, action: "That cell is taken.",
    turn_lines=lambda board, state: [],
    prompt=_prompt,
    question=_question,
    told=_told,
    ending=_ending,
    reason=lambda board, state: "a line" if winner(board, state) != 3 else "no cell left",
    scores=lambda state: None,
    caption=lambda state: "",
    cell_views=_views,
)

TOY = GAME = Game(
    key="tic-tac-toe",
    title="Tic-tac-toe",
    rules=cast("Rules", RULES),
    words=cast("Words", WORDS),
    rows=3,
    cols=3,
)
