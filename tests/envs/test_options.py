"""The options are the same in all environments; what makes no sense is refused with a reason."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

from gridwise import Match, Position, game
from gridwise.core.board import Board
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal, with_handicap
from gridwise.envs.gg_bench import CustomEnv
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.pettingzoo import GridEnv
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import BadBoard, BadRequest

MAKERS: list[Any] = [GridwiseEnv, GridwiseVectorEnv, GridEnv]
ONE, TWO = "1324/2132/2213/3421", "2222/2222/2222/2222"


def first_boards(key: str, seeds: range, **options: Any) -> list[list[Board]]:  # noqa: ANN401
    """The boards of the first games of some seeds, in each of the three environments."""
    single, zoo = GridwiseEnv(key, opponent=None, **options), GridEnv(key, **options)
    batch = GridwiseVectorEnv(key, len(seeds), **options)
    batch.reset(seed=list(seeds))
    dealt: list[list[Board]] = [[], [], [batch._games.true_board(k) for k in range(len(seeds))]]
    for seed in seeds:
        single.reset(seed=seed)
        zoo.reset(seed=seed)
        dealt[0].append(single._true_board)
        dealt[1].append(zoo._true_board)
    return dealt


@pytest.mark.parametrize(
    ("key", "size"),
    [
        *((key, None) for key in ("number-run", "number-maze", "number-connect")),
        ("number-connect", (1, 2)),  # there is no fair one: the fairest of many is taken
    ],
)
def test_fair_boards_are_those_that_people_get(key: str, size: tuple[int, int] | None) -> None:
    """`deal="fair"` deals what `gridwise play --deal fair --seed` does, in the batch compiled."""
    seeds = range(12 if size is None else 2)
    rows, cols = size or (game(key).rows, game(key).cols)
    wanted = [deal(game(key), Stream(seed), "fair", rows=rows, cols=cols) for seed in seeds]
    for boards in first_boards(key, seeds, deal="fair", size=size):
        assert boards == wanted


def test_lists_of_boards() -> None:
    """One is drawn for each game, the same in all environments; all of them come up."""
    for texts in ([ONE, TWO], [ONE]):
        first, second, third = first_boards("number-maze", range(40), boards=texts)
        assert first == second == third
        assert {game("number-maze").board_text(board) for board in first} == {*texts}
    assert first_boards("number-maze", range(2), board=ONE)[0] == first[:2]


@pytest.mark.parametrize("key", ["number-run", "grid-runner"])
def test_a_handicap(key: str) -> None:
    """It is that of `gridwise play --handicap`, and the cells are what they were without it."""
    seeds = range(6)
    for boards in first_boards(key, seeds, handicap=True):
        assert boards == [
            with_handicap(game(key), Match(key, seed=seed).true_board) for seed in seeds
        ]


@pytest.mark.parametrize("key", ["number-connect", "grid-conquest"])
def test_a_target(key: str) -> None:
    """The boards have it, and the observation shows it."""
    for boards in first_boards(key, range(4), target=7):
        assert {board.target for board in boards} == {7}
    seen, _ = GridwiseVectorEnv(key, 3, target=7).reset(seed=1)
    assert (seen["observation"] == 7).all(axis=(2, 3)).any(axis=1).all()


@pytest.mark.parametrize("key", ["number-run", "grid-runner", "grid-conquest"])
def test_a_limit_of_plies(key: str) -> None:
    """After as many plies a game is truncated, and nothing is legal any more."""
    zoo = GridEnv(key, max_plies=3)
    single = GridwiseEnv(key, opponent=None, max_plies=3)
    batch = GridwiseVectorEnv(key, 2, max_plies=3)
    zoo.reset(seed=1)
    seen, _ = single.reset(seed=1)
    batch.reset(seed=[1, 1])
    for ply in range(1, 4):
        action = int(seen["action_mask"].argmax())
        seen, _, ended, stopped, _ = single.step(action)
        together = batch.step(np.array([action, action]))
        zoo.step(action)
        assert not ended
        assert stopped == (ply == 3) == together[3].all() == zoo.truncations["player_1"]
    assert not seen["action_mask"].any()
    assert not together[0]["action_mask"].any()


def test_a_board_for_one_reset() -> None:
    """`reset(options={"board": …})` is honoured for that game, and the next is dealt again."""
    kind = game("number-maze")
    batch = GridwiseVectorEnv(kind, 2)
    for single in (GridwiseEnv(kind, opponent=None), GridEnv(kind.key), CustomEnv(kind.key)):
        for board in (ONE, kind.parse_board(TWO)):
            single.reset(seed=3, options={"board": board})
            assert single.position.board == kind.parse_board(ONE if board == ONE else TWO)
        single.reset()
        assert kind.board_text(single.position.board) not in (ONE, TWO)
    batch.reset(seed=3, options={"board": ONE})
    assert [kind.board_text(batch._games.true_board(k)) for k in (0, 1)] == [ONE, ONE]
    batch.reset(options={"board": [TWO, ONE]})
    assert [kind.board_text(batch._games.true_board(k)) for k in (0, 1)] == [TWO, ONE]
    batch.reset(options={"board": [TWO, TWO], "reset_mask": np.array([False, True])})
    assert [kind.board_text(batch._games.true_board(k)) for k in (0, 1)] == [TWO, TWO]
    batch.reset()
    assert kind.board_text(batch._games.true_board(0)) != TWO


def test_who_begins_in_one_reset() -> None:
    """`first` says so where a coin would decide."""
    for first in (1, 2):
        batch = GridwiseVectorEnv("grid-conquest", 8)
        for single in (GridwiseEnv("grid-conquest", opponent=None), GridEnv("grid-conquest")):
            single.reset(seed=1, options={"first": first})
            assert single.position.turn == first
        assert (batch.reset(seed=1, options={"first": first})[1]["to_play"] == first).all()


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": [ONE, TWO]}, "For a list of them use `boards`"),
        ({"boards": ONE}, "For one board use `board`"),
        ({"boards": []}, "at least one board"),
        ({"boards": [ONE, "111/111/111"]}, "boards here have 4 rows"),
        ({"board": ONE, "boards": [TWO]}, "not both"),
        ({"size": "big"}, "rows by columns"),
        ({"board": ONE, "size": "4x4"}, "not both"),
        ({"board": ONE, "deal": "fair"}, "not both"),
        ({"deal": "nice"}, "uniform or fair"),
        ({"target": 5}, "has no target"),
        ({"target": "x"}, 'whole number of points, not "x"'),
        ({"target": True}, "whole number of points"),
        ({"target": 1.5}, "whole number of points"),
        ({"board": 3}, 'its text, like 1324/2132/4213/3421, or a Board, not "3"'),
        ({"boards": [3]}, 'its text, like 1324/2132/4213/3421, or a Board, not "3"'),
        ({"boards": [ONE, None]}, "its text, like .*, or a Board"),
        ({"boards": 3}, "`boards` is a list of boards"),
        ({"size": "1x1"}, "at least 2 cells"),
        ({"handicap": True}, "has no handicap"),
        ({"max_plies": 0}, "from 1 on"),
        ({"illegal": None}, "lose, raise or are ignored"),
        ({"render_mode": "human"}, r'no render mode "human"\. There are ansi, svg, rgb_array'),
        ({"opponent": "godlike"}, "levels are random, novice"),
        ({"opponent": 7}, "a bot level, ugi:COMMAND"),
        ({"side": 3}, "1, 2, alternate or random"),
        ({"side": "left"}, "1, 2, alternate or random"),
    ],
)
def test_options_that_make_no_sense(make: Any, options: dict[str, Any], message: str) -> None:  # noqa: ANN401
    """Each is refused in words when the environment is made; PettingZoo's has no opponents."""
    refusals: tuple[type[Exception], ...] = (BadRequest, BadBoard)
    if make is GridEnv and options.keys() & {"opponent", "side"}:
        refusals, message = (TypeError,), "unexpected keyword"
    with pytest.raises(refusals, match=message):
        make("number-maze", **options)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("grid-runner", "Grid Runner has no fair deals, only uniform ones: its board is always"),
        ("grid-conquest", "Grid Conquest has no fair deals, only uniform ones: its cells are face"),
    ],
)
def test_fair_deals_where_there_are_none(make: Any, key: str, why: str) -> None:  # noqa: ANN401
    """They are refused, and not left out in silence; on other sizes, too."""
    for size in (None, "4x4"):
        with pytest.raises(BadRequest, match=why):
            make(key, deal="fair", size=size)


@pytest.mark.parametrize("key", ["number-connect", "grid-conquest"])
@pytest.mark.parametrize("options", [{"size": "1x1"}, {"board": "5"}, {"boards": ["5"]}])
def test_one_cell_is_no_game_for_two(key: str, options: dict[str, Any]) -> None:
    """There the second player never moves, and nothing is decided."""
    with pytest.raises(BadBoard, match="One cell is no game for two"):
        GridwiseEnv(key, **options)


@pytest.mark.parametrize("make", [*MAKERS, CustomEnv])
def test_options_of_reset_that_make_no_sense(make: Any) -> None:  # noqa: ANN401
    """An unknown name, a board of another size, a player who cannot begin."""
    env = make("number-maze")
    with pytest.raises(BadRequest, match=r"no option \"bord\"\. There are .*board"):
        env.reset(options={"bord": ONE})
    with pytest.raises(BadRequest, match="boards here have 4 rows"):
        env.reset(options={"board": "111/111/111"})
    with pytest.raises(BadRequest, match="Player 1 always goes first"):
        env.reset(options={"first": 2})
    if make is GridwiseVectorEnv:
        with pytest.raises(BadRequest, match="1 games need one board, or as many, not 2"):
            env.reset(options={"board": [ONE, TWO]})


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_limit_of_steps_is_gymnasiums(mode: str) -> None:
    """`max_episode_steps` truncates as Gymnasium's own TimeLimit does."""
    name = "gridwise/NumberConnect-v0"
    options: dict[str, Any] = {"opponent": "random", "max_episode_steps": 2}
    ours = gymnasium.make_vec(name, num_envs=5, autoreset_mode=mode, **options)
    kwargs = {"autoreset_mode": mode}
    theirs = gymnasium.make_vec(
        name, num_envs=5, vectorization_mode="sync", vector_kwargs=kwargs, **options
    )
    seeds: Any = list(range(5))
    ours.reset(seed=seeds)
    theirs.reset(seed=seeds)
    stops = 0
    for _ in range(12):
        actions = ours.unwrapped.random_actions()  # type: ignore[attr-defined]
        one, other = ours.step(actions), theirs.step(actions)
        for mine, its in zip(one[1:4], other[1:4], strict=True):
            assert np.array_equal(mine, its)
        for key in one[0]:
            assert np.array_equal(one[0][key], other[0][key])
        stops += int(one[3].sum())
    assert stops > 5


def test_ids_that_name_their_module() -> None:
    """Gymnasium imports it; PettingZoo, where it has a registry, has the same ids."""
    env = gymnasium.make("gridwise.envs.gymnasium:gridwise/NumberRun-v0", max_plies=9)
    env.reset(seed=1)
    many = gymnasium.make_vec("gridwise.envs.gymnasium:gridwise/NumberRun-v0", 3)
    assert isinstance(many.unwrapped, GridwiseVectorEnv)
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    zoo = pettingzoo.make("aec", "gridwise/NumberRun-v0", handicap=True)
    zoo.reset(seed=1)
    assert zoo.position.board.handicap


def test_a_reset_of_some_games_counts_their_steps_anew() -> None:
    """Of two games with two steps each, the one that has begun again is not truncated yet."""
    env = GridwiseVectorEnv("number-run", 2, max_episode_steps=2, autoreset_mode="Disabled")
    env.reset(seed=0)
    env.step(env.random_actions())
    env.reset(options={"reset_mask": np.array([True, False])})
    assert env.step(env.random_actions())[3].tolist() == [False, True]


class Highest:
    """A player of one's own, made for a game: the last legal action."""

    def __init__(self, _game: object, _seed: object) -> None:
        self.name = "highest"

    def choose(self, position: Position) -> int:
        """The highest number."""
        return position.legal_mask.bit_length() - 1


@pytest.mark.parametrize("make", [GridwiseEnv, GridwiseVectorEnv])
def test_any_player_can_be_named(make: Any) -> None:  # noqa: ANN401
    """`python:MODULE:NAME` is one, as everywhere."""
    env = make("number-connect", opponent="python:tests.envs.test_options:Highest", side=2)
    env.reset(seed=1)
    position = env.position if make is GridwiseEnv else env.position(0)
    assert position.history == (15,)
