"""What a batch of games does with illegal actions, with games that are over, with bad options."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from gridwise.arena.observation import action_mask
from gridwise.core.game import Game
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.pettingzoo import GridEnv
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import BadBoard, BadRequest, IllegalMove, OutOfTurn


def bad_actions(env: GridwiseVectorEnv, number: int) -> np.ndarray[Any, Any]:
    """Legal actions, but for one game."""
    actions = env.random_actions()
    mask = action_mask(env.position(number))
    actions[number] = np.flatnonzero(mask == 0)[0] if (mask == 0).any() else len(mask)
    return actions


def test_an_illegal_action_loses(game: Game) -> None:
    """The game is over, it counts as lost, and the next step begins another; others go on."""
    env = GridwiseVectorEnv(game, 4)
    env.reset(seed=1)
    mover = env.position(2).turn
    seen, rewards, ended, _, info = env.step(bad_actions(env, 2))
    assert (rewards[2], ended[2]) == (-1, True)
    assert info["illegal"].tolist() == [False, False, True, False]
    assert info["winner"][2] == 3 - mover
    assert not seen["action_mask"][2].any()
    _, rewards, ended, _, info = env.step(env.random_actions())
    assert (rewards[2], ended[2], info["illegal"][2], info["plies"][2]) == (0, False, False, 0)


def test_an_illegal_action_is_ignored(game: Game) -> None:
    """Nothing happens in that game, and it is said so."""
    env = GridwiseVectorEnv(game, 4, illegal="ignore")
    env.reset(seed=1)
    before = env.position(2)
    _, rewards, ended, stopped, info = env.step(bad_actions(env, 2))
    assert env.position(2) == before
    assert (rewards[2], ended[2], stopped[2]) == (0, False, False)
    assert info["illegal"].tolist() == [False, False, True, False]


@pytest.mark.parametrize("action", [-1, 63, 64, 1000, -(2**40)])
def test_an_action_that_does_not_exist_is_illegal(game: Game, action: int) -> None:
    """Whatever number it is."""
    env = GridwiseVectorEnv(game, 2)
    env.reset(seed=1)
    actions = env.random_actions()
    actions[0] = action
    assert env.step(actions)[4]["illegal"].tolist() == [True, False]


def test_an_illegal_action_raises_and_changes_nothing(game: Game) -> None:
    """The error says which game and what is possible; then it goes on."""
    env = GridwiseVectorEnv(game, 4, illegal="raise")
    env.reset(seed=1)
    before = [env.position(number) for number in range(4)]
    with pytest.raises(IllegalMove, match=r"not legal now in game 2. Possible: \d"):
        env.step(bad_actions(env, 2))
    assert [env.position(number) for number in range(4)] == before
    env.step(env.random_actions())


def test_games_that_are_over_must_be_reset_where_nobody_else_does() -> None:
    """With autoreset disabled, stepping on is an error that names the games and the way out."""
    env = GridwiseVectorEnv("number-maze", 3, autoreset_mode="Disabled")
    env.reset(seed=1)
    env.step(np.full(3, -1))
    with pytest.raises(OutOfTurn, match=r"0, 1, 2.*reset_mask"):
        env.step(np.zeros(3, int))
    env.reset(options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(OutOfTurn, match=r"stepped: 1\."):
        env.step(np.zeros(3, int))
    env.reset(options={"reset_mask": np.array([False, True, False])})
    env.step(env.random_actions())


@pytest.mark.parametrize("count", [0, -1, 1.5, "4", True, None])
def test_the_number_of_games_is_a_whole_number(count: Any) -> None:  # noqa: ANN401 - wrong on purpose
    """From 1 on."""
    with pytest.raises(BadRequest, match="at least one game, a whole number"):
        GridwiseVectorEnv("number-run", count)


def test_the_ways_to_go_on_after_a_game_are_named() -> None:
    """The error says which there are."""
    with pytest.raises(BadRequest, match="NextStep, SameStep, Disabled"):
        GridwiseVectorEnv("number-run", 2, autoreset_mode="never")


def test_bad_steps_and_resets_are_explained() -> None:
    """Before the first reset, with too few actions, with fractions, with a mask that is none."""
    env = GridwiseVectorEnv("number-run", 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, int))
    env.reset(seed=1)
    for actions in (np.zeros(2, int), np.zeros(3), [[0, 0, 0]], [[1], [2, 3], [4]]):
        with pytest.raises(BadRequest, match="3 games need an array of as many actions"):
            env.step(actions)
    for mask in ([True, True, True], np.zeros(3, bool), np.ones(2, bool), np.ones(3, int)):
        with pytest.raises(BadRequest, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(BadRequest, match="as many seeds"):
        env.reset(seed=[1, 2])
    for seeds in ([1, -1, 2], [1, 2.5, 3]):
        with pytest.raises(BadRequest, match="a whole number from 0 on"):
            env.reset(seed=seeds)  # type: ignore[arg-type] # on purpose
    for seed in (1.5, "x"):
        with pytest.raises(BadRequest, match="A seed is a whole number"):
            env.reset(seed=seed)  # type: ignore[arg-type] # on purpose


@pytest.mark.parametrize("answer", [None, 0, [0.5, 0.5], [0, 0, 0]])
def test_an_opponent_that_answers_with_no_actions_is_told_so(answer: object) -> None:
    """Nothing is rounded, spread out or cut off to make actions of it."""
    env = GridwiseVectorEnv("number-run", 2, opponent=lambda _seen, _mask: answer, side=2)
    with pytest.raises(BadRequest, match="given 2 observations and must answer with"):
        env.reset(seed=1)


def test_a_board_that_leaves_nothing_to_do_is_refused() -> None:
    """Player 1 is stuck on a 4 in the corner."""
    board = "4324/2132/4213/3421"
    with pytest.raises(BadBoard, match="over before the agent has had a turn"):
        GridwiseVectorEnv("number-maze", 2, board=board).reset(seed=1)
    with pytest.raises(BadBoard, match="over before the first move"):
        GridEnv("number-maze", board=board).reset(seed=1)


def test_one_board_for_all_games() -> None:
    """With `board`, nothing is dealt but what it does not know."""
    env = GridwiseVectorEnv("grid-conquest", 3, board="53152/24251/43453/?1523/?2214")
    env.reset(seed=1)
    cells = env._games._cells
    assert (cells == cells[0]).sum(axis=0).min() >= 1
    known = [int(char) for char in "5315224251434530152302214"]
    for row in cells.tolist():
        assert all(value == was for value, was in zip(row, known, strict=True) if was)
        assert all(row)


def test_after_an_opponent_has_failed_only_a_reset_helps() -> None:
    """What an opponent raises is passed on, and nobody plays its turn for it."""
    calls = iter([True, False, True])

    def moody(_seen: Any, masks: Any) -> Any:  # noqa: ANN401 - as the environments call it
        if not next(calls):
            raise RuntimeError("no mood for it")
        return np.argmax(masks, axis=-1)

    board = "1111/1111/1111/1111"
    batch = GridwiseVectorEnv("number-connect", 3, opponent=moody, board=board)
    single = GridwiseEnv("number-connect", opponent=moody, board=board)
    for env, reset_needed in ((batch, gymnasium.error.ResetNeeded), (single, OutOfTurn)):
        calls = iter([True, False, True])
        seen, _ = env.reset(seed=3)
        seen, *_ = env.step(np.argmax(seen["action_mask"], axis=-1))
        action = np.argmax(seen["action_mask"], axis=-1)
        with pytest.raises(RuntimeError, match="no mood"):
            env.step(action)
        with pytest.raises(reset_needed, match="call reset"):
            env.step(action)
        seen, _ = env.reset()
        env.step(np.argmax(seen["action_mask"], axis=-1))


@pytest.mark.parametrize("number", [4, -1, "a", 1.5])
def test_a_position_is_asked_for_by_its_number(number: Any) -> None:  # noqa: ANN401 - wrong on purpose
    """Before the first reset there is none."""
    env = GridwiseVectorEnv("number-run", 4)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.position(0)
    env.reset(seed=1)
    with pytest.raises(BadRequest, match="The games are 0 to 3"):
        env.position(number)
