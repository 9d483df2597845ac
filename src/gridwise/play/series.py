"""A series: best of 3, 5 or 7 games between the same two, sides swapped after each.

The tags of each record say where its game stands in the series, so a game that is continued goes on
in it:

    [BestOf "3"]
    [Round "2"]
    [Score "0-1"]    what Player 1 and Player 2 of this game had before it

A win is one point. A game that ends without a winner is half a point for each. A game that is
abandoned counts for nobody: it can still be continued.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gridwise.core.narration import NEUTRAL, Names
from gridwise.errors import BadRequest

LENGTHS = (1, 3, 5, 7)
DRAWS_COUNT = "A win is one point, a draw half a point for each."
_NUMBER = re.compile(r"[0-9]{1,2}")
_SCORE = re.compile(r"([0-9]{1,2})(\.5)?-([0-9]{1,2})(\.5)?")


@dataclass(frozen=True)
class Series:
    """The state of a series, from the sides of the game that is being played."""

    best_of: int
    round: int = 1  # the number of this game
    halves: tuple[int, int] = (0, 0)  # half points of Player 1 and of Player 2

    def __post_init__(self) -> None:
        if self.best_of not in LENGTHS:
            lengths = ", ".join(map(str, LENGTHS))
            raise BadRequest(f"A series is best of {lengths}, not {self.best_of}.")

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> Series | None:
        """The series of a record; None if it is in none, or the tags make no sense."""
        best_of, number = tags.get("BestOf", ""), tags.get("Round", "")
        score = _SCORE.fullmatch(tags.get("Score", ""))
        if not (_NUMBER.fullmatch(best_of) and _NUMBER.fullmatch(number) and score):
            return None
        one, two = (2 * int(score[at]) + bool(score[at + 1]) for at in (1, 3))
        makes_sense = int(best_of) in LENGTHS[1:] and one + two == 2 * (int(number) - 1)
        series = cls(int(best_of), int(number), (one, two)) if makes_sense else None
        return series if series and not series.over else None

    @property
    def tags(self) -> dict[str, str]:
        """What a record of this game says about the series; nothing if it is a single game."""
        if self.best_of == 1:
            return {}
        return {"BestOf": str(self.best_of), "Round": str(self.round), "Score": self.score("-")}

    def after(self, winner: int) -> Series:
        """The series with this game counted: 1 or 2 won it, or nobody."""
        one, two = {1: (2, 0), 2: (0, 2)}.get(winner, (1, 1))
        return Series(self.best_of, self.round + 1, (self.halves[0] + one, self.halves[1] + two))

    def swapped(self) -> Series:
        """The series with sides swapped."""
        return Series(self.best_of, self.round, self.halves[::-1])

    def next(self, winner: int) -> Series | None:
        """The next game, sides swapped, after 1 or 2 or nobody won this; None if it is over."""
        counted = self.after(winner)
        return None if counted.over else counted.swapped()

    @property
    def over(self) -> bool:
        """Whether all games are played, or the leader cannot be caught any more."""
        left = self.best_of - (self.round - 1)
        return abs(self.halves[0] - self.halves[1]) > 2 * left or left <= 0

    @property
    def leader(self) -> int:
        """The player who is ahead; 0 if nobody is."""
        one, two = self.halves
        return 0 if one == two else 1 if one > two else 2

    def score(self, between: str = " to ") -> str:
        """Both scores, Player 1's first: `2 to 0.5`."""
        return between.join(f"{half / 2:g}" for half in self.halves)

    def line(self, names: Names = NEUTRAL) -> str:
        """A sentence on how it stands: `Best of 3: you lead 1 to 0`, and a full stop."""
        if not self.leader:
            stands = f"it is {self.score()}"
            if self.over:
                stands = f"a draw, {self.score()}"
        else:
            ahead = names[self.leader - 1]
            verb = ahead.verb("win" if self.over else "lead")
            first = self if self.leader == 1 else self.swapped()
            stands = f"{ahead.object} {verb} {first.score()}"
        return f"Best of {self.best_of}: {stands}."


SINGLE_GAME = Series(1)
