"""A figure of a tournament: ratings or Elo differences with intervals, and the course of a test.

Importing this module imports matplotlib, an extra: `gridwise[plot]`.
"""

from __future__ import annotations

import io
from math import isfinite
from pathlib import Path
from typing import Any

from gridwise.arena.grades.plots import check_kind
from gridwise.arena.tournament.elo import Bounded
from gridwise.arena.tournament.run import Tournament
from gridwise.arena.tournament.table import short
from gridwise.errors import BadRequest
from gridwise.play.records import write_file

try:
    from matplotlib.figure import Figure
except ModuleNotFoundError:
    raise BadRequest("A plot needs matplotlib: pip install 'gridwise[plot]'") from None


def plot_tournament(tournament: Tournament, path: Path) -> Any:  # noqa: ANN401 - matplotlib's types are an extra's
    """Write the figure to a file."""
    rows, label = _rows(tournament)
    tested = bool(tournament.course)
    height = 1.2 + 0.4 * len(rows) + (2.6 if tested else 0)
    figure = Figure(figsize=(9, height), layout="constrained")
    ratios = [0.8 + 0.4 * len(rows), 2.6][: 1 + tested]
    panels = figure.subplots(1 + tested, 1, height_ratios=ratios, squeeze=False)[:, 0]
    for place, (_, found) in enumerate(rows):
        value, low, high = (each if isfinite(each) else float("nan") for each in found)
        reach = [[value - low], [high - value]]
        panels[0].errorbar([value], [place], xerr=reach, fmt="o", color="black", capsize=3)
    panels[0].set_yticks(range(len(rows)), [name for name, _ in rows])
    panels[0].set_ylim(len(rows) - 0.5, -0.5)
    panels[0].axvline(0, color="grey", linewidth=0.8)
    panels[0].set_xlabel(label)
    panels[0].grid(axis="x", alpha=0.3)
    if tournament.sprt and tournament.course:
        pairs, ratio = zip(*[(0, 0.0), *tournament.course], strict=True)
        panels[1].plot(pairs, ratio, color="black")
        for bound in tournament.sprt.bounds:
            panels[1].axhline(bound, color="grey", linestyle="--")
        panels[1].set_xlabel("pairs")
        panels[1].set_ylabel("LLR")
    figure.suptitle(
        f"{', '.join(tournament.standings.games)}, {tournament.standings.pairs} pairs: "
        "95 % intervals",
        fontsize="medium",
    )
    content = io.BytesIO()
    figure.savefig(content, format=check_kind(path))
    write_file(path, content.getvalue())
    return figure


def _rows(tournament: Tournament) -> tuple[list[tuple[str, Bounded]], str]:
    """What is drawn, the best first: ratings of a pool, or the Elo of a match at each game."""
    standings = tournament.standings
    rated = tournament.ratings
    if rated:
        named = [(short(name), rated[n]) for n, name in enumerate(standings.names)]
        return sorted(named, key=lambda row: -row[1].value), "rating (Elo, the mean is 0)"
    tallies = [each for _, each in sorted(standings.tallies.items())]
    named = [
        (f"{short(standings.names[t.one])} - {short(standings.names[t.two])}\n{t.game}", t.elo)
        for t in tallies
    ]
    return named, "Elo difference"
