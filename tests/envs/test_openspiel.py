"""The games keep OpenSpiel's contract, and its algorithms find our values in them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms.generate_playthrough import replay
from open_spiel.python.algorithms.minimax import expectiminimax
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from gridwise import Match
from gridwise.core.bits import bit_indices
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal, with_handicap
from gridwise.engine.evaluation import evaluate
from gridwise.envs.openspiel import SpielState, spiel_name
from gridwise.errors import BadBoard, BadRequest
from tests.engine.new_python import run_python
from tests.envs.playthroughs import GAMES, path_of
from tests.sizes import sample


def load(game: Game, **parameters: str | int) -> pyspiel.Game:
    """A game as OpenSpiel loads it."""
    return pyspiel.load_game(spiel_name(game), parameters)


def random_states(game: pyspiel.Game, rng: random.Random) -> Iterator[SpielState]:
    """The states of one random game, chance and all, from the first to the last."""
    state = game.new_initial_state()
    while True:
        yield state
        if state.is_terminal():
            return
        state = state.child(rng.choice(state.legal_actions()))


def position_of(state: SpielState) -> Position:
    """The position of a state, as the engine has it."""
    assert state.node.position is not None
    return state.node.position


def points_for(state: SpielState, player: int) -> float:
    """What the engine says of a position: 1 to -1 for a player."""
    position = position_of(state)
    points = 2 * evaluate(position).points - 1
    return points if position.turn - 1 == player else -points


# OpenSpiel's own tests


def test_all_games_are_registered() -> None:
    """Every game of ours is one of OpenSpiel's, by its key, and has a playthrough."""
    names = {spiel_name(game) for game in games()}
    assert {"gridwise_number_run", "gridwise_grid_conquest", "gridwise_tic_tac_toe"} < names
    assert names <= set(pyspiel.registered_names())
    assert {path_of(name).stem for name in GAMES} == names - {"gridwise_tic_tac_toe"}


@pytest.mark.parametrize("parameters", [{"max_plies": 5}, {"rows": 3, "cols": 4}], ids=str)
def test_random_sim_test_passes(game: Game, parameters: dict[str, int]) -> None:
    """OpenSpiel's test of the interface passes: length of games, and states sent as text too."""
    for loaded in (load(game), load(game, **parameters)):
        pyspiel.random_sim_test(loaded, num_sims=sample(3, long=10), serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: str(name).partition("(")[0])
def test_playthroughs_replay(name: str) -> None:
    """What OpenSpiel can ask about the states of a recorded game has not changed."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel asks the command line
    original, replayed = replay(str(path_of(name)))
    assert original == replayed
    assert f"game: {name}\n" in original
    assert "IsTerminal() = True" in original


def test_a_process_that_uses_it_ends_well() -> None:
    """OpenSpiel lets go of our classes after Python has ended, and nothing crashes."""
    program = (
        "import pyspiel, gridwise.envs.openspiel\n"
        "state = pyspiel.load_game('gridwise_number_run').new_initial_state()\n"
        "state.apply_action(state.legal_actions()[0])\n"
    )
    assert run_python(program).stderr == ""


# States


def test_no_two_states_are_written_alike(game: Game) -> None:
    """Algorithms tell states apart by their text: equal texts mean equal futures."""
    spiel = load(game, rows=3, cols=3)
    rng = random.Random(8)
    known: dict[str, object] = {}
    for _ in range(sample(20, long=60)):
        for state in random_states(spiel, rng):
            position, board, pending, _ = state.node
            plies = len(position.history) if position and game.cyclic else 0
            meaning = (board, position and position.state, plies, pending)
            assert known.setdefault(str(state), meaning) == meaning
            for player in (0, 1):
                assert str(state) in state.observation_string(player)
                assert state.history_str() in state.information_state_string(player)


def test_the_history_is_in_the_information_state(game: Game) -> None:
    """With perfect recall, row k of the history has a 1 for what was done as the k-th thing."""
    spiel = load(game)
    for state in random_states(spiel, random.Random(4)):
        tensor = np.array(state.information_state_tensor(0))
        planes = len(state.observation_tensor(0))
        assert np.array_equal(tensor[:planes], state.observation_tensor(0))
        choices = max(spiel.num_distinct_actions(), spiel.max_chance_outcomes())
        history = tensor[planes:].reshape(-1, choices)
        done = state.history()
        assert [int(row.argmax()) for row in history[: len(done)]] == done
        assert history.sum() == len(done)


# Chance


def test_cells_are_dealt_when_they_are_turned_up() -> None:
    """Grid Conquest: the toss, a claim, then one chance node for each cell it turns up."""
    state = pyspiel.load_game("gridwise_grid_conquest").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert state.action_to_string(1) == "Player 2 is first"
    state.apply_action(1)
    assert state.current_player() == 1
    state.apply_action(12)  # C3, in the middle: nine cells
    around = ["B2", "B3", "B4", "C2", "C3", "C4", "D2", "D3", "D4"]
    for number, cell in enumerate(around):
        assert state.is_chance_node()
        assert state.chance_outcomes() == [(value, 0.2) for value in range(5)]
        assert state.action_to_string(number % 5) == f"{cell} is {number % 5 + 1}"
        before = state.observation_tensor(0)
        state.apply_action(number % 5)
        # The planes show what was turned up when all of it has been.
        assert (state.observation_tensor(0) == before) == (cell != "D4")
    assert state.current_player() == 0
    assert "Player 1 has 0, Player 2 has 5" in str(state)  # C3 was the fifth
    state.apply_action(13)  # C4 is known; C5 and what is right of it is not
    assert state.action_to_string(0) == "B5 is 1"


def test_a_state_knows_nothing_that_is_hidden() -> None:
    """What is face down is not in a state, nor in its text or tensors: it has not been dealt."""
    for state in random_states(pyspiel.load_game("gridwise_grid_conquest"), random.Random(9)):
        if state.is_chance_node():
            continue
        board = state.node.board
        assert board is not None
        assert board.unknown == position_of(state).hidden
        values = np.array(state.observation_tensor(0)).reshape(-1, board.size)[0]
        assert all(values[cell] == 0 for cell in bit_indices(board.unknown))


# Parameters


def test_a_board_can_be_given() -> None:
    """As text, with a target; one row too, which OpenSpiel would take for a number."""
    spiel = pyspiel.load_game("gridwise_number_connect(board=4152/6371,target=9)")
    assert spiel.setup.board.cells == (4, 1, 5, 2, 6, 3, 7, 1)
    assert spiel.setup.board.target == 9
    row = pyspiel.load_game("gridwise_number_connect", {"board": "4152"})
    assert str(pyspiel.load_game(str(row))) == str(row)
    assert row.setup.board.rows == 1


@pytest.mark.parametrize(
    ("name", "error", "reason"),
    [
        ("number_connect(board=41x2/1111)", BadBoard, 'Row 1 of the board has "X"'),
        ("number_connect(board=4112/1111,rows=3)", BadBoard, "Leave them out"),
        ("number_connect(size=3x3,rows=4)", BadBoard, "Leave them out"),
        ("number_connect(board=4152/6371,boards=1111/1111)", BadRequest, "not both"),
        ("number_connect(board=4152/6371,size=2x4)", BadRequest, "not both"),
        ("number_connect(boards=4152/6371;111/111)", BadRequest, "boards here have 2 rows"),
        ("number_connect(board=4152/6371,seed=1)", BadRequest, "a board is given"),
        ("number_connect(boards=4152/6371;1111/1111,deals=3)", BadRequest, "a board is given"),
        ("number_connect(size=large)", BadRequest, "size"),
        ("number_run(deals=-2)", BadRequest, "from 1 on"),
        ("grid_conquest(first=3)", BadRequest, "Player 1 or Player 2 can be first"),
        ("grid_conquest(target=100000)", BadBoard, "The target must be 1 to"),
        ("grid_conquest(board=11/11)", pyspiel.SpielError, "Unknown parameter 'board'"),
    ],
)
def test_bad_parameters_are_refused_in_words(
    name: str, error: type[Exception], reason: str
) -> None:
    """The error says what is wrong, alone or together with another one."""
    with pytest.raises(error, match=reason):
        pyspiel.load_game(f"gridwise_{name}")


def test_observers_take_no_parameters() -> None:
    """There is one way to look at a game."""
    with pytest.raises(BadRequest, match="Observers take no parameters"):
        pyspiel.load_game("gridwise_number_run").make_py_observer(None, {"planes": 3})


# Values


@pytest.mark.parametrize(
    "name",
    [
        "gridwise_number_connect(rows=2,cols=4,target=15,seed=1)",
        "gridwise_number_connect(rows=3,cols=3,target=12,seed=2)",
        "gridwise_number_run(rows=3,cols=3,seed=3)",
        "gridwise_number_run(rows=2,cols=4,seed=4)",
        "gridwise_number_maze(rows=3,cols=3,seed=5)",
        "gridwise_number_maze(rows=2,cols=4,seed=8)",
        "gridwise_grid_runner(rows=2,cols=3)",
        "gridwise_tic_tac_toe(rows=2,cols=3)",
    ],
)
def test_minimax_finds_our_values(name: str) -> None:
    """OpenSpiel's MinimaxSolver and our engine agree on every move of random games."""
    solver = MinimaxSolver(name)
    solver.solve()
    spiel = pyspiel.load_game(name)
    rng = random.Random(1)
    compared = 0
    for _ in range(12):
        for state in random_states(spiel, rng):
            if state.is_terminal() or (
                spiel.max_game_length() == MAX_PLIES and len(position_of(state).history) > 20
            ):
                break
            theirs = solver.action_values_from_state(state)
            for option in evaluate(position_of(state)).moves:
                assert theirs[option.action] == 2 * option.points - 1
                compared += 1
    assert compared > 20


def test_expectiminimax_finds_our_chances_late_in_a_game() -> None:
    """On the standard board, with a few cells face down, every move is worth what we say."""
    spiel = pyspiel.load_game("gridwise_grid_conquest(rows=3,cols=3,target=9)")
    rng = random.Random(3)
    compared = 0
    for _ in range(sample(15, long=40)):
        for state in random_states(spiel, rng):
            if state.is_chance_node() or state.is_terminal():
                continue
            if position_of(state).hidden.bit_count() > 1:
                continue
            if position_of(state).legal_mask.bit_count() <= 5:
                player = state.current_player()
                value, _ = expectiminimax(state, 100, None, player)
                assert value == pytest.approx(points_for(state, player), abs=1e-9)
                compared += 1
    assert compared > sample(15, long=40)


KEYS = ["number_run", "number_maze", "grid_runner", "grid_conquest", "number_connect"]


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


LONGEST = [  # some game is as long as `max_game_length` says
    "gridwise_number_run(size=3x4,seed=1)",
    "gridwise_number_run(size=3x3,seed=2,max_plies=7)",
    "gridwise_number_maze(board=1111/1111/1111/1111,max_plies=6)",
    "gridwise_grid_runner(size=2x3,max_plies=4)",
    "gridwise_grid_conquest(size=1x3,target=2)",
    "gridwise_grid_conquest(size=1x3,target=9,first=2)",
    "gridwise_tic_tac_toe(size=2x3)",
]
BOUNDED = [  # the numbers decide how long games are
    "gridwise_number_maze(size=3x3,seed=3,deals=9,max_plies=30)",
    "gridwise_number_run(size=2x3,seed=1,deals=4)",
    "gridwise_number_run(size=3x3,seed=1,handicap=1)",
    "gridwise_number_connect(boards=99/99;11/11;22/22,target=5)",
    "gridwise_number_connect(board=1119/9991/1991,target=5)",
]


@pytest.mark.parametrize("name", LONGEST + BOUNDED)
def test_no_game_is_longer_than_the_bound(name: str) -> None:
    """Playing every game finds none longer than `max_game_length`."""
    loaded = pyspiel.load_game(name)
    plies = longest(loaded)
    assert plies <= loaded.max_game_length()
    assert plies == loaded.max_game_length() or name in BOUNDED


def longest(loaded: pyspiel.Game) -> int:
    """The plies of the longest game, by playing all."""
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
    return plies


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
