"""What an arena costs beside its games, and what a second worker brings, as ratios.

    python -m bench.arena             both
    python -m bench.arena overhead    processor time: the arena against the bare games
    python -m bench.arena workers     time by the clock: two workers against one

Overhead: the same pairs (the same boards, bots and draws) are played in a bare loop and as an
arena: tasks, JSON both ways, standings. Both run in this process and take turns, in processor time,
because between processes a busy machine makes differences of 10 %. Not in it: starting a worker,
once, which takes 0.8 s. With `--out` the results are kept, and there is a file for each game too.
What that costs is up to the file system: on ours creating a file takes 0.03 ms in one folder and
0.6 ms in another.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from bench.comparison import best_seconds
from gridwise.core.registry import game
from gridwise.engine.bots import bot
from gridwise.lab.run import Executor, open_executor
from gridwise.lab.store import Store
from gridwise.lab.tournament.run import new_tournament, run
from gridwise.lab.tournament.schedule import (
    Schedule,
    dealt_pair,
    player_seed,
    tournament_game,
)

ROUNDS = 5
WANTED = 0.10  # the most that an arena may cost, as a share of the games
WANTED_WORKERS = 1.7
# A game, two levels, and pairs that take a second or two.
MATCHES = (
    ("number-connect", "perfect", "strong", 100),
    ("number-run", "perfect", "strong", 60),
    ("number-connect", "strong", "casual", 200),
    ("grid-conquest", "strong", "casual", 100),
)


def schedule(key: str, one: str, two: str, pairs: int) -> Schedule:
    """A match between two levels."""
    return Schedule([f"bot:{one}", f"bot:{two}"], [tournament_game(game(key))], pairs)


def bare(key: str, one: str, two: str, pairs: int) -> None:
    """The games of the match and nothing else."""
    played = game(key)
    template = tournament_game(played).template
    for number in range(pairs):
        true_board, first = dealt_pair(played, template, 0, number)
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
        Store.in_folder(Path(folder) if keep else None, plan.about()) as results,
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
        verdict = "ok" if cost <= WANTED else "MISSED"
        print(
            f"{f'{key}, {one} - {two}':44}{1000 * games / pairs:7.2f}ms"
            f"{1000 * whole / pairs:7.2f}ms{cost:10.1%}  {verdict:8}{kept / games - 1:10.1%}",
            flush=True,
        )


def workers() -> None:
    """Print how much faster two workers are; in a short match starting them counts, a second."""
    key, one, two = "number-connect", "perfect", "strong"
    for pairs, rounds in ((600, ROUNDS), (3000, 2)):
        works = {number: partial(arena, key, one, two, pairs, int(number)) for number in "12"}
        single, double = best_seconds(works, rounds).values()
        ratio = single / double
        busy = os.getloadavg()[0]
        free = "" if busy < 3.5 else f" (not a fair measurement: the machine's load is {busy:.0f})"
        verdict = "ok" if ratio >= WANTED_WORKERS else "MISSED"
        print(f"two workers against one, {pairs} pairs: {ratio:.2f} times as fast  {verdict}{free}")


if __name__ == "__main__":
    asked = sys.argv[1:] or ["overhead", "workers"]
    for name in asked:
        {"overhead": overhead, "workers": workers}[name]()
