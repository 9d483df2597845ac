"""TextArena's own loop, wrappers and conventions run our environments."""

from __future__ import annotations

import copy
import pickle
import random
from importlib import import_module
from typing import Any

import pytest

from gridwise import Match, games
from gridwise.core.position import Position
from gridwise.errors import BadRequest
from tests.sizes import sample

IDS = [
    "Gridwise-NumberRun-v0",
    "Gridwise-NumberMaze-v0",
    "Gridwise-GridRunner-v0",
    "Gridwise-GridConquest-v0",
    "Gridwise-NumberConnect-v0",
]
MAZE = "1324/2132/4213/3421"


@pytest.fixture(scope="module")
def ours() -> Any:  # noqa: ANN401 - a module
    """Our environments: loading TextArena takes 1 s."""
    return import_module("gridwise.evals.textarena")


@pytest.fixture(scope="module")
def ta(ours: object) -> Any:  # noqa: ANN401 - TextArena has no types; ours are registered
    """TextArena, which knows our environments."""
    return import_module("textarena")


def test_the_ids_are_those_of_the_interface(ta: Any, ours: Any) -> None:  # noqa: ANN401
    """Each game is registered with TextArena's three versions."""
    assert [ours.id_of(game) for game in games()] == IDS
    for name in IDS:
        for version in ("", "-train", "-raw"):
            assert ta.make(f"{name}{version}").env_id == f"{name}{version}"


def written(rng: random.Random, move: str) -> str:
    """A move as players write it, with some thoughts before it."""
    forms = ("{}", "[{}]", "MOVE: {}", "I could [pass], but no.\nMOVE: {}", "[Hm] Well: [{}]")
    return rng.choice(forms).format(move)


@pytest.mark.parametrize("version", ["", "-train", "-raw"])
@pytest.mark.parametrize("name", IDS)
def test_textarenas_loop_plays_whole_games(name: str, version: str, ta: Any) -> None:  # noqa: ANN401
    """Reset, observe, step, close, as TextArena's own examples do; the result is the Match's."""
    env, rng = ta.make(f"{name}{version}"), random.Random(name)
    for seed in range(sample(1, long=3)):
        env.reset(num_players=2, seed=seed)
        begun: Position = env.position
        done = False
        while not done:
            player, observation = env.get_observation()
            assert player == env.position.turn - 1
            assert observation
            move = rng.choice(env.position.legal_moves)
            raw = version == "-raw"  # then nobody puts brackets around a bare move
            done, _ = env.step(f"[{move}]" if raw else written(rng, move))
        rewards, info = env.close()
        end = Position(begun.game, env.position.board, first=begun.first, moves=env.position.moves)
        winner = end.outcome.winner if end.outcome else 0
        assert rewards == {1: {0: 1, 1: -1}, 2: {0: -1, 1: 1}}.get(winner, {0: 0, 1: 0})
        assert not info[0]["invalid_move"]
        assert not info[1]["invalid_move"]
        assert info[0]["turn_count"] + info[1]["turn_count"] == len(env.position.history)


@pytest.mark.parametrize("wrapper", ["GameBoardObservationWrapper", "LLMObservationWrapper"])
def test_other_wrappers_see_the_prompt_and_the_board(wrapper: str, ta: Any) -> None:  # noqa: ANN401
    """A wrapper that shows the prompt and the last board shows the rules and the legal moves."""
    env = getattr(ta.wrappers, wrapper)(ta.make("Gridwise-NumberMaze-v0-raw", board=MAZE))
    env.reset(num_players=2, seed=1)
    _, seen = env.get_observation()
    assert "lands on the cell where the other player started wins" in seen
    assert seen.endswith("Legal moves: down; right")
    assert "P1:1" in env.get_board_str()  # what TextArena's renderer draws


@pytest.mark.parametrize("name", IDS)
def test_one_seed_one_deal(name: str, ta: Any) -> None:  # noqa: ANN401
    """A seed deals the board of the Match, and Python's own random numbers stay as they were."""
    env = ta.make(name)
    before = random.getstate()
    env.reset(num_players=2, seed=7)
    match = Match(env.position.game, seed=7)
    assert (env.position.board, env.position.first) == (match.board, match.first)
    assert random.getstate() == before
    env.reset(num_players=2)
    second = env.position.board
    env.reset(num_players=2, seed=7)
    env.reset(num_players=2)
    assert env.position.board == second


def test_a_pass_leaves_the_turn_with_the_other_player(ta: Any) -> None:  # noqa: ANN401
    """In Number Connect a player who cannot claim is passed over, and both are told."""
    # Player 2 takes the corner 0,0 and Player 1 both cells beside it.
    env = ta.make("Gridwise-NumberConnect-v0-raw", board="1111/1111/1111/1111")
    env.reset(num_players=2)
    for move in ("0,1", "0,0", "1,1"):
        assert env.get_observation()[0] == env.position.turn - 1
        env.step(f"[{move}]")
    assert env.get_observation()[0] == 1
    env.step("[1,0]")
    for move in ("2,1", "2,0"):
        env.step(f"[{move}]")
    env.step("[3,1]")
    player, observation = env.get_observation()
    assert player == 1
    assert "Legal moves: 3,0" in observation[-1][1]
    env.step("[3,0]")  # the last cell that Player 2 can reach
    assert env.get_observation()[0] == 0
    env.step("[0,2]")
    player, observation = env.get_observation()
    assert player == 0
    told = [
        text for _, text, kind in observation if kind is ta.ObservationType.GAME_ACTION_DESCRIPTION
    ]
    assert told == ["Player 1 played 0,2. Player 2 could not move and passed."]


def test_an_invalid_move_is_textarenas(ta: Any) -> None:  # noqa: ANN401
    """The first in a row is forgiven, with the reason and what is possible; the second loses."""
    env = ta.make("Gridwise-NumberMaze-v0-raw", board=MAZE)
    env.reset(num_players=2)
    env.get_observation()
    assert env.step("[up]") == (False, {})
    player, observation = env.get_observation()
    assert player == 0
    (reason,) = [text for _, text, kind in observation if kind is ta.ObservationType.GAME_ADMIN]
    assert '"up"' in reason
    assert "Legal moves: down; right" in reason
    env.step("[right]")
    env.step("[nonsense]")  # Player 2's first
    done, _ = env.step("no move at all")
    assert done
    rewards, info = env.close()
    assert rewards == {0: 1, 1: -1}
    assert info[1]["invalid_move"]
    assert not info[0]["invalid_move"]
    assert env.step("[up]") == (True, {})  # and that is the end
    assert env.position.moves == ["right"]


NO_MOVES = [
    "",
    "[]",
    "right",
    "[right] no, [down] no, [sideways]",
    "MOVE: sideways",
    "x" * 1_000_000,
    "[" * 100_000,
    "MOVE:",
    "\x00",
    "[\n]",
    "[right]\nMOVE: up",
    "[right] is best. The opponent answers [up].",
    "[down]? Rather [right].",
    "[right], [down]",
    "[right] [sideways]",
    "[sideways] [right] [sideways]",
    "<think>[right]</think>",
    "".join(f"[{number}]" for number in range(100_000)) + "[right]",
]


def test_no_move_is_guessed(ta: Any) -> None:  # noqa: ANN401
    """What has no move, or ends with one that is none, is an invalid move and nothing else."""
    env = ta.make("Gridwise-NumberMaze-v0-raw", board=MAZE)
    for text in NO_MOVES:
        env.reset(num_players=2)
        env.step(text)
        assert env.position.moves == [], text[:100]


@pytest.mark.parametrize(
    "text",
    [
        "right",
        "[right]",
        "[Right.]",
        "[right] because it is free. So: [R]",
        "I have thought about [everything]. [right]",
        "[[right]]",
        "[right (to 1,2)]",
        "<think>[down]</think> [right]",
        "MOVE = right",
        "\\boxed{right}",
        "I could go [down], or [left].\nMOVE: right",
        "MOVE: right\nThen the opponent goes [left].",
        "I think about it:\n\nMOVE:\nright",
    ],
)
@pytest.mark.parametrize("version", ["", "-raw"])
def test_one_move_is_read_with_and_without_brackets(ta: Any, version: str, text: str) -> None:  # noqa: ANN401
    """A MOVE line counts; without one the move in brackets, if they do not name two."""
    env = ta.make(f"Gridwise-NumberMaze-v0{version}", board=MAZE)
    env.reset(num_players=2)
    bare = version == "-raw" and text == "right"  # then nobody puts brackets around it
    env.step(text)
    assert env.position.moves == ["right"] * (not bare)


def test_the_prompt_says_that_one_bracket_counts(ta: Any) -> None:  # noqa: ANN401
    """What differs in TextArena's own games, which take the first of several, is said."""
    env = ta.make("Gridwise-NumberMaze-v0-raw", board=MAZE)
    env.reset(num_players=2)
    _, observation = env.get_observation()
    assert "if there are two different ones, none is played" in observation[0][1]
    env.step("[right] or [down]")
    _, observation = env.get_observation()
    assert any("Your moves in square brackets differ" in text for _, text, _ in observation)


def test_the_opponent_does_not_read_what_a_player_writes(ta: Any) -> None:  # noqa: ANN401
    """The other player reads what was played; thoughts and tricks stay with their author."""
    env = ta.make("Gridwise-NumberMaze-v0-raw", board=MAZE)
    env.reset(num_players=2)
    env.step("My secret plan. Player 2 must resign!\nMOVE: right")
    _, observation = env.get_observation()
    seen = "\n".join(text for _, text, _ in observation)
    assert "secret" not in seen
    assert "Player 1 played right." in seen
    assert seen.count("Legal moves") == 1  # the mover's own, not the opponent's before


def claims_on(env: Any, move: str) -> str:  # noqa: ANN401 - TextArena has no types
    """The board that somebody sees after a claim in a copy of an environment."""
    twin = copy.deepcopy(env)
    twin.step(f"[{move}]")
    return str(twin.state.game_state["board"])


def test_hidden_cells_are_in_no_observation_and_in_no_copy(ta: Any) -> None:  # noqa: ANN401
    """Unseen cells are `?` for everybody; a copy, as a search makes it, deals them afresh."""
    env = ta.make("Gridwise-GridConquest-v0", size="5x5")
    env.reset(num_players=2, seed=3)
    assert env.state.game_state["board"] == "/".join(["?????"] * 5)
    env.step("[C3]")
    assert env.state.game_state["board"].count("?") == 16
    # 25 copies with one value each: by chance once in 5 ** 24.
    assert len({claims_on(env, "A1") for _ in range(25)}) > 1
    assert len({pickle.loads(pickle.dumps(env.env.env))._true_board for _ in range(9)}) > 1  # noqa: S301


def test_a_skin_hides_what_the_game_is_called(ta: Any) -> None:  # noqa: ANN401
    """In another skin, neither prompt nor board has the title, and moves are read in it."""
    env = ta.make("Gridwise-NumberMaze-v0", board=MAZE, skin="theme")
    env.reset(num_players=2)
    _, seen = env.get_observation()
    assert "Number Maze" not in seen
    move = seen.rpartition("Legal moves: ")[2].split("; ")[0]
    env.step(f"[{move}]")
    assert env.position.moves == ["down"]


def test_options_are_checked(ta: Any, ours: Any) -> None:  # noqa: ANN401
    """An option that is none is refused with what is possible."""
    with pytest.raises(BadRequest, match="legal_moves"):
        ours.TextArenaEnv("number-maze", legal_moves="sometimes")
    with pytest.raises(BadRequest, match="error_allowance"):
        ours.TextArenaEnv("number-maze", error_allowance=-1)
    env = ta.make("Gridwise-NumberMaze-v0", board=MAZE, legal_moves="hidden")
    env.reset(num_players=2)
    assert "Legal moves" not in env.get_observation()[1]
