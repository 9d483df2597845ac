"""Perfect play on many uniform boards: who wins, how often, and after how many plies.

One seed gives the same boards, and so the same figures, on every machine. Intervals are Wilson's,
at 95 %.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing

import numpy as np

from gridwise import Game, solve_boards
from gridwise.lab.statistics import wilson
from gridwise.lab.study.variant import Variant
from gridwise.show.progress import Progress

BLOCK_SIZE = 100_000  # boards that are dealt at once
NORMAL_QUANTILE = 1.959964  # of the normal distribution, for 95 %
NAMES = {1: "Player 1 wins", 2: "Player 2 wins", 3: "draw", 0: "endless"}


def solve(played: Game, boards: int, seed: int, threads: int | None) -> Counter[tuple[int, int]]:
    """How many boards have each winner and length."""
    variant = Variant.standard(played)
    results: Counter[tuple[int, int]] = Counter()
    with closing(Progress(f"Solving {played.title}", boards, "boards")) as progress:
        progress(0)
        for block, first in enumerate(range(0, boards, BLOCK_SIZE)):
            count = min(BLOCK_SIZE, boards - first)
            cells = variant.deal(count, f"{seed} results {block}")
            shaped = cells.reshape(count, played.rows, played.cols)
            solved = solve_boards(played, shaped, threads=threads, actions=False)
            winners = np.select([solved.value > 0, solved.value < 0, solved.endless], [1, 2, 0], 3)
            results.update(zip(winners.tolist(), solved.distance.tolist(), strict=True))
            progress(first + count)
    return results


def line(what: str, boards: int, total: int) -> str:
    """A count, its share and its interval."""
    low, high = wilson(boards / total, total, NORMAL_QUANTILE)
    return f"| {what} | {boards:,} | {boards / total:.4%} | {low:.4%} to {high:.4%} |"


def tables(played: Game, boards: int, seed: int, threads: int | None) -> str:
    """Who wins and how soon, as Markdown."""
    results = solve(played, boards, seed, threads)
    total = results.total()
    winners: Counter[int] = Counter()
    for (winner, _), count in results.items():
        winners[winner] += count
    lines = [f"{played.title}: {total:,} uniform boards, seed {seed}", ""]
    lines += ["| result | boards | share | 95 % interval |", "|---|---|---|---|"]
    lines += [line(NAMES[each], winners[each], total) for each in NAMES if winners[each]]
    lines += ["", "| result, plies | boards | share | 95 % interval |", "|---|---|---|---|"]
    for winner, plies in sorted(results, key=lambda key: (key[1], key[0])):
        lines.append(line(f"{NAMES[winner]}, {plies}", results[winner, plies], total))
    if not winners[0]:
        mean = sum(plies * count for (_, plies), count in results.items()) / total
        lines += ["", f"Mean length: {mean:.4f} plies."]
    return "\n".join(lines)
