"""Ratings of a pool of players: Bradley and Terry's model, fitted by evalica, with a bootstrap.

The model gives each player a strength such that A takes `a / (a + b)` of the points from B. Ratings
are on the Elo scale, with the mean of the pool at 0; differences have the meaning of Elo.

Errors come from a bootstrap over pairs: every pairing is drawn again from its own pairs, as many as
there were, 1,000 times. A pair is drawn as a whole, because its two games share a board.

One drawn game more is added to each pairing. Otherwise the rating of somebody who has lost every
game would be minus infinity; over hundreds of games it changes a rating by a few points.

evalica is an extra: `gridwise[lab]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.arena.tournament.elo import SHARES, Bounded
from gridwise.errors import BadRequest

if TYPE_CHECKING:
    from gridwise.arena.tournament.standings import Tally

MISSING = "Ratings need evalica: pip install 'gridwise[lab]'"
RESAMPLES = 1000

Counts: TypeAlias = npt.NDArray[np.int64]


def ratings(players: int, matches: Sequence[Tally], seed: int = 0) -> list[Bounded]:
    """A rating for each player, with its 95 % interval; raises BadRequest without evalica."""
    try:
        import evalica  # noqa: F401, PLC0415 - 0.5 s, and an extra
    except ModuleNotFoundError:
        raise BadRequest(MISSING) from None
    played = [each for each in matches if each.pairs.total]
    if not played:
        return [Bounded(0.0, 0.0, 0.0)] * players
    counts = np.array([each.pairs.pentanomial for each in played])
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
    return [Bounded(*map(float, each)) for each in zip(value, low, high, strict=True)]


def _fitted(players: int, matches: Sequence[Tally], counts: Counts) -> list[float]:
    """The ratings for so many pairs by result in each match."""
    from evalica import Winner, bradley_terry  # noqa: PLC0415 - as above

    xs, ys, winners, weights = [], [], [], []
    for match, row in zip(matches, counts, strict=True):
        games = 2 * int(row.sum())
        points = 2 * float(row @ np.array(SHARES))
        for winner, weight in ((Winner.X, points), (Winner.Y, games - points)):
            xs.append(match.one)
            ys.append(match.two)
            winners.append(winner)
            weights.append(weight + 0.5)
    found = bradley_terry(xs, ys, winners, weights=weights, tolerance=1e-9, limit=10_000).scores
    elos = [400 * log10(found.get(player, 1.0)) for player in range(players)]
    mean = sum(elos) / players
    return [each - mean for each in elos]
