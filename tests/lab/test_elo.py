"""Elo, normalised Elo and LOS of paired games, against published figures."""

from __future__ import annotations

from math import inf, isclose, log10

import pytest

from gridwise.lab.statistics import interval
from gridwise.lab.tournament.ratings import (
    Pairs,
    elo,
    elo_of_score,
    likelihood_of_superiority,
    normalised_elo,
    score_interval,
    score_of_elo,
)

# The worked examples in fastchess's own tests (app/tests/elo_test.cpp), which rounds to two
# digits: pairs LL, LD, WL, DD, WD, WW; nElo and its error, Elo and its error, LOS in per cent.
FASTCHESS = [
    ((34, 54, 31, 32, 64, 75), 57.94, 28.28, 55.58, 27.65, 100.00),
    ((332, 433, 457, 41, 333, 334), -9.17, 10.96, -8.64, 10.33, 5.05),
    ((7895, 8757, 5485, 200, 568, 9999), -19.01, 2.65, -21.04, 2.95, 0.00),
]


def made(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> Pairs:
    """The pairs in fastchess's order."""
    return Pairs(ll=ll, ld=ld, wl=wl, dd=dd, wd=wd, ww=ww)


@pytest.mark.parametrize(("counts", "nelo", "nelo_error", "value", "error", "los"), FASTCHESS)
def test_figures_are_those_of_fastchess(
    counts: tuple[int, int, int, int, int, int],
    nelo: float,
    nelo_error: float,
    value: float,
    error: float,
    los: float,
) -> None:
    """Elo, nElo and LOS come out as published, to the last digit given.

    Errors of Elo too, to a hundredth part. Those of nElo are up to a tenth larger, as fastchess
    takes the variance for known.
    """
    pairs = made(*counts)
    for figure, expected, margin, more in (
        (elo(pairs), value, error, 1.01),
        (normalised_elo(pairs), nelo, nelo_error, 1.1),
    ):
        assert figure.value == pytest.approx(expected, abs=0.005)
        assert 0.99 * margin < (figure.high - figure.low) / 2 < more * margin
    assert 100 * likelihood_of_superiority(pairs) == pytest.approx(los, abs=0.005)


def test_elo_is_the_logistic_scale() -> None:
    """Ten to one is 400 Elo; three quarters of the points are 190.85; both ways round."""
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert elo_of_score(0.75) == pytest.approx(400 * log10(3)) == pytest.approx(190.85, abs=0.005)
    assert (elo_of_score(0.0), elo_of_score(0.5), elo_of_score(1.0)) == (-inf, 0.0, inf)
    for value in (-700.0, -3.0, 0.0, 12.5, 400.0):
        assert elo_of_score(score_of_elo(value)) == pytest.approx(value)


@pytest.mark.parametrize(
    "pairs",
    [Pairs(ww=1), Pairs(ww=7, wl=3), Pairs(wd=6, wl=4), Pairs(ll=90, wl=9, ww=1), Pairs(wl=30)],
)
def test_one_interval_says_who_may_be_stronger(pairs: Pairs) -> None:
    """Elo's is that of the score, rescaled; and all three leave out the same scores."""
    score, difference, normalised = score_interval(pairs), elo(pairs), normalised_elo(pairs)
    for bound, end in zip(score[:3], difference[:3], strict=True):
        assert end == elo_of_score(bound)
    for bound, end in zip(score[1:3], normalised[1:3], strict=True):
        assert (bound > 0.5, bound < 0.5) == (end > 0, end < 0)


def test_pairs_are_counted_by_their_points() -> None:
    """Two games on one board make one of six results, whichever was played first."""
    games = [(0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5), (1, 0), (0, 1), (1, 0.5), (1, 1), (1, 1)]
    pairs = Pairs.of([(float(one), float(two)) for one, two in games])
    assert pairs == Pairs(ll=1, ld=2, dd=1, wl=2, wd=1, ww=2)
    assert pairs.pentanomial == (1, 2, 3, 1, 2)
    assert pairs.total == len(games)
    assert pairs.score == pytest.approx(sum(map(sum, games)) / (2 * len(games)))
    assert (pairs + pairs).total == 2 * len(games)


def test_a_single_pair_does_not_say_who_is_better() -> None:
    """Won or lost, its intervals reach to both sides; a hundred such pairs do not."""
    for few, many in ((Pairs(ww=1), Pairs(ww=100)), (Pairs(ll=1), Pairs(ll=100))):
        for figure in (elo, normalised_elo):
            assert figure(few).low < 0 < figure(few).high
            assert not figure(many).low < 0 < figure(many).high


@pytest.mark.parametrize("pairs", [made(*FASTCHESS[0][0]), Pairs(wl=2, ww=30), Pairs(ww=4)])
def test_the_other_players_figures_are_the_mirror_image(pairs: Pairs) -> None:
    """Seen from the other side, every figure changes its sign and nothing else.

    Also where the interval of the score reaches 1, and from the other side 0.
    """
    for figure in (elo, normalised_elo):
        one, two = figure(pairs), figure(pairs.swapped)
        assert (one.value, one.low, one.high) == pytest.approx((-two.value, -two.high, -two.low))
    both = likelihood_of_superiority(pairs) + likelihood_of_superiority(pairs.swapped)
    assert isclose(both, 1.0)


@pytest.mark.parametrize("pairs", [Pairs(ww=5), Pairs(ll=9), Pairs(wl=3), Pairs(), Pairs(ww=1)])
def test_few_and_one_sided_pairs_prove_nothing_final(pairs: Pairs) -> None:
    """Where all pairs end alike, intervals stay wide, LOS stays short of certain."""
    low, high = interval(pairs.shares)
    found = elo(pairs)
    assert (found.low, found.high) == (elo_of_score(low), elo_of_score(high))
    assert found.low <= found.value <= found.high
    assert 0.0 < likelihood_of_superiority(pairs) < 1.0
    assert normalised_elo(pairs).low <= normalised_elo(pairs).value <= normalised_elo(pairs).high
    assert score_interval(pairs).low <= pairs.score <= score_interval(pairs).high
    assert all(value is None or abs(value) < inf for value in found.to_json().values())
    assert pairs.all_split == (pairs == Pairs(wl=3))
