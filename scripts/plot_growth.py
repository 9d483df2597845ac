"""Draw docs/growth.svg: how the cost of solving a start grows with the size of the board.

The cost is counted in nodes, the positions a search looks at, which does not depend on the machine.
Run by `make growth`; it takes about a minute.
"""

from __future__ import annotations

import random
import statistics
from math import log10
from pathlib import Path

from gridwise import Game, games
from gridwise.core.position import start
from gridwise.engine.exact.solver import solve

DOCS = Path(__file__).parents[1] / "docs"
SIDES = range(3, 8)
BOARDS = 9
WIDTH, HEIGHT, LEFT, TOP = 580, 320, 90, 20
COLOURS = ("#1f5fa8", "#b03a2e", "#3f8f4f", "#8a6d1f")


def median_nodes(game: Game, side: int) -> float:
    """The median cost over some uniform boards of one size."""
    costs = []
    for seed in range(1 if game.fixed else BOARDS):
        board = game.deal(random.Random(seed), side, side)
        found = solve(start(game, board))
        if not found.exact:
            raise SystemExit(f"{game.title} {side}x{side} was not solved: {found.incomplete}.")
        costs.append(found.nodes)
    return statistics.median(costs)


def picture(curves: dict[str, list[float]]) -> str:
    """Nodes by size, on a scale of powers of ten."""
    top = 6

    def x(side: int) -> float:
        return LEFT + (side - SIDES[0]) * (WIDTH - LEFT - 150) / (len(SIDES) - 1)

    def y(nodes: float) -> float:
        return TOP + (top - log10(max(nodes, 1))) * (HEIGHT - TOP - 40) / top

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="13">',
        "<title>Positions searched to solve a start, by size of the board</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf7"/>',
    ]
    for power in range(top + 1):
        at = y(10**power)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - 150}" y1="{at:.0f}" y2="{at:.0f}" stroke="#ddd8cb"/>'
            f'<text x="{LEFT - 8}" y="{at + 4:.0f}" text-anchor="end">{10**power:,}</text>'
        )
    for side in SIDES:
        label = f"{side}x{side}"
        parts.append(
            f'<text x="{x(side):.0f}" y="{HEIGHT - 15}" text-anchor="middle">{label}</text>'
        )
    ends = {title: y(nodes[-1]) for title, nodes in curves.items()}
    lowest = 0.0  # names stand apart even where curves end together
    for title in sorted(ends, key=lambda title: ends[title]):
        ends[title] = lowest = max(ends[title], lowest + 16)
    for (title, nodes), colour in zip(curves.items(), COLOURS, strict=True):
        points = [(x(side), y(value)) for side, value in zip(SIDES, nodes, strict=True)]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>' for px, py in points
        ]
        parts.append(
            f'<text x="{points[-1][0] + 10:.0f}" y="{ends[title] + 4:.0f}" fill="{colour}">'
            f"{title}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Measure and draw."""
    curves = {}
    for game in games():
        if not game.has_hidden_cells:
            curves[game.title] = [median_nodes(game, side) for side in SIDES]
            print(game.title, *(f"{nodes:,.0f}" for nodes in curves[game.title]), flush=True)
    (DOCS / "growth.svg").write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
