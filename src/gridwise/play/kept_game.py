"""What a list says about one game on disk: read from its name and its tags, not from its moves."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gridwise.core.outcome import DRAW, RESULT_MARKS, Termination
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRecord
from gridwise.play.match import HUMAN
from gridwise.play.records import read_tags
from gridwise.play.series import Series

SUFFIX = ".gwr"
TIME_FORM = "%Y-%m-%d-%H%M%S"
_TIME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}")


class Verdict(StrEnum):
    """How a game stands: from the person's side if one person played, else by player."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"
    UNFINISHED = "unfinished"
    PLAYER_1_WON = "player-1-won"
    PLAYER_2_WON = "player-2-won"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class KeptGame:
    """What a list says about one game on disk, from its name and its tags."""

    path: Path
    id: str  # what to type on the command line
    game: str = ""  # its key
    players: tuple[str, str] = ("", "")
    result: str = RESULT_MARKS[0]
    ending: Termination | None = None
    date: str = ""  # as the record has it
    moves: int = 0
    next_round: int = 0  # the number of the next game, where it is over and its series is not
    problem: str = ""  # why it cannot be read

    @property
    def started(self) -> dt.datetime | None:
        """When it was begun, on the clock of that place; midnight if only the date is known."""
        for text, form in ((time_in(self.path.name), TIME_FORM), (self.date, "%Y.%m.%d")):
            with suppress(ValueError):
                return dt.datetime.strptime(text, form)  # noqa: DTZ007 - no zone is written down
        return None

    @property
    def finished(self) -> bool:
        """Whether it has a result."""
        return self.result != RESULT_MARKS[0]

    @property
    def title(self) -> str:
        """The name of the game; nothing if it cannot be read."""
        return game_named(self.game).title if self.game else ""

    @property
    def person(self) -> int:
        """The side of the one person in the game, 1 or 2; 0 if there were two, or none."""
        return self.players.index(HUMAN) + 1 if self.players.count(HUMAN) == 1 else 0

    @property
    def opponent(self) -> str:
        """Who played against the person; nothing if it was not one against another."""
        return self.players[2 - self.person] if self.person else ""

    @property
    def verdict(self) -> Verdict:
        """How it stands, from the person's side."""
        winner = RESULT_MARKS.index(self.result)
        if self.problem:
            return Verdict.DAMAGED
        if winner in (0, DRAW):
            return Verdict.DRAW if winner else Verdict.UNFINISHED
        if self.person:
            return Verdict.WON if winner == self.person else Verdict.LOST
        return Verdict.PLAYER_1_WON if winner == 1 else Verdict.PLAYER_2_WON

    def is_against(self, opponent: str) -> bool:
        """Whether that player, or a bot of that level, played against the person."""
        rivals = (self.opponent,) if self.person else self.players
        wanted = opponent.casefold()
        return any(
            wanted in (name.casefold(), name.casefold().partition(":")[2]) for name in rivals
        )

    def mentions(self, text: str) -> bool:
        """Whether a text stands in what a list shows of the game."""
        words = (self.id, self.game, self.title, *self.players, self.verdict, str(self.started))
        return text.casefold() in " ".join(words).casefold()


def look(path: Path) -> KeptGame:
    """What can be said about a file without checking its moves."""
    try:
        tags, moves = read_tags(path)
    except BadRecord as error:
        return KeptGame(path, id_in(path.name), problem=str(error))
    return KeptGame(
        path=path,
        id=id_in(path.name),
        game=tags["Game"],
        players=(tags.get("Player1", HUMAN), tags.get("Player2", HUMAN)),
        result=tags["Result"],
        ending=Termination(tags["Ending"]) if "Ending" in tags else None,
        date=tags.get("Date", ""),
        moves=moves,
        next_round=_next_round(tags),
    )


def _next_round(tags: dict[str, str]) -> int:
    series, winner = Series.from_tags(tags), RESULT_MARKS.index(tags["Result"])
    goes_on = series and winner and not series.after(winner).over
    return series.round + 1 if series and goes_on else 0


def time_in(name: str) -> str:
    """The time in the name of a file, as `TIME_FORM` has it; nothing if there is none."""
    found = _TIME.search(name)
    return found[0] if found else ""


def id_in(name: str) -> str:
    """The last part of a name that has a time in it; another name as a whole."""
    stem = name.removesuffix(SUFFIX)
    return stem.rpartition("-")[2] if time_in(stem) else stem
