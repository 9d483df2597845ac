"""Ladder: the bots of a game, to be beaten one after the other, and which games count for it.

A win counts if it was won on even terms (`play.balance`) and without help. Both are tags of the
record, so that a game that is continued is judged the same; so is who has won what counts:

    [Terms "even start"]
    [Help "2 hints, 1 take-back, values"]
    [Ladder "1-0"]    of both sides it is in the second game, and of both
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS
from gridwise.core.outcome import DRAW
from gridwise.engine.bots import ABOUT
from gridwise.play.series import BOTH_SIDES, Series


class Help(StrEnum):
    """What helps a player in a game."""

    HINT = "hint"
    TAKE_BACK = "take-back"
    VALUES = "values"  # of the moves, shown on the board: however often, they were seen


def with_help(text: str, kind: Help) -> str:
    """The help in a game, with some more: after another hint, `1 hint` is `2 hints`."""
    counts = {each: _count(text, each) for each in Help}
    counts[kind] += 1
    return ", ".join(
        kind if kind is Help.VALUES else f"{count} {kind}{'s' * (count > 1)}"
        for kind, count in counts.items()
        if count
    )


def _count(text: str, kind: Help) -> int:
    if kind is Help.VALUES:
        return int(kind in text.split(", "))
    counted = re.search(rf"\b(\d{{1,4}}) {kind}", text, re.ASCII)
    return int(counted[1]) if counted else 0


def counts_for_ladder(terms: str, helped: str) -> bool:
    """Whether a game counts: played on even terms, and without help."""
    return bool(terms) and not helped


def ladder_result(winner: int, series: Series | None) -> int | None:
    """Who has won what counts, with a game and the series after it: 0 for nobody, 3 for a draw.

    None if nothing is decided: both sides are one match.
    """
    if series is None or series.best_of != BOTH_SIDES:
        return winner
    return (series.leader or DRAW) if series.over else None


def result_note(
    game: Game, level: str, helped: str, series: Series | None, *, won: bool, counts: bool
) -> str:
    """Whether a win against a bot counts, and if not, what would; empty if neither is news."""
    if counts:
        return f"{level.capitalize()} bot beaten."
    if not won or (series and series.best_of == BOTH_SIDES):
        return ""
    if helped:
        return f"You had help ({helped}). Now beat the {level} bot without."
    where = "on a new board of the usual kind"
    if game.handicap:
        where = "from the even start" if game.fixed else "on a new board, from the even start"
    elif game.coin_toss:
        where += ", after a coin toss"
    return f"Now beat the {level} bot {where}."


class Standing(NamedTuple):
    """Finished games of a person, counted."""

    won: int = 0
    lost: int = 0
    draw: int = 0
    beaten: int = 0  # wins that count for the ladder

    @property
    def played(self) -> int:
        """How many games it were."""
        return self.won + self.lost + self.draw


FIRST_RUNG = 1  # the bot of a ladder that newcomers play; the one below it does not try to win


def what_counts(game: Game) -> str:
    """With which wins a bot of a game is beaten, in a sentence."""
    how = "on the usual kind of board, or over both sides"
    if game.handicap:
        harder = COLOURS[1].subject
        how = f"from the even start, over both sides, or as {harder} from the standard one"
    elif game.coin_toss:
        how = "on the usual kind of board if a coin decides who begins, or if you begin second"
    return f"You beat a bot by a win {how}, without hints, values and take-backs."


class Rung(NamedTuple):
    """A bot of a ladder, and how you have done against it."""

    level: str
    about: str  # how it plays
    standing: Standing

    @property
    def beaten(self) -> bool:
        """Whether you have beaten it on even terms and without help."""
        return self.standing.beaten > 0


class Ladder(NamedTuple):
    """The bots of a game, from the weakest to the strongest, and the one to beat next."""

    rungs: list[Rung]
    next: str

    @property
    def line(self) -> str:
        """How far you have got, in a few words."""
        beaten, number = sum(rung.beaten for rung in self.rungs), len(self.rungs)
        if beaten == number:
            return "You have beaten every bot"
        return f"{beaten} of {number} bots beaten" if beaten else f"{number} bots to beat"


def ladder(standings: Mapping[tuple[str, str], Standing], game: str) -> Ladder:
    """The ladder of a game, by game and level: next is the bot above the best one beaten."""
    rungs = [
        Rung(level, about, standings.get((game, level), Standing()))
        for level, about in ABOUT.items()
    ]
    above = max((place + 1 for place, rung in enumerate(rungs) if rung.beaten), default=FIRST_RUNG)
    return Ladder(rungs, rungs[min(above, len(rungs) - 1)].level)
