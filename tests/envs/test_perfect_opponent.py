"""The perfect opponent, compiled: alone and in a batch it plays the moves of the perfect bot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gridwise import Position
from gridwise.engine.evaluate import evaluate
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import BadRequest
from tests.envs.conftest import COMPILED_PERFECT
from tests.sizes import sample

GAMES, STEPS = sample((16, 12), long=(48, 25))
POINTS = {"win": 1, "loss": -1, "draw": 0, "endless": 0}


def answered(before: Position, after: Position) -> list[tuple[Position, int]]:
    """Each position that the opponent was to move in, and the move it made."""
    played, found = before, []
    for action in after.history[len(before.history) :]:
        found.append((played, action))
        played = played.play(action)
    return found[1:]  # the first move was the agent's


@pytest.mark.parametrize("key", COMPILED_PERFECT)
def test_it_never_lets_a_result_slip(key: str) -> None:
    """In many games against random play, each of its moves is a best move of an evaluation."""
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
                best = evaluate(position).best_moves
                assert action in {each.action for each in best}
                moves += 1
        done = ended | stopped
        if done.any():
            env.reset(options={"reset_mask": done})
    assert moves > GAMES


@pytest.mark.parametrize("key", COMPILED_PERFECT)
def test_threads_play_the_same_games(key: str) -> None:
    """How many threads there are changes nothing but the time."""
    one, three = (
        GridwiseVectorEnv(key, 200, opponent="perfect", side="random", threads=threads)
        for threads in (1, 3)
    )
    seen, other = one.reset(seed=4)[0], three.reset(seed=4)[0]
    for _ in range(12):
        assert np.array_equal(seen["observation"], other["observation"])
        actions = one.random_actions()
        seen, other = one.step(actions)[0], three.step(actions)[0]


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
    keeping = {each.action for each in evaluation.keeping}
    assert set(np.flatnonzero(told["optimal_actions"]).tolist()) == keeping


def test_hidden_cells_have_no_exact_labels() -> None:
    """The refusal says why."""
    for make in (GridwiseEnv, GridwiseVectorEnv):
        with pytest.raises(BadRequest, match="no exact labels in Grid Conquest"):
            make("grid-conquest", labels=True)
