"""Labels of players and saved games, made from data: for lists, in a terminal or on a page.

Names come from files, which anybody may have written: they are cleaned here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from gridwise.core.narration import COLOURS
from gridwise.core.outcome import RESULT_MARKS
from gridwise.core.position import Position
from gridwise.errors import printable
from gridwise.play.library import SavedGame, SavedStatus
from gridwise.play.match import HUMAN
from gridwise.play.session import player_names

MAX_NAME_LENGTH = 30  # characters of a name

# A sign and a word, so that no colour is needed.
STATUSES = {
    SavedStatus.WON: "✓ won",
    SavedStatus.LOST: "✗ lost",
    SavedStatus.DRAW: "= draw",
    SavedStatus.UNFINISHED: "… open",
    SavedStatus.DAMAGED: "! damaged",
}


def player_label(player: str) -> str:
    """A player as a list has it: `Casual bot`, `A person`, or the name in a file."""
    if player == HUMAN:
        return "A person"
    return printable(player_names((player, HUMAN))[0].subject, MAX_NAME_LENGTH)


def opponent_label(saved: SavedGame) -> str:
    """Who played against whom, as short as can be."""
    if saved.problem:
        return printable(saved.path.name, MAX_NAME_LENGTH)
    if saved.person:
        return player_label(saved.opponent)
    if saved.players == (HUMAN, HUMAN):
        return "Two people"
    return " and ".join(player_label(player) for player in saved.players)


def status_label(saved: SavedGame) -> str:
    """How a game stands, with a star if a person had help in it."""
    return _status(saved) + "*" * bool(saved.help)


def _status(saved: SavedGame) -> str:
    """How a game stands: for a person in it, or who has won, by name."""
    if saved.status in STATUSES:
        return STATUSES[saved.status]
    winner = player_names(saved.players, nameless=COLOURS)[RESULT_MARKS.index(saved.result) - 1]
    return f"{printable(winner.subject, MAX_NAME_LENGTH)} won"


def date_label(saved: SavedGame) -> str:
    """When it was begun."""
    return f"{saved.started:%d %b %Y}".lstrip("0") if saved.started else printable(saved.date, 12)


def game_line(saved: SavedGame) -> str:
    """A game in a line."""
    helped = f"with {saved.help}" if saved.help else ""
    parts = (opponent_label(saved), _status(saved), helped, date_label(saved))
    return ", ".join(part for part in parts if part)


def game_story(saved: SavedGame, last: Position) -> str:
    """What there is to say about a game."""
    names = player_names(saved.players, saved.person, COLOURS)
    ended = last.result_line(names) or "Not finished yet."
    moves = f"{saved.moves} move{'' if saved.moves == 1 else 's'}"
    helped = f"\n* With help: {saved.help}." if saved.help else ""
    players = f"{names[0].subject} against {names[1].object}"
    return f"{players}\n{date_label(saved)}, {moves}\n\n{ended}{helped}"


class MoveRow(NamedTuple):
    """A line of a list of moves: `2. 1,1 (9)  4,2 (8)`."""

    number: int
    one: str  # Player 1's move, with the points after it where there are any
    two: str  # Player 2's; either can be empty


def move_rows(positions: Sequence[Position]) -> list[MoveRow]:
    """The moves of a game in two columns; who moves again, after a pass, begins a new row."""
    rows: list[MoveRow] = []
    for before, after in pairwise(positions):
        mover, move = before.turn, before.name(after.history[-1])
        if scores := after.scores:
            move += f" ({scores[mover - 1]})"
        if mover == 1 or not rows or rows[-1].two:
            rows.append(MoveRow(len(rows) + 1, "", ""))
        rows[-1] = rows[-1]._replace(one=move) if mover == 1 else rows[-1]._replace(two=move)
    return rows
