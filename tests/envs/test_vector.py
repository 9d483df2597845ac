"""Thousands of games at once are the very games that a Match plays, and what they refuse."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest

from gridwise.core.game import Game
from gridwise.envs.gymnasium import GridwiseEnv, id_of
from gridwise.envs.pettingzoo import GridEnv
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import BadBoard, BadRequest, IllegalMove, OutOfTurn
from tests.engine.new_python import run_python


def test_seeds_can_be_given_one_by_one() -> None:
    """A list of seeds, or one as numpy has it, says the same as an int; there is one for each."""
    env = GridwiseVectorEnv("number-run", 3)
    one, seeds = env.reset(seed=8)[0]["observation"], env.seeds
    assert seeds[0] == 8
    for same in (np.int64(8), seeds, seeds.tolist()):
        assert np.array_equal(one, env.reset(seed=same)[0]["observation"])  # type: ignore[arg-type]
        assert np.array_equal(env.seeds, seeds)


def test_a_game_without_a_seed_goes_on_with_its_series() -> None:
    """As in Gymnasium's own batches None is no seed: such a game gets the next board it would."""
    env, other = (GridwiseVectorEnv("number-run", 3) for _ in range(2))
    env.reset(seed=8)
    other.reset(seed=8)
    mixed = env.reset(seed=[20, None, 22])[0]["observation"]
    assert np.array_equal(mixed[1], other.reset()[0]["observation"][1])
    others = other.reset(seed=[20, 21, 22])[0]["observation"]
    assert np.array_equal(mixed[[0, 2]], others[[0, 2]])
    fresh = GridwiseVectorEnv("number-run", 3)
    assert np.array_equal(fresh.reset(seed=[20, None, 22])[0]["observation"][0], mixed[0])


def test_gymnasiums_wrappers_count_episodes(game: Game) -> None:
    """What is told beside has the form that Gymnasium's own wrappers read."""
    env = GridwiseVectorEnv(game, 16, opponent="random")
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    listed = gymnasium.wrappers.vector.DictInfoToList(counted)
    listed.reset(seed=1)
    for _ in range(40):
        _, _, ended, stopped, infos = listed.step(env.random_actions())
        for number, info in enumerate(infos):
            if ended[number] or stopped[number]:
                won = {0: 0, 3: 0, 1: 1, 2: -1}[info["winner"]]
                assert info["episode"]["r"] == won
    assert counted.episode_count > 4


def test_neighbouring_seeds_do_not_share_games() -> None:
    """Batches for training and testing whose seeds are next to each other have no board alike."""
    env = GridwiseVectorEnv("number-run", 1024)
    boards: set[bytes] = set()
    for seed in range(4):
        boards.update(row.tobytes() for row in env.reset(seed=seed)[0]["observation"][:, 0])
    assert len(boards) == 4 * 1024


def test_boards_are_uniform_and_fresh_each_time() -> None:
    """Each value comes up as often as the others, in the first deal and in later ones."""
    env = GridwiseVectorEnv("number-connect", 4096)
    first = env.reset(seed=1)[0]["observation"][:, 0]
    second = env.reset()[0]["observation"][:, 0]
    assert not np.array_equal(first, second)
    for values in (first, second):
        counts = np.bincount(values.ravel(), minlength=10)[1:]
        # 65,536 cells, nine values: 7,282 of each, with a standard deviation of 80.
        assert (abs(counts - values.size / 9) < 5 * 80.5).all()
        neighbours = np.cov(values[:, 0, 0], values[:, 0, 1])
        assert abs(neighbours[0, 1] / neighbours[0, 0]) < 0.08


def test_nothing_handed_out_is_touched_again(game: Game) -> None:
    """Whatever came out of a reset or a step stays as it was."""
    for mode in gymnasium.vector.AutoresetMode:
        env = GridwiseVectorEnv(game, 8, opponent="random", autoreset_mode=mode)
        kept: list[tuple[np.ndarray[Any, Any], bytes]] = []
        seen, info = env.reset(seed=1)
        for _ in range(30):
            kept += [(array, array.tobytes()) for array in _arrays([seen, info])]
            seen, rewards, ended, stopped, info = env.step(env.random_actions())
            kept += [(array, array.tobytes()) for array in (rewards, ended, stopped)]
            if mode == gymnasium.vector.AutoresetMode.DISABLED and (ended | stopped).any():
                seen, info = env.reset(options={"reset_mask": ended | stopped})
        assert all(array.tobytes() == was for array, was in kept)


def _arrays(told: Any) -> list[np.ndarray[Any, Any]]:  # noqa: ANN401 - dicts in lists in dicts
    if isinstance(told, np.ndarray):
        return [told]
    inner = told.values() if isinstance(told, dict) else told
    return [array for each in inner for array in _arrays(each)]


@pytest.mark.long("fills the memory of a process of its own")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for the peak")
def test_65536_games_fit_into_500_mb() -> None:
    """The peak of a process that makes, resets and steps them, all it imports included.

    `ru_maxrss` would not do: a process begins with the peak of the one that started it, and pytest
    may have grown larger than what is measured. The kernel's own VmHWM starts with the program.
    """
    program = (
        "import gymnasium, gridwise.envs.gymnasium\n"
        "env = gymnasium.make_vec('gridwise/NumberRun-v0', num_envs=65536)\n"
        "seen, _ = env.reset(seed=1)\n"
        "for _ in range(5):\n"
        "    seen, *_ = env.step(env.unwrapped.random_actions())\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
    )
    assert 50_000 < int(run_python(program).stdout) < 500_000  # in kilobytes


def test_make_vec_gives_it(game: Game) -> None:
    """`gymnasium.make_vec` with the registered id makes the compiled environment."""
    env = gymnasium.make_vec(id_of(game), num_envs=7, render_mode="ansi")
    assert isinstance(env.unwrapped, GridwiseVectorEnv)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    pictures = env.render()
    assert pictures is not None
    assert len(pictures) == 7


@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_mask_is_empty_exactly_where_a_game_is_over(game: Game, opponent: str | None) -> None:
    """With the next step it is another game's first; with the same step there is no empty one."""
    env = GridwiseVectorEnv(game, 64, opponent=opponent, max_plies=30)
    seen, _ = env.reset(seed=1)
    over, ends = np.zeros(64, bool), 0
    for _ in range(60):
        assert np.array_equal(~seen["action_mask"].any(axis=1), over)
        seen, rewards, ended, stopped, info = env.step(env.random_actions())
        assert not (ended | stopped)[over].any()  # it has been reset, whatever it was given
        assert not rewards[over].any()
        assert (info["plies"][over] <= (opponent is not None)).all()
        over = ended | stopped
        ends += over.sum()
    assert ends > 64
    env = GridwiseVectorEnv(game, 64, opponent=opponent, max_plies=30, autoreset_mode="SameStep")
    seen, _ = env.reset(seed=1)
    ends = 0
    for _ in range(60):
        assert seen["action_mask"].any(axis=1).all()
        seen, _, ended, stopped, info = env.step(env.random_actions())
        for number in np.flatnonzero(ended | stopped):
            assert not info["final_obs"][number]["action_mask"].any()
            ends += 1
    assert ends > 64


def test_a_game_that_is_cut_short_still_has_moves() -> None:
    """`max_episode_steps` truncates a game that is not over; it is reset all the same."""
    env = GridwiseVectorEnv("grid-runner", 8, max_episode_steps=3)
    seen, _ = env.reset(seed=1)
    for _ in range(3):
        seen, _, ended, stopped, _ = env.step(env.random_actions())
    assert stopped.all()
    assert not ended.any()
    assert seen["action_mask"].any(axis=1).all()
    *_, info = env.step(env.random_actions())
    assert not info["plies"].any()


def test_an_illegal_action_raises_and_changes_nothing(game: Game) -> None:
    """The error says which game and what is possible; then it goes on."""
    env = GridwiseVectorEnv(game, 4, illegal="raise")
    env.reset(seed=1)
    before = [env.position(number) for number in range(4)]
    actions = env.random_actions()
    actions[2] = 63
    with pytest.raises(IllegalMove, match=r"not legal now in game 2. Possible: \d"):
        env.step(actions)
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


def test_bad_steps_and_resets_are_explained() -> None:
    """Before the first reset, with too few actions, with fractions, with a mask that is none."""
    with pytest.raises(BadRequest, match="at least one game, not 0"):
        GridwiseVectorEnv("number-run", 0)
    env = GridwiseVectorEnv("number-run", 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, int))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.position(0)
    env.reset(seed=1)
    for actions in (np.zeros(2, int), np.zeros(3), [[0, 0, 0]], [[1], [2, 3], [4]]):
        with pytest.raises(BadRequest, match="3 games need an array of as many actions"):
            env.step(actions)
    for mask in ([True, True, True], np.zeros(3, bool), np.ones(2, bool), np.ones(3, int)):
        with pytest.raises(BadRequest, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(BadRequest, match="as many seeds"):
        env.reset(seed=[1, 2])
    for number in (3, -1):
        with pytest.raises(BadRequest, match="The games are 0 to 2"):
            env.position(number)


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
    with pytest.raises(BadBoard, match=f"over before the first move on the board {board}"):
        GridEnv("number-maze", board=board).reset(seed=1)


def test_one_board_for_all_games() -> None:
    """With `board`, nothing is dealt but what it does not know."""
    env = GridwiseVectorEnv("grid-conquest", 3, board="53152/24251/43453/?1523/?2214")
    env.reset(seed=1)
    known = [int(char) for char in "5315224251434530152302214"]
    for row in env._games.cells.tolist():
        assert all(
            value == was or (value and not was) for value, was in zip(row, known, strict=True)
        )


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
