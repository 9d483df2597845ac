"""A figure of a report: loss and the share of best moves, split in every way, with intervals.

Importing this module imports matplotlib, an extra: `gridwise[plot]`.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridwise.arena.grades.table_files import FilePath
from gridwise.errors import BadRequest, quoted
from gridwise.play.records import write_file

if TYPE_CHECKING:
    from gridwise.arena.grades.report import Report

try:
    from matplotlib.backend_bases import FigureCanvasBase
    from matplotlib.figure import Figure
except ModuleNotFoundError:
    raise BadRequest("A plot needs matplotlib: pip install 'gridwise[plot]'") from None

PANELS = {"loss": "loss (points a move)", "best": "share of best moves"}


def check_kind(path: FilePath) -> str:
    """The kind of picture that the name of a file says; raises BadRequest if there is none such."""
    # Without a kind, matplotlib would write to another file: to `run.png` for `run`.
    kind = Path(path).suffix.removeprefix(".").lower() or "png"
    kinds = FigureCanvasBase.get_supported_filetypes()
    if kind not in kinds:
        raise BadRequest(f"A plot cannot be of the kind {quoted(kind)}, only {', '.join(kinds)}.")
    return kind


def plot_report(report: Report, path: FilePath | None = None) -> Any:  # noqa: ANN401 - matplotlib's types are an extra's
    """The figure; written to a file if there is a path."""
    parts = [("all", report.summary)]
    for name, split in report.splits.items():
        parts += [(f"{name} {part}", found) for part, found in split.items()]
    figure = Figure(figsize=(9, 0.6 + 0.35 * len(parts)), layout="constrained")
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for panel, (measure, label) in zip(panels, PANELS.items(), strict=True):
        for row, (_, found) in enumerate(parts):
            estimate = getattr(found, measure)
            if estimate:
                reach = [[estimate.value - estimate.low], [estimate.high - estimate.value]]
                panel.errorbar([estimate.value], [row], xerr=reach, fmt="o", color="black")
        panel.set_xlabel(label)
        panel.set_xlim(left=0)
        panel.grid(axis="x", alpha=0.3)
    panels[0].set_yticks(range(len(parts)), [name for name, _ in parts])
    panels[0].invert_yaxis()
    what = f"suite {report.suite}" if report.suite else f"{report.games} games"
    figure.suptitle(f"{report.agent} at {report.game}, {what}: 95 % intervals", fontsize="medium")
    if path is not None:
        content = io.BytesIO()
        figure.savefig(content, format=check_kind(path))
        write_file(path, content.getvalue())
    return figure
