"""What a list says about a kept game: words made from data, fit for the screen.

Names come from files, which anybody may have written: they are cleaned here.
"""

from __future__ import annotations

from rich.text import Text

from gridwise.core.position import Position
from gridwise.errors import printable
from gridwise.play.kept_game import KeptGame, Verdict
from gridwise.play.match import HUMAN
from gridwise.play.session import player_names

LONGEST = 30  # characters of a name

# A sign and a word, so that no colour is needed.
VERDICTS = {
    Verdict.WON: "✓ won",
    Verdict.LOST: "✗ lost",
    Verdict.DRAW: "= draw",
    Verdict.UNFINISHED: "… open",
    Verdict.PLAYER_1_WON: "P1 won",
    Verdict.PLAYER_2_WON: "P2 won",
    Verdict.DAMAGED: "! damaged",
}


def player_label(player: str) -> str:
    """A player as a list has it: `Casual bot`, `A person`, or the name in a file."""
    if player == HUMAN:
        return "A person"
    return printable(player_names((player, HUMAN))[0].subject, LONGEST)


def opponent_label(kept: KeptGame) -> str:
    """Who played against whom, as short as can be."""
    if kept.problem:
        return printable(kept.path.name, LONGEST)
    if kept.person:
        return player_label(kept.opponent)
    if kept.players == (HUMAN, HUMAN):
        return "Two people"
    return " and ".join(player_label(player) for player in kept.players)


def date_label(kept: KeptGame) -> str:
    """When it was begun."""
    return f"{kept.started:%d %b %Y}".lstrip("0") if kept.started else printable(kept.date, 12)


def row_cells(kept: KeptGame) -> list[Text]:
    """A game as a row of the list; Text, because a name may look like markup."""
    words = (
        kept.title,
        opponent_label(kept),
        VERDICTS[kept.verdict],
        date_label(kept),
        f"{kept.moves:>5}" if kept.game else "",
    )
    return [Text(word, no_wrap=True, overflow="ellipsis") for word in words]


def game_line(kept: KeptGame) -> str:
    """A game in a line."""
    parts = (opponent_label(kept), VERDICTS[kept.verdict], date_label(kept))
    return ", ".join(part for part in parts if part)


def game_story(kept: KeptGame, last: Position) -> str:
    """What there is to say about a game."""
    one, two = (printable(player, 30) for player in kept.players)
    names = player_names((one, two), kept.person)
    ended = last.result_line(names) or "Not finished yet."
    moves = f"{kept.moves} move{'' if kept.moves == 1 else 's'}"
    return f"{names[0].subject} against {names[1].object}\n{date_label(kept)}, {moves}\n\n{ended}"
