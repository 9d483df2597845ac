"""Standings: what the games of a tournament add up to, pair by pair.

Pairs are added in the order of the schedule, whoever played them first. So the figures depend on
the games alone, and a test that stops early stops at the same pair, wherever and however often the
work was interrupted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gridwise.arena.tournament.elo import (
    NO_PAIRS,
    Bounded,
    Pairs,
    elo,
    json_bounded,
    likelihood_of_superiority,
    normalised_elo,
    score_interval,
)
from gridwise.core.outcome import DRAW, Termination

GameJson: TypeAlias = Mapping[str, Any]  # a game as `play_block` reports it
PairJson: TypeAlias = tuple[GameJson, GameJson]
Course: TypeAlias = tuple[tuple[str, ...], ...]  # the board and the moves of both games

FAULTS = (Termination.CRASH, Termination.TIME_OUT, Termination.ILLEGAL_MOVE)
SIDES = ("unfinished", "p1", "p2", "draw")  # by the winner


def points(game: GameJson) -> float:
    """What the first of the two players took: 1, a half or 0."""
    side = 1 + game["swapped"]
    winner = game["winner"]
    return 0.5 if winner in (0, DRAW) else float(winner == side)


@dataclass
class Tally:
    """The pairs of one pairing, at one game or at several."""

    one: int  # the players by number
    two: int
    game: str  # empty for several
    pairs: Pairs = NO_PAIRS
    sides: Counter[str] = field(default_factory=Counter)  # games by winner, as in `SIDES`
    endings: Counter[str] = field(default_factory=Counter)  # games by Termination
    faults: Counter[tuple[int, str]] = field(default_factory=Counter)  # by player and Termination
    wins: int = 0  # games that the first player won
    losses: int = 0
    plies: int = 0
    course: Course | None = None  # of the first pair
    varied: bool = False  # whether another pair was played differently

    def add(self, pair: PairJson) -> None:
        """Count a pair."""
        self._note_course(tuple((game["board"], *game["moves"]) for game in pair))
        taken = [points(game) for game in pair]
        self.pairs += Pairs.of([(taken[0], taken[1])])
        self.wins += taken.count(1.0)
        self.losses += taken.count(0.0)
        for game in pair:
            self.sides[SIDES[game["winner"]]] += 1
            self.endings[game["ending"]] += 1
            self.plies += len(game["moves"])
            if game["ending"] in FAULTS:
                ours = points(game) == 0.0
                self.faults[self.one if ours else self.two, game["ending"]] += 1

    def _note_course(self, course: Course | None) -> None:
        self.varied = self.varied or (self.course is not None and self.course != course)
        self.course = self.course or course

    def merge(self, other: Tally) -> None:
        """Count what another tally of the same pairing has counted."""
        self._note_course(other.course)
        self.varied = self.varied or other.varied
        self.pairs += other.pairs
        for mine, its in (
            (self.sides, other.sides),
            (self.endings, other.endings),
            (self.faults, other.faults),
        ):
            mine.update(its)  # type: ignore[arg-type] # both of the same kind
        self.wins += other.wins
        self.losses += other.losses
        self.plies += other.plies

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * self.pairs.total

    @property
    def repeated(self) -> bool:
        """Whether all pairs are one and the same: more of them say no more than one."""
        return self.pairs.total > 1 and not self.varied

    @property
    def informative(self) -> bool:
        """Whether the pairs say anything about who is stronger."""
        return not (self.pairs.all_split or self.repeated)

    @property
    def draws(self) -> int:
        """Games that nobody won, unfinished ones included."""
        return self.games - self.wins - self.losses

    @property
    def draw_ratio(self) -> float:
        """The share of games that nobody won."""
        return self.draws / self.games if self.games else 0.0

    @property
    def same_side(self) -> str:
        """The side that won every game, `p1` or `p2`; empty if there is none."""
        won = [side for side in ("p1", "p2") if self.games and self.sides[side] == self.games]
        return won[0] if won else ""

    @property
    def score(self) -> Bounded:
        """The first player's share of points."""
        return score_interval(self.pairs)

    @property
    def elo(self) -> Bounded:
        """The Elo difference."""
        return elo(self.pairs)

    @property
    def nelo(self) -> Bounded:
        """The normalised Elo difference."""
        return normalised_elo(self.pairs)

    @property
    def los(self) -> float:
        """The likelihood that the first player is the stronger one."""
        return likelihood_of_superiority(self.pairs)

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The tally for other programs."""
        return {
            "one": names[self.one],
            "two": names[self.two],
            "game": self.game or None,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "draw_ratio": self.draw_ratio,
            "pairs": list(self.pairs.pentanomial),
            "shared": {"drawn": self.pairs.dd, "won_and_lost": self.pairs.wl},
            "score": json_bounded(self.score),
            "elo": json_bounded(self.elo),
            "nelo": json_bounded(self.nelo),
            "los": self.los,
            "informative": self.informative,
            "sides": {side: self.sides[side] for side in SIDES},
            "endings": dict(sorted(self.endings.items())),
            "plies": self.plies / self.games if self.games else None,
        }


class Standings:
    """All tallies of a tournament; `names` are what the players are called."""

    def __init__(self, names: Sequence[str], games: Iterable[str]) -> None:
        self.names = list(names)
        self.games = list(games)
        self.tallies: dict[tuple[int, int, str], Tally] = {}

    def add(self, one: int, two: int, game: str, pair: PairJson) -> None:
        """Count a pair."""
        key = (one, two, game)
        if key not in self.tallies:
            self.tallies[key] = Tally(one, two, game)
        self.tallies[key].add(pair)

    @property
    def pairs(self) -> int:
        """How many pairs were counted."""
        return sum(each.pairs.total for each in self.tallies.values())

    def matches(self) -> Iterator[Tally]:
        """One tally a pairing, over all games."""
        merged: dict[tuple[int, int], Tally] = {}
        for (one, two, game), tally in sorted(self.tallies.items()):
            name = game if len(self.games) == 1 else ""
            merged.setdefault((one, two), Tally(one, two, name)).merge(tally)
        yield from merged.values()

    def match(self) -> Tally:
        """The match between the first two players."""
        return next((t for t in self.matches() if (t.one, t.two) == (0, 1)), Tally(0, 1, ""))

    def by_game(self, game: str) -> Tally:
        """All games of a kind; whose points they were does not count."""
        merged = Tally(0, 0, game)
        for tally in self.tallies.values():
            if tally.game == game:
                merged.merge(tally)
        return merged

    def of_player(self, player: int) -> Tally:
        """All pairs of a player, from that player's side."""
        own = Tally(player, -1, "")
        for tally in self.tallies.values():
            if player in (tally.one, tally.two):
                first = player == tally.one
                own.pairs += tally.pairs if first else tally.pairs.swapped
                own.wins += tally.wins if first else tally.losses
                own.losses += tally.losses if first else tally.wins
                own.faults.update(
                    {key: count for key, count in tally.faults.items() if key[0] == player}
                )
        return own
