"""Metrics over turns: a rate per move is a ratio of totals, not a mean of means.

A sample of `gridwise/play` is a game with many moves. Its score is the game's own rate, and the
score's metadata says over how many moves (`of`). Samples of one cluster (a board, both games of a
pair) are not independent; the standard error is that of a ratio of totals over the clusters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import nan, sqrt

from inspect_ai.scorer import Metric, SampleScore, Value, metric


def _parts(scores: Sequence[SampleScore]) -> list[tuple[float, float]]:
    """The total and the number of measurements of each sample."""
    found = []
    for each in scores:
        count = float((each.score.metadata or {}).get("of", 1))
        found.append((each.score.as_float() * count, count))
    return found


def _rate(scores: Sequence[SampleScore]) -> float:
    parts = _parts(scores)
    count = sum(each for _, each in parts)
    return sum(total for total, _ in parts) / count if count else nan


def _groups(scores: Sequence[SampleScore], key: str) -> dict[str, list[SampleScore]]:
    found: dict[str, list[SampleScore]] = defaultdict(list)
    for each in scores:
        found[str((each.sample_metadata or {}).get(key, each.sample_id))].append(each)
    return found


@metric(scores="unreduced")
def rate() -> Metric:
    """The rate over all moves of all samples."""

    def compute(scores: list[SampleScore]) -> Value:
        return _rate(scores)

    return compute


@metric(scores="unreduced")
def rate_by(key: str) -> Metric:
    """The same for each value that the samples' metadata have under a key, such as the game."""

    def compute(scores: list[SampleScore]) -> Value:
        return {name: _rate(own) for name, own in sorted(_groups(scores, key).items())}

    return compute


@metric(scores="unreduced")
def rate_stderr(cluster: str = "cluster") -> Metric:
    """The standard error of the rate, by how clusters differ (Taylor linearisation)."""

    def compute(scores: list[SampleScore]) -> Value:
        groups = [_parts(own) for own in _groups(scores, cluster).values()]
        sums = [(sum(t for t, _ in own), sum(n for _, n in own)) for own in groups]
        count = sum(size for _, size in sums)
        if len(sums) < 2 or not count:
            return 0.0
        mean = sum(total for total, _ in sums) / count
        spread = sum((total - mean * size) ** 2 for total, size in sums)
        return sqrt(spread * len(sums) / (len(sums) - 1)) / count

    return compute
