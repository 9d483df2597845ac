"""The PettingZoo environment keeps PettingZoo's contract, and its own."""

from __future__ import annotations

import copy
import pickle
import random
import sys
import warnings
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gridwise.core.game import Game
from gridwise.envs.pettingzoo import AGENTS, PLAYERS, GridEnv, env, raw_env
from gridwise.errors import BadRequest, IllegalMove, OutOfTurn
from tests.sizes import sample

with warnings.catch_warnings():
    # Where pygame is installed, this loads one of PettingZoo's games by a name it has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

# PettingZoo says these of every environment whose observations are dicts, but for a list of its
# own; and of every agent that is shown the end of a game, its own too.
KNOWN = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)


def random_steps(game: GridEnv, rng: random.Random, plies: int = 10**6) -> list[int]:
    """Play legal actions at random; those that were played."""
    played: list[int] = []
    while not over(game) and len(played) < plies:
        legal = np.flatnonzero(game.observe(game.agent_selection)["action_mask"])
        played.append(int(legal[int(rng.random() * len(legal))]))
        game.step(played[-1])
    return played


def pickled(game: GridEnv) -> GridEnv:
    """The environment, after a journey as bytes."""
    twin: GridEnv = pickle.loads(pickle.dumps(game))  # noqa: S301 - our own bytes
    return twin


def over(game: GridEnv) -> bool:
    """Whether the game has ended, one way or another."""
    return any(game.terminations.values()) or any(game.truncations.values())


# PettingZoo's own tests


def test_api_test_passes(game: Game) -> None:
    """PettingZoo's test of the interface passes, without a warning that is about us."""
    episode = env(game.key)
    for number, agent in enumerate(AGENTS[1:]):
        episode.action_space(agent).seed(number)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in KNOWN:
            warnings.filterwarnings("ignore", message=message)
        api_test(episode, num_cycles=500)


def test_seed_test_passes(game: Game) -> None:
    """PettingZoo's test that equal seeds give equal episodes passes."""
    seed_test(lambda: env(game.key))


def test_render_test_passes(game: Game) -> None:
    """PettingZoo's test of all render modes passes. It tries "human" first, which we have not."""

    def make(render_mode: str) -> GridEnv:
        return env(game.key, render_mode=None if render_mode == "human" else render_mode)

    render_test(make, custom_tests={"svg": lambda text: text.startswith("<svg ")})


def test_performance_benchmark_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """PettingZoo's benchmark plays one game after the other for five seconds of a quick clock."""
    clock = SimpleNamespace(time=count(step=0.02).__next__)
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    performance_benchmark(env("number-maze"))


# What it hands out


def test_every_reset_deals_a_new_uniform_board() -> None:
    """One seed begins a series of boards, all of them with a first move on them."""
    episode = env("number-maze")
    episode.reset(seed=1)
    boards = {episode._true_board}
    for _ in range(200):
        episode.reset()
        assert episode.infos[episode.agent_selection]["action_mask"].any()
        boards.add(episode._true_board)
    assert len(boards) == 201
    dealt = np.array([board.cells for board in boards])
    assert set(np.unique(dealt)) == {1, 2, 3, 4}
    assert set(dealt[:, 0]) == {1, 2, 3}  # a 4 under the first player would be the end


def test_what_was_handed_out_is_not_touched_again(game: Game) -> None:
    """Observations, infos, rewards and lists of agents stay as they were when they were given."""
    episode = env(game.key)
    for number, agent in enumerate(AGENTS[1:]):
        episode.action_space(agent).seed(number)
    episode.reset(seed=0)
    given: list[Any] = []
    for number, agent in enumerate(episode.agent_iter(sample(30, long=10**6))):
        last = episode.last()
        given += [last, episode.observe(AGENTS[1]), episode.observe(AGENTS[2])]
        given += [episode.rewards, episode.terminations, episode.truncations, episode.infos]
        given += [episode.agents, episode._cumulative_rewards if last[2] or last[3] else 0]
        before = repr(given)
        mask = last[0]["action_mask"]
        episode.step(episode.action_space(agent).sample(mask) if mask.any() else None)
        assert repr(given) == before
        if number > 6:
            given.clear()


def test_what_is_done_to_what_was_handed_out_changes_nothing(game: Game) -> None:
    """An agent that scribbles over its observation and mask does not change the game."""
    episode, twin = env(game.key), env(game.key)
    episode.reset(seed=3)
    twin.reset(seed=3)
    for _ in range(5):
        seen, _, over, _, info = episode.last()
        for array in (*seen.values(), info["action_mask"]):
            array[...] = 1
        seen = twin.observe(twin.agent_selection)
        again = episode.observe(episode.agent_selection)
        assert all(np.array_equal(again[name], array) for name, array in seen.items())
        if over:
            break
        for one in (episode, twin):
            one.step(int(np.flatnonzero(seen["action_mask"])[0]))


def test_a_player_who_has_to_pass_is_not_asked() -> None:
    """Number Connect: a player with nothing to claim is left out, and the other moves again."""
    episode = env("number-connect", board="1111/1111/1111/1111")
    episode.reset()
    movers = []
    for action in (1, 0, 5, 4, 9, 8, 13, 12, 2):  # Player 2 has the left column, and is shut in
        movers.append(episode.agent_selection)
        episode.step(action)
    assert movers == ["player_1", "player_2"] * 4 + ["player_1"]
    assert episode.agent_selection == "player_1"


# Illegal actions


@pytest.mark.parametrize("bad", [10**6, -1, 1.5, None, "up"])
def test_an_illegal_action_loses(game: Game, bad: object) -> None:
    """With "lose" the agent loses and is told why; after a reset play goes on."""
    episode = env(game.key)
    episode.reset(seed=2)
    random_steps(episode, random.Random(1), 1)
    agent = episode.agent_selection
    episode.step(bad)  # type: ignore[arg-type]
    other = AGENTS[3 - PLAYERS[agent]]
    assert episode.rewards == {agent: -1, other: 1}
    assert episode.terminations == {agent: True, other: True}
    assert episode.infos[agent]["reason"] == f"Player {PLAYERS[agent]} made an illegal move"
    assert episode.infos[agent]["result"] == f"p{PLAYERS[other]}"
    assert not episode.observe(agent)["action_mask"].any()
    rewards = {}
    for left in episode.agent_iter():
        rewards[left] = episode.last()[1]
        episode.step(None)
    assert rewards == {agent: -1, other: 1}
    episode.reset(seed=2)
    assert random_steps(episode, random.Random(1))


def test_an_illegal_action_is_an_error_or_ignored_if_wanted(game: Game) -> None:
    """The game is as it was before, and the error, or the agent's info, says what is possible."""
    episode = env(game.key, illegal="raise")
    episode.reset(seed=2)
    random_steps(episode, random.Random(1), 1)
    before = pickle.dumps(episode)
    with pytest.raises(IllegalMove, match=r"not legal now\. Possible: \d+ \("):
        episode.step(10**6)
    assert pickle.dumps(episode) == before
    lenient = env(game.key, illegal="ignore")
    lenient.reset(seed=2)
    random_steps(lenient, random.Random(1), 1)
    lenient.step(10**6)
    _, reward, *done, info = lenient.last()
    assert (lenient.agent_selection, lenient.position) == (
        episode.agent_selection,
        episode.position,
    )
    assert (reward, done) == (0, [False, False])
    assert "is not legal now. Possible: " in info["illegal"]
    for one in (episode, lenient):
        assert random_steps(one, random.Random(1))
        assert all("illegal" not in info for info in one.infos.values())
        one.reset()
        assert random_steps(one, random.Random(1))


# Calls and options


def test_calls_out_of_order_are_refused_in_words() -> None:
    """There is nothing to play or to see before a reset, and nothing to do after the end."""
    episode = raw_env("number-run")
    with pytest.raises(OutOfTurn, match=r"reset\(\)"):
        episode.step(0)
    with pytest.raises(OutOfTurn, match=r"reset\(\)"):
        episode.last()
    episode.reset(seed=1)
    with pytest.warns(UserWarning, match="ansi, svg, rgb_array"):
        assert episode.render() is None  # no mode was chosen, and nobody wonders why
    random_steps(episode, random.Random(1))
    with pytest.raises(BadRequest, match="None"):
        episode.step(0)
    episode.step(None)
    episode.step(None)
    assert episode.agents == []
    with pytest.raises(OutOfTurn, match=r"reset\(\)"):
        episode.step(None)


@pytest.mark.parametrize("twin_of", [copy.deepcopy, pickled])
def test_a_copy_goes_on_alone(game: Game, twin_of: Any) -> None:  # noqa: ANN401 - two functions
    """An environment can be copied and pickled in mid-game, and the copy plays on by itself."""
    episode = env(game.key)
    episode.reset(seed=6)
    random_steps(episode, random.Random(1), 3)
    twin = twin_of(episode)
    position = episode.position
    played = random_steps(twin, random.Random(2))
    assert episode.position == position
    for action in played:
        episode.step(action)
    assert episode.position == twin.position
    assert episode.infos["player_1"]["reason"] == twin.infos["player_1"]["reason"]
    for one in (episode, twin):
        one.reset()
    assert episode._true_board == twin._true_board
