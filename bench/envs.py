"""Speed of the environments, side by side with peers in one run, as ratios. Part of `make bench`.

A step of the vector environment is one action in one game, with the observation, the action mask,
the reward and the new deal of games that have ended. Its actions are drawn at random, as the peers'
are, and that is timed too. Peers step bare games: OpenSpiel's Connect Four makes no observation.

On one thread time is that of the processor: all contenders use one, and wait for nothing, so what
else the machine has to do does not count. Two threads are measured by the clock, and so is the peer
they are compared with; a machine that is busy otherwise has no second processor to give.

Two threads must make 1.5 times what the first edition made, which had one: 9 to 12 million steps a
second when it was measured on this machine. That edition is not here any more, so the larger figure
is the peer. Beside it stands what one thread makes in the same run. `bench.arena workers` says what
the machine has to give: where two loops are not nearly twice as fast as one, others take a part of
the second processor, and the rows with two threads say little.

The perfect opponent must make 50 times the steps of the first edition, recorded at 16 games too.
Beside that stands the single bot in the same run: the same games, asked about one at a time.

The AEC environment is PettingZoo's kind: one game, one action at a time, each after a look at the
observation. Its peer is PettingZoo's own, which looks too.

Where JAX and Pgx are installed, Pgx's Connect Four on the processor is a peer too, by the clock.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import gymnasium
from pettingzoo.classic import tictactoe_v3

from bench.comparison import Row, best_rates, print_rows, rate
from bench.peers import connect_four
from gridwise import Game, Position, bot, games
from gridwise.envs import pettingzoo
from gridwise.envs.gymnasium import id_of

COUNT = 4096
SHARED_COUNT = 16_384  # on two threads: waking the second takes a fifth of a step of 4,096
SINGLE_GAMES, PERFECT_GAMES = 16, 1024
ROUNDS = 40
PERFECT_SECONDS, WARM_UP_STEPS = 3.0, 30
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


def mean_rate(work: Callable[[], int]) -> float:
    """Steps a second over whole games, from the middle of them on.

    Not the best of short turns: after a reset all games are as far, and a step near their ends
    takes a perfect player of Number Run a third of the time.
    """
    for _ in range(WARM_UP_STEPS):
        work()
    return rate(work, PERFECT_SECONDS)


def one_thread_rows() -> Iterator[Row]:
    """The vector environment of every game against both peers, the AEC one against PettingZoo's."""
    four, toe = "connect four", "tic-tac-toe"
    works = {f"vector {game.title}": vector_steps(id_of(game)) for game in games()}
    works |= {f"AEC {game.title}": turns_of(pettingzoo.env(game)) for game in games()}
    works |= {four: connect_four(), toe: turns_of(tictactoe_v3.env())}
    best = best_rates(works, ROUNDS, SECONDS)
    for kind, peer, wanted in (("vector", four, 15), ("vector", toe, 200), ("AEC", toe, 2)):
        for name in (f"{kind} {game.title}" for game in games()):
            yield Row(f"{name} / {peer}", best[name], best[peer], "steps/s", at_least=wanted)


def two_thread_rows() -> Iterator[Row]:
    """Two threads against Connect Four, the first edition and one thread, by the clock."""
    works = {"connect four": connect_four()}
    for game in games():
        works[game.title] = vector_steps(id_of(game), SHARED_COUNT)
        works[f"{game.title}, 2 threads"] = vector_steps(id_of(game), SHARED_COUNT, threads=2)
    best = best_rates(works, ROUNDS, SECONDS, time.perf_counter)
    four = best["connect four"]
    for title in (game.title for game in games()):
        name = f"{title}, 2 threads"
        ours = best[name]
        yield Row(f"{name} / connect four", ours, four, "steps/s", at_least=25)
        yield Row(f"{name} / first edition", ours, FIRST_EDITION, "steps/s", at_least=1.5)
        yield Row(f"{name} / 1 thread", ours, best[title], "steps/s")


def perfect_rows() -> Iterator[Row]:
    """The perfect opponent in a batch against the first edition and the single bot, one thread."""
    for game in games():
        if game.has_hidden_cells:
            continue
        single = vector_steps(id_of(game), SINGLE_GAMES, opponent=SingleBot(game))
        batched = vector_steps(id_of(game), PERFECT_GAMES, opponent="perfect")
        ours, peer = mean_rate(batched), mean_rate(single)
        name = f"perfect {game.title}"
        yield Row(f"{name} / first edition", ours, FIRST_PERFECT[game.key], "steps/s", at_least=50)
        yield Row(f"{name} / single", ours, peer, "steps/s")


def pgx_rows() -> Iterator[Row]:
    """Pgx's Connect Four, where it is installed, by the clock."""
    try:
        works = {"pgx": pgx_connect_four()}
    except ImportError:
        print("Pgx is not compared: it is not installed (pip install jax pgx).")
        return
    works |= {game.title: vector_steps(id_of(game)) for game in games()}
    best = best_rates(works, ROUNDS, SECONDS, time.perf_counter)
    for game in games():
        what = f"vector {game.title} / Pgx"
        yield Row(what, best[game.title], best["pgx"], "steps/s", at_least=1)


def rows() -> Iterator[Row]:
    """All comparisons."""
    for measured in (one_thread_rows, two_thread_rows, perfect_rows, pgx_rows):
        yield from measured()


if __name__ == "__main__":
    print(f"Vector environments: {COUNT} games, {SHARED_COUNT} on two threads; AEC: one.")
    print("Observations and masks included.")
    print_rows(rows())
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"Load of the machine over 1, 5 and 15 minutes, this included: {load}")
