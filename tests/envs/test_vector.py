"""Thousands of games at once are the very games that a Match plays."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest

from gridwise.arena.observation import action_mask, observe, to_play
from gridwise.core.bits import bit_indices
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.registry import game as game_of
from gridwise.envs.gymnasium import id_of, register_games
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.play.match import Match
from tests.sizes import sample

SIZES = [None, "3x4"]


def match_of(env: GridwiseVectorEnv, number: int) -> Match:
    """A match that begins as a game of a batch has just done; the test may see all cells."""
    first, limit = env.position(number).first, MAX_PLIES if env.game.cyclic else None
    return Match(env.game, env._games.true_board(number), first=first, max_plies=limit)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_ply_agrees_with_a_match(game: Game, size: str | None) -> None:
    """In random games: state, observation, mask, reward and end, to the last ply."""
    games, wanted = sample((12, 24), long=(24, 60))
    env = GridwiseVectorEnv(game, games, size=size)
    env.reset(seed=3)
    played = [match_of(env, number) for number in range(games)]
    finished = 0
    while finished < wanted:
        actions = env.random_actions()
        movers = [match.turn for match in played]
        fresh = np.array([not mover for mover in movers])
        seen, rewards, ended, stopped, info = env.step(actions)
        for number, match in enumerate(played):
            if fresh[number]:
                assert (rewards[number], ended[number], stopped[number]) == (0, False, False)
                played[number] = match_of(env, number)
                continue
            match.move(int(actions[number]))
            outcome = match.outcome
            assert env.position(number) == match.positions[-1]
            assert bool(ended[number]) == bool(outcome and outcome.winner)
            assert bool(stopped[number]) == bool(outcome and not outcome.winner)
            won = outcome.winner if outcome else 0
            expected = {0: 0, 3: 0, movers[number]: 1}.get(won, -1)
            assert rewards[number] == expected
            assert info["winner"][number] == won
            assert info["plies"][number] == len(match.actions)
            finished += outcome is not None
        for number, match in enumerate(played):
            assert info["to_play"][number] == to_play(match.position)
            assert np.array_equal(seen["observation"][number], observe(match.position))
            assert np.array_equal(seen["action_mask"][number], action_mask(match.position))


def test_games_that_go_on_for_ever_are_truncated() -> None:
    """Two tokens that step to and fro are stopped after 200 plies, without a reward."""
    env = GridwiseVectorEnv("grid-runner", 2)
    env.reset(seed=1)
    right, left = 3, 2
    for ply in range(1, 201):
        # Player 1 steps right and back, Player 2, in the other corner, left and back.
        action = (right, left, left, right)[(ply - 1) % 4]
        seen, rewards, ended, stopped, info = env.step(np.full(2, action))
        assert not ended.any()
        assert seen["action_mask"].any() == (ply < 200)
        assert not rewards.any()
        assert stopped.all() == (ply == 200)
        assert (info["plies"] == ply).all()
    _, _, _, stopped, info = env.step(np.zeros(2, int))
    assert not stopped.any()
    assert not info["plies"].any()


def episodes(env: GridwiseVectorEnv, steps: int, **reset: Any) -> list[bytes]:  # noqa: ANN401
    """Everything that some steps of random play give, as bytes."""
    told = [*env.reset(**reset)[0].values()]
    for _ in range(steps):
        seen, *rest, info = env.step(env.random_actions())
        told += [*seen.values(), *rest, info["to_play"], info["winner"]]
    return [array.tobytes() for array in told]


def test_equal_seeds_give_equal_episodes(game: Game) -> None:
    """A seed says it all; another seed gives other games."""
    env = GridwiseVectorEnv(game, 16, opponent="random", side="random")
    first = episodes(env, 30, seed=5)
    assert first == episodes(env, 30, seed=5)
    assert first == episodes(
        GridwiseVectorEnv(game, 16, opponent="random", side="random"), 30, seed=5
    )
    assert first != episodes(env, 30, seed=6)


def test_seeds_can_be_given_one_by_one() -> None:
    """A list of seeds, or one as numpy has it, says the same as an int."""
    env = GridwiseVectorEnv("number-run", 3)
    one, seeds = env.reset(seed=8)[0]["observation"], env.seeds
    assert seeds[0] == 8
    assert np.array_equal(one, env.reset(seed=np.int64(8))[0]["observation"])  # type: ignore[arg-type]
    for same in (seeds, seeds.tolist()):
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


def test_a_game_does_not_depend_on_the_others(game: Game) -> None:
    """Game k of a batch is game 0 of one with its seed, for as long as they play."""
    many = GridwiseVectorEnv(game, 5)
    alone = GridwiseVectorEnv(game, 1)
    many.reset(seed=10)
    alone.reset(seed=int(many.seeds[3]))
    for _ in range(60):
        one = alone.step(alone.random_actions())
        all_of_them = many.step(many.random_actions())
        assert np.array_equal(one[0]["observation"][0], all_of_them[0]["observation"][3])
        assert one[1][0] == all_of_them[1][3]


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


def test_the_coin_is_fair() -> None:
    """In Grid Conquest each player begins about half of the games; elsewhere Player 1 does."""
    info = GridwiseVectorEnv("grid-conquest", 4096).reset(seed=2)[1]
    assert abs((info["to_play"] == 1).mean() - 0.5) < 0.04
    assert (GridwiseVectorEnv("number-maze", 64).reset(seed=2)[1]["to_play"] == 1).all()


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


def test_hidden_cells_never_show() -> None:
    """What is face down has no part in any observation: other values there, and no byte differs."""
    game = game_of("grid-conquest")
    env, other = (GridwiseVectorEnv(game, 32) for _ in range(2))
    env.reset(seed=4)
    other.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(40):
        for number in range(32):
            for cell in bit_indices(env.position(number).hidden):
                other._games._cells[number, cell] = rng.integers(1, 6)
        for name, array in env._games.observe(env._games.everyone).items():
            assert array.tobytes() == other._games.observe(other._games.everyone)[name].tobytes()
        env.step(env.random_actions())
        other._games._cells[:] = env._games._cells
        other._games._states[:] = env._games._states
        other._games._legal[:] = env._games._legal


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
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    assert 50_000 < int(run.stdout) < 500_000  # in kilobytes


def test_make_vec_gives_it(game: Game) -> None:
    """`gymnasium.make_vec` with the registered id makes the compiled environment."""
    register_games()
    env = gymnasium.make_vec(id_of(game), num_envs=7, render_mode="ansi")
    assert isinstance(env.unwrapped, GridwiseVectorEnv)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    pictures = env.render()
    assert pictures is not None
    assert len(pictures) == 7
