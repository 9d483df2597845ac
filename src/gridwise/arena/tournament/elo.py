"""Elo and normalised Elo of a match, with 95 % intervals, from its pairs by result.

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
is that of `gridwise.arena.statistics`, which holds for such samples too.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from gridwise.arena.statistics import NORMAL_95, interval

NELO_SCALE = 800 / log(10)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Bounded(NamedTuple):
    """A figure with its 95 % interval; any of the three may be infinite."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval, which engine testers write after ±."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{signed(self.value)} ({signed(self.low)} to {signed(self.high)})"


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
        """The same from the other player's side."""
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


def score_interval(pairs: Pairs) -> Bounded:
    """The share of points, with an interval that holds for few and for one-sided pairs too."""
    return Bounded(pairs.score, *interval(pairs.shares))


def elo(pairs: Pairs) -> Bounded:
    """The Elo difference between the first player and the second."""
    low, high = _score_bounds(pairs)
    return Bounded(elo_of_score(pairs.score), elo_of_score(low), elo_of_score(high))


def normalised_elo(pairs: Pairs) -> Bounded:
    """The normalised Elo difference; where every pair ended alike, 0 or infinite.

    The interval is that of the score, as if the variance were known: as fastchess has it.
    """
    if pairs.variance == 0.0:
        even = pairs.score == 0.5
        value = 0.0 if even else inf if pairs.score > 0.5 else -inf
        low, high = _score_bounds(pairs)  # a few pairs do not even say who is better
        return Bounded(value, 0.0 if low > 0.5 else -inf, 0.0 if high < 0.5 else inf)
    scale = NELO_SCALE / sqrt(2 * pairs.variance)
    margin = NORMAL_95 * sqrt(pairs.variance / pairs.total)
    bounds = pairs.score, pairs.score - margin, pairs.score + margin
    return Bounded(*((each - 0.5) * scale for each in bounds))


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


def signed(figure: float, digits: int = 1) -> str:
    """A figure with its sign, such as `+12.3` or `-inf`."""
    # Adding 0 makes -0.0 a 0.
    return f"{round(figure, digits) + 0.0:+.{digits}f}" if isfinite(figure) else f"{figure:+}"


def json_number(figure: float) -> float | None:
    """A figure for JSON, which has no infinite numbers: None for those."""
    return figure if isfinite(figure) else None


def json_bounded(figure: Bounded) -> dict[str, float | None]:
    """A figure and its interval for JSON."""
    return dict(zip(Bounded._fields, map(json_number, figure), strict=True))
