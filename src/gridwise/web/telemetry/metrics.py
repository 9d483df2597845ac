"""Metrics for Prometheus: `/metrics`.

What is counted is counted here, per process. What can be looked up (how many games, sockets,
waiting questions) is looked up when somebody asks. No label holds anything that a visitor sends: a
request is counted under the template of its route, so there is a fixed number of series.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

LAG_SECONDS = 0.25  # seconds between looks at how late the event loop is
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

REFUSALS = Counter(
    "gridwise_refusals", "Requests and messages refused, by the kind of error.", ["reason"]
)
EVENTS = Counter("gridwise_events", "Events written to the database, by their kind.", ["kind"])
CREATED = Counter("gridwise_games_created", "Games started.")
FAILED = Counter("gridwise_journal_failures", "Changes that could not be written.")
CLOSED = Counter(
    "gridwise_connections_closed", "Connections that the server closed, by why.", ["why"]
)
REQUESTS = Histogram(
    "gridwise_request_seconds",
    "How long requests took, by route.",
    ["method", "route", "status"],
    buckets=_SECONDS,
)
JOURNAL = Histogram("gridwise_journal_seconds", "How long transactions took.", buckets=_SECONDS)
_LAG = Histogram("gridwise_loop_lag_seconds", "How late the event loop was.", buckets=_SECONDS)

# What is looked up when somebody asks: name, meaning, and values by kind; a single one under "".
Level: TypeAlias = tuple[str, str, Mapping[str, float]]


async def watch_lag() -> None:
    """Measure how late the event loop is, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        _LAG.observe(max(0.0, loop.time() - due))


def exposition(levels: list[Level]) -> bytes:
    """Everything, in the format of Prometheus."""
    now = CollectorRegistry()
    for name, about, values in levels:
        gauge = Gauge(name, about, () if "" in values else ("kind",), registry=now)
        for kind, value in values.items():
            (gauge.labels(kind) if kind else gauge).set(value)
    return generate_latest() + generate_latest(now)
