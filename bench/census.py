"""Speed of the census of Number Maze: boards a second, against solving them one by one.

The peer is our own batch solver, which is the fastest other way to count them. Both run on one
thread, in turn, and the best of some rounds counts: a machine that is busy for a while is busy for
both.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import numpy as np

from bench.comparison import Row, best_rates, print_rows
from gridwise import game, solve_boards
from research.census import census_tasks
from research.census.count import count

ROUNDS = 3
ROUND = itertools.count()  # other boards and other parts each time
BOARDS = 100_000
PARTS = 4  # of the census in each round; boards are dealt out to parts in turn, so any will do


def solve_some() -> int:
    """Solve boards one by one; how many."""
    cells = np.random.default_rng(next(ROUND)).integers(1, 5, (BOARDS, 4, 4))
    solve_boards("number-maze", cells, threads=1, actions=False)
    return BOARDS


def count_some() -> int:
    """Count some parts of the full census; how many boards are in them."""
    tasks = census_tasks(game("number-maze"), 4, 4)
    chosen = tasks[next(ROUND) :: len(tasks) // PARTS]
    return sum(count(**task.arguments)["boards"] for task in chosen)


def rows() -> Iterator[Row]:
    """The one comparison."""
    count("number-maze", 2, 2)  # compiles
    solve_boards("number-maze", [[[1, 2], [3, 4]]], threads=1, actions=False)
    best = best_rates({"ours": count_some, "peer": solve_some}, ROUNDS, clock=time.perf_counter)
    what = "census, number-maze 4x4, / solving every board"
    yield Row(what, best["ours"], best["peer"], "boards/s", at_least=100)


if __name__ == "__main__":
    print_rows(rows())
