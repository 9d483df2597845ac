"""One agent against an opponent, and a batch of such games: Gymnasium's own checks hold."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.envs.gymnasium import GridwiseEnv, id_of
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import IllegalMove, OutOfTurn
from tests.envs.conftest import COMPILED_PERFECT
from tests.lab.agents import FirstLegal
from tests.sizes import sample

SIDES = [1, 2, "alternate", "random"]
OPPONENTS = [None, "random", "novice", "perfect"]
ALL_MODES = list(product(AutoresetMode, OPPONENTS))
EACH_MODE = [
    (AutoresetMode.NEXT_STEP, None),
    (AutoresetMode.SAME_STEP, "random"),
    (AutoresetMode.DISABLED, "random"),
    (AutoresetMode.NEXT_STEP, "novice"),
    (AutoresetMode.SAME_STEP, "perfect"),
]


@pytest.mark.parametrize("side", sample(["random"], long=SIDES))
def test_gymnasium_finds_no_fault(game: Game, side: int | str) -> None:
    """`check_env`, every render mode included; pytest makes its warnings errors."""
    check_env(gymnasium.make(id_of(game), side=side).unwrapped)


def test_ids_are_titles_without_spaces() -> None:
    """As INTERFACES has them."""
    assert "gridwise/NumberRun-v0" in gymnasium.registry
    assert "gridwise/TicTacToe-v0" in gymnasium.registry


def test_the_perfect_bot_wins_grid_runner_as_player_1() -> None:
    """Player 1 can win it, so against the perfect bot Player 2 never does."""
    env = gymnasium.make("gridwise/GridRunner-v0", opponent="perfect", side=2)
    rng = np.random.default_rng(1)
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action = rng.choice(np.flatnonzero(seen["action_mask"]))
            seen, reward, over, _, info = env.step(action)  # type: ignore[assignment]
        assert reward == -1
        assert info["winner"] == 1
        assert info["reason"]


@pytest.mark.parametrize(("mode", "opponent"), sample(EACH_MODE, long=ALL_MODES))
def test_the_batch_is_what_gymnasium_makes_of_single_games(
    game: Game, mode: AutoresetMode, opponent: str | None
) -> None:
    """`SyncVectorEnv` around single environments gives the same, step by step, in every mode."""
    if opponent == "perfect" and game.key not in COMPILED_PERFECT:
        pytest.skip("it takes long to compile, or long for each move")
    illegal = "ignore" if opponent == "novice" else "lose"
    name, options = id_of(game), {"opponent": opponent, "side": "random", "illegal": illegal}
    ours = gymnasium.make_vec(name, num_envs=6, autoreset_mode=mode, **options)  # type: ignore[arg-type]
    theirs = gymnasium.make_vec(
        name,
        num_envs=6,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **options,  # type: ignore[arg-type]
    )
    batch = ours.unwrapped
    assert isinstance(batch, GridwiseVectorEnv)
    seeds = list(range(5, 11))
    same(ours.reset(seed=seeds), theirs.reset(seed=seeds))  # type: ignore[arg-type]
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(sample(24, long=40)):
        actions = batch.random_actions()
        if rng.random() < 0.2:  # now and then one that may be illegal, or does not exist
            actions[rng.integers(6)] = rng.choice([0, 1, 3, 4, -1, 63, 64, 1000, -(2**40)])
        one, other = ours.step(actions), theirs.step(actions)
        done = one[2] | one[3]
        if mode == AutoresetMode.SAME_STEP and done.any():
            same_ends(one[4], other[4], np.flatnonzero(done))
        same(one, other)
        ends += int(done.sum())
        if mode == AutoresetMode.DISABLED and done.any():
            same(*(each.reset(options={"reset_mask": done}) for each in (ours, theirs)))
    assert ends


def same(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """Two answers of `reset` or `step` are the same, but for reasons and what has its own form."""
    for ours, theirs in zip(one, other, strict=True):
        if isinstance(ours, dict):
            for key, value in ours.items():
                if key not in {"final_obs", "final_info"}:
                    assert np.array_equal(value, theirs[key]), key
                    assert value.dtype == theirs[key].dtype, key
        else:
            assert np.array_equal(ours, theirs)
            assert ours.dtype == theirs.dtype


def same_ends(one: dict[str, Any], other: dict[str, Any], numbers: np.ndarray[Any, Any]) -> None:
    """How games ended that have been begun again in the same step."""
    assert one["final_obs"].shape == other["final_obs"].shape
    assert one["final_obs"].dtype == other["final_obs"].dtype
    for ours, theirs in zip(one["final_obs"], other["final_obs"], strict=True):
        assert (ours is None) == (theirs is None)
        for key in ours or ():
            assert np.array_equal(ours[key], theirs[key])
    for key, value in one["final_info"].items():
        there = other["final_info"][key]
        shown = slice(None) if key.startswith("_") else numbers  # which games have one, and those
        assert np.array_equal(value[shown], there[shown]), key
        assert value.dtype == there.dtype, key
    assert np.array_equal(np.flatnonzero(one["_final_obs"]), numbers)


def lowest(_seen: Any, mask: np.ndarray[Any, Any]) -> Any:  # noqa: ANN401 - one, or a batch of them
    """A policy for one game and for many: the first legal action."""
    return mask.argmax(axis=-1)


@pytest.mark.parametrize("side", sample(["random"], long=SIDES))
def test_functions_and_players_can_be_opponents(game: Game, side: int | str) -> None:
    """A function of planes and masks, a player, alone or in a batch: they play the same games."""
    batches = [
        GridwiseVectorEnv(game, 5, opponent=opponent, side=side)
        for opponent in (lowest, FirstLegal())
    ]
    singles = gymnasium.make_vec(
        id_of(game), 5, vectorization_mode="sync", opponent=lowest, side=side
    )
    answers = [env.reset(seed=[2, 3, 4, 5, 6]) for env in (*batches, singles)]  # type: ignore[arg-type]
    for _ in range(sample(15, long=30)):
        same(answers[0], answers[1])
        same(answers[0], answers[2])
        actions = batches[0].random_actions()
        answers = [env.step(actions) for env in (*batches, singles)]  # type: ignore[misc]


@pytest.mark.parametrize(
    "opponent", [None, "random", FirstLegal()], ids=["self", "random", "player"]
)
def test_positions_tell_how_they_came_about(game: Game, opponent: Any) -> None:  # noqa: ANN401
    """Who was first and all actions lead to the state: other programs are told a game by them."""
    env = GridwiseVectorEnv(game, 6, opponent=opponent, side="random", autoreset_mode="SameStep")
    env.reset(seed=4)
    for _ in range(sample(12, long=25)):
        for number in range(6):
            position = env.position(number)
            true_board = env._games.true_board(number)
            replayed = Position(game, true_board, first=position.first, moves=position.history)
            assert replayed == position
        _, _, _, _, info = env.step(env.random_actions())
        assert [len(env.position(number).history) for number in range(6)] == info["plies"].tolist()


def play_on(env: GridwiseVectorEnv, steps: int) -> None:
    """Begin, and play so many random actions."""
    env.reset(seed=1)
    for _ in range(steps):
        env.step(env.random_actions())


def test_an_opponent_that_cheats_is_found_out(game: Game) -> None:
    """Its illegal action is an error, and not the agent's."""

    def cheat(seen: np.ndarray[Any, Any], _mask: object) -> np.ndarray[Any, Any]:
        return np.full(len(seen), 62)

    env = GridwiseVectorEnv(game, 2, opponent=cheat, side=1)
    with pytest.raises(IllegalMove, match="The opponent's action 62"):
        play_on(env, 9)


def test_sides_alternate_or_are_drawn(game: Game) -> None:
    """The plane `player 1` tells which one the agent is."""
    alternating = GridwiseEnv(game, side="alternate")
    sides = [int(alternating.reset()[0]["observation"][-1].max()) for _ in range(4)]
    assert sides == [1, 0, 1, 0]
    batch = GridwiseVectorEnv(game, 4096, opponent="random", side="random")
    batch.reset(seed=1)
    assert abs((batch.sides == 1).mean() - 0.5) < 0.04


def test_masks_for_the_maskable_algorithms(game: Game) -> None:
    """`action_masks()` says what the observation says."""
    env = GridwiseEnv(game)
    seen, _ = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), seen["action_mask"])


@pytest.mark.parametrize("action", [-1, 63, 10**9, None, "up", 0.5])
def test_illegal_actions(game: Game, action: Any) -> None:  # noqa: ANN401 - that is the point
    """They lose, raise or are ignored; a new game can begin after each."""
    env = GridwiseEnv(game, illegal="lose")
    env.reset(seed=1)
    seen, reward, over, stopped, info = env.step(action)
    assert (reward, over, stopped, info["illegal"], info["winner"]) == (-1, True, False, True, 2)
    assert "illegal" in info["reason"]
    assert (env.position.view.result, env.position.turn) == ("p2", 0)
    with pytest.raises(OutOfTurn, match="reset"):
        env.step(0)
    env.reset()
    env = GridwiseEnv(game, illegal="ignore")
    before, _ = env.reset(seed=1)
    seen, reward, over, stopped, info = env.step(action)
    assert (reward, over, stopped, info["illegal"]) == (0, False, False, True)
    assert all(np.array_equal(seen[key], before[key]) for key in seen)
    env = GridwiseEnv(game, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="Possible: "):
        env.step(action)
    env.step(int(env.action_masks().argmax()))


def engines() -> int:
    """How many engines this process has started that have not ended."""
    threads = Path("/proc/self/task").iterdir()
    children = [pid for each in threads for pid in (each / "children").read_text().split()]
    return sum(b"\0ugi\0" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children)


def test_another_program_can_be_the_opponent() -> None:
    """It is asked in UGI, alone and for each game of a batch, and is gone after `close`."""
    command = f"ugi:{sys.executable} -m gridwise ugi number-connect --level random"
    single = GridwiseEnv("number-connect", opponent=command, side=2)
    batch = GridwiseVectorEnv("number-connect", 2, opponent=command, side=2)
    for env in (single, batch):
        env.reset(seed=1)
    assert len(single.position.history) == 1
    assert [len(batch.position(number).history) for number in range(2)] == [1, 1]
    assert engines() == 2
    for env, left in ((single, 1), (batch, 0)):
        env.close()
        assert engines() == left


def test_a_level_may_be_written_as_everywhere() -> None:
    """`bot:novice` is `novice`; `bot:random` is compiled like `random`."""
    for level in ("novice", "random"):
        one, other = (
            GridwiseVectorEnv("number-run", 4, opponent=name) for name in (level, f"bot:{level}")
        )
        same(one.reset(seed=1), other.reset(seed=1))
        for _ in range(5):
            actions = one.random_actions()
            same(one.step(actions), other.step(actions))


def pickled(env: Any) -> Any:  # noqa: ANN401 - one game, or a batch of them
    """The environment, after a journey as bytes."""
    return pickle.loads(pickle.dumps(env))  # noqa: S301 - our own


COPIES = [
    (copy.deepcopy, None),
    (pickled, "random"),
    (copy.deepcopy, "novice"),
    (pickled, "perfect"),
]
ALL_COPIES = list(product((copy.deepcopy, pickled), OPPONENTS))


@pytest.mark.parametrize(("copied", "opponent"), sample(COPIES, long=ALL_COPIES))
def test_a_copy_goes_on_as_the_original_does(
    game: Game, opponent: str | None, copied: Callable[[Any], Any]
) -> None:
    """In mid-game: the same position, and the same deals and answers to come; each on its own."""
    if opponent == "perfect" and game.key not in COMPILED_PERFECT:
        pytest.skip("it takes long to compile, or long for each move")
    single = gymnasium.make(id_of(game), opponent=opponent)
    seen, _ = single.reset(seed=3)
    for _ in range(sample(6, long=12)):
        twin = copied(single)
        action = int(seen["action_mask"].argmax())
        seen, *rest = single.step(action)
        assert np.array_equal(twin.step(action)[0]["observation"], seen["observation"])
        if rest[1] or rest[2]:  # ended, or stopped
            seen, _ = single.reset()
            assert np.array_equal(twin.reset()[0]["observation"], seen["observation"])

    many = GridwiseVectorEnv(game, 5, opponent=opponent, side="alternate")
    many.reset(seed=3)
    many.step(many.random_actions())
    twins = copied(many)
    for _ in range(sample(15, long=30)):
        actions = many.random_actions()
        assert np.array_equal(actions, twins.random_actions())
        (one, *rewards), (other, *paid) = many.step(actions)[:2], twins.step(actions)[:2]
        assert np.array_equal(one["observation"], other["observation"])
        assert np.array_equal(rewards, paid)
