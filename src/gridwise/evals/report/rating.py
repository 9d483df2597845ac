"""Ratings on a fixed scale: the bots are the anchors, and only the player in question is fitted.

The five bots of a game have ratings that were measured once, by games among themselves, and are
shipped (`gridwise/evals/reference/anchors.json`, made by research.reference). A player
is rated by maximum likelihood with those held fixed. So nobody's rating depends on who else is on
the board: a weak field, or opponents who forfeit, lift nobody. The scale is that of Elo: 400 points
are odds of 10 to 1, and `random` is 0 in every game.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import inf, sqrt
from statistics import fmean

from gridwise.lab.statistics import Estimate, interval, student

SCALE = 400.0
FARTHEST = 4_000.0  # beyond this nothing can be told apart: odds of ten thousand million to one
ANCHORS = "anchors.json"


def expected(rating: float, anchor: float) -> float:
    """The share of points that a rating promises against an anchor."""
    return float(1.0 / (1.0 + 10.0 ** ((anchor - rating) / SCALE)))


def rate(
    results: Sequence[tuple[float, float]], boards: Sequence[str] | None = None
) -> Estimate | None:
    """The rating that explains results best: pairs of an anchor's rating and a share of points.

    What the games do not limit is infinite: who has lost every game has only a `high`.
    The interval is that of the mean share, as for every score (`lab.statistics.interval`), over
    what each pair of games differs from what was expected; its ends are read off the same curve.
    `boards` names the board of each result. A player may be better on some boards than on others,
    against all anchors at once, so the interval is wider where results on one board go together.
    From one board nothing is known of others. Without `boards`, results are independent.
    """
    if not results:
        return None
    mean = fmean(share for _, share in results)

    def promised(rating: float) -> float:
        return fmean(expected(rating, anchor) for anchor, _ in results)

    value = _inverse(promised, mean)
    centre = max(-FARTHEST, min(value, FARTHEST))
    surprises = [share - expected(centre, anchor) for anchor, share in results]
    low, high = interval([mean + each for each in surprises])
    if boards is not None:
        middle, wider = (low + high) / 2, _widening(surprises, boards)
        low, high = middle - wider * (middle - low), middle + wider * (high - middle)
    low, high = _inverse(promised, min(low, mean)), _inverse(promised, max(high, mean))
    return Estimate(value, low, high, len(results))


def _widening(surprises: Sequence[float], boards: Sequence[str]) -> float:
    """How much wider an interval is by boards than by pairs of games; never narrower."""
    by_board: dict[str, float] = defaultdict(float)
    for surprise, board in zip(surprises, boards, strict=True):
        by_board[board] += surprise
    pairs, count = len(surprises), len(by_board)
    if count == 1:
        return inf
    if count == pairs:
        return 1.0
    spread = sum(each**2 for each in surprises) * pairs / (pairs - 1)
    board_spread = sum(each**2 for each in by_board.values()) * count / (count - 1)
    effect = max(1.0, board_spread / spread) if spread else 1.0
    return sqrt(effect) * student(count - 1) / student(pairs - 1)


def _inverse(rising: Callable[[float], float], wanted: float) -> float:
    """Where a rising function has a value; infinite if that is beyond all ratings."""
    low, high = -FARTHEST, FARTHEST
    if wanted <= rising(low):
        return -inf
    if wanted >= rising(high):
        return inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return (low + high) / 2


@cache
def anchors() -> Mapping[str, Mapping[str, float]]:
    """The ratings of the bots, by game and level."""
    file = files("gridwise.evals").joinpath("reference", ANCHORS)
    games = json.loads(file.read_text("utf-8"))["games"]
    return {game: measured["ratings"] for game, measured in games.items()}
