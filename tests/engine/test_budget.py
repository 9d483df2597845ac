"""Budgets: how much is searched between two looks at the clock."""

from __future__ import annotations

from contextlib import suppress

import pytest

from gridwise.engine.budget import TOO_LARGE, Budget, SearchStopped
from tests.engine.fake_clock import FakeClock

USUAL = 6_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The clock of all budgets."""
    return FakeClock(monkeypatch)


def search(budget: Budget, clock: FakeClock, rate: float) -> list[int]:
    """Search at so many nodes a second until it is time to stop; the slices."""
    slices = []
    with suppress(SearchStopped):
        while True:
            size = budget.slice(USUAL)
            slices.append(size)
            budget.used += size
            clock.now += size / rate
    return slices


@pytest.mark.parametrize("rate", [20_000.0, 640_000.0, 5_000_000.0])
@pytest.mark.parametrize("seconds", [0.001, 0.05, 0.2, 3.0])
def test_a_search_ends_when_its_time_does(clock: FakeClock, rate: float, seconds: float) -> None:
    """Whatever it is like: late by its first slice or its smallest one, and by no more."""
    began = clock.now
    slices = search(Budget(seconds=seconds), clock, rate)
    late = clock.now - began - seconds
    assert late <= max(USUAL // 64, slices[0] if len(slices) == 1 else 0) / rate + 1e-9
    assert max(slices) <= USUAL


def test_a_search_with_time_takes_the_usual_slices(clock: FakeClock) -> None:
    """Only the first ones and the last are smaller: looking at the clock costs next to nothing."""
    slices = search(Budget(seconds=2.0), clock, 640_000.0)
    assert slices[0] == USUAL // 16
    assert slices.count(USUAL) > 0.95 * 200
    assert len(slices) < 220


def test_a_search_that_becomes_slower_looks_more_often(clock: FakeClock) -> None:
    """The last slice is what the next is measured by."""
    budget = Budget(seconds=0.1)
    sizes = []
    for rate in (1e6, 1e6, 1e5):
        sizes.append(budget.slice(USUAL))
        budget.used += sizes[-1]
        clock.now += sizes[-1] / rate
    left = 50.1 - clock.now
    assert sizes == [USUAL // 16, USUAL, USUAL]
    assert budget.slice(USUAL) == pytest.approx(1e5 * left / 2, abs=1)


def test_without_a_time_limit_slices_are_the_usual_ones() -> None:
    """So a search that counts nodes does the same on every machine."""
    budget = Budget(nodes=2 * USUAL + 7)
    sizes = []
    for _ in range(3):
        sizes.append(budget.slice(USUAL))
        budget.used += sizes[-1]
    assert sizes == [USUAL, USUAL, 7]
    with pytest.raises(SearchStopped) as stopped:
        budget.slice(USUAL)
    assert stopped.value.why == TOO_LARGE
