"""A figure of a census: how many boards are won by each side, by the number of plies.

Importing this module imports matplotlib, an extra: `gridwise[plot]`.
"""

from __future__ import annotations

import io
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gridwise.core.registry import game as game_named
from gridwise.lab.report.charts import check_kind
from gridwise.lab.report.row_files import FilePath
from gridwise.play.records import write_file
from research.census.count import Census

# Two colours that people who see colours differently can tell apart, and grey.
COLOURS = {"p1": "#0072b2", "p2": "#d55e00", "endless": "#8c8c8c"}
NAMES = {"p1": "Player 1", "p2": "Player 2", "endless": "endless"}
# The same census gives the same file, and its text stays text.
SETTINGS: Any = {"svg.hashsalt": "gridwise census", "svg.fonttype": "none"}


def plot_census(census: Census, path: FilePath) -> None:
    """Write the figure to a file; its name says of which kind."""
    kind = check_kind(path)
    content = io.BytesIO()
    with mpl.rc_context(SETTINGS):
        figure = _figure(census)
        figure.savefig(content, format=kind, metadata={"Date": None} if kind == "svg" else None)
    write_file(path, content.getvalue())


def _figure(census: Census) -> Figure:
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    lengths, shares = figure.subplots(1, 2, width_ratios=(5, 1))
    for name, counts in (("p1", census.p1), ("p2", census.p2)):
        boards = [counts[plies] for plies in sorted(counts)]
        label = f"{NAMES[name]} wins"
        lengths.bar(sorted(counts), boards, width=0.9, color=COLOURS[name], label=label)
    lengths.set_yscale("log")
    lengths.set_ylim(bottom=0.5)
    lengths.set_xlabel("plies to the end, from the start of the game")
    lengths.set_ylabel("boards")
    lengths.xaxis.set_major_locator(MaxNLocator(integer=True))
    lengths.grid(axis="y", alpha=0.3)
    lengths.set_axisbelow(True)
    lengths.legend(frameon=False)
    totals = {"p1": census.p1.total(), "p2": census.p2.total(), "endless": census.endless}
    bottom = 0.0
    for name, total in totals.items():
        share = total / census.boards
        shares.bar([0], [share], bottom=bottom, color=COLOURS[name])
        if share > 0.04:  # or there is no room
            text = f"{NAMES[name]} {share:.1%}"
            shares.text(0, bottom + share / 2, text, ha="center", va="center", color="white")
        bottom += share
    shares.set_axis_off()
    title = game_named(census.game).title
    figure.suptitle(f"{title}, all {census.boards:,} boards of {census.rows}x{census.cols}")
    return figure
