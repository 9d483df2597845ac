"""Speed of the environments, side by side with peers in one run, as ratios. Part of `make bench`.

A step of the vector environment is one action in one game, with the observation, the action mask,
the reward and the new deal of games that have ended. Its actions are drawn at random, as the peers'
are, and that is timed too. Peers step bare games: OpenSpiel's Connect Four makes no observation.

Time is that of the processor. All contenders use one, and wait for nothing, so it is fair, and what
else the machine has to do does not count.

The AEC environment is PettingZoo's kind: one game, one action at a time, each after a look at the
observation. Its peer is PettingZoo's own, which looks too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import gymnasium

import gridwise.envs.gymnasium as _ids  # noqa: F401 - registers the ids
from bench.speed import Row, connect_four
from gridwise import games
from gridwise.envs import pettingzoo

COUNT = 4096
ROUNDS = 40
SECONDS = 0.02  # short turns: on a busy machine some of them are undisturbed


def vector_steps(name: str) -> Callable[[], int]:
    """A step of so many games, each player in turn."""
    env = gymnasium.make_vec(name, num_envs=COUNT)
    env.reset(seed=1)
    bare = env.unwrapped

    def step() -> int:
        env.step(bare.random_actions())  # type: ignore[attr-defined]
        return COUNT

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


def rate(contest: Callable[[], int]) -> float:
    """Steps a second over a short while."""
    steps, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        steps += contest()
    return steps / (time.process_time() - began)


def best_rates(contests: dict[str, Callable[[], int]]) -> dict[str, float]:
    """The best of many short turns, taken one after the other."""
    best = dict.fromkeys(contests, 0.0)
    for _ in range(ROUNDS):
        for name, contest in contests.items():
            best[name] = max(best[name], rate(contest))
    return best


def rows() -> list[Row]:
    """The vector environment of every game against both peers, the AEC one against PettingZoo's."""
    four, toe = "connect four", "tic-tac-toe"
    found = {game.title: f"gridwise/{game.title.replace(' ', '')}-v0" for game in games()}
    contests = {f"vector {title}": vector_steps(name) for title, name in found.items()}
    contests |= {f"AEC {game.title}": turns_of(pettingzoo.env(game)) for game in games()}
    best = best_rates({four: connect_four(), toe: tic_tac_toe(), **contests})
    against = [("vector", four, ">= 10"), ("vector", toe, ">= 200"), ("AEC", toe, ">= 2")]
    return [
        Row(f"{kind} {title} / {peer}", best[f"{kind} {title}"], best[peer], "steps/s", bound)
        for kind, peer, bound in against
        for title in found
    ]


def main() -> None:
    """Print the table."""
    print(f"Vector environments: {COUNT} games; AEC: one. Observations and masks included.")
    print("Peers: OpenSpiel connect_four through pyspiel; PettingZoo tictactoe_v3.\n")
    print(f"{'what':36} {'ours':>12} {'peer':>12} {'unit':8} {'ratio':>7}  must be")
    for row in rows():
        figures = f"{row.ours:12,.0f} {row.peer:12,.0f} {row.unit:8} {row.ratio:7.1f}"
        print(f"{row.what:36} {figures}  {row.bound}")


if __name__ == "__main__":
    main()
