"""Speed of the environments, side by side with peers in one run, as ratios. Part of `make bench`.

A step of the vector environment is one action in one game, with the observation, the action mask,
the reward and the new deal of games that have ended. Its actions are drawn at random, as the peers'
are, and that is timed too. Peers step bare games: OpenSpiel's Connect Four makes no observation.

On one thread time is that of the processor: all contenders use one, and wait for nothing, so what
else the machine has to do does not count. Two threads are measured by the clock, and so is the peer
they are compared with; a machine that is busy otherwise has no second processor to give.

Two threads must make 1.5 times what the first edition made, which had one: 9 to 12 million steps a
second when it was measured on this machine. That edition is not here any more, so the larger figure
is the peer. Beside it stands what one thread makes in the same run, and what the machine has to
give: two processes that only count, by the clock, against one. Where that is not nearly 2, others
take a part of the second processor, and the rows with two threads say little.

The perfect opponent must make 50 times the steps of the first edition, recorded at 16 games too.
Beside that stands the single bot in the same run: the same games, asked about one at a time.

The AEC environment is PettingZoo's kind: one game, one action at a time, each after a look at the
observation. Its peer is PettingZoo's own, which looks too.

Where JAX and Pgx are installed, Pgx's Connect Four on the processor is a peer too, by the clock.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import gymnasium

from bench.speed import Row, connect_four
from gridwise import Game, Position, bot, games
from gridwise.envs import pettingzoo
from gridwise.envs.gymnasium import id_of

COUNT = 4096
SHARED_COUNT = 16_384  # on two threads: waking the second takes a fifth of a step of 4,096
SINGLE_GAMES, PERFECT_GAMES = 16, 1024
ROUNDS = 40
PERFECT_SECONDS, WARM_UP = 3.0, 30
Clock = Callable[[], float]
COUNTING = "import time\nend, n = time.time() + 1, 0\nwhile time.time() < end: n += 1\nprint(n)"
# Steps a second of the first edition, as recorded on this machine.
FIRST_EDITION = 12_000_000
FIRST_PERFECT = {
    "number-run": 480,
    "number-maze": 1_370,
    "grid-runner": 11_400,
    "number-connect": 640,
}
SECONDS = 0.02  # short turns: on a busy machine some of them are undisturbed


def vector_steps(name: str, count: int = COUNT, **options: Any) -> Callable[[], int]:  # noqa: ANN401 - of the environment
    """A step of so many games; in self-play each player in turn."""
    env = gymnasium.make_vec(name, num_envs=count, **options)
    env.reset(seed=1)
    bare = env.unwrapped

    def step() -> int:
        env.step(bare.random_actions())  # type: ignore[attr-defined]
        return count

    return step


class SingleBot:
    """The perfect bot as a Player of one's own: asked about one game after the other."""

    name = "single"

    def __init__(self, game: Game) -> None:
        self._bot = bot(game, "perfect", 1)

    def choose(self, position: Position) -> int:
        """What the bot chooses."""
        return self._bot.choose(position)


def pgx_connect_four() -> Callable[[], int]:
    """Pgx's Connect Four, compiled by JAX; raises ImportError where that is not installed."""
    jax, pgx = import_module("jax"), import_module("pgx")
    wrappers = import_module("pgx.experimental.wrappers")
    env = pgx.make("connect_four")

    def advance(state: Any, key: Any) -> Any:  # noqa: ANN401 - JAX has its own types
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(key, logits, axis=1)
        return jax.vmap(auto_reset)(state, actions, jax.random.split(key, COUNT))

    auto_reset = wrappers.auto_reset(env.step, env.init)
    step_all = jax.jit(advance)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), COUNT))
    number = 0

    def step() -> int:
        nonlocal state, number
        number += 1
        state = step_all(state, jax.random.key(number))
        state.rewards.block_until_ready()
        return COUNT

    step()
    return step


def tic_tac_toe() -> Callable[[], int]:
    """PettingZoo's own tic-tac-toe."""
    from pettingzoo.classic import tictactoe_v3  # noqa: PLC0415 - only here

    return turns_of(tictactoe_v3.env())


def turns_of(env: Any) -> Callable[[], int]:  # noqa: ANN401 - PettingZoo has no types
    """A PettingZoo environment; each call plays one game and counts its steps."""
    rng = random.Random(1)

    def one_game() -> int:
        env.reset()
        steps = 0
        for _agent in env.agent_iter():
            seen, _, ended, stopped, _ = env.last()
            over = ended or stopped
            env.step(None if over else rng.choice(seen["action_mask"].nonzero()[0]))
            steps += not over
        return steps

    return one_game


def rate(contest: Callable[[], int], clock: Clock) -> float:
    """Steps a second over a short while."""
    steps, began = 0, clock()
    while clock() - began < SECONDS:
        steps += contest()
    return steps / (clock() - began)


def mean_rate(contest: Callable[[], int], clock: Clock) -> float:
    """Steps a second over whole games, from the middle of them on.

    Not the best of short turns: after a reset all games are as far, and a step near their ends
    takes a perfect player of Number Run a third of the time.
    """
    for _ in range(WARM_UP):
        contest()
    steps, began = 0, clock()
    while clock() - began < PERFECT_SECONDS:
        steps += contest()
    return steps / (clock() - began)


def best_rates(contests: dict[str, Callable[[], int]], clock: Clock) -> dict[str, float]:
    """The best of many short turns, taken one after the other."""
    best = dict.fromkeys(contests, 0.0)
    for _ in range(ROUNDS):
        for name, contest in contests.items():
            best[name] = max(best[name], rate(contest, clock))
    return best


def one_thread_rows() -> list[Row]:
    """The vector environment of every game against both peers, the AEC one against PettingZoo's."""
    four, toe = "connect four", "tic-tac-toe"
    contests = {f"vector {game.title}": vector_steps(id_of(game)) for game in games()}
    contests |= {f"AEC {game.title}": turns_of(pettingzoo.env(game)) for game in games()}
    contests |= {four: connect_four(), toe: tic_tac_toe()}
    best = best_rates(contests, time.process_time)
    against = [("vector", four, ">= 15"), ("vector", toe, ">= 200"), ("AEC", toe, ">= 2")]
    return [
        Row(f"{kind} {title} / {peer}", best[f"{kind} {title}"], best[peer], "steps/s", bound)
        for kind, peer, bound in against
        for title in (game.title for game in games())
    ]


def two_thread_rows() -> list[Row]:
    """Two threads against Connect Four, the first edition and one thread, by the clock."""
    contests = {"connect four": connect_four()}
    for game in games():
        contests[game.title] = vector_steps(id_of(game), SHARED_COUNT)
        contests[f"{game.title}, 2 threads"] = vector_steps(id_of(game), SHARED_COUNT, threads=2)
    best = best_rates(contests, time.perf_counter)
    found = []
    for title in (game.title for game in games()):
        name = f"{title}, 2 threads"
        found += [
            Row(f"{name} / connect four", best[name], best["connect four"], "steps/s", ">= 25"),
            Row(f"{name} / first edition", best[name], FIRST_EDITION, "steps/s", ">= 1.5"),
            Row(f"{name} / 1 thread", best[name], best[title], "steps/s", ""),
        ]
    return found


def processor_rows() -> list[Row]:
    """What a second processor adds on this machine, at the best of some tries."""
    best = {count: max(counted(count) for _ in range(4)) for count in (1, 2)}
    return [Row("this machine, 2 loops / 1 loop", best[2], best[1], "loops/s", "")]


def counted(processes: int) -> int:
    """How far so many processes count together in a second."""
    command = [sys.executable, "-c", COUNTING]
    counting = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
        for _ in range(processes)
    ]
    return sum(int(process.communicate()[0]) for process in counting)


def perfect_rows() -> list[Row]:
    """The perfect opponent in a batch against the first edition and the single bot, one thread."""
    found = []
    for game in games():
        if game.has_hidden_cells:
            continue
        single = vector_steps(id_of(game), SINGLE_GAMES, opponent=SingleBot(game))
        batched = vector_steps(id_of(game), PERFECT_GAMES, opponent="perfect")
        ours, peer = (mean_rate(contest, time.process_time) for contest in (batched, single))
        first, name = FIRST_PERFECT[game.key], f"perfect {game.title}"
        found += [
            Row(f"{name} / first edition", ours, first, "steps/s", ">= 50"),
            Row(f"{name} / single", ours, peer, "steps/s", ""),
        ]
    return found


def pgx_rows() -> list[Row]:
    """Pgx's Connect Four, where it is installed, by the clock."""
    try:
        contests = {"pgx": pgx_connect_four()}
    except ImportError:
        return []
    contests |= {game.title: vector_steps(id_of(game)) for game in games()}
    best = best_rates(contests, time.perf_counter)
    return [
        Row(f"vector {game.title} / Pgx", best[game.title], best["pgx"], "steps/s", ">= 1")
        for game in games()
    ]


def main() -> None:
    """Print the table."""
    print(f"Vector environments: {COUNT} games, {SHARED_COUNT} on two threads; AEC: one.")
    print("Observations and masks included.")
    print("Peers: OpenSpiel connect_four through pyspiel; PettingZoo tictactoe_v3.\n")
    print(f"{'what':42} {'ours':>12} {'peer':>12} {'unit':8} {'ratio':>7}  must be")
    for measure in (one_thread_rows, two_thread_rows, processor_rows, perfect_rows, pgx_rows):
        for row in measure():
            figures = f"{row.ours:12,.0f} {row.peer:12,.0f} {row.unit:8} {row.ratio:7.1f}"
            print(f"{row.what:42} {figures}  {row.bound}", flush=True)
    if find_spec("pgx") is None:
        print("\nPgx is not compared: it is not installed (pip install jax pgx).")
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"Load of the machine over 1, 5 and 15 minutes, this included: {load}")


if __name__ == "__main__":
    main()
