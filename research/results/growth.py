"""How the cost of solving a start grows with the size of the board: docs/growth.svg.

The cost is counted in nodes, the positions a search looks at, which does not depend on the machine.
"""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path

from gridwise import Game, games
from gridwise.core.position import start
from gridwise.engine.exact.solver import solve
from gridwise.errors import BadRequest
from gridwise.lab.report.charts import Line, draw_lines, new_figure, write_chart

PICTURE = Path(__file__).parents[2] / "docs" / "growth.svg"
SIDES = range(3, 8)
BOARDS = 9  # of each size; Grid Runner has one


def median_cost(game: Game, side: int) -> tuple[float, float]:
    """The nodes and the seconds of processor time, in the middle of some uniform boards."""
    nodes, seconds = [], []
    for seed in range(1 if game.fixed else BOARDS):
        board = game.deal(random.Random(seed), side, side)
        began = time.process_time()
        solution = solve(start(game, board))
        seconds.append(time.process_time() - began)
        if not solution.exact:
            raise BadRequest(f"{game.title} {side}x{side} was not solved: {solution.incomplete}.")
        nodes.append(solution.nodes)
    return statistics.median(nodes), statistics.median(seconds)


def draw(curves: dict[str, list[float]], path: Path = PICTURE) -> None:
    """Nodes by size, on a scale of powers of ten."""
    sizes = [f"{side}x{side}" for side in SIDES]
    lines = [Line(title, dict(zip(sizes, nodes, strict=True))) for title, nodes in curves.items()]
    figure, (panel,) = new_figure(3.4)
    panel.set_yscale("log")
    draw_lines(panel, lines, "board", "positions searched to solve a start")
    panel.grid(axis="y", alpha=0.3)
    write_chart(figure, path)


def measure() -> dict[str, list[float]]:
    """Measure and print every game that is solved exactly; the nodes of each, by size."""
    curves: dict[str, list[float]] = {}
    for game in games():
        if game.has_hidden_cells:
            continue
        curves[game.title] = []
        for side in SIDES:
            nodes, seconds = median_cost(game, side)
            curves[game.title].append(nodes)
            print(f"{game.title:16}{side}x{side}{nodes:>12,.0f} nodes{seconds:>9.4f} s", flush=True)
    return curves
