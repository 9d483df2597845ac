"""Labels of players and saved games, made from data: for lists, in a terminal or on a page.

Names come from files, which anybody may have written: they are cleaned here.
"""

from __future__ import annotations

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
    SavedStatus.PLAYER_1_WON: "P1 won",
    SavedStatus.PLAYER_2_WON: "P2 won",
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


def date_label(saved: SavedGame) -> str:
    """When it was begun."""
    return f"{saved.started:%d %b %Y}".lstrip("0") if saved.started else printable(saved.date, 12)


def game_line(saved: SavedGame) -> str:
    """A game in a line."""
    parts = (opponent_label(saved), STATUSES[saved.status], date_label(saved))
    return ", ".join(part for part in parts if part)


def game_story(saved: SavedGame, last: Position) -> str:
    """What there is to say about a game."""
    names = player_names(saved.players, saved.person)
    ended = last.result_line(names) or "Not finished yet."
    moves = f"{saved.moves} move{'' if saved.moves == 1 else 's'}"
    return f"{names[0].subject} against {names[1].object}\n{date_label(saved)}, {moves}\n\n{ended}"
