"""What the ladder says about strength is as sure as it says."""

from __future__ import annotations

from math import comb

import pytest

from gridwise.arena.ladder import Standing
from gridwise.arena.statistics import interval, student


@pytest.mark.parametrize(
    ("freedom", "point"), [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (401, 1.966)]
)
def test_the_points_of_student_are_those_of_the_tables(freedom: int, point: float) -> None:
    """The 97.5 % points as printed in any book of tables."""
    assert student(freedom) == pytest.approx(point, rel=0.01)


@pytest.mark.parametrize("pairs", [2, 3, 4])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_few_pairs_that_agree_prove_nothing(pairs: int, share: float) -> None:
    """The interval has a width, lies within 0 to 1, and does not leave out an even score."""
    low, high = interval([share] * pairs)
    assert 0 <= low < 0.5 < high <= 1
    assert not Standing("novice", "random", pairs, share, low, high).clear


def test_many_pairs_that_agree_do() -> None:
    """A level that wins 100 pairs of 100 is the stronger one, and may still lose the next."""
    low, high = interval([1.0] * 100)
    assert 0.9 < low < 1
    assert high == 1


@pytest.mark.parametrize("pairs", [10, 30, 100])
@pytest.mark.parametrize("chance", [0.5, 0.6, 0.8, 0.95])
def test_the_interval_has_the_truth_in_it_as_often_as_it_says(pairs: int, chance: float) -> None:
    """Counted over all outcomes of pairs that are won or lost whole: never below 93 in 100."""
    within = 0.0
    for won in range(pairs + 1):
        low, high = interval([1.0] * won + [0.0] * (pairs - won))
        if low <= chance <= high:
            within += comb(pairs, won) * chance**won * (1 - chance) ** (pairs - won)
    assert within > 0.93
