"""Elo of a match and ratings of a pool, with 95 % intervals, from pairs by result.

Two games on one board with sides swapped are one measurement: a pair, worth 0 to 2 points. Counting
pairs and not games takes the luck of the deal and of the first move out of the error: where one
side wins nearly every game, two games tell no more than their sum. The five results are the
pentanomial `[LL, LD, DD or WL, WD, WW]` of fastchess and fishtest, from the first player's side.

With s the mean share of points in a pair and v its variance:

* Elo is `-400 log10(1/s - 1)`. Its interval is that of s, `s ± 1.96 sqrt(v / pairs)`, rescaled.
* Normalised Elo is `(s - 0.5) / sqrt(2 v) * 800 / ln 10`: how clear a difference is rather than how
  large. It tells how many games it takes to see it, whatever is shared (Michel Van den Bergh).
* LOS, the likelihood of superiority, is the normal probability that s is above a half.

These are the formulas of fastchess. They fail where all pairs end alike (v is 0) and where the
interval reaches 0 or 1, which happens between bots of very different strength. Then the interval
is that of `gridwise.lab.statistics`, which holds for such samples too.

Ratings of a pool are Bradley and Terry's model, fitted by evalica, an extra (`gridwise[lab]`): each
player has a strength such that A takes `a / (a + b)` of the points from B. They are on the Elo
scale, with the mean of the pool at 0; differences have the meaning of Elo. Errors come from a
bootstrap over pairs: every pairing is drawn again from its own pairs, as many as there were, 1,000
times. A pair is drawn as a whole, because its two games share a board. One drawn game more is added
to each pairing: otherwise the rating of somebody who has lost every game would be minus infinity;
over hundreds of games it changes a rating by a few points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.extras import require
from gridwise.lab.statistics import NORMAL_95, Estimate, interval

NELO_SCALE = 800 / log(10)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
RESAMPLES = 1000

Counts: TypeAlias = npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """How many pairs ended in each of the ways, from the first player's side."""

    ll: int = 0  # both lost
    ld: int = 0
    dd: int = 0  # both drawn
    wl: int = 0  # one won, one lost
    wd: int = 0
    ww: int = 0  # both won

    @classmethod
    def of(cls, results: Iterable[tuple[float, float]]) -> Pairs:
        """The pairs with these points of the first player in their two games."""
        counts = dict.fromkeys(cls._fields, 0)
        for one, two in results:
            better, worse = max(one, two), min(one, two)
            counts[_WAYS[better, worse]] += 1
        return cls(**counts)

    def __add__(self, other: object) -> Pairs:
        if not isinstance(other, Pairs):
            return NotImplemented
        return Pairs(*map(sum, zip(self, other, strict=True)))

    @property
    def swapped(self) -> Pairs:
        """These results from the other player's side."""
        return Pairs(self.ww, self.wd, self.dd, self.wl, self.ld, self.ll)

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """`[LL, LD, DD or WL, WD, WW]`."""
        return self.ll, self.ld, self.dd + self.wl, self.wd, self.ww

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return sum(self)

    @property
    def shares(self) -> list[float]:
        """The share of points in each pair, in no order."""
        counted = zip(SHARES, self.pentanomial, strict=True)
        return [share for share, count in counted for _ in range(count)]

    @property
    def score(self) -> float:
        """The mean share of points; a half if there are no pairs."""
        points = sum(s * n for s, n in zip(SHARES, self.pentanomial, strict=True))
        return points / self.total if self.total else 0.5

    @property
    def variance(self) -> float:
        """The variance of a pair's share of points."""
        mean = self.score
        squares = sum((s - mean) ** 2 * n for s, n in zip(SHARES, self.pentanomial, strict=True))
        return squares / self.total if self.total else 0.0

    @property
    def all_split(self) -> bool:
        """Whether every pair was shared: nothing in it speaks for either player."""
        return self.total > 0 and self.total == self.dd + self.wl


NO_PAIRS = Pairs()
_WAYS = {
    (0.0, 0.0): "ll",
    (0.5, 0.0): "ld",
    (0.5, 0.5): "dd",
    (1.0, 0.0): "wl",
    (1.0, 0.5): "wd",
    (1.0, 1.0): "ww",
}


def elo_of_score(score: float) -> float:
    """The Elo difference at which that share of points is expected; infinite at 0 and 1."""
    if score <= 0.0:
        return -inf
    return inf if score >= 1.0 else 400 * log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The share of points that is expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def score_interval(pairs: Pairs) -> Estimate:
    """The share of points, with an interval that holds for few and for one-sided pairs too."""
    return Estimate(pairs.score, *interval(pairs.shares))


def elo(pairs: Pairs) -> Estimate:
    """The Elo difference between the first player and the second."""
    low, high = _score_bounds(pairs)
    return Estimate(elo_of_score(pairs.score), elo_of_score(low), elo_of_score(high))


def normalised_elo(pairs: Pairs) -> Estimate:
    """The normalised Elo difference; where every pair ended alike, 0 or infinite.

    The interval is that of the score, as if the variance were known: as fastchess has it.
    """
    if pairs.variance == 0.0:
        even = pairs.score == 0.5
        value = 0.0 if even else inf if pairs.score > 0.5 else -inf
        low, high = _score_bounds(pairs)  # a few pairs do not even say who is better
        return Estimate(value, 0.0 if low > 0.5 else -inf, 0.0 if high < 0.5 else inf)
    scale = NELO_SCALE / sqrt(2 * pairs.variance)
    margin = NORMAL_95 * sqrt(pairs.variance / pairs.total)
    value, low, high = (
        (each - 0.5) * scale for each in (pairs.score, pairs.score - margin, pairs.score + margin)
    )
    return Estimate(value, low, high)


def likelihood_of_superiority(pairs: Pairs) -> float:
    """The probability that the first player is the stronger one, given the pairs."""
    mean, variance, count = pairs.score, pairs.variance, pairs.total
    if variance == 0.0:
        # All alike. Two more pairs, one for each player, stand for what has not been seen yet.
        padded = pairs + Pairs(ll=1, ww=1)
        mean, variance, count = padded.score, padded.variance, padded.total
    return NormalDist().cdf((mean - 0.5) / sqrt(variance / count))


def _score_bounds(pairs: Pairs) -> tuple[float, float]:
    margin = NORMAL_95 * sqrt(pairs.variance / pairs.total) if pairs.total else 0.0
    low, high = pairs.score - margin, pairs.score + margin
    return (low, high) if margin and low > 0.0 and high < 1.0 else interval(pairs.shares)


# A pool of players


def ratings(
    players: int, matches: Mapping[tuple[int, int], Pairs], seed: int = 0
) -> list[Estimate]:
    """A rating for each player; `matches` has the pairs of two players, by their numbers.

    Raises BadRequest without evalica.
    """
    require("lab", "evalica")
    played = {numbers: pairs for numbers, pairs in matches.items() if pairs.total}
    if not played:
        return [Estimate(0.0, 0.0, 0.0)] * players
    counts = np.array([pairs.pentanomial for pairs in played.values()])
    value = _fitted(players, played, counts)
    rng = np.random.default_rng(seed)
    totals = counts.sum(axis=1)
    shares = counts / totals[:, None]
    drawn = np.empty((RESAMPLES, players))
    for number in range(RESAMPLES):
        again = np.array(
            [rng.multinomial(total, row) for total, row in zip(totals, shares, strict=True)]
        )
        drawn[number] = _fitted(players, played, again)
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return [Estimate(*each) for each in zip(value, low.tolist(), high.tolist(), strict=True)]


def _fitted(players: int, matches: Iterable[tuple[int, int]], counts: Counts) -> list[float]:
    """The ratings for so many pairs by result in each match."""
    from evalica import Winner, bradley_terry  # noqa: PLC0415 - 0.5 s, and an extra

    xs, ys, winners, weights = [], [], [], []
    for (one, two), row in zip(matches, counts, strict=True):
        games = 2 * int(row.sum())
        points = 2 * float(row @ np.array(SHARES))
        for winner, weight in ((Winner.X, points), (Winner.Y, games - points)):
            xs.append(one)
            ys.append(two)
            winners.append(winner)
            weights.append(weight + 0.5)
    strengths = bradley_terry(xs, ys, winners, weights=weights, tolerance=1e-9, limit=10_000).scores
    elos = [400 * log10(strengths.get(player, 1.0)) for player in range(players)]
    mean = sum(elos) / players
    return [each - mean for each in elos]
