"""Our environments in gg-bench's shape: what its evaluation takes for granted, and the rules."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterable
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest
from bot_endpoint.prompt_reader import read_prompt
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from gridwise import Match, games
from gridwise.core.outcome import DRAW
from gridwise.envs.gg_bench import CustomEnv
from tests.sizes import sample

KEYS = [game.key for game in games()]
RUN, MAZE = "31425/25134/42513/14252/53142", "1324/2132/4213/3421"
ONES = "1111/1111/1111/1111"
REWARDS = {-10, -1, 0, 1}  # all that its statistics accept


def made(key: str) -> CustomEnv:
    """An environment as gg-bench makes it: `CustomEnv()` of a module."""
    env = import_module(f"gridwise.envs.gg_bench.{key.replace('-', '_')}").CustomEnv()
    assert isinstance(env, CustomEnv)
    return env


@pytest.mark.parametrize("key", KEYS)
def test_its_execution_filter_passes(key: str) -> None:
    """The environment checker has nothing to say; five first moves and five texts, always."""
    check_env(made(key), skip_render_check=True)
    for seed in range(sample(20, long=100)):
        env = made(key)
        env.reset(seed=seed)
        for _ in range(5):
            env.step(env.valid_moves()[0])
            assert env.render()


@pytest.mark.parametrize("key", KEYS)
def test_whole_games_agree_with_the_match(key: str) -> None:
    """Deals, valid moves, turns, results and rewards are the Match's; the players alternate."""
    env, rng = made(key), random.Random(key)
    # Its wrapper appends the player to a flat Box; Dicts and grids are an error there.
    assert isinstance(env.observation_space, spaces.Box)
    assert isinstance(env.action_space, spaces.Discrete)
    for seed in range(sample(20, long=60)):
        observation, info = env.reset(seed=seed)
        assert observation.shape == env.observation_space.shape == (observation.size,)
        assert info == {}
        match = Match(key, env._true_board, first=env.position.first, max_plies=200)
        movers, done = [], False
        while not done:
            valid, mover = env.valid_moves(), env.current_player
            movers.append(mover)
            if mover == match.turn:
                assert valid == sorted(match.position.legal)
            else:
                assert valid == [env.game.actions(env._true_board)]  # nothing to claim: a pass
            action = rng.choice(valid)
            if mover == match.turn:
                match.move(action)
            observation, reward, terminated, truncated, _ = env.step(action)
            done = terminated or truncated
            assert env.observation_space.contains(observation)
            assert reward in REWARDS
        assert all(one != two for one, two in pairwise(movers))
        assert match.outcome
        winner = match.outcome.winner
        assert reward == (0 if winner in (0, DRAW) else 1 if winner == mover else -1)
        assert truncated == (winner == 0)
        assert env.step(env.valid_moves()[0])[1:4] == (0, True, False)  # over is over
        assert env.position == match.position


@pytest.mark.parametrize("action", [-1, 17, 10**30, None, "0", 1.5, [0], np.int64(-3)])
@pytest.mark.parametrize("key", KEYS)
def test_an_action_that_is_not_legal_costs_ten_and_ends(key: str, action: object) -> None:
    """It is never played and never raises; what was possible is still listed."""
    env = made(key)
    before, _ = env.reset(seed=7)
    valid = env.valid_moves()
    bad = 99 if action == 17 else action  # 17 is a cell in Grid Conquest
    observation, reward, terminated, truncated, _ = env.step(bad)  # type: ignore[arg-type]
    assert (reward, terminated, truncated) == (-10, True, False)
    assert np.array_equal(observation, before)
    assert env.valid_moves() == valid
    assert env.step(valid[0])[1] == 0


def test_observations_begin_as_gg_benchs_do() -> None:
    """The first numbers are what its own environments show, written out by hand."""
    maze, _ = CustomEnv("number-maze", board=MAZE).reset()
    assert maze.tolist() == [1, 3, 2, 4, 2, 1, 3, 2, 4, 2, 1, 3, 3, 4, 2, 1, 0, 15, 1]
    run, _ = CustomEnv("number-run", board=RUN).reset()
    planes = run[:100].reshape(5, 5, 4)
    assert planes[..., 0].tolist()[0] == [3, 1, 4, 2, 5]
    assert planes[0, 0].tolist() == [3, 1, 0, 1]
    assert planes[4, 4].tolist() == [2, 0, 1, 2]
    runner, _ = CustomEnv("grid-runner").reset()
    assert runner[:25].reshape(5, 5).tolist() == [
        [1, 0, -1, 0, 0],
        [0, 0, 0, 0, 0],
        [-1, 0, -1, 0, -1],
        [0, 0, 0, 0, 0],
        [0, 0, -1, 0, 2],
    ]
    connect = CustomEnv("number-connect", board="4152/6371/2845/9162")
    for action in (0, 3):
        observation = connect.step(action)[0]
    assert observation[:16].tolist() == [14, 1, 5, 22, 6, 3, 7, 1, 2, 8, 4, 5, 9, 1, 6, 2]
    conquest = CustomEnv("grid-conquest", board="53152/24251/43453/?1523/?2214")
    conquest.reset(options={"first": 1})
    observation = conquest.step(0)[0]  # A1 shows A2, B1 and B2
    assert observation[:7].tolist() == [1, 0, -1, -1, -1, 0, 0]
    assert observation[25:32].tolist() == [5, 3, 0, 0, 0, 2, 4]
    assert observation[50:].tolist() == [5, 0, 2]


@pytest.mark.parametrize("key", KEYS)
def test_a_text_for_a_model_says_everything(key: str) -> None:
    """The position can be read back from it: every number, visited cells, scores, whose turn."""
    env, rng = made(key), random.Random(key)
    env.reset(seed=5)
    for _ in range(6):
        text = env.render()
        assert read_prompt(text) == env.position
        assert f"Player {env.current_player} is to move" in text
        _, _, terminated, _, _ = env.step(rng.choice(env.valid_moves()))
        if terminated:
            break


def played(env: CustomEnv, actions: Iterable[int]) -> tuple[int, bool]:
    """The reward and the end of the last of some actions; none before it ends the game."""
    for action in actions:
        assert action in env.valid_moves()
        _, reward, terminated, _, _ = env.step(action)
    return reward, terminated


@pytest.mark.parametrize(
    ("key", "board", "actions", "reward", "over"),
    [
        ("number-maze", MAZE, [3, 2, 1], 0, False),  # Player 1 is stuck on (4,2), and loses
        ("number-maze", MAZE, [3, 2, 1, 0], 1, True),  # when it has to move
        ("number-maze", "1111/1111/1111/1114", [3], 1, True),  # Player 2 cannot move at all
        ("number-run", RUN, [3, 2, 3, 0, 1, 0, 7, 2], 0, False),  # 9 challenges 10, and goes home
        ("grid-conquest", "12111" + 4 * "/11111", range(25), 0, True),  # 13 to 13
        ("grid-conquest", "12121" + 4 * "/11111", range(25), -1, True),  # 13 to 14
    ],
)
def test_lines_of_play_end_as_the_texts_have_it(
    key: str, board: str, actions: Iterable[int], reward: int, over: bool
) -> None:
    """Those of docs/gg-bench.md; the reward is that of the last mover."""
    env = CustomEnv(key, board=board)
    env.reset(options={"first": 1})
    assert played(env, actions) == (reward, over)
    if key == "number-run":  # a cell that was visited before the challenge stays closed
        assert (env.position.scores, env.valid_moves()) == ((0, 15), [1])


def test_number_connect_a_player_who_is_shut_in_passes() -> None:
    """Player 2 has the left column and no free neighbour: the one valid move is to pass."""
    env = CustomEnv("number-connect", board=ONES)
    assert played(env, [1, 0, 5, 4, 9, 8, 13, 12, 2]) == (0, False)
    assert env.valid_moves() == [16]
    assert "Player 2 is to move" in env.render()
    assert played(env, [16]) == (0, False)
    assert env.current_player == 1
    assert 16 not in env.valid_moves()


def test_a_copy_does_not_know_what_nobody_has_seen() -> None:
    """A search in copies, as gg-bench's player does it, finds another value each time."""
    env = made("grid-conquest")
    env.reset(seed=3)
    env.step(12)
    boards, pickled = set(), set()
    for _ in range(25):  # all alike by chance: once in 5 ** 24
        twin = copy.deepcopy(env)
        assert twin.position == env.position
        boards.add(tuple(twin.step(0)[0]))
        pickled.add(pickle.loads(pickle.dumps(env))._true_board)  # noqa: S301 - our own
    assert len(boards) > 1
    assert len(pickled) > 1
    exact = made("number-run")
    assert copy.deepcopy(exact)._true_board == exact._true_board
