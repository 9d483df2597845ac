"""What is printed: a row for each hostile pattern, whether the bounds hold, and a memory curve."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self, TextIO

from bench.hostile.attacks import LOCKED
from bench.web_load.server import percentile

MOVE, NEW_GAME = 100.0, 1_000.0  # milliseconds: the 99th percentile, and the worst
GROWTH_MB = 150.0  # MB that one hostile client may cost
LEFT_MB = 60.0  # MB of them that may stay: Python does not give back everything
FILES = 30  # open files more than before; friends come and go

SHARES = {"p50": 0.5, "p99": 0.99, "worst": 1.0}

# Who takes the database away does not come over the network: people wait, and then it goes on.
OUTAGES = {"lock": (LOCKED + 1) * 1_000}  # milliseconds


class Usage(NamedTuple):
    """What the server uses."""

    memory: float  # MB
    files: int

    @classmethod
    def highest(cls, all_of: Sequence[Self]) -> Self:
        """The most of each."""
        return cls(max(each.memory for each in all_of), max(each.files for each in all_of))


@dataclass
class Row:
    """What was noticed of one pattern; times in seconds, by what took them."""

    pattern: str
    did: dict[str, float]  # what somebody hostile did, and how often
    took: dict[str, list[float]]  # what it took those whom the pattern was about
    claims: dict[str, tuple[int, int]]  # what others should be able to do: how often it was so, of
    calm: dict[str, list[float]]  # the friends, before it
    times: dict[str, list[float]]
    later: dict[str, list[float]]
    errors: Counter[str]
    later_errors: Counter[str]
    before: Usage
    worst: Usage
    after: Usage
    own_lag: float
    start: float = 0.0  # seconds until the server answered for the first time
    misses: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Everything but the single times."""
        return {
            "pattern": self.pattern,
            "hostile": self.did,
            "claims": self.claims,
            "ms": {
                "before": _summary(self.calm),
                "during": _summary(self.times),
                "after": _summary(self.later),
                "hostile": _summary(self.took),
            },
            "errors": self.errors,
            "later_errors": self.later_errors,
            "memory_mb": [round(each.memory, 1) for each in (self.before, self.worst, self.after)],
            "open_files": [each.files for each in (self.before, self.worst, self.after)],
            "start_s": round(self.start, 2),
            "own_lag_ms": round(self.own_lag * 1e3, 1),
            "misses": self.misses,
        }


def _summary(times: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    return {
        what: {"count": len(each)}
        | {name: round(percentile(each, share), 1) for name, share in SHARES.items()}
        for what, each in times.items()
    }


def misses(row: Row) -> list[str]:
    """Which bounds do not hold."""
    outage = OUTAGES.get(row.pattern, 0.0)
    found = {
        "a move": not percentile(row.times["move"], 0.99) < MOVE + outage,
        "a new game": not percentile(row.times["new game"], 1.0) < NEW_GAME + outage,
        "errors": bool(row.errors) and not outage,
        "memory": row.worst.memory > row.before.memory + GROWTH_MB,
        "a move afterwards": not percentile(row.later["move"], 0.99) < MOVE,
        "errors afterwards": bool(row.later_errors),
        "memory afterwards": row.after.memory > row.before.memory + LEFT_MB,
        "open files afterwards": row.after.files > row.before.files + FILES,
    } | {what: held < tried or not tried for what, (held, tried) in row.claims.items()}
    return [name for name, missed in found.items() if missed]


def _times(times: list[float]) -> str:
    return " / ".join(f"{percentile(times, share):,.0f}" for share in SHARES.values())


def print_heading(where: TextIO) -> None:
    """The heading of the table; Markdown, for the docs."""
    print(
        "| pattern | a move before, p50 / p99 / worst, ms | meanwhile | later | a new game before "
        "| meanwhile | start page | question | errors | memory before / worst / later, MB "
        f"| open files | what others could do | misses |\n|{'---|' * 13}",
        file=where,
        flush=True,
    )


def print_row(row: Row, where: TextIO) -> None:
    """One line of the table."""
    usages = (row.before, row.worst, row.after)
    tried = [f"{what}: {held} of {tried}" for what, (held, tried) in row.claims.items()]
    tried += [f"{what}: {_times(each)} ms" for what, each in row.took.items()]
    cells = [
        row.pattern,
        *(_times(each["move"]) for each in (row.calm, row.times, row.later)),
        *(_times(each["new game"]) for each in (row.calm, row.times)),
        *(_times(row.times[what]) for what in ("page", "question")),
        ", ".join(f"{count} {what}" for what, count in row.errors.most_common(3)) or "0",
        " / ".join(f"{each.memory:,.0f}" for each in usages),
        " / ".join(f"{each.files:,}" for each in usages),
        "; ".join(tried) or "-",
        ", ".join(row.misses) or "-",
    ]
    print(f"| {' | '.join(cells)} |", file=where, flush=True)


@dataclass
class Curve:
    """The server's memory over time, with what went on."""

    began: float
    points: list[tuple[float, float, int]] = field(default_factory=list)
    marks: list[tuple[float, str]] = field(default_factory=list)

    def add(self, usage: Usage) -> None:
        """One more point."""
        self.points.append((round(time.perf_counter() - self.began, 2), *usage))

    def mark(self, name: str) -> None:
        """A pattern begins, or has ended."""
        self.marks.append((round(time.perf_counter() - self.began, 2), name))


def print_curve(curve: Curve, lines: int = 40, width: int = 60) -> None:
    """The curve as text: the most of each stretch of time."""
    highest = max(memory for _, memory, _ in curve.points)
    length = curve.points[-1][0] / lines
    print(f"memory, up to {highest:,.0f} MB")
    for line in range(lines):
        since, until = line * length, (line + 1) * length
        within = [memory for at, memory, _ in curve.points if since <= at <= until]
        names = [name for at, name in curve.marks if since <= at < until and name]
        if within:
            bar = "#" * round(width * max(within) / highest)
            print(f"{since:7,.0f} s {max(within):7,.0f} MB {bar} {' '.join(names)}")
