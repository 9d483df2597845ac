"""A series: some games between the same two, sides swapped after each.

Best of 3, 5 or 7; or *both sides*: two games on one board, each player once from either side. The
tags of each record say where its game stands in the series, so a game that is continued goes on in
it:

    [BestOf "3"]     2 for both sides
    [Round "2"]
    [Score "0-1"]    what Player 1 and Player 2 of this game had before it
    [WonIn "0-8"]    of both sides: the own moves in which each of them had won a game

A win is one point. A game that ends without a winner is half a point for each. A game that is
abandoned counts for nobody: it can still be continued. Where both have won one of the two games of
both sides, the faster win counts more.

An odd number of games would give one player one start more: in the last game chance decides the
sides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gridwise.core.narration import NEUTRAL, Names
from gridwise.errors import BadRequest

BOTH_SIDES = 2
LENGTHS = (1, BOTH_SIDES, 3, 5, 7)
DRAWS_COUNT = "A win is one point, a draw half a point for each."
FASTER_WINS = "one board twice, once from each side. If both win once, the faster win counts."
_NUMBER = re.compile(r"[0-9]{1,2}")
_SCORE = re.compile(r"([0-9]{1,2})(\.5)?-([0-9]{1,2})(\.5)?")
_WON_IN = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")


@dataclass(frozen=True)
class Series:
    """The state of a series, from the sides of the game that is being played."""

    best_of: int
    round: int = 1  # the number of this game
    halves: tuple[int, int] = (0, 0)  # half points of Player 1 and of Player 2
    won_in: tuple[int, int] = (0, 0)  # own moves, of both sides; 0 where no game was won

    def __post_init__(self) -> None:
        if self.best_of not in LENGTHS:
            lengths = ", ".join(str(length) for length in LENGTHS if length != BOTH_SIDES)
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
        moves = _WON_IN.fullmatch(tags.get("WonIn", ""))
        won_in = (int(moves[1]), int(moves[2])) if moves else (0, 0)
        series = cls(int(best_of), int(number), (one, two), won_in) if makes_sense else None
        return series if series and not series.over else None

    @property
    def tags(self) -> dict[str, str]:
        """What a record of this game says about the series; nothing if it is a single game."""
        if self.best_of == 1:
            return {}
        tags = {"BestOf": str(self.best_of), "Round": str(self.round), "Score": self.score("-")}
        one, two = self.won_in
        return tags | ({"WonIn": f"{one}-{two}"} if one or two else {})

    @property
    def title(self) -> str:
        """What it is called: `Best of 3`, `Both sides`."""
        return "Both sides" if self.best_of == BOTH_SIDES else f"Best of {self.best_of}"

    @property
    def about(self) -> str:
        """How it is counted, in a sentence."""
        return FASTER_WINS if self.best_of == BOTH_SIDES else DRAWS_COUNT

    def after(self, winner: int, moves: int = 0) -> Series:
        """The series with this game counted: 1 or 2 won it in so many own moves, or nobody."""
        one, two = {1: (2, 0), 2: (0, 2)}.get(winner, (1, 1))
        halves = (self.halves[0] + one, self.halves[1] + two)
        won_in = self.won_in
        if self.best_of == BOTH_SIDES and winner in (1, 2):
            won_in = (moves, won_in[1]) if winner == 1 else (won_in[0], moves)
        return Series(self.best_of, self.round + 1, halves, won_in)

    def stopped(self) -> Series:
        """The series after a game that counts for nobody: it is played again.

        Of both sides both are: they are of one board, and it is known by now.
        """
        return Series(BOTH_SIDES) if self.best_of == BOTH_SIDES else self

    def swapped(self) -> Series:
        """The series with sides swapped."""
        return Series(self.best_of, self.round, self.halves[::-1], self.won_in[::-1])

    def next(self, winner: int, moves: int = 0) -> Series | None:
        """The next game, sides swapped, after 1 or 2 or nobody won this; None if it is over."""
        counted = self.after(winner, moves)
        return None if counted.over else counted.swapped()

    @property
    def sides_by_chance(self) -> bool:
        """Whether chance decides the sides of this game: the last one of an odd number."""
        return self.round == self.best_of > BOTH_SIDES

    @property
    def over(self) -> bool:
        """Whether all games are played, or the leader cannot be caught any more."""
        left = self.best_of - (self.round - 1)
        return abs(self.halves[0] - self.halves[1]) > 2 * left or left <= 0

    @property
    def has_other_side(self) -> bool:
        """Whether this is the first of both sides: the other is played on the same board."""
        return self.best_of == BOTH_SIDES and self.round == 1

    @property
    def leader(self) -> int:
        """The player who is ahead; 0 if nobody is."""
        one, two = self.halves
        if one == two and all(self.won_in):
            two, one = self.won_in  # fewer moves are better
        return 0 if one == two else 1 if one > two else 2

    def score(self, between: str = " : ") -> str:
        """Both scores, Player 1's first: `2 : 0.5`."""
        return between.join(f"{half / 2:g}" for half in self.halves)

    def line(self, names: Names = NEUTRAL) -> str:
        """How it stands, in a sentence: `Best of 3: you lead 1 : 0.`, `Ann wins the match 2 : 1.`.

        What decided between two wins is said as well.
        """
        if not self.leader:
            drawn = f"The match is drawn {self.score()}."
            return drawn if self.over else f"{self.title}: it is {self.score()}."
        ahead, first = names[self.leader - 1], self if self.leader == 1 else self.swapped()
        if not self.over:
            return f"{self.title}: {ahead.object} {ahead.verb('lead')} {first.score()}."
        fewer, more = first.won_in
        faster = f", in {fewer} move{'s' * (fewer > 1)} against {more}"
        is_tie = first.halves[0] == first.halves[1]
        return f"{ahead.does('win')} the match {first.score()}{faster if is_tie else ''}."

    def announcement(self, names: Names, sides: Names, first: int = 1) -> str:
        """What is said before a game that is not the first: who has which side now.

        `sides` is what the sides are called, `Blue` and `Red` or `Player 1` and `Player 2`.
        """
        if self.best_of == 1 or self.round == 1:
            return ""
        how = "the same board, sides swap" if self.best_of == BOTH_SIDES else "sides swap"
        lead, (one, two) = f"Game {self.round} of {self.best_of}", names
        if not (one.is_you or two.is_you) and names in (sides, NEUTRAL):
            return f"{lead}: {how}, whoever was {sides[0].object} is {sides[1].object} now."
        lead = f"{lead}: {'chance has decided the sides' if self.sides_by_chance else how}"
        number = 2 if two.is_you else 1
        player, begins = names[number - 1], first == number
        second = "" if begins else " second"
        side, begin = sides[number - 1].subject, player.verb("begin")
        return f"{lead}, {player.object} {player.verb('are')} {side} now and {begin}{second}."


SINGLE_GAME = Series(1)
