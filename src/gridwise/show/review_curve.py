"""Who was winning, move by move, as SVG for a page: a line that runs between the two players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from gridwise.core.narration import NEUTRAL, Names
from gridwise.show.palette import PAGE

WIDTH, HEIGHT = 420, 176  # small, so that its letters can be read on a phone
SIDE, TOP, BOTTOM = 6, 20, 38  # margins, in pixels
INSET = 24  # room for a mark beyond the highest and the lowest spot
MAX_NAME_LENGTH = 24  # characters of a name


def curve_svg(
    curve: Sequence[float],
    marks: Mapping[int, str] | None = None,
    names: Names = NEUTRAL,
    turning_point: int | None = None,
    labels: Mapping[int, int] | None = None,
) -> str:
    """The points Player 1 could expect, at the start and after each move.

    `marks` are what stands at a move (by number, the start being 0), such as `??`; the turning
    point is a move too, and gets a line. `labels` are the numbers below some of the moves.
    """
    marks = marks or {}
    labels = labels or {number: number for number in range(len(curve))}
    spots = [_spot(number, points, len(curve)) for number, points in enumerate(curve)]
    line = " ".join(f"{x:g},{y:g}" for x, y in spots)
    middle, bottom = TOP + (HEIGHT - TOP - BOTTOM) / 2, HEIGHT - BOTTOM
    right = WIDTH - SIDE
    # Few enough numbers to be read.
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if len(labels) / step <= 14)
    one, two = names
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(_told(curve, names))}</title>",
        f'<rect x="{SIDE}" y="{TOP}" width="{right - SIDE}" height="{middle - TOP:g}" '
        f'fill="{PAGE.one_wash}"/>',
        f'<rect x="{SIDE}" y="{middle:g}" width="{right - SIDE}" height="{bottom - middle:g}" '
        f'fill="{PAGE.two_wash}"/>',
        f'<path d="M{SIDE} {middle:g}H{right}" stroke="{PAGE.line}" stroke-dasharray="4 4"/>',
        _label(one.subject, TOP - 6, PAGE.one),
        _label(two.subject, HEIGHT - 5, PAGE.two),
    ]
    if turning_point is not None and turning_point < len(spots):
        x, y = spots[turning_point]
        # Not where the mark stands.
        far = TOP if curve[turning_point] < 0.5 else bottom
        parts.append(
            f'<path class="turning" d="M{x:g} {far}V{y:g}" stroke="{PAGE.ink}" '
            'stroke-width="1.5" stroke-dasharray="2 3"/>'
        )
    parts.append(
        f'<polyline points="{line}" fill="none" stroke="{PAGE.ink}" stroke-width="2.5" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )
    for number, (x, y) in enumerate(spots):
        mark = marks.get(number, "")
        colour = PAGE.two if mark else PAGE.ink
        parts.append(
            f'<circle class="spot" data-at="{number}" cx="{x:g}" cy="{y:g}" r="4" fill="{colour}"/>'
        )
        if mark:
            # Away from the middle, where the line does not run.
            beyond = y + 18 if curve[number] < 0.5 else y - 8
            parts.append(
                f'<text x="{x:g}" y="{beyond:g}" text-anchor="middle" font-weight="bold" '
                f'font-size="14" fill="{PAGE.ink}">{mark}</text>'
            )
        if number in labels and labels[number] % every == 0:
            parts.append(
                f'<text x="{x:g}" y="{bottom + 14}" text-anchor="middle" '
                f'fill="{PAGE.faint}">{labels[number]}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def _spot(number: int, points: float, count: int) -> tuple[float, float]:
    across = (WIDTH - 2 * SIDE - 24) * (number / max(1, count - 1))
    down = (HEIGHT - TOP - BOTTOM - 2 * INSET) * (1 - points)
    return round(SIDE + 12 + across, 1), round(TOP + INSET + down, 1)


def _label(name: str, y: float, colour: str) -> str:
    short = name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
    place = f'x="{SIDE}" y="{y:g}" font-weight="bold" fill="{colour}"'
    return f"<text {place}>{escape(short)}</text>"


def _told(curve: Sequence[float], names: Names) -> str:
    """The graph in a sentence, for whoever cannot see it."""
    said, before = [], ""
    one, two = (f"{name.object} ahead" for name in names)
    for number, points in enumerate(curve):
        who = one if points > 0.55 else two if points < 0.45 else "even"
        if who != before:
            said.append(f"from move {number} {who}" if number else f"at the start {who}")
        before = who
    return f"Who was winning: {'; '.join(said)}." if said else "No move was made."
