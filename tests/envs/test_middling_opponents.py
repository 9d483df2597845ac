"""Novice to strong in a batch: the moves of the bots themselves, from compiled code."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from gridwise.core.game import Game
from gridwise.core.rng import Stream
from gridwise.engine.bots import LEVELS, HeuristicBot, settings_of
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.shared.heuristic_player import HeuristicPlayer
from gridwise.envs.vector import GridwiseVectorEnv
from tests.sizes import sample

MIDDLING = ["novice", "casual", "strong"]


@pytest.mark.parametrize("level", MIDDLING)
def test_a_batch_plays_what_the_bot_plays(game: Game, level: str) -> None:
    """Every move of many games is the one of a HeuristicBot with the game's stream."""
    env = GridwiseVectorEnv(game, sample(12, long=32), opponent=level, side="random")
    env.reset(seed=3)
    games, settings = env._games, settings_of(game, level)
    player = games.opponent
    assert isinstance(player, HeuristicPlayer)
    assert settings is not None
    for _ in range(sample(5, long=8)):
        asked = games._legal != 0
        streams = player._streams.copy()
        actions = player.choose_rows(games._cells, games._states, asked)
        assert actions is not None  # it compiles
        for number in np.flatnonzero(asked).tolist():
            stream = Stream(0)
            stream._source = int(streams[number : number + 1].view(np.uint64)[0])
            bot = HeuristicBot("bot", settings, stream)
            assert bot.choose(env.position(number)) == actions[number]
            assert stream._source == int(player._streams[number : number + 1].view(np.uint64)[0])
        env.step(env.random_actions())


def test_the_settings_are_those_of_the_levels(game: Game) -> None:
    """What a level is like is written in one place: these are the bots of `gridwise.bot`."""
    for level, make in LEVELS.items():
        bot = make(game, Stream(1))  # type: ignore[arg-type] # anything with random()
        wanted = bot._settings if isinstance(bot, HeuristicBot) else None
        assert settings_of(game, level) == wanted


def test_a_heuristic_that_does_not_compile_is_asked_in_python(game: Game) -> None:
    """One that is not plain plays all the same, alone and in a batch the same games."""
    weights = {action: float(action % 3) for action in range(64)}

    def score(_board: object, _state: object, action: int) -> float:
        return weights[action]  # a closure, and a dict

    odd = replace(game, heuristic=SimpleNamespace(score=score))
    batch = GridwiseVectorEnv(odd, 2, opponent="casual", side=2)
    single = GridwiseEnv(odd, opponent="casual", side=2)
    batch.reset(seed=5)
    single.reset(seed=5)
    assert not batch._games.opponent._compiles  # type: ignore[union-attr]
    for _ in range(3):
        assert batch.position(0) == single.position
        if single.position.outcome:
            break
        actions = batch.random_actions()
        batch.step(actions)
        single.step(int(actions[0]))
