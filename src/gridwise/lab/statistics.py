"""95 % confidence intervals: of a share of points, of a rate per move, and of a difference.

`interval` is that of a mean of shares between 0 and 1, one share a pair of games. It is Student's t
interval over the sample and two more shares, a 0 and a 1 (Agresti and Caffo's adjustment). The two
stand for what a small sample cannot rule out: without them three pairs that happen to agree would
prove that all do. Over many pairs they hardly matter. Counted over all outcomes of 10 to 100 pairs,
the true mean is inside at least 93 times in 100.

A pair of games on one board with sides swapped is one share, so that the luck of the deal and of
moving first cancels out.

`cluster_interval` is that of a rate per move, such as the share of best moves. The moves of a game
are not independent, so the pair is the unit (a cluster), and the variance is that of a ratio of
totals, estimated from how clusters differ (Taylor linearisation, as in surveys). Rates are often
near 0 or 1, where a symmetric interval fails, so it is Wilson's interval for as many independent
moves as the variance amounts to. Few events say little about how they cluster: the design effect is
averaged with its worst case, as though one more event had been seen that took a whole cluster with
it.

`difference_interval` is that of a difference between two players on the same boards, made from the
interval of each and their correlation (Newcombe's square-and-add, MOVER).

tests/lab/test_coverage.py counts how often each holds a known truth, from two pairs on: between
92.5 and 100 times in 100.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isinf, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

NORMAL_95 = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A figure with its 95 % interval; `n` is how many it is the mean of, 0 if nobody says.

    Each of the three may be infinite: an end that what was measured does not limit.
    """

    value: float
    low: float
    high: float
    n: int = 0

    def text(self, show: Callable[[float], str], form: str = "{} ({} to {})") -> str:
        """The figure and its interval, each number shown in the same way."""
        return form.format(*map(show, self[:3]))

    def __str__(self) -> str:
        return self.text("{:.1%}".format)

    def to_json(self) -> dict[str, float | None]:
        """The figure for JSON, which has no infinite numbers: None for those."""
        value, low, high = (each if isfinite(each) else None for each in self[:3])
        data = {"value": value, "low": low, "high": high}
        return data | {"measured": self.n} if self.n else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Estimate:
        """A figure that is not infinite, from what `to_json` has written."""
        return cls(data["value"], data["low"], data["high"], data.get("measured", 0))


class Cluster(NamedTuple):
    """What was measured together, such as the moves on one board; each measure is from 0 to 1."""

    size: int
    total: float
    zeros: int  # how many of the measures were 0
    ones: int

    @classmethod
    def of(cls, measured: Sequence[float]) -> Cluster:
        """The cluster of these measures."""
        zeros, ones = measured.count(0.0), measured.count(1.0)
        return cls(len(measured), sum(measured), zeros, ones)


def signed(figure: float, digits: int = 1) -> str:
    """A figure with its sign, such as `+12.3` or `-inf`."""
    # Adding 0 makes -0.0 a 0.
    return f"{round(figure, digits) + 0.0:+.{digits}f}" if isfinite(figure) else f"{figure:+}"


def pair_means(figures: Sequence[float]) -> list[float]:
    """The mean of each pair of games, from a figure of one game after the other."""
    return [(one + two) / 2 for one, two in zip(figures[::2], figures[1::2], strict=True)]


def interval(shares: Sequence[float], most: float = 1.0) -> tuple[float, float]:
    """The 95 % interval for the mean of which these shares are a sample; `most` bounds it.

    It may be infinite, for points thrown away a game: nothing says how many there can be. Then the
    second of the two shares is more than the largest one in the sample, the more the smaller it is.
    """
    # At least half a point, which a mistake in a drawn or an endless game costs.
    beyond = (1 + 10 / len(shares)) * max(0.5, *shares) if isinf(most) else 1.0
    sample = [*shares, 0.0, max(1.0, beyond)]
    mean = fmean(sample)
    margin = student(len(sample) - 1) * stdev(sample, mean) / sqrt(len(sample))
    return max(0.0, mean - margin), min(most, mean + margin)


def cluster_interval(clusters: Sequence[Cluster], worst: float = 0.0) -> Estimate | None:
    """A rate over all that was measured; None if nothing was.

    `worst` is the largest design effect that can be, if it is less than whole clusters at once.
    """
    used = [each for each in clusters if each.size]
    count = sum(each.size for each in used)
    if not count:
        return None
    rate = sum(each.total for each in used) / count
    if len(used) == 1:
        return Estimate(rate, 0.0, 1.0, count)
    events = count - max(sum(each.zeros for each in used), sum(each.ones for each in used))
    spread = sum((each.total - rate * each.size) ** 2 for each in used)
    variance = spread / count**2 * len(used) / (len(used) - 1)
    independent = rate * (1 - rate) / count
    effect = variance / independent if independent else 0.0
    whole = sum(each.size**2 for each in used) / count
    effect = (events * effect + min(whole, worst or whole)) / (events + 1)
    low, high = wilson(rate, count / effect, student(len(used) - 1))
    return Estimate(rate, min(low, rate), max(high, rate), count)


def wilson(rate: float, count: float, quantile: float) -> tuple[float, float]:
    """Wilson's interval of a rate among that many independent trials.

    Of a few events Wilson's own makes too much: where 0.17 were to be expected, one was reason
    enough to leave out the truth, so that it was held 84 times in 100. So the end on the side of 0
    or 1, whichever is nearer, is that of up to half an event less.
    """
    half = max(0.0, 0.5 - count * min(rate, 1 - rate) / 16) / count
    low, _ = _wilson(max(0.0, rate - half) if rate < 0.5 else rate, count, quantile)
    _, high = _wilson(min(1.0, rate + half) if rate > 0.5 else rate, count, quantile)
    return low, high


def _wilson(rate: float, count: float, quantile: float) -> tuple[float, float]:
    square = quantile**2 / count
    middle = (rate + square / 2) / (1 + square)
    margin = quantile / (1 + square) * sqrt(rate * (1 - rate) / count + square / (4 * count))
    return max(0.0, middle - margin), min(1.0, middle + margin)


def difference_interval(
    one: Estimate, two: Estimate, correlation: float, most: float = 1.0
) -> Estimate:
    """One rate minus another, measured on the same boards; `most` bounds it."""
    value = one.value - two.value

    def margin(own: float, other: float) -> float:
        return sqrt(max(0.0, own**2 + other**2 - 2 * correlation * own * other))

    low = margin(one.value - one.low, two.high - two.value)
    high = margin(one.high - one.value, two.value - two.low)
    return Estimate(value, max(-most, value - low), min(most, value + high), one.n)


def cluster_correlation(one: Sequence[Cluster], two: Sequence[Cluster]) -> float:
    """How the rates of two players go together, from cluster to cluster.

    Few clusters always seem to go together, two of them wholly, so it is made smaller.
    """
    residuals = []
    for clusters in (one, two):
        count = sum(each.size for each in clusters)
        rate = sum(each.total for each in clusters) / count if count else 0.0
        residuals.append([each.total - rate * each.size for each in clusters])
    squares = [sum(each * each for each in own) for own in residuals]
    if min(squares) < 1e-12:
        return 0.0
    both: float = sum(a * b for a, b in zip(*residuals, strict=True))
    return both / sqrt(squares[0] * squares[1]) * (1 - 1 / len(one))


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t: the normal one and Fisher's expansion of the difference.

    From three degrees of freedom on it is off by less than one in a hundred. scipy has it exactly,
    but the base package does not depend on it.
    """
    z = NORMAL_95
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
