"""Perfect play on many uniform boards: who wins, how often, and after how many plies.

    python scripts/results_boards.py number-connect --boards 11000000
    python scripts/results_boards.py number-run --boards 1000000

The figures for docs/results.md. The same seed gives the same boards, and so the same figures, on
every machine. Intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
from collections import Counter
from contextlib import closing

import numpy as np

from gridwise import game, solve_boards
from gridwise.arena.statistics import wilson
from gridwise.arena.study.variant import Variant
from gridwise.core.game import Game
from gridwise.show.progress import Progress

BLOCK = 100_000  # boards that are dealt at once
QUANTILE = 1.959964  # of the normal distribution, for 95 %
NAMES = {1: "Player 1 wins", 2: "Player 2 wins", 3: "draw", 0: "endless"}


def solve(played: Game, boards: int, seed: int, threads: int | None) -> Counter[tuple[int, int]]:
    """How many boards have each winner and length."""
    variant = Variant.standard(played)
    found: Counter[tuple[int, int]] = Counter()
    with closing(Progress(f"Solving {played.title}", boards, "boards")) as progress:
        progress(0)
        for block, first in enumerate(range(0, boards, BLOCK)):
            count = min(BLOCK, boards - first)
            cells = variant.deal(count, f"{seed} results {block}")
            shaped = cells.reshape(count, played.rows, played.cols)
            solved = solve_boards(played, shaped, threads=threads, actions=False)
            winners = np.select([solved.value > 0, solved.value < 0, solved.endless], [1, 2, 0], 3)
            found.update(zip(winners.tolist(), solved.distance.tolist(), strict=True))
            progress(first + count)
    return found


def line(what: str, boards: int, total: int) -> str:
    """A count, its share and its interval."""
    low, high = wilson(boards / total, total, QUANTILE)
    return f"| {what} | {boards:,} | {boards / total:.4%} | {low:.4%} to {high:.4%} |"


def main() -> None:
    """Print the tables, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", type=game)
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=None)
    given = parser.parse_args()
    found = solve(given.game, given.boards, given.seed, given.threads)
    total = found.total()
    print(f"{given.game.title}: {total:,} uniform boards, seed {given.seed}\n")
    print("| result | boards | share | 95 % interval |\n|---|---|---|---|")
    winners: Counter[int] = Counter()
    for (winner, _), boards in found.items():
        winners[winner] += boards
    for winner, name in NAMES.items():
        if winners[winner]:
            print(line(name, winners[winner], total))
    print("\n| result, plies | boards | share | 95 % interval |\n|---|---|---|---|")
    for winner, plies in sorted(found, key=lambda key: (key[1], key[0])):
        print(line(f"{NAMES[winner]}, {plies}", found[winner, plies], total))
    if not winners[0]:
        mean = sum(plies * boards for (_, plies), boards in found.items()) / total
        print(f"\nMean length: {mean:.4f} plies.")


if __name__ == "__main__":
    main()
