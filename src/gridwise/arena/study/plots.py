"""The pictures of a study, as SVG: the same figures make the same bytes.

Importing this module does not import matplotlib, an extra: `gridwise[plot]`. Drawing does.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from gridwise.arena.statistics import Estimate
from gridwise.arena.study.figures import Figures
from gridwise.errors import BadRequest

SHARES, MATTERS, SIDES = "shares.svg", "matters.svg", "first_mover.svg"
COLOURS = {"p1": "#2f6fb0", "p2": "#d0703c", "draw": "#8a8a8f", "endless": "#c9c9ce"}
NAMES = {"p1": "Player 1", "p2": "Player 2", "draw": "draw", "endless": "endless"}
LEAST_POSITIONS = 30  # a share of fewer is not drawn


def figure_class() -> Any:  # noqa: ANN401 - matplotlib's types are an extra's
    """The class Figure of matplotlib; raises BadRequest where it is not installed."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - 0.4 s, and an extra
    except ModuleNotFoundError:
        raise BadRequest("Plots need matplotlib: pip install 'gridwise[plot]'") from None
    return Figure


def lengths_file(figures: Figures) -> str:
    """The name of the picture of a variant's lengths."""
    return f"lengths-{figures.variant.key}.svg"


def has_lengths(figures: Figures) -> bool:
    """Whether games of a variant have different lengths."""
    perfect = figures.perfect
    return bool(perfect) and len(set().union(*perfect.plies.values())) > 1  # type: ignore[union-attr]


def draw_all(studied: Sequence[Figures]) -> dict[str, bytes]:
    """All pictures of a report, by the names of their files."""
    pictures = {SIDES: _draw_sides(studied)}
    if any(each.perfect for each in studied):
        pictures[SHARES] = _draw_shares([each for each in studied if each.perfect])
    if any(each.matters for each in studied):
        pictures[MATTERS] = _draw_matters(studied)
    for each in studied:
        if has_lengths(each):
            pictures[lengths_file(each)] = _draw_lengths(each)
    return pictures


def _draw_shares(studied: Sequence[Figures]) -> bytes:
    figure = figure_class()(figsize=(7, 1.2 + 0.45 * len(studied)), layout="constrained")
    panel = figure.subplots()
    left = [0.0] * len(studied)
    for name, colour in COLOURS.items():
        widths = [each.perfect.shares[name].value if each.perfect else 0.0 for each in studied]
        if any(widths):
            panel.barh(range(len(studied)), widths, left=left, color=colour, label=NAMES[name])
            left = [start + width for start, width in zip(left, widths, strict=True)]
    panel.set_yticks(range(len(studied)), [each.variant.name for each in studied])
    panel.invert_yaxis()
    panel.set_xlim(0, 1)
    panel.axvline(0.5, color="black", linewidth=0.8, linestyle=":")
    panel.set_xlabel("share of boards")
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return svg_bytes(figure)


def _draw_lengths(figures: Figures) -> bytes:
    assert figures.perfect
    plies = {name: counts for name, counts in figures.perfect.plies.items() if counts}
    lengths = sorted(set().union(*plies.values()))
    figure = figure_class()(figsize=(7, 3), layout="constrained")
    panel = figure.subplots()
    below = [0.0] * len(lengths)
    for name, counts in plies.items():
        heights = [counts.get(length, 0) / figures.perfect.boards for length in lengths]
        panel.bar(lengths, heights, bottom=below, color=COLOURS[name], label=f"{NAMES[name]} wins")
        below = [start + height for start, height in zip(below, heights, strict=True)]
    panel.set_xlabel("plies to the end")
    panel.set_ylabel("share of boards")
    panel.xaxis.get_major_locator().set_params(integer=True)
    panel.legend(frameon=False)
    return svg_bytes(figure)


def _draw_matters(studied: Sequence[Figures]) -> bytes:
    figure = figure_class()(figsize=(7, 3), layout="constrained")
    panel = figure.subplots()
    for number, each in enumerate(studied):
        for level, style in (("random", ":"), ("casual", "-")):
            counts = each.matters_by_ply.get(level, {})
            shown = {ply: k / n for ply, (n, k) in counts.items() if n >= LEAST_POSITIONS}
            label = f"{each.variant.name}, {level} games"
            panel.plot(list(shown), list(shown.values()), style, color=f"C{number}", label=label)
    panel.set_ylim(0, 1)
    panel.set_xlabel("ply")
    panel.set_ylabel("share of positions")
    panel.legend(frameon=False, fontsize="small")
    return svg_bytes(figure)


def _draw_sides(studied: Sequence[Figures]) -> bytes:
    figure = figure_class()(figsize=(7, 3), layout="constrained")
    panel = figure.subplots()
    for each in studied:
        shares = each.first_mover
        values = [share.value for share in shares.values()]
        reach = [
            [share.value - share.low for share in shares.values()],
            [share.high - share.value for share in shares.values()],
        ]
        panel.errorbar(list(shares), values, yerr=reach, fmt="o-", label=each.variant.name)
    panel.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
    panel.set_ylim(0, 1)
    panel.set_ylabel("Player 1's share of points")
    panel.set_xlabel("two bots of the same level")
    if len(studied) > 1:
        panel.legend(frameon=False, fontsize="small")
    return svg_bytes(figure)


def draw_intervals(
    names: Sequence[str],
    measures: dict[str, list[Estimate | None]],
    label: str,
    middle: float | None = None,
) -> bytes:
    """Figures with their intervals, a row for each name, from the top."""
    figure = figure_class()(figsize=(7, 1.2 + 0.35 * len(names)), layout="constrained")
    panel = figure.subplots()
    for number, (measure, estimates) in enumerate(measures.items()):
        known = [(row, each) for row, each in enumerate(estimates) if each]
        if known:
            panel.errorbar(
                [each.value for _, each in known],
                [row + 0.15 * number for row, _ in known],
                xerr=[
                    [each.value - each.low for _, each in known],
                    [each.high - each.value for _, each in known],
                ],
                fmt="o",
                capsize=3,
                label=measure,
            )
    if middle is not None:
        panel.axvline(middle, color="black", linewidth=0.8, linestyle=":")
    panel.set_yticks(range(len(names)), names)
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.set_xlabel(label)
    if len(measures) > 1:
        figure.legend(loc="outside upper center", ncols=len(measures), frameon=False)
    return svg_bytes(figure)


def svg_bytes(figure: Any) -> bytes:  # noqa: ANN401 - as above
    """A figure as SVG, without what would be different the next time."""
    from matplotlib import rc_context  # noqa: PLC0415 - loaded by now

    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "gridwise", "svg.fonttype": "path"}):
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": "gridwise"})
    return content.getvalue()
