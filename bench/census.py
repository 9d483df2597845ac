"""Speed of the census of Number Maze: boards a second, against solving them one by one.

The peer is our own batch solver, which is the fastest other way to count them. Both run on one
thread, in turn, and the best of some rounds counts: a machine that is busy for a while is busy for
both.
"""

from __future__ import annotations

import time

import numpy as np

from gridwise import game, solve_boards
from gridwise.arena.census import census_tasks
from gridwise.arena.census.census import count

ROUNDS = 3
BOARDS = 100_000
PARTS = 4  # of the census in each round; boards are dealt out to parts in turn, so any will do


def solving_rate(seed: int) -> float:
    """Boards a second that are solved one by one."""
    cells = np.random.default_rng(seed).integers(1, 5, (BOARDS, 4, 4))
    began = time.perf_counter()
    solve_boards("number-maze", cells, threads=1, actions=False)
    return BOARDS / (time.perf_counter() - began)


def census_rate(first: int) -> float:
    """Boards a second that are counted, over some parts of the full census."""
    tasks = census_tasks(game("number-maze"), 4, 4)
    chosen = tasks[first :: len(tasks) // PARTS]
    began = time.perf_counter()
    boards = 0
    for task in chosen:
        boards += count(**dict(task.arguments))["boards"]  # type: ignore[arg-type] # its own
    return boards / (time.perf_counter() - began)


def main() -> None:
    """Print the line."""
    count("number-maze", 2, 2)  # compiles
    solve_boards("number-maze", [[[1, 2], [3, 4]]], threads=1, actions=False)
    solved, counted = [], []
    for number in range(ROUNDS):
        solved.append(solving_rate(number))
        counted.append(census_rate(number))
    rate, peer = max(counted), max(solved)
    verdict = "ok" if rate >= 100 * peer else "MISSED"
    print(
        f"census, number-maze 4x4, / solving every board {rate:14,.0f} {peer:12,.0f} boards/s "
        f"{rate / peer:7.1f}x  (at least 100x) {verdict}"
    )


if __name__ == "__main__":
    main()
