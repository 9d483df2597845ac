"""Exact values: against an independent search, against known facts, and within their limits."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

import gridwise
from gridwise.core.board import Board
from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.engine.budget import Budget
from gridwise.engine.evaluation import Limits, MoveValue
from gridwise.engine.exact import forward_search, solver
from gridwise.engine.exact.retrograde import RetrogradeSolver
from gridwise.engine.exact.solver import solve
from gridwise.errors import BadRequest
from gridwise.games.number_maze import text as maze_text
from tests.engine.fake_clock import FakeClock, StopButton
from tests.engine.new_python import run_python
from tests.engine.oracle import Oracle, OracleValue
from tests.reference import REFERENCE
from tests.sizes import sample

LISTED = sample(800, long=10**9)  # positions by the slow search; then no more boards
SOLVABLE = ["number-run", "number-maze", "grid-runner", "number-connect"]

# Boards whose every position the slow search can list: sizes, and moves to be made at random first.
CASES = [
    *[("number-run", rows, cols, 0) for rows, cols in [(2, 2), (1, 6), (2, 3), (3, 3), (3, 4)]],
    *[("number-run", 5, 5, 18), ("number-run", 4, 4, 6)],
    *[("number-maze", rows, cols, 0) for rows, cols in [(1, 2), (2, 2), (3, 3), (4, 4), (3, 5)]],
    *[("grid-runner", rows, cols, 0) for rows, cols in [(1, 3), (2, 2), (3, 3), (4, 3), (5, 5)]],
    *[("number-connect", rows, cols, 0) for rows, cols in [(1, 1), (1, 5), (2, 2), (2, 3)]],
    *[("number-connect", 3, 3, 2), ("number-connect", 4, 4, 5)],
]


class Played:
    """A game of the reference implementation on a random board, and the moves that led to it."""

    def __init__(self, key: str, rows: int, cols: int, rng: random.Random) -> None:
        low, high = gridwise.game(key).rules.LOW, rng.choice([gridwise.game(key).rules.HIGH, 3])
        choices = "...X" if key == "grid-runner" else "".join(map(str, range(low, high + 1)))
        cells = [rng.choice(choices) for _ in range(rows * cols)]
        if key == "grid-runner":
            cells[0] = cells[-1] = "."
        text = "".join(cells)
        self.board = "/".join(text[at : at + cols] for at in range(0, rows * cols, cols))
        self.moves: list[str] = []
        self.game = REFERENCE[key](self.board)
        self._rng = rng

    @property
    def left(self) -> int:
        """How many cells there are more than moves have been made."""
        return len(self.board.replace("/", "")) - len(self.moves)

    def advance(self, plies: int = 1) -> None:
        """Make random moves."""
        for _ in range(plies):
            if self.game.legal():
                self.moves.append(self._rng.choice(self.game.legal()))
                self.game.play(self.moves[-1])


def walks(key: str, rows: int, cols: int, plies: int) -> Iterator[tuple[Played, Oracle]]:
    """Positions along random games, with what the oracle knows of them."""
    rng, listed, boards = random.Random(f"{key} {rows} {cols}"), 0, 0
    while boards < 4 and listed < LISTED:
        played = Played(key, rows, cols, rng)
        played.advance(plies)
        oracle = Oracle(played.game, cyclic=gridwise.game(key).cyclic)
        listed, boards = listed + oracle.positions, boards + 1
        for _ply in range(8):
            if played.game.legal():
                yield played, oracle
                played.advance()


@pytest.mark.parametrize("case", CASES)
def test_values_and_distances_are_those_of_an_independent_search(
    case: tuple[str, int, int, int],
) -> None:
    """Every move has the value and distance that the reference implementation gives it."""
    for played, oracle in walks(*case):
        expected = oracle.options(played.game)
        for move, worth in expected.items():
            if worth.value == "draw":  # a draw fills the board
                expected[move] = OracleValue("draw", played.left)
        found = gridwise.analyze(case[0], played.board, moves=played.moves)
        assert found["exact"] is True
        options = {o["move"]: OracleValue(o["value"], o["distance"]) for o in found["options"]}
        assert list(options) == found["legal"]
        assert options == expected
        assert OracleValue(found["value"], found["distance"]) == best(list(expected.values()))


def best(options: list[OracleValue]) -> OracleValue:
    """The best for the player to move: quick wins, then no loss, then long losses."""
    wins = [worth for worth in options if worth.value == "win"]
    if wins:
        return min(wins, key=lambda worth: worth.distance or 0)
    level = [worth for worth in options if worth.value != "loss"]
    return level[0] if level else max(options, key=lambda worth: worth.distance or 0)


def uniform(key: str, count: int) -> npt.NDArray[np.int64]:
    """The cells of uniform boards."""
    game = gridwise.game(key)
    shape = (count, game.rows, game.cols)
    return np.random.default_rng(1).integers(game.rules.LOW, game.rules.HIGH + 1, shape)


# Facts about the games


def test_number_run_is_won_by_the_first_player() -> None:
    """On every board tried Player 1 wins Number Run within 15 plies."""
    found = gridwise.solve_boards("number-run", uniform("number-run", 1000))
    assert set(found.value) == {1}
    assert set(found.distance) == {11, 13, 15}


@pytest.mark.parametrize(
    ("board", "ply"),
    [
        ("31425/25134/42513/14252/53142", 11),
        ("55115/44244/31324/55332/11322", 11),
        ("23451/23451/23451/23451/23451", 13),
        ("12345/12345/12345/12345/12345", 15),
    ],
)
def test_number_run_is_won_as_fast_as_can_be(board: str, ply: int) -> None:
    """What the second implementation finds on these boards, too (tests/research/test_proofs.py)."""
    assert solve(Position("number-run", board)).distance == ply


def test_grid_runner_facts() -> None:
    """Player 1 wins Grid Runner in 15 plies; of 359 positions that can come up 9 are endless."""
    position = Position("grid-runner", gridwise.game("grid-runner").fixed)
    found = solve(position)
    assert (found.value, found.distance) == ("win", 15)
    for compiled in (False, True):
        everything = RetrogradeSolver(
            position.game, position.board, position.state, Budget(), most=400, compiled=compiled
        )
        assert (everything.states, everything.endless) == (359, 9)


def test_number_maze_facts() -> None:
    """About 46, 46 and 8 % of uniform boards are won, lost and endless; a quarter lost at once."""
    found = gridwise.solve_boards("number-maze", uniform("number-maze", 8000))
    assert abs((found.value == 1).mean() - 0.46) < 0.02
    assert abs((found.value == -1).mean() - 0.46) < 0.02
    assert abs(found.endless.mean() - 0.08) < 0.015
    over = (found.value == -1) & (found.distance == 0)
    assert abs(over.mean() - 0.25) < 0.02


def test_number_connect_facts() -> None:
    """Player 1 wins about 97.2 % of uniform Number Connect boards.

    A separate program in C, which shares nothing with this one, found 9,711 of 10,000 boards won.
    """
    found = gridwise.solve_boards("number-connect", uniform("number-connect", 10_000))
    assert (found.value == 1).sum() == 9_711


# The edges


@pytest.mark.parametrize(
    ("key", "board", "moves"),
    [
        ("number-run", "11", ""),
        ("number-maze", "44/44", ""),
        ("grid-runner", ".X/X.", ""),
        ("number-connect", "7", "0,0"),
        ("number-connect", "4152/6371/2845/9162", "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"),
    ],
)
def test_a_finished_game_has_no_value(key: str, board: str, moves: str) -> None:
    """Once a game is over there is a result and nothing to choose."""
    found = gridwise.analyze(key, board, moves=moves.split())
    assert found["result"] in {"p1", "p2"}
    assert (found["value"], found["distance"], found["options"]) == (None, None, [])
    assert found["exact"] is True


@pytest.mark.parametrize(
    ("key", "board", "value", "distance"),
    [
        ("number-run", "11111/11111/11111/11111/11111", "win", 11),
        ("number-maze", "1111/1111/1111/1111", "win", 11),
        ("grid-runner", "...../...../...../...../.....", "win", 15),
        ("number-connect", "1111/1111/1111/1111", "draw", 16),
    ],
)
def test_boards_of_ones(key: str, board: str, value: str, distance: int) -> None:
    """A board where all cells are alike is solved like any other."""
    found = gridwise.analyze(key, board)
    assert (found["value"], found["distance"], found["exact"]) == (value, distance, True)


@pytest.mark.parametrize("key", SOLVABLE)
@pytest.mark.parametrize("size", [(7, 9), (9, 7), (1, 63)])
def test_boards_at_the_size_limit(key: str, size: tuple[int, int]) -> None:
    """With 63 cells there is an answer, and it says whether it is the whole of it."""
    game = gridwise.game(key)
    board = game.deal(random.Random(4), *size)
    position = start(game, board)
    found = solve(position, Limits(nodes=200_000))
    assert found.exact == (found.incomplete == "")
    assert found.exact or found.incomplete == "too large"
    assert len(found.moves) == position.legal_mask.bit_count()
    assert all(move.value for move in found.moves) == found.exact


def test_a_limit_of_plies_is_the_last_that_counts() -> None:
    """A move that decides in as many plies as are allowed is known; one that takes more is not.

    From the text: `right` loses in four plies, by `left down up`.
    """
    board = "1324/2132/4213/3421"
    played = REFERENCE["number-maze"](board)
    options = Oracle(played, cyclic=True).options(played)
    assert options["right"] == OracleValue("loss", 4)
    for depth in range(1, 7):
        limited = solve(Position("number-maze", board), Limits(depth=depth))
        known = {move for move, (_, plies) in options.items() if plies and plies <= depth}
        assert {each.move for each in limited.moves if each.value} == known
        assert limited.exact == (len(known) == len(options))


def test_too_large_gives_what_was_found() -> None:
    """What cannot be searched to the end has no value, but near losses in it are known."""
    found = solve(Position("number-connect", "/".join(["1" * 5] * 5)), Limits(nodes=300_000))
    assert (found.exact, found.incomplete, found.value) == (False, "too large", None)
    assert {move.value for move in found.moves} <= {None, "loss"}


def test_hidden_cells_are_not_for_this_solver() -> None:
    """Grid Conquest is refused, whatever its board says."""
    game = gridwise.game("grid-conquest")
    board = game.deal(random.Random(1))
    with pytest.raises(BadRequest, match="hidden"):
        solve(start(game, board))


def test_options_that_keep_the_best_result() -> None:
    """The best moves are the quickest wins; those that keep the result may take longer."""
    found = solve(Position("number-run", "31425/25134/42513/14252/53142"))
    quick, slow = MoveValue(1, "1,0", "win", 11), MoveValue(3, "0,1", "win", 15)
    assert found.moves == (slow, quick)  # as they are shown
    assert (found.best, found.best_moves) == (quick, (quick,))
    assert found.optimal == (slow, quick)


@pytest.mark.parametrize("key", ["number-run", "number-connect"])
def test_what_was_searched_before_changes_no_value(key: str) -> None:
    """With a time limit a search goes on with what is known of the board: here, from the end on."""
    match, rng = gridwise.Match(key, seed=2), random.Random(2)
    while not match.outcome:
        match.move(rng.choice(match.legal_moves))
    for position in match.positions[-2::-1]:
        assert solve(position, Limits(seconds=1e6)).moves == solve(position).moves


# Limits


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Position:
    """A position that takes for ever, compiled at once."""
    monkeypatch.setattr(forward_search, "NODES_IF_NOT_CACHED", 0)
    position = Position("number-connect", "/".join(["1" * 6] * 6))
    solve(position, Limits(nodes=1))  # whatever has to be compiled is
    return position


def test_stopping_takes_effect_at_once(large: Position) -> None:
    """A search asks every so many nodes, some 10 ms; once it is told to stop it does no more."""
    stop = StopButton(after=6)
    found = solve(large, Limits(seconds=1e6, stop=stop))
    assert (found.incomplete, found.exact) == ("stopped", False)
    assert stop.asked == 7
    assert 0 < found.nodes <= 6 * forward_search.COMPILED_SLICE


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.2])
def test_time_limits_hold(seconds: float, large: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time is up nothing more is searched; the clock is looked at twice for each slice."""
    clock = FakeClock(monkeypatch, per_look=0.01)
    assert solve(large, Limits(seconds=seconds)).incomplete == "stopped"
    assert clock.now <= 50 + seconds + 3 * 0.01 + 1e-9


def test_interpreted_searches_stop_as_well() -> None:
    """Before anything is compiled, too, and numba is not even imported."""
    program = (
        "import sys, gridwise\n"
        "from gridwise.engine.exact.forward_search import INTERPRETED_SLICE\n"
        "position = gridwise.Position('number-connect', '/'.join(['1' * 6] * 6))\n"
        "looks = iter([False] * 6 + [True])\n"
        "found = gridwise.evaluate(position, gridwise.Limits(stop=lambda: next(looks)))\n"
        "few = 0 < found.nodes <= 6 * INTERPRETED_SLICE\n"
        "print(found.incomplete, few, 'numba' in sys.modules)"
    )
    said = run_python(program, GRIDWISE_CACHE="/nowhere").stdout
    assert said.split() == ["stopped", "True", "False"]


def test_stopping_while_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling cannot be interrupted, but nobody has to wait for it."""
    monkeypatch.setattr(forward_search, "NODES_IF_NOT_CACHED", 0)
    compiling, compiled = threading.Event(), threading.Event()

    def load(_kernel: object, _args: object) -> Callable[..., int]:
        compiling.set()
        assert compiled.wait(60)
        return lambda *_: 0

    monkeypatch.setattr("gridwise.engine.compiled.kernels._Kernel._load", load)
    position = start(counting_game(cyclic=False), Board(1, 2, (1, 1)))
    assert solve(position, Limits(stop=compiling.is_set)).incomplete == "stopped"
    assert compiling.is_set()
    compiled.set()


def test_a_cyclic_game_too_large_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the states are too many, wins that are near are found all the same."""
    monkeypatch.setattr(solver, "FEW_STATES", 4)
    monkeypatch.setattr(solver, "MANY_STATES", 4)
    cut_off = solve(Position("grid-runner", "..X../..X../..X.."), Limits(nodes=5000))
    assert (cut_off.exact, cut_off.incomplete) == (False, "too large")
    near = solve(Position("grid-runner", "../.."), Limits(nodes=5000))
    assert (near.value, near.distance) == ("win", 3)


# A game made for the test: take 1 or 2 from a heap; who takes the last wins; nobody must hurry.


class Heap(NamedTuple):
    """Whose turn it is and what is left."""

    turn: int
    left: int


def _start(board: Board, first: int) -> Heap:
    return Heap(first, 1000)


def _moves(board: Board, state: Heap) -> int:
    return 7 if state.left > 0 else 0


def _takings(board: Board, state: Heap) -> int:
    return 6 if state.left > 0 else 0


def _play(board: Board, state: Heap, action: int) -> Heap:
    return Heap(3 - state.turn, max(0, state.left - action))


def _winner(board: Board, state: Heap) -> int:
    return 0 if state.left > 0 else 3 - state.turn


def _hidden(board: Board, state: Heap) -> int:
    return 0


def counting_game(*, cyclic: bool = True) -> Game:
    """Actions 1 and 2 take; 0 passes, and with that it can go on for ever."""
    rules = SimpleNamespace(
        ACTIONS=3, LOW=1, HIGH=1, CYCLIC=cyclic,
        start=_start, moves=_moves if cyclic else _takings, play=_play,
        winner=_winner, hidden=_hidden,
    )  # fmt: skip
    text = SimpleNamespace(**vars(maze_text))
    text.action_name = lambda _board, _state, action: str(action)
    return Game("heap", "Heap", rules, complete_text(text), 1, 2)


def test_a_cyclic_game_of_ones_own() -> None:
    """Any game with the five functions can be solved; where passing saves, it is endless."""
    game, board = counting_game(), Board(1, 2, (1, 1))
    near = solve(Position.from_state(game, board, Heap(1, 2)))
    assert [move.value for move in near.moves] == ["loss", "loss", "win"]
    far = solve(Position.from_state(game, board, Heap(2, 3)))
    assert (far.value, far.distance) == ("endless", None)
    assert [move.action for move in far.optimal] == [0]
