"""What an arena costs beside its games, and what a second worker brings, as ratios.

    python -m bench.arena             both
    python -m bench.arena overhead    processor time: the arena against the bare games
    python -m bench.arena workers     time by the clock: two workers against one, of a study too

Overhead: the same pairs (the same boards, bots and draws) are played in a bare loop and as an
arena: tasks, JSON both ways, standings. Both run in this process and take turns, in processor time,
because between processes a busy machine makes differences of 10 %. Not in it: starting a worker,
once, which takes 0.8 s. With `--out` the results are kept, and there is a file for each game too.
What that costs is up to the file system: on ours creating a file takes 0.03 ms in one folder and
0.6 ms in another.

Workers: on free cores two should do 1.7 times as much as one. Whether cores are free is measured
too, by loops that only count: if two of those do not make twice as much either, the machine had
other work, and the share of what was possible is what counts.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from bench.comparison import Row, best_seconds, print_rows, verdict
from gridwise.core.registry import game
from gridwise.engine.bots import bot
from gridwise.lab.run import Executor, LocalProcesses, Task, open_executor
from gridwise.lab.store import ResultStore
from gridwise.lab.study.blocks import Plan, board_tasks
from gridwise.lab.study.variant import Variant
from gridwise.lab.tournament.run import new_tournament, run
from gridwise.lab.tournament.schedule import (
    Schedule,
    dealt_pair,
    player_seed,
)
from gridwise.play.boards import board_source

ROUNDS = 5
WANTED = 0.10  # the most that an arena may cost, as a share of the games
WANTED_WORKERS = 1.7
STUDY_BOARDS = 8_192 * 12
COUNTED = 20_000_000
# A game, two levels, and pairs that take a second or two.
MATCHES = (
    ("number-connect", "perfect", "strong", 100),
    ("number-run", "perfect", "strong", 60),
    ("number-connect", "strong", "casual", 200),
    ("grid-conquest", "strong", "casual", 100),
)


def schedule(key: str, one: str, two: str, pairs: int) -> Schedule:
    """A match between two levels."""
    return Schedule([f"bot:{one}", f"bot:{two}"], [board_source(game(key))], pairs)


def bare(key: str, one: str, two: str, pairs: int) -> None:
    """The games of the match and nothing else."""
    played = game(key)
    boards = board_source(played)
    for number in range(pairs):
        true_board, first = dealt_pair(boards, 0, number)
        for swapped in (0, 1):
            seeds = [player_seed(0, key, number, swapped, player) for player in (0, 1)]
            bots = [bot(played, level, seed) for level, seed in zip((one, two), seeds, strict=True)]
            position = first
            while not position.outcome and len(position.history) < 200:
                chosen = bots[(position.turn == 1) == bool(swapped)].choose(position)
                position = position.play(chosen, true_board)


def arena(key: str, one: str, two: str, pairs: int, workers: int, *, keep: bool = False) -> None:
    """The match as an arena; without workers in this process, with `keep` into a folder."""
    plan = schedule(key, one, two, pairs)
    here = nullcontext(Executor())
    with (
        tempfile.TemporaryDirectory() as folder,
        ResultStore.in_folder(Path(folder) if keep else None, plan.about()) as results,
        open_executor(workers) if workers else here as executor,
    ):
        tournament = new_tournament(plan, plan.players, None)
        run(tournament, executor, results, lambda _: None)
        assert tournament.standings.pairs == pairs


def overhead() -> None:
    """Print what an arena costs for each match."""
    print(f"{'match':44}{'games':>9}{'arena':>9}{'overhead':>10}{'with --out':>20}")
    for key, one, two, pairs in MATCHES:
        bare(key, one, two, 2)  # loads the kernels
        works = {
            "games": partial(bare, key, one, two, pairs),
            "arena": partial(arena, key, one, two, pairs, 0),
            "kept": partial(arena, key, one, two, pairs, 0, keep=True),
        }
        games, whole, kept = best_seconds(works, ROUNDS, time.process_time).values()
        cost = whole / games - 1
        print(
            f"{f'{key}, {one} - {two}':44}{1000 * games / pairs:7.2f}ms"
            f"{1000 * whole / pairs:7.2f}ms{cost:10.1%}  {verdict(cost <= WANTED):8}"
            f"{kept / games - 1:10.1%}",
            flush=True,
        )


def count(number: int) -> int:
    """Count, and nothing else: work that shares nothing but the processors."""
    for _ in range(number):
        pass
    return number


def run_all(executor: Executor, tasks: list[Task]) -> None:
    """Run tasks to their ends."""
    for _ in executor.run(tasks):
        pass


def worker_rows() -> Iterator[Row]:
    """Two workers against one; in a short match starting them counts, a second."""
    counting = [Task(f"count-{n}", count, {"number": COUNTED}) for n in range(4)]
    study = board_tasks(Variant.standard(game("number-connect")), Plan(boards=STUDY_BOARDS))
    one, two = LocalProcesses(1), LocalProcesses(2)
    try:
        for name, tasks, wanted in (("loops", counting, 0.0), ("study", study, WANTED_WORKERS)):
            for executor in (one, two):  # processes started, kernels loaded
                run_all(executor, tasks[:4])
            works = {"1": partial(run_all, one, tasks), "2": partial(run_all, two, tasks)}
            best = best_seconds(works, ROUNDS)
            what = f"{name}, two workers / one"
            yield Row(what, 1 / best["2"], 1 / best["1"], "a second", at_least=wanted)
    finally:
        one.close()
        two.close()
    for pairs, rounds in ((600, ROUNDS), (3000, 2)):
        match = ("number-connect", "perfect", "strong", pairs)
        best = best_seconds({n: partial(arena, *match, int(n)) for n in "12"}, rounds)
        ours, peer = pairs / best["2"], pairs / best["1"]
        what = f"arena of {pairs} pairs, two workers / one"
        yield Row(what, ours, peer, "pairs/s", at_least=WANTED_WORKERS)


if __name__ == "__main__":
    asked = sys.argv[1:] or ["overhead", "workers"]
    if "overhead" in asked:
        overhead()
    if "workers" in asked:
        print_rows(worker_rows())
