"""The ratings of the anchors, from their games among themselves."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10

from gridwise.evals.report.rating import SCALE

ZERO = "random"  # whose rating is 0


def fit_anchors(scores: Mapping[tuple[str, str], tuple[float, int]]) -> dict[str, float]:
    """Ratings of all players from their games: (one, other) to the points of one, and the games.

    Maximum likelihood (Bradley and Terry's model, by Hunter's minorization); `random` is 0.
    """
    names = sorted({name for pair in scores for name in pair})
    strength = dict.fromkeys(names, 1.0)
    won = dict.fromkeys(names, 0.0)
    for (one, other), (points, games) in scores.items():
        won[one] += points
        won[other] += games - points
    for _ in range(10_000):
        before = dict(strength)
        for name in names:
            met = [
                (games, other if name == one else one)
                for (one, other), (_, games) in scores.items()
                if name in (one, other)
            ]
            strength[name] = won[name] / sum(
                games / (before[name] + before[rival]) for games, rival in met
            )
        if all(abs(strength[name] / before[name] - 1) < 1e-12 for name in names):
            break
    return {name: SCALE * log10(strength[name] / strength[ZERO]) for name in names}
