"""Who was winning, move by move, as SVG: a line that runs between the two players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridwise.show.svg import LIGHT, Theme

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, ABOVE, BELOW = 74, 14, 8, 26
INSET = 22  # room for a mark beyond the highest and the lowest spot


def graph(
    curve: Sequence[float], marks: Mapping[int, str] | None = None, theme: Theme = LIGHT
) -> str:
    """The points Player 1 could expect, at the start and after each move.

    `marks` are what stands at a move (by number, the start being 0), such as `??`.
    """
    marks = marks or {}
    spots = [_spot(number, points, len(curve)) for number, points in enumerate(curve)]
    line = " ".join(f"{x:g},{y:g}" for x, y in spots)
    middle, bottom = ABOVE + (HEIGHT - ABOVE - BELOW) / 2, HEIGHT - BELOW
    right = WIDTH - RIGHT
    # Few enough numbers to be read.
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if len(curve) / step <= 20)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="13">',
        f"<title>{_told(curve)}</title>",
        f'<rect x="{LEFT}" y="{ABOVE}" width="{right - LEFT}" height="{middle - ABOVE:g}" '
        f'fill="{theme.one_wash}"/>',
        f'<rect x="{LEFT}" y="{middle:g}" width="{right - LEFT}" height="{bottom - middle:g}" '
        f'fill="{theme.two_wash}"/>',
        f'<path d="M{LEFT} {middle:g}H{right}" stroke="{theme.line}" stroke-dasharray="4 4"/>',
        _label("Player 1", ABOVE + INSET + 4, theme.one),
        _label("even", middle + 4, theme.faint),
        _label("Player 2", bottom - INSET + 5, theme.two),
        f'<polyline points="{line}" fill="none" stroke="{theme.ink}" stroke-width="2.5" '
        'stroke-linejoin="round" stroke-linecap="round"/>',
    ]
    for number, (x, y) in enumerate(spots):
        parts.append(
            f'<circle class="spot" data-at="{number}" cx="{x:g}" cy="{y:g}" r="4" '
            f'fill="{theme.ink}"/>'
        )
        if marks.get(number):
            # Away from the middle, where the line does not run.
            beyond = y + 18 if curve[number] < 0.5 else y - 8
            parts.append(
                f'<text x="{x:g}" y="{beyond:g}" text-anchor="middle" font-weight="bold" '
                f'fill="{theme.ink}">{marks[number]}</text>'
            )
        if number % every == 0:
            parts.append(
                f'<text x="{x:g}" y="{HEIGHT - 8}" text-anchor="middle" '
                f'fill="{theme.faint}">{number}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def _spot(number: int, points: float, count: int) -> tuple[float, float]:
    across = (WIDTH - LEFT - RIGHT - 16) * (number / max(1, count - 1))
    down = (HEIGHT - ABOVE - BELOW - 2 * INSET) * (1 - points)
    return round(LEFT + 8 + across, 1), round(ABOVE + INSET + down, 1)


def _label(text: str, y: float, colour: str) -> str:
    return f'<text x="{LEFT - 8}" y="{y:g}" text-anchor="end" fill="{colour}">{text}</text>'


def _told(curve: Sequence[float]) -> str:
    """The graph in a sentence, for whoever cannot see it."""
    said, before = [], ""
    for number, points in enumerate(curve):
        who = "Player 1 ahead" if points > 0.55 else "Player 2 ahead" if points < 0.45 else "even"
        if who != before:
            said.append(f"from move {number} {who}" if number else f"at the start {who}")
        before = who
    return f"Who was winning: {'; '.join(said)}." if said else "No move was made."
