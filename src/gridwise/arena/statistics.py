"""The one 95 % confidence interval: of a mean of shares between 0 and 1.

It is Student's t interval over the sample and two more shares, a 0 and a 1 (Agresti and Caffo's
adjustment). The two stand for what a small sample cannot rule out: without them three pairs that
happen to agree would prove that all do. Over many pairs they hardly matter. Counted over all
outcomes of 10 to 100 pairs, the true mean is inside at least 93 times in 100.

A pair of games on one board with sides swapped is one share, so that the luck of the deal and of
moving first cancels out.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev


def pair_shares(points: Sequence[float]) -> list[float]:
    """The share of points taken in each pair, from the points of one game after the other."""
    return [(one + two) / 2 for one, two in zip(points[::2], points[1::2], strict=True)]


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval for the mean of which these shares are a sample."""
    sample = [*shares, 0.0, 1.0]
    mean = fmean(sample)
    margin = student(len(sample) - 1) * stdev(sample, mean) / sqrt(len(sample))
    return max(0.0, mean - margin), min(1.0, mean + margin)


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t: the normal one and Fisher's expansion of the difference.

    From three degrees of freedom on it is off by less than one in a hundred. scipy has it exactly,
    but the base package does not depend on it.
    """
    z = NormalDist().inv_cdf(0.975)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
