"""OpenSpiel: what is dealt, what is the default, and states as data."""

from __future__ import annotations

import json
import random

import pyspiel
import pytest

from gridwise import Match
from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal, with_handicap
from gridwise.envs import openspiel
from gridwise.envs.openspiel import spiel_name
from gridwise.errors import BadRequest, GridwiseError

KEYS = ["number_run", "number_maze", "grid_runner", "grid_conquest", "number_connect"]


@pytest.fixture(autouse=True)
def _with_the_toy_in_openspiel(with_the_toy: None) -> None:
    openspiel.register()


def test_by_default_both_players_get_to_move(game: Game) -> None:
    """Whatever the first move is, the game goes on: Number Maze too is a game for two."""
    state = pyspiel.load_game(spiel_name(game)).new_initial_state()
    if state.is_chance_node():
        pytest.skip("chance deals, and a coin is tossed")
    for action in state.legal_actions():
        assert not state.child(action).is_terminal()


@pytest.mark.parametrize("key", ["number-run", "number-maze", "number-connect"])
def test_dealing_can_be_a_chance_node(key: str) -> None:
    """With `deals` the root deals one of so many boards, the first of them that of the seed."""
    of = game_of(key)
    loaded = pyspiel.load_game(spiel_name(of), {"deals": 6, "seed": 3})
    assert loaded.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert (loaded.max_chance_outcomes(), loaded.max_chance_nodes_in_history()) == (6, 1)
    root = loaded.new_initial_state()
    assert root.is_chance_node()
    assert [chance for _, chance in root.chance_outcomes()] == [1 / 6] * 6
    boards = set()
    for outcome in range(6):
        state = root.child(outcome)
        assert not state.is_terminal()
        boards.add(state.node.position.board)
        assert of.board_text(state.node.position.board) in root.action_to_string(outcome)
    assert len(boards) == 6
    alone = pyspiel.load_game(spiel_name(of), {"seed": 3}).new_initial_state()
    assert root.child(0).node.position == alone.node.position
    pyspiel.random_sim_test(loaded, num_sims=3, serialize=True, verbose=False)


def test_no_game_is_longer_than_it_may_be(game: Game) -> None:
    """`max_game_length` is kept, and `max_plies` is."""
    for more in ({}, {"max_plies": 5}):
        loaded = pyspiel.load_game(spiel_name(game), more)
        rng = random.Random(2)
        lengths = []
        for _ in range(40):
            state, plies = loaded.new_initial_state(), 0
            while not state.is_terminal():
                plies += not state.is_chance_node()
                outcomes = state.legal_actions()
                state.apply_action(rng.choice(outcomes))
            lengths.append(plies)
        assert max(lengths) <= loaded.max_game_length()
        if more and game.cyclic:
            assert max(lengths) == 5


@pytest.mark.parametrize(
    "name",
    [
        "gridwise_number_run(size=2x3,seed=1)",
        "gridwise_number_run(size=3x3,seed=2,max_plies=7)",
        "gridwise_number_run(size=2x3,seed=1,deals=4)",
        "gridwise_number_maze(size=3x3,seed=5)",
        "gridwise_number_maze(size=3x3,seed=3,deals=9,max_plies=30)",
        "gridwise_number_maze(board=1111/1111/1111/1111,max_plies=6)",
        "gridwise_grid_runner(size=2x3,max_plies=4)",
        "gridwise_grid_conquest(size=1x3,target=2)",
        "gridwise_grid_conquest(size=1x3,target=9,first=2)",
        "gridwise_number_connect(board=415/263,target=10)",
        "gridwise_number_connect(boards=99/99;11/11;22/22,target=5)",
        "gridwise_tic_tac_toe(size=2x3)",
    ],
)
def test_the_longest_game_is_as_long_as_it_says(name: str) -> None:
    """`max_game_length` is exact: playing every game finds one of that length, and none longer."""
    loaded = pyspiel.load_game(name)
    plies, level = 0, [loaded.new_initial_state()]
    while level:
        while any(state.is_chance_node() for state in level):
            level = [
                after
                for state in level
                for after in (
                    map(state.child, state.legal_actions()) if state.is_chance_node() else [state]
                )
            ]
        going_on = {str(state): state for state in level if not state.is_terminal()}
        level = [state.child(each) for state in going_on.values() for each in state.legal_actions()]
        plies += bool(level)
    assert plies == loaded.max_game_length()


def test_standard_lengths() -> None:
    """In Number Run all cells for both and a last step; in Grid Conquest every cell may be a 1."""
    length = {key: pyspiel.load_game(f"gridwise_{key}").max_game_length() for key in KEYS}
    assert (length["number_run"], length["grid_conquest"]) == (47, 25)
    assert length["number_maze"] == length["grid_runner"] == 200
    assert length["number_connect"] == 8  # on the default board, 3257/7515/9793/9557


def test_learners_take_the_observation() -> None:
    """OpenSpiel's own environment chooses it by default: the planes, without the history."""
    from open_spiel.python.rl_environment import Environment  # noqa: PLC0415 - only here

    env = Environment("gridwise_number_connect")
    seen = env.reset().observations["info_state"][0]
    assert len(seen) == 10 * 4 * 4


def test_states_are_data_too(game: Game) -> None:
    """`to_json` has the board as far as it has been seen, and what was played."""
    state = pyspiel.load_game(spiel_name(game)).new_initial_state()
    rng = random.Random(4)
    for _ in range(6):
        told = json.loads(state.to_json())
        assert told == json.loads(json.dumps(state.to_dict()))
        assert told["current_player"] == state.current_player()
        struct, seen = state.to_struct(), state.to_observation_struct(0)
        assert json.loads(struct.to_json()) == json.loads(seen.to_json()) == told
        assert struct.board == told["board"]
        position = state.node.position
        if position:
            assert told["moves"] == position.moves
            assert told["board"] == game.board_text(position.board)
            if not position.moves and not state.is_chance_node():
                assert told["first"] == state.current_player()  # counted from 0, as all players
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))


def test_options_of_boards() -> None:
    """A size, a handicap, fair deals: the same as in the other environments."""
    wide = pyspiel.load_game("gridwise_number_run(size=3x6,seed=4)").new_initial_state()
    assert wide.node.position.board == game_of("number-run").deal(Stream(4), 3, 6)
    run = pyspiel.load_game("gridwise_number_run(seed=4,handicap=1)").new_initial_state()
    assert run.node.position.board == with_handicap(
        game_of("number-run"), Match("number-run", seed=4).true_board
    )
    fair = pyspiel.load_game("gridwise_number_connect(seed=4,deal=fair)").new_initial_state()
    assert fair.node.position.board == deal(game_of("number-connect"), Stream(4), "fair")
    with pytest.raises(BadRequest, match="from 1 on"):
        pyspiel.load_game("gridwise_number_run(deals=-2)")


def test_a_list_of_boards() -> None:
    """Chance deals one of them, as it does with `deals`; the game travels as text."""
    loaded = pyspiel.load_game(
        "gridwise_number_maze(boards=1324/2132/2213/3421;2222/2222/2222/2222)"
    )
    root = loaded.new_initial_state()
    assert root.is_chance_node()
    texts = [root.child(k).to_dict()["board"] for k in root.legal_actions()]
    assert texts == ["1324/2132/2213/3421", "2222/2222/2222/2222"]
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=True, verbose=False)
    again = pyspiel.load_game(str(loaded))
    assert again.new_initial_state().child(1).to_dict() == root.child(1).to_dict()


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("board=4152/6371,boards=1111/1111", "not both"),
        ("board=4152/6371,size=2x4", "not both"),
        ("boards=4152/6371;111/111", "has boards of 2 rows"),
        ("board=4152/6371,seed=1", "a board is given"),
        ("boards=4152/6371;1111/1111,deals=3", "a board is given"),
        ("size=3x3,rows=4", "Leave them out"),
        ("size=large", "size"),
    ],
)
def test_parameters_that_make_no_sense_together(parameters: str, reason: str) -> None:
    """Each pair is refused in words."""
    with pytest.raises(GridwiseError, match=reason):
        pyspiel.load_game(f"gridwise_number_connect({parameters})")
