"""Intervals hold a known truth as often as they promise: clusters, rare events, differences."""

from __future__ import annotations

import numpy as np
import pytest

from gridwise.arena.statistics import (
    Cluster,
    Estimate,
    cluster_correlation,
    cluster_interval,
    difference_interval,
    wilson,
)

RUNS = 400


def drawn(rng: np.random.Generator, count: int, truth: float, alike: float) -> list[Cluster]:
    """Clusters of 1 to 15 moves whose rates differ: `alike` is the correlation inside one."""
    clusters = []
    for _ in range(count):
        rate = truth
        if alike:
            strength = (1 - alike) / alike
            rate = rng.beta(truth * strength, (1 - truth) * strength)
        moves = rng.random(rng.integers(1, 16)) < rate
        clusters.append(Cluster.of(moves.astype(float).tolist()))
    return clusters


@pytest.mark.parametrize("alike", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("truth", [0.005, 0.05, 0.3, 0.9, 0.995])
@pytest.mark.parametrize("count", [20, 100])
def test_a_rate_of_moves_in_clusters_is_held(count: int, truth: float, alike: float) -> None:
    """The true rate is inside at least 92 times in 100, rare and correlated or not."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(RUNS):
        found = cluster_interval(drawn(rng, count, truth, alike))
        assert found
        assert found.low <= found.value <= found.high
        held += found.low <= truth <= found.high
    assert held >= 0.92 * RUNS


def test_intervals_that_took_moves_for_independent_would_fail() -> None:
    """The same clusters, their moves counted one by one: the truth is missed far too often."""
    rng, naive, robust = np.random.default_rng(7), 0, 0
    for _ in range(RUNS):
        clusters = drawn(rng, 100, 0.3, 0.4)
        count = sum(each.size for each in clusters)
        low, high = wilson(sum(each.total for each in clusters) / count, count, 1.96)
        found = cluster_interval(clusters)
        assert found
        naive += low <= 0.3 <= high
        robust += found.low <= 0.3 <= found.high
    assert naive < 0.8 * RUNS < 0.92 * RUNS <= robust


@pytest.mark.parametrize("truth", [0.02, 0.2])
def test_a_mean_of_small_losses_is_held(truth: float) -> None:
    """The same for what is no yes or no: most moves lose nothing, the others something."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(RUNS):
        clusters = []
        for _ in range(60):
            board = rng.beta(8 * truth, 8 * (1 - truth))
            count = rng.integers(1, 12)
            lost = rng.beta(20 * board + 1e-6, 20 * (1 - board) + 1e-6, count)
            clusters.append(Cluster.of((lost * (rng.random(count) < 0.5)).tolist()))
        found = cluster_interval(clusters)
        assert found
        held += found.low <= truth / 2 <= found.high
    assert held >= 0.92 * RUNS


@pytest.mark.parametrize("truths", [(0.5, 0.4), (0.05, 0.02), (0.98, 0.9)])
def test_a_difference_on_the_same_boards_is_held(truths: tuple[float, float]) -> None:
    """Two players whose luck with the boards goes together: the true difference is inside."""
    rng = np.random.default_rng(5)
    held, widths = 0, []
    for _ in range(RUNS):
        clusters: tuple[list[Cluster], list[Cluster]] = ([], [])
        for _ in range(60):
            hard = rng.random() < 0.5  # what is rare happens on half of the boards, to both
            for own, truth in zip(clusters, truths, strict=True):
                rare = min(truth, 1 - truth) * (2 if hard else 0)
                moves = rng.random(rng.integers(1, 12)) < rare
                own.append(Cluster.of((moves == (truth <= 0.5)).astype(float).tolist()))
        one, two = (cluster_interval(own) for own in clusters)
        assert one
        assert two
        found = difference_interval(one, two, cluster_correlation(*clusters))
        held += found.low <= truths[0] - truths[1] <= found.high
        apart = difference_interval(one, two, 0.0)
        widths.append((found.high - found.low) / (apart.high - apart.low))
    assert held >= 0.92 * RUNS
    assert np.mean(widths) < 1.0  # what the boards do to both cancels out


def test_nothing_seen_is_not_nothing_there() -> None:
    """A clean record leaves room, the less the longer it is; nothing measured has no interval."""
    widths = []
    for count in (5, 50, 500):
        found = cluster_interval([Cluster.of([0.0] * 8)] * count)
        assert found
        assert (found.value, found.low) == (0.0, 0.0)
        widths.append(found.high)
    assert 1 > widths[0] > widths[1] > widths[2] > 0
    assert cluster_interval([]) is None
    assert cluster_interval([Cluster.of([])]) is None
    alone = cluster_interval([Cluster.of([1.0] * 100)])
    assert alone == Estimate(1.0, 0.0, 1.0, 100)


def test_more_of_the_same_moves_in_a_cluster_prove_nothing() -> None:
    """A cluster in which every move is said ten times over is still one cluster."""
    rng = np.random.default_rng(1)
    once = [[float(rng.random() < 0.4)] for _ in range(50)]
    one = cluster_interval([Cluster.of(each) for each in once])
    ten = cluster_interval([Cluster.of(each * 10) for each in once])
    assert one
    assert ten
    assert ten[:3] == pytest.approx(one[:3], abs=0.02)
