"""The sequential test: its ratio against published figures, its errors by simulation, its end."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from gridwise.errors import BadRequest
from gridwise.lab.tournament.ratings import Pairs, score_of_elo
from gridwise.lab.tournament.sprt import SHARED_PAIRS, Sprt, SprtVerdict
from tests.sizes import sample

# The worked examples in fastchess's own tests (app/tests/sprt_test.cpp), rounded there to two
# digits: pairs LL, LD, WL, DD, WD, WW; the two Elo; the model; the LLR.
FASTCHESS = [
    ((365, 16618, 36029, 200, 16974, 390), (0, 2), "normalized", 2.25),
    ((127, 4883, 10311, 401, 5150, 104), (-1.75, 0.25), "normalized", 3.01),
    ((223, 9863, 20279, 1000, 10037, 246), (0.5, 2.5), "logistic", -3.07),
    ((871, 26175, 55003, 980, 26678, 821), (0, 2), "logistic", -4.98),
]


@pytest.mark.parametrize(("counts", "bounds", "model", "llr"), FASTCHESS)
def test_the_ratio_is_that_of_fastchess(
    counts: tuple[int, ...], bounds: tuple[float, float], model: str, llr: float
) -> None:
    """The log-likelihood ratio of both models comes out as published."""
    ll, ld, wl, dd, wd, ww = counts
    pairs = Pairs(ll=ll, ld=ld, wl=wl, dd=dd, wd=wd, ww=ww)
    assert Sprt(*bounds, model).llr(pairs) == pytest.approx(llr, abs=0.006)


def test_the_bounds_are_wald_s() -> None:
    """Five per cent either way is ±ln 19, which engine testers know as 2.94."""
    assert Sprt(0, 5).bounds == pytest.approx((-log(19), log(19)))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx((log(0.2 / 0.9), log(8)))


def test_a_whole_sweep_has_the_ratio_of_a_coin() -> None:
    """All pairs won: under both claims the likeliest distribution has two results, LL and WW.

    With share x of WW its mean is x and its deviation sqrt(x (1 - x)), so the claim fixes x, and
    the ratio is the logarithm of the two x, once a pair.
    """
    pairs, elo1 = 104, 5.0
    t = sqrt(2) * elo1 / (800 / log(10))
    x = 0.5 + t / (2 * sqrt(1 + t * t))  # (x - 1/2) = t sqrt(x (1 - x))
    found = Sprt(0, elo1).llr(Pairs(ww=pairs))
    assert found == pytest.approx(pairs * log(x / 0.5), abs=0.001)
    logistic = Sprt(0, elo1, "logistic").llr(Pairs(ww=pairs))
    assert logistic == pytest.approx(pairs * log(score_of_elo(elo1) / 0.5), abs=0.001)


def test_swapping_the_players_turns_the_ratio_round() -> None:
    """What speaks for +5 against 0 speaks as much for 0 against -5 from the other side."""
    pairs = Pairs(ll=40, ld=9, wl=100, dd=3, wd=12, ww=66)
    for model in ("normalized", "logistic"):
        mirrored = Sprt(-5, 0, model).llr(pairs.swapped)
        assert Sprt(0, 5, model).llr(pairs) == pytest.approx(-mirrored, abs=1e-6)


def distribution(model: str, elo: float, decided: float) -> list[float]:
    """Shares of LL, WL and WW with that Elo, where a share of the pairs is decided.

    With e more WW and less LL than half each, the mean is 1/2 + e and the variance decided/4 - e².
    """
    e = score_of_elo(elo) - 0.5
    if model == "normalized":
        t = sqrt(2) * elo / (800 / log(10))
        e = t * sqrt(decided / 4 / (1 + t * t))
    return [decided / 2 - e, 0.0, 1 - decided, 0.0, decided / 2 + e]


@pytest.mark.parametrize(("model", "decided"), [("normalized", 0.5), ("logistic", 0.8)])
@pytest.mark.parametrize("truth", [0, 1])
def test_it_errs_as_rarely_as_it_promises(model: str, decided: float, truth: int) -> None:
    """Where H0 is true H1 is accepted in at most 5 runs of 100, and the other way round.

    Runs at either end, looked at every 10 pairs as in an arena. Three standard errors of a rate of
    5 % are 2 % of 1,000 runs and 3 % of 500: a test that erred as often as it may would fail here
    once in 700 times (as it is looked at in intervals it errs less), one with 10 % in 19 of 20.
    """
    test, runs = Sprt(0.0, 60.0, model), sample(500, long=1000)
    rng = np.random.default_rng(7)
    shares = distribution(model, (test.elo0, test.elo1)[truth], decided)
    counts, ratio = np.zeros((runs, 5)), np.zeros(runs)
    low, high = test.bounds
    for _ in range(200):
        going = (ratio > low) & (ratio < high)
        if not going.any():
            break
        counts[going] += rng.multinomial(10, shares, size=int(going.sum()))
        ratio[going] = test.llr_of(counts[going])
    assert np.mean((ratio > low) & (ratio < high)) < 0.01  # it comes to an end
    wrong = np.mean(ratio >= high) if truth == 0 else np.mean(ratio <= low)
    assert 0.01 < wrong < 0.05 + 3 * sqrt(0.05 * 0.95 / runs)


def test_pairs_that_are_all_shared_end_it() -> None:
    """Where who begins wins every game, there is nothing to wait for, and no claim is accepted."""
    for model in ("normalized", "logistic"):
        for bounds in ((0, 5), (0, 50), (-50, 0)):
            test = Sprt(*bounds, model)
            assert test.verdict(Pairs(wl=SHARED_PAIRS - 1)) is SprtVerdict.CONTINUE
            assert test.verdict(Pairs(wl=SHARED_PAIRS - 5, dd=5)) is SprtVerdict.NO_INFORMATION
            decided = test.verdict(Pairs(wl=SHARED_PAIRS, ww=1))
            assert decided is not SprtVerdict.NO_INFORMATION


def test_any_pairs_have_a_ratio() -> None:
    """Whatever the pairs, the ratio is a number, and it favours who won more."""
    rng = np.random.default_rng(3)
    counts = np.vstack([rng.integers(0, 3, (40, 5)), rng.integers(0, 5000, (20, 5))])
    decided = [Pairs(ww=20, wl=5).pentanomial, Pairs(ll=20, wl=5).pentanomial]
    played = np.vstack([counts[counts.sum(axis=1) > 0], decided]).astype(np.float64)
    for model in ("normalized", "logistic"):
        for elo in sample((1.0, 200.0), long=(1.0, 50.0, 200.0)):
            *others, won, lost = Sprt(-elo, elo, model).llr_of(played)
            assert np.isfinite(others).all()
            assert lost < 0 < won
    assert Sprt(0, 5).llr(Pairs()) == 0.0


@pytest.mark.parametrize(
    ("elo0", "elo1", "model", "alpha"),
    [
        (5, 5, "normalized", 0.05),
        (5, 0, "normalized", 0.05),
        (0, 201, "normalized", 0.05),
        (0, float("nan"), "logistic", 0.05),
        (0, float("inf"), "logistic", 0.05),
        (0, 5, "bayesian", 0.05),
        (0, 5, "normalized", 0.0),
        (0, 5, "normalized", 0.96),
    ],
)
def test_a_test_that_makes_no_sense_is_refused(
    elo0: float, elo1: float, model: str, alpha: float
) -> None:
    """Claims in the wrong order, unknown models and impossible error rates are bad requests."""
    with pytest.raises(BadRequest):
        Sprt(elo0, elo1, model, alpha)
