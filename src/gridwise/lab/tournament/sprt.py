"""The sequential probability ratio test (SPRT) of a match: stop as soon as the pairs decide.

It decides between two claims about the first player: H0, it is `elo0` stronger, and H1, it is
`elo1` stronger. Every few pairs the log-likelihood ratio (LLR) of the two is compared with two
bounds, `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`: at the upper one H1 is accepted, at
the lower one H0. `alpha` is how often H1 is accepted though H0 is true, `beta` the other way round.

The ratio is the generalised one of Michel Van den Bergh ("Comments on normalized Elo", sections 1
and 4), as fishtest and fastchess compute it. For each claim it takes the most likely distribution
of the five results of a pair among those for which the claim is true:

* logistic: those whose mean is the score expected at that Elo.
* normalized: those whose mean is so many standard deviations above a half. Then the number of games
  needed does not depend on how many pairs are shared. It is the default.

A result that has not been seen counts as a thousandth of a pair, so that no likelihood is 0.

Where the one who begins wins every game, every pair is shared and no pair ever speaks for a player.
`no_information` says when to stop waiting for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.errors import BadRequest, quoted
from gridwise.lab.tournament.ratings import NELO_SCALE, SHARES, Pairs, score_of_elo

Floats: TypeAlias = npt.NDArray[np.float64]

MODELS = ("normalized", "logistic")
UNSEEN = 1e-3  # pairs
# So many shared pairs in a row, and nothing else: with 95 % probability fewer than 3 in 100 pairs
# are ever anything else (1 - 0.05 ** (1 / 100)).
SHARED_PAIRS = 100
# Beyond it the tangents of `_with_t_value` need not lead anywhere. A difference as large as that
# shows in ten pairs without a test.
MOST_NORMALIZED = 200.0
MOST_ELO = 1000.0
_STEPS = 60  # of a root that Newton's method finds in about 6
_ROUNDS = 200  # of a fixed point that is reached in about 10; 60 where one result is all there is
_CLOSE = 1e-10


class SprtVerdict(StrEnum):
    """How a test ended, or that it has not."""

    H0 = "H0"
    H1 = "H1"
    NO_INFORMATION = "no-information"
    CONTINUE = "continue"  # too few pairs


@dataclass(frozen=True)
class Sprt:
    """A test: two claims and how often each may be accepted wrongly."""

    elo0: float
    elo1: float
    model: str = MODELS[0]
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Refuse a test that makes no sense."""
        if not self.elo0 < self.elo1:
            raise BadRequest(
                f"--sprt takes two Elo differences, the smaller one first, not {self.elo0:g} and "
                f"{self.elo1:g}."
            )
        if max(-self.elo0, self.elo1) > MOST_ELO:
            raise BadRequest(f"--sprt takes differences of at most {MOST_ELO:g} Elo.")
        if self.model not in MODELS:
            raise BadRequest(f"An SPRT is {' or '.join(MODELS)}, not {quoted(self.model)}.")
        if self.model == "normalized" and max(-self.elo0, self.elo1) > MOST_NORMALIZED:
            raise BadRequest(
                f"A normalized SPRT takes differences of at most {MOST_NORMALIZED:g} Elo. "
                "For larger ones: --sprt-model logistic."
            )
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise BadRequest("Alpha and beta lie between 0 and 1, and so does their sum.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which H0 is accepted, and that at which H1 is."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of the pairs; 0 if there are none."""
        if not pairs.total:
            return 0.0
        return float(self.llr_of(np.array([pairs.pentanomial], np.float64))[0])

    def llr_of(self, counts: Floats) -> Floats:
        """The ratio for each row of an array of pentanomials, of the shape (N, 5)."""
        seen = np.where(counts > 0, counts, UNSEEN)
        total = seen.sum(axis=1)
        shares = seen / total[:, None]
        likely = (self._most_likely(shares, elo) for elo in (self.elo0, self.elo1))
        h0, h1 = (np.log(each) for each in likely)
        ratio: Floats = total * ((h1 - h0) * shares).sum(axis=1)
        return ratio

    def verdict(self, pairs: Pairs) -> SprtVerdict:
        """What the pairs decide."""
        if pairs.all_split:  # what little the ratio says then comes from results never seen
            return SprtVerdict.NO_INFORMATION if no_information(pairs) else SprtVerdict.CONTINUE
        ratio, (low, high) = self.llr(pairs), self.bounds
        if ratio >= high:
            return SprtVerdict.H1
        if ratio <= low:
            return SprtVerdict.H0
        return SprtVerdict.CONTINUE

    def _most_likely(self, shares: Floats, elo: float) -> Floats:
        if self.model == "logistic":
            return _with_mean(shares, score_of_elo(elo))
        return _with_t_value(shares, sqrt(2) * elo / NELO_SCALE)

    def to_json(self, pairs: Pairs) -> dict[str, Any]:
        """The test and what it says about the pairs."""
        low, high = self.bounds
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "model": self.model,
            "alpha": self.alpha,
            "beta": self.beta,
            "llr": self.llr(pairs),
            "bounds": [low, high],
            "verdict": str(self.verdict(pairs)),
        }


def no_information(pairs: Pairs) -> bool:
    """Whether there is no point in waiting for a pair that is not shared."""
    return pairs.all_split and pairs.total >= SHARED_PAIRS


def _with_mean(shares: Floats, mean: float) -> Floats:
    """The distributions with that mean under which the observed shares are most likely."""
    away = np.broadcast_to(np.array(SHARES) - mean, shares.shape)
    return _tilted(shares, away)


def _with_t_value(shares: Floats, t_value: float) -> Floats:
    """The most likely distributions whose mean is `t_value` standard deviations above a half.

    The condition is not linear, so it is replaced by its tangent at the last estimate, again and
    again from the uniform distribution on.
    """
    values = np.array(SHARES)
    likely: Floats = np.full_like(shares, 1 / len(SHARES))
    for _ in range(_ROUNDS):
        mean = likely @ values
        deviations = values - mean[:, None]
        sigma = np.sqrt((likely * deviations**2).sum(axis=1))[:, None]
        away = values - 0.5 - t_value * sigma * (1 + (deviations / sigma) ** 2) / 2
        before, likely = likely, _tilted(shares, away)
        if np.abs(likely - before).max() < _CLOSE:
            break
    return likely


def _tilted(shares: Floats, away: Floats) -> Floats:
    """`shares / (1 + theta * away)`, with the theta of each row for which `away` has mean 0.

    What has to be 0 falls from +inf to -inf between two poles: Newton's method, and halving where
    it would leave the interval.
    """
    low, high = -1 / away.max(axis=1), -1 / away.min(axis=1)
    theta = np.zeros(len(shares))
    for _ in range(_STEPS):
        ratio = away / (1 + theta[:, None] * away)
        value = (shares * ratio).sum(axis=1)
        slope = -(shares * ratio**2).sum(axis=1)
        low, high = np.where(value > 0, theta, low), np.where(value > 0, high, theta)
        step = theta - value / slope
        inside = (step > low) & (step < high)
        before, theta = theta, np.where(inside, step, (low + high) / 2)
        if np.all(np.abs(theta - before) < _CLOSE * (1 + np.abs(theta))):
            break
    tilted: Floats = shares / (1 + theta[:, None] * away)
    return tilted
