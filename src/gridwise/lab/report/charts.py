"""The charts of reports, by matplotlib: figures with their intervals, lines, and stacked bars.

The same figures make the same bytes. As SVG a chart is dark where its reader prefers that.
Importing this module does not import matplotlib, an extra: `gridwise[plot]`. Drawing does.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple, TypeAlias

from gridwise.errors import BadRequest, quoted
from gridwise.extras import require
from gridwise.lab.statistics import Estimate
from gridwise.play.records import write_file

FilePath: TypeAlias = str | os.PathLike[str]
Figure: TypeAlias = Any  # matplotlib's types are an extra's
Panel: TypeAlias = Any  # an Axes of matplotlib

# Okabe and Ito's colours, which the colour-blind can tell apart, black left out: pages can be dark.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#a6761d")
GREY = "#8c8c8c"  # of lines to compare with
INK, PAPER = "#1d1d1f", "#ffffff"
_INKS = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
_SETTINGS: dict[str, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "legend.frameon": False,
    "svg.fonttype": "none",  # text stays text, with whatever letters its reader has
    "svg.hashsalt": "gridwise",
    "text.parse_math": False,  # a $ in a name is a $
    **dict.fromkeys(_INKS, INK),
}
# Also where a picture is opened alone: a browser would put it on white.
_THEME = (
    f"svg {{ color: {INK}; background: {PAPER} }} "
    "@media (prefers-color-scheme: dark) { svg { color: #e8e8ea; background: #1c1c1e } } "
)


@contextmanager
def _style() -> Iterator[None]:
    """The look of all charts; raises BadRequest where matplotlib is not installed."""
    require("plot", "matplotlib")
    import matplotlib.figure  # noqa: PLC0415 - 0.4 s, and an extra
    from cycler import cycler  # noqa: PLC0415 - as above

    settings: Any = _SETTINGS | {"axes.prop_cycle": cycler(color=COLOURS)}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # Names may have letters that matplotlib's font has not; readers of an SVG have others.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


@_style()
def check_charts() -> None:
    """Raise BadRequest if nothing can be drawn, before hours of work and not after."""


@_style()
def check_kind(path: FilePath) -> str:
    """The kind of picture that the name of a file says; raises BadRequest if there is none such."""
    from matplotlib.backend_bases import FigureCanvasBase  # noqa: PLC0415 - as above

    # Without a kind, matplotlib would write to another file: to `run.png` for `run`.
    kind = Path(path).suffix.removeprefix(".").lower() or "png"
    kinds = FigureCanvasBase.get_supported_filetypes()
    if kind not in kinds:
        raise BadRequest(f"A plot cannot be of the kind {quoted(kind)}, only {', '.join(kinds)}.")
    return kind


@_style()
def new_figure(
    height: float,
    width: float = 7,
    title: str = "",
    **grid: Any,  # noqa: ANN401 - what `subplots` takes
) -> tuple[Figure, list[Panel]]:
    """A figure of so many inches, and its panels."""
    from matplotlib.figure import Figure as New  # noqa: PLC0415 - as above

    figure = New(figsize=(width, height), layout="constrained")
    if title:
        figure.suptitle(fill(title, round(12 * width)), fontsize="medium")
    return figure, list(figure.subplots(**grid, squeeze=False).flat)


@_style()
def draw_intervals(
    panel: Panel,
    names: Sequence[str],
    measures: Mapping[str, Sequence[Estimate | None]],
    label: str,
    middle: float | None = None,
) -> None:
    """Figures with their intervals, a row for each name, from the top; an open end is at the edge.

    `measures` has, under the name of each measure, its figure for each of the rows.
    """
    marks = [
        end
        for own in measures.values()
        for each in own
        if each
        for end in each[:3]
        if isfinite(end)
    ]
    marks += [middle] if middle is not None else []
    low, high = min(marks, default=0.0), max(marks, default=0.0)
    room = 0.05 * (high - low) or 1.0
    for number, (measure, estimates) in enumerate(measures.items()):
        known = [(row + 0.2 * number, each) for row, each in enumerate(estimates) if each]
        colour = f"C{number}"
        panel.hlines(
            [place for place, _ in known],
            [max(each.low, low - room) for _, each in known],
            [min(each.high, high + room) for _, each in known],
            color=colour,
        )
        dots = [(each.value, place) for place, each in known if isfinite(each.value)]
        panel.plot(*zip(*dots, strict=True) if dots else ((), ()), "o", color=colour, label=measure)
    if middle is not None:
        panel.axvline(middle, color=GREY, linewidth=0.8, linestyle=":")
    panel.set_yticks(range(len(names)), names)
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.set_xlabel(label)
    panel.grid(axis="x", alpha=0.3)
    if len(measures) > 1:
        panel.figure.legend(loc="outside upper center", ncols=len(measures))


@_style()
def draw_landmarks(panel: Panel, places: Mapping[str, float]) -> None:
    """Lines across a panel at places of its lower axis, each named above."""
    for place in places.values():
        panel.axvline(place, color=GREY, linewidth=0.8, linestyle=":")
    above = panel.secondary_xaxis("top")
    above.set_xticks(list(places.values()), list(places), rotation=40, ha="left", fontsize="small")


class Line(NamedTuple):
    """Figures that belong together, by their place on the axis; each may have an interval."""

    label: str
    points: Mapping[Any, Estimate | float]
    colour: str | None = None  # the next one
    style: str = "o-"
    hollow: bool = False


@_style()
def draw_lines(panel: Panel, lines: Sequence[Line], across: str, up: str) -> None:
    """Lines, with the names of both axes; a legend below names what has a label."""
    for line in lines:
        values = list(line.points.values())
        known = [
            each if isinstance(each, Estimate) else Estimate(each, each, each) for each in values
        ]
        reach = [
            [each.value - each.low for each in known],
            [each.high - each.value for each in known],
        ]
        panel.errorbar(
            list(line.points),
            [each.value for each in known],
            yerr=reach if any(map(any, reach)) else None,
            fmt=line.style,
            color=line.colour,
            markerfacecolor="none" if line.hollow else None,
            label=line.label or None,
        )
    panel.set_xlabel(across)
    panel.set_ylabel(up)
    if any(line.label for line in lines):
        panel.figure.legend(loc="outside lower left", fontsize="small")


@_style()
def draw_bars(
    panel: Panel,
    places: Sequence[float],
    parts: Mapping[str, Sequence[float]],
    colours: Sequence[str] = COLOURS,
    *,
    upright: bool = False,
) -> None:
    """Bars of parts that are put one after the other, and a legend above; empty parts are not."""
    ends = [0.0] * len(places)
    for (name, sizes), colour in zip(parts.items(), colours, strict=False):
        if not any(sizes):
            continue
        if upright:
            panel.bar(places, sizes, bottom=ends, color=colour, label=name)
        else:
            panel.barh(places, sizes, left=ends, color=colour, label=name, height=0.6)
        ends = [end + size for end, size in zip(ends, sizes, strict=True)]
    if any(ends):
        panel.figure.legend(loc="outside upper center", ncols=4)


@_style()
def as_svg(figure: Figure) -> bytes:
    """A figure as SVG, without what would be different the next time, in the reader's colours."""
    content = io.BytesIO()
    figure.savefig(
        content, format="svg", transparent=True, metadata={"Date": None, "Creator": "gridwise"}
    )
    drawn = re.sub(f"(fill|stroke): {INK}", r"\1: currentColor", content.getvalue().decode())
    return drawn.replace('<style type="text/css">', f'<style type="text/css">{_THEME}', 1).encode()


@_style()
def write_chart(figure: Figure, path: FilePath) -> None:
    """Write a figure to a file, of the kind that its name says."""
    kind = check_kind(path)
    if kind == "svg":
        write_file(path, as_svg(figure))
        return
    content = io.BytesIO()
    figure.savefig(content, format=kind)
    write_file(path, content.getvalue())
