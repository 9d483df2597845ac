"""Ours against a peer, in turns, in the same run, as a ratio: what the benchmarks share.

Absolute figures depend on the machine and on what else it is doing; the ratios are the claims. All
that is compared takes turns, several times over, and the best of each counts: a machine that is
busy for a while is busy for everybody.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

Work = Callable[[], float]  # does something, and says how much it was: moves, boards, steps
Clock = Callable[[], float]


class Row(NamedTuple):
    """One comparison: two rates a second, or two times."""

    what: str
    ours: float
    peer: float
    unit: str
    at_least: float = 0.0  # what the ratio must be, if anything
    at_most: float = 0.0
    is_bound: bool = False  # whether the peer did not finish, so that the ratio is larger

    @property
    def ratio(self) -> float:
        """Ours in terms of the peer's."""
        return self.ours / self.peer

    def __str__(self) -> str:
        bound = ""
        if self.at_least:
            bound = f"(at least {self.at_least:,g}) {verdict(self.ratio >= self.at_least)}"
        elif self.at_most:
            bound = f"(at most {self.at_most:,g}) {verdict(self.ratio <= self.at_most)}"
        mark = ">" if self.is_bound else " "
        figures = " ".join(f"{each:{_form(each)}}" for each in (self.ours, self.peer))
        return f"{self.what:52} {figures} {self.unit:13} {mark}{self.ratio:9,.2f}  {bound}"


def verdict(holds: bool) -> str:
    """Whether a bound is kept."""
    return "ok" if holds else "MISSED"


def _form(value: float) -> str:
    return "14,.0f" if value >= 100 else "14,.3f"


def rate(work: Work, seconds: float = 0.0, clock: Clock = time.process_time) -> float:
    """How much is done in a second: of one go, or of as many as a while takes."""
    done, began = 0.0, clock()
    while True:
        done += work()
        spent = clock() - began
        if spent > seconds:
            return done / spent


def best_rates(
    works: Mapping[str, Work],
    rounds: int,
    seconds: float = 0.0,
    clock: Clock = time.process_time,
) -> dict[str, float]:
    """The best rate of each, over rounds in which they take turns."""
    best = dict.fromkeys(works, 0.0)
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = max(best[name], rate(work, seconds, clock))
    return best


def best_seconds(
    works: Mapping[str, Callable[[], object]], rounds: int, clock: Clock = time.perf_counter
) -> dict[str, float]:
    """The shortest time of each, over rounds in which they take turns."""
    once = {name: lambda work=work: (work(), 1.0)[1] for name, work in works.items()}
    return {name: 1 / rate for name, rate in best_rates(once, rounds, 0.0, clock).items()}


def print_rows(rows: Iterable[Row]) -> None:
    """Print each comparison as soon as it is there."""
    print(f"{'':52} {'ours':>14} {'peer':>14} {'':13} {'ratio':>10}", flush=True)
    for row in rows:
        print(row, flush=True)


def print_cells(*cells: object) -> None:
    """Print a row of a Markdown table, for the docs; numbers without fractions."""
    texts = [f"{cell:,.0f}" if isinstance(cell, (int, float)) else str(cell) for cell in cells]
    print(f"| {' | '.join(texts)} |", flush=True)


def print_heading(*cells: str) -> None:
    """Print the heading of such a table."""
    print_cells(*cells)
    print("|" + "---|" * len(cells), flush=True)
