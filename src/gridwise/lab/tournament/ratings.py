"""Elo of a match and ratings of a pool, with 95 % intervals, from pairs by result.

Two games on one board with sides swapped are one measurement: a pair, worth 0 to 2 points. Counting
pairs and not games takes the luck of the deal and of the first move out of the error: where one
side wins nearly every game, two games tell no more than their sum. The five results are the
pentanomial `[LL, LD, DD or WL, WD, WW]` of fastchess and fishtest, from the first player's side.

With s the mean share of points in a pair, v its variance, and its interval that of
`gridwise.lab.statistics`:

* Elo is `-400 log10(1/s - 1)`. Its interval is that of s, rescaled: infinite where that reaches 0
  or 1.
* Normalised Elo is `(s - 0.5) / sqrt(2 v) * 800 / ln 10`: how clear a difference is rather than how
  large. It tells how many games it takes to see it, whatever is shared (Michel Van den Bergh). Its
  interval is that of s too. The bounds are divided by the root mean square of `share - 0.5`, which
  few pairs tell better than v; for the quotient r, `(s - 0.5) / sqrt(v)` is `r / sqrt(1 - r^2)`.
* LOS, the likelihood of superiority, is the normal probability that s is above a half.

The figures are those of fastchess, the intervals are not: its `s ± 1.96 sqrt(v / pairs)` held the
true Elo 90 times in 100 at 10 pairs, and the true normalised Elo 45 times at 50 pairs of which four
in five are won (tests/lab/test_coverage.py).

Ratings of a pool are Bradley and Terry's model, fitted by evalica, an extra (`gridwise[lab]`): each
player has a strength such that A takes `a / (a + b)` of the points from B. They are on the Elo
scale, with the mean of the pool at 0; differences have the meaning of Elo. One drawn game more is
added to each pairing: otherwise the rating of somebody who has lost every game would be minus
infinity; over hundreds of games it changes a rating by a few points.

The interval of a rating comes from how the pairs of each pairing differ: the sandwich variance of
the fit, with a pair as the unit, because its two games share a board. One share more, half 0 and
half 1, spread over the pairings of a player, stands for what few pairs have not shown yet. The
interval is laid out on the player's share of points and transformed, so it is open where that
reaches 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import copysign, inf, log, log10, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.extras import require
from gridwise.lab.statistics import Estimate, interval, student

NELO_SCALE = 800 / log(10)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
ELO_UNIT = 400 / log(10)
FARTHEST = 20_000.0  # Elo; there a share of points is 0 or 1 to the last digit

Floats: TypeAlias = npt.NDArray[np.float64]


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
    value, low, high = map(elo_of_score, score_interval(pairs)[:3])
    return Estimate(value, low, high)


def normalised_elo(pairs: Pairs) -> Estimate:
    """The normalised Elo difference; where every pair ended alike, 0 or infinite."""
    _, low, high, _ = score_interval(pairs)
    # As in `interval`, over two shares more, a 0 and a 1.
    square = fmean((share - 0.5) ** 2 for share in (*pairs.shares, 0.0, 1.0))
    low, high = (_normalised((bound - 0.5) / sqrt(square)) for bound in (low, high))
    spread = sqrt(pairs.variance + (pairs.score - 0.5) ** 2)
    value = _normalised((pairs.score - 0.5) / spread) if spread else 0.0
    return Estimate(value, low, high)


def _normalised(ratio: float) -> float:
    """The normalised Elo of a mean of `share - 0.5`, divided by its root mean square."""
    if abs(ratio) >= 1.0 - 1e-12:
        return copysign(inf, ratio)
    return NELO_SCALE * ratio / sqrt(2 * (1 - ratio**2))


def likelihood_of_superiority(pairs: Pairs) -> float:
    """The probability that the first player is the stronger one, given the pairs."""
    mean, variance, count = pairs.score, pairs.variance, pairs.total
    if variance == 0.0:
        # All alike. Two more pairs, one for each player, stand for what has not been seen yet.
        padded = pairs + Pairs(ll=1, ww=1)
        mean, variance, count = padded.score, padded.variance, padded.total
    return NormalDist().cdf((mean - 0.5) / sqrt(variance / count))


# A pool of players


def ratings(players: int, matches: Mapping[tuple[int, int], Pairs]) -> list[Estimate]:
    """A rating for each player; `matches` has the pairs of two players, by their numbers.

    Raises BadRequest without evalica.
    """
    require("lab", "evalica")
    played = {numbers: pairs for numbers, pairs in matches.items() if pairs.total}
    if not played:
        return [Estimate(0.0, -inf, inf)] * players
    results = np.array([pairs.pentanomial for pairs in played.values()])
    counts, points = results.sum(axis=1), results @ SHARES
    drawn = 0.5  # a game
    values = _fitted(players, played, counts + drawn, points + drawn / 2)
    unseen = 1 / (players - 1)  # shares of each pairing that stand for what has not been seen
    counts, points = counts + unseen, points + unseen / 2
    squares = results @ np.square(SHARES) + unseen / 2
    variances = (squares - points**2 / counts) / np.maximum(counts - 1, 1) * counts
    fitted = _fitted(players, played, counts, points)
    slopes, noise = np.zeros((2, players, players))
    met: list[list[tuple[float, float]]] = [[] for _ in range(players)]
    for (one, two), count, variance in zip(played, counts.tolist(), variances, strict=True):
        expected = score_of_elo(fitted[one] - fitted[two])
        ends = np.zeros(players)
        ends[[one, two]] = 1, -1
        slopes += count * expected * (1 - expected) / ELO_UNIT * np.outer(ends, ends)
        noise += variance * np.outer(ends, ends)
        met[one].append((fitted[two], count))
        met[two].append((fitted[one], count))
    inverse = np.linalg.pinv(slopes)
    errors = np.sqrt(np.diag(inverse @ noise @ inverse)).tolist()
    found = []
    for value, own, error, opponents in zip(values, fitted, errors, met, strict=True):
        low, high = _rating_ends(own, error, opponents, 1 - 1 / players)
        found.append(Estimate(value, min(value, low), max(value, high)))
    return found


def _rating_ends(
    own: float, error: float, met: Sequence[tuple[float, float]], moved: float
) -> tuple[float, float]:
    """The interval of a rating with that standard error; `met` has the opponents' and weights.

    `moved` is how far the rating goes when the player's Elo goes by 1: the mean of the pool, which
    is 0, goes along.
    """
    total = sum(count for _, count in met)
    if not total:
        return -inf, inf

    def share(elo: float) -> float:
        return sum(count * score_of_elo(elo - other) for other, count in met) / total

    slope = (share(own + 0.5) - share(own - 0.5)) / moved
    margin = student(max(1, round(total) - 1)) * error * slope

    def rating(bound: float) -> float:
        """The rating with that share of points."""
        if not 0.0 < bound < 1.0:
            return -inf if bound <= 0.0 else inf
        low, high = own - FARTHEST, own + FARTHEST
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if share(middle) < bound else (low, middle)
        return own + moved * (low - own)

    return rating(share(own) - margin), rating(share(own) + margin)


def _fitted(
    players: int, matches: Iterable[tuple[int, int]], counts: Floats, points: Floats
) -> list[float]:
    """The ratings for so many pairs in each match, and so many shares of them for the first."""
    from evalica import Winner, bradley_terry  # noqa: PLC0415 - 0.5 s, and an extra

    xs, ys, winners, weights = [], [], [], []
    for (one, two), count, own in zip(matches, counts.tolist(), points.tolist(), strict=True):
        for winner, weight in ((Winner.X, own), (Winner.Y, count - own)):
            xs.append(one)
            ys.append(two)
            winners.append(winner)
            weights.append(2 * weight)
    strengths = bradley_terry(xs, ys, winners, weights=weights, tolerance=1e-9, limit=10_000).scores
    elos = [400 * log10(strengths.get(player, 1.0)) for player in range(players)]
    mean = sum(elos) / players
    return [each - mean for each in elos]
