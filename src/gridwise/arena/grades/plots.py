"""Figures of estimates: a panel for each measure, a line for each part, with intervals.

Importing this module imports matplotlib, an extra: `gridwise[plot]`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gridwise.arena.grades.table_files import FilePath
from gridwise.arena.statistics import Estimate
from gridwise.errors import BadRequest, quoted
from gridwise.play.records import write_file

try:
    from matplotlib.backend_bases import FigureCanvasBase
    from matplotlib.figure import Figure
except ModuleNotFoundError:
    raise BadRequest("A plot needs matplotlib: pip install 'gridwise[plot]'") from None


def check_kind(path: FilePath) -> str:
    """The kind of picture that the name of a file says; raises BadRequest if there is none such."""
    # Without a kind, matplotlib would write to another file: to `run.png` for `run`.
    kind = Path(path).suffix.removeprefix(".").lower() or "png"
    kinds = FigureCanvasBase.get_supported_filetypes()
    if kind not in kinds:
        raise BadRequest(f"A plot cannot be of the kind {quoted(kind)}, only {', '.join(kinds)}.")
    return kind


def plot_estimates(
    panels: Mapping[str, Sequence[Estimate | None]],
    parts: Sequence[str],
    title: str,
    path: FilePath | None = None,
) -> Any:  # noqa: ANN401 - matplotlib's types are an extra's
    """The figure; written to a file if there is a path.

    `panels` has, under the label of each measure, its estimate for each of the parts.
    """
    figure = Figure(figsize=(9, 0.6 + 0.35 * len(parts)), layout="constrained")
    drawn = figure.subplots(1, len(panels), sharey=True)
    for panel, (label, estimates) in zip(drawn, panels.items(), strict=True):
        for row, estimate in enumerate(estimates):
            if estimate:
                reach = [[estimate.value - estimate.low], [estimate.high - estimate.value]]
                panel.errorbar([estimate.value], [row], xerr=reach, fmt="o", color="black")
        panel.set_xlabel(label)
        panel.set_xlim(left=0)
        panel.grid(axis="x", alpha=0.3)
    drawn[0].set_yticks(range(len(parts)), parts)
    drawn[0].invert_yaxis()
    figure.suptitle(f"{title}: 95 % intervals", fontsize="medium")
    if path is not None:
        content = io.BytesIO()
        figure.savefig(content, format=check_kind(path))
        write_file(path, content.getvalue())
    return figure
