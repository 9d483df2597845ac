"""Threads change nothing but the time."""

from __future__ import annotations

import copy
import pickle
import threading
from itertools import product
from typing import Any

import numpy as np
import pytest

from gridwise import Game
from gridwise.engine.batch import MIN_SHARED
from gridwise.envs.vector import GridwiseVectorEnv
from tests.sizes import sample

WAYS = list(product(("NextStep", "SameStep"), (None, "random")))
GAMES = MIN_SHARED + 777  # no multiple of what a thread takes at a time


def same(one: Any, other: Any) -> bool:  # noqa: ANN401 - dicts, tuples, arrays
    """Whether two nested structures of arrays are equal."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) and one.dtype == object:
        return all(map(same, one.tolist(), other.tolist()))
    return one is other is None or np.array_equal(one, other)


@pytest.mark.parametrize(("mode", "opponent"), sample(WAYS[1:3], long=WAYS))
def test_any_number_of_threads_plays_the_same_games(
    game: Game, mode: str, opponent: str | None
) -> None:
    """Every array of every step, through endings and new deals."""
    envs = [
        GridwiseVectorEnv(
            game, GAMES, opponent=opponent, side="random", threads=threads, autoreset_mode=mode
        )
        for threads in (1, 3)
    ]
    assert same(*(env.reset(seed=5) for env in envs))
    for _ in range(sample(20, long=30)):
        assert same(*(env.step(env.random_actions()) for env in envs))


def test_each_game_has_its_own_board_on_any_thread() -> None:
    """A list of boards goes by the number of the game, not of its part."""
    texts = ["1324/2132/4213/3421", "1111/1111/1111/1111"]
    env = GridwiseVectorEnv("number-maze", GAMES, threads=2)
    env.reset(seed=1, options={"board": [texts[number % 2] for number in range(GAMES)]})
    for number in (0, 1, 255, 256, 257, 1024, GAMES - 2, GAMES - 1):
        assert env.position(number).board == env.game.parse_board(texts[number % 2])


def test_copies_and_pickles_go_on_alike() -> None:
    """Each with threads of its own."""
    env = GridwiseVectorEnv("number-connect", GAMES, threads=2)
    env.reset(seed=3)
    env.step(env.random_actions())
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301 - made here
    for _ in range(5):
        steps = env.step(env.random_actions())
        for other in others:
            assert same(steps, other.step(other.random_actions()))


def test_two_environments_step_in_two_threads() -> None:
    """They share compiled code and nothing else."""
    alone = GridwiseVectorEnv("number-run", GAMES, threads=2)
    envs = [GridwiseVectorEnv("number-run", GAMES, threads=2) for _ in range(2)]
    steps: dict[int, list[Any]] = {0: [], 1: []}

    def play(number: int) -> None:
        env = envs[number]
        env.reset(seed=9)
        steps[number] += [env.step(env.random_actions()) for _ in range(50)]

    players = [threading.Thread(target=play, args=(number,)) for number in (0, 1)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    alone.reset(seed=9)
    for step in range(50):
        expected = alone.step(alone.random_actions())
        assert same(expected, steps[0][step])
        assert same(expected, steps[1][step])
