"""Bots in a batch, compiled: the moves of the bots themselves, from novice to perfect."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gridwise import Position
from gridwise.core.game import Game
from gridwise.core.rng import Stream
from gridwise.engine.bots import LEVELS, HeuristicBot, bot, settings_of
from gridwise.engine.evaluation import evaluate, with_answers
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.opponents import BotOpponent
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import BadRequest
from tests.envs.conftest import COMPILED_PERFECT
from tests.sizes import sample

MIDDLING = ["novice", "casual", "strong"]


@pytest.mark.parametrize("level", MIDDLING)
def test_a_batch_plays_what_the_bot_plays(game: Game, level: str) -> None:
    """Every move of many games is the one of a HeuristicBot with the game's stream."""
    env = GridwiseVectorEnv(game, sample(12, long=32), opponent=level, side="random")
    env.reset(seed=3)
    games, settings = env._games, settings_of(game, level)
    player = games.opponent
    assert isinstance(player, BotOpponent)
    assert settings is not None
    for _ in range(sample(5, long=8)):
        asked = games.legal != 0
        streams = player._streams.copy()
        actions = player.answer(games, asked)
        assert player._compiles
        for number in np.flatnonzero(asked).tolist():
            stream = Stream(0)
            stream._source = int(streams[number : number + 1].view(np.uint64)[0])
            one = HeuristicBot("bot", settings, stream)
            assert one.choose(env.position(number)) == actions[number]
            assert stream._source == int(player._streams[number : number + 1].view(np.uint64)[0])
        env.step(env.random_actions())


def test_the_settings_are_those_of_the_levels(game: Game) -> None:
    """What a level is like is written in one place: these are the bots of `gridwise.bot`."""
    for level in LEVELS:
        player = bot(game, level, 1)
        wanted = player._settings if isinstance(player, HeuristicBot) else None
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
    assert not batch._opponent._compiles  # type: ignore[union-attr]
    for _ in range(3):
        assert batch.position(0) == single.position
        if single.position.outcome:
            break
        actions = batch.random_actions()
        batch.step(actions)
        single.step(int(actions[0]))


GAMES, STEPS = sample((16, 12), long=(48, 25))
POINTS = {"win": 1, "loss": -1, "draw": 0, "endless": 0}


def answered(before: Position, after: Position) -> list[tuple[Position, int]]:
    """Each position that the opponent was to move in, and the move it made."""
    played, answers = before, []
    for action in after.history[len(before.history) :]:
        answers.append((played, action))
        played = played.play(action)
    return answers[1:]  # the first move was the agent's


@pytest.mark.parametrize("key", COMPILED_PERFECT)
def test_it_never_lets_a_result_slip(key: str) -> None:
    """In many games against random play its moves are the best, or tries where all is lost."""
    env = GridwiseVectorEnv(
        key, GAMES, opponent="perfect", side="alternate", autoreset_mode="Disabled", threads=2
    )
    env.reset(seed=11)
    moves = 0
    for _ in range(STEPS):
        before = [env.position(number) for number in range(GAMES)]
        _, _, ended, stopped, _ = env.step(env.random_actions())
        for number in range(GAMES):
            for position, action in answered(before[number], env.position(number)):
                judged = with_answers(position, evaluate(position))
                best = judged.best_moves if judged.value != "loss" else judged.optimal
                assert action in {each.action for each in best}
                moves += 1
        done = ended | stopped
        if done.any():
            env.reset(options={"reset_mask": done})
    assert moves > GAMES


def test_a_board_too_large_for_a_batch_is_left_to_the_bot() -> None:
    """It answers all the same, and alone it answers as it does in a batch."""
    one = GridwiseVectorEnv("number-connect", 1, opponent="perfect", size="6x6", target=45)
    other = GridwiseEnv("number-connect", opponent="perfect", size="6x6", target=45)
    one.reset(seed=1)
    other.reset(seed=1)
    # Cells in the middle of nowhere: what can still be forced is far away.
    one.step(np.array([14]))
    other.step(14)
    assert one.position(0) == other.position
    assert len(other.position.history) == 2


@pytest.mark.parametrize("key", ["number-run", "number-maze", "grid-runner", "number-connect"])
def test_exact_labels(key: str) -> None:
    """`info` has what `evaluate` says, alone and in a batch, until the game is over."""
    batch = GridwiseVectorEnv(key, 6, opponent="random", labels=True)
    single = GridwiseEnv(key, opponent="random", labels=True)
    _, info = batch.reset(seed=2)
    _, alone = single.reset(seed=2)
    over = False
    while not over:
        for name in ("value", "distance", "action_values", "optimal_actions"):
            assert np.array_equal(info[name][0], alone[name])
            assert info[name].dtype == alone[name].dtype
        for number in range(6):
            check_labels({name: values[number] for name, values in info.items()}, batch, number)
        actions = batch.random_actions()
        _, _, ended, stopped, alone = single.step(int(actions[0]))
        _, _, _, _, info = batch.step(actions)
        over = ended or stopped
    check_labels({name: values[0] for name, values in info.items()}, batch, 0)


def check_labels(told: dict[str, Any], env: GridwiseVectorEnv, number: int) -> None:
    """What is told about a game is what an evaluation says, and nothing once it is over."""
    position = env.position(number)
    evaluation = evaluate(position)
    values = {each.action: POINTS[str(each.value)] for each in evaluation.moves}
    assert told["value"] == (0 if position.outcome else POINTS[str(evaluation.value)])
    legal = {a: v for a, v in enumerate(told["action_values"].tolist()) if v != -128}
    assert legal == values
    keeping = {each.action for each in evaluation.optimal}
    assert set(np.flatnonzero(told["optimal_actions"]).tolist()) == keeping


def test_hidden_cells_have_no_exact_labels() -> None:
    """The refusal says why."""
    for make in (GridwiseEnv, GridwiseVectorEnv):
        with pytest.raises(BadRequest, match="no exact labels in Grid Conquest"):
            make("grid-conquest", labels=True)
