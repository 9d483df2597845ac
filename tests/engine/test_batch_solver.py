"""Boards solved in bulk: as one by one, for every action, and in the promised shape."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import gridwise
from gridwise import GridwiseError, Position, SolvedBoards, solve_boards, solve_positions
from gridwise.engine.evaluation import evaluate
from gridwise.engine.exact.batch_solver import CHUNK, NOT_LEGAL
from gridwise.errors import BadBoard, BadRequest
from tests.sizes import sample

SOLVABLE = ["number-run", "number-maze", "grid-runner", "number-connect"]
VALUES = {"win": 1, "draw": 0, "endless": 0, "loss": -1}

# Game, rows, columns, how many boards, target.
BOARDS = [
    ("number-run", 2, 2, 60, None),
    ("number-run", 2, 3, 60, None),
    ("number-run", 3, 3, 20, None),
    ("number-run", 5, 5, 12, None),
    ("number-maze", 2, 2, 60, None),
    ("number-maze", 3, 3, 40, None),
    ("number-maze", 4, 4, 20, None),
    ("number-maze", 7, 9, 2, None),
    ("grid-runner", 2, 2, 8, None),
    ("grid-runner", 3, 3, 40, None),
    ("grid-runner", 5, 5, 12, None),
    ("grid-runner", 9, 7, 2, None),
    ("number-connect", 1, 4, 60, 7),
    ("number-connect", 2, 2, 60, None),
    ("number-connect", 2, 3, 20, 9),
    ("number-connect", 4, 4, 12, None),
]


def drawn(key: str, rows: int, cols: int, count: int) -> np.ndarray:
    """Uniform cells; in Grid Runner a quarter are obstacles, but not the two corners."""
    rules = gridwise.game(key).rules
    rng = np.random.default_rng([rows, cols, len(key)])
    cells = rng.integers(rules.LOW, rules.HIGH + 1, (count, rows, cols))
    if gridwise.game(key).fixed:
        cells = np.where(rng.random(cells.shape) < 0.25, rules.HIGH, rules.LOW)
        cells[:, 0, 0] = cells[:, -1, -1] = rules.LOW
    return cells


def board_texts(key: str, cells: np.ndarray) -> list[str]:
    """The boards as text."""
    glyphs = gridwise.game(key).glyphs
    return ["/".join("".join(glyphs[v] for v in row) for row in board) for board in cells]


def options(position: Position, solved: SolvedBoards, number: int) -> dict[str, tuple[int, int]]:
    """What each legal move of a position is worth by the arrays: value and distance."""
    return {
        position.name(action): (
            int(solved.action_value[number, action]),
            int(solved.action_distance[number, action]),
        )
        for action in range(solved.action_value.shape[1])
        if solved.action_value[number, action] != NOT_LEGAL
    }


@pytest.mark.parametrize(("key", "rows", "cols", "count", "target"), BOARDS)
def test_bulk_agrees_with_single_positions(
    key: str, rows: int, cols: int, count: int, target: int | None
) -> None:
    """The arrays say what `evaluate` says, whose values are those of an independent search."""
    positions = list(under_way(key, drawn(key, rows, cols, sample(count, long=5 * count)), target))
    solved = solve_positions(positions)
    for number, position in enumerate(positions):
        found = evaluate(position)
        assert found.exact
        assert options(position, solved, number) == {
            each.move: (VALUES[each.value or ""], each.distance or 0) for each in found.moves
        }
        assert solved.value[number] == VALUES[found.value or ""]
        assert solved.endless[number] == (found.value == "endless")
        assert solved.distance[number] == (found.distance or 0)


def under_way(key: str, cells: np.ndarray, target: int | None) -> Iterator[Position]:
    """Positions along a random game on each board, the first and the last included."""
    game, rng = gridwise.game(key), random.Random(key)
    for text in board_texts(key, cells):
        match = gridwise.Match(game, game.parse_board(text, target), max_plies=12)
        while not match.outcome:
            yield match.position
            match.move(rng.choice(match.legal_moves))


@pytest.mark.parametrize("key", SOLVABLE)
def test_without_actions_and_in_threads_it_is_the_same(key: str) -> None:
    """Neither threads nor leaving out the actions changes a value."""
    cells = drawn(key, 3, 3, CHUNK + 10)
    one, two = solve_boards(key, cells, threads=1), solve_boards(key, cells, threads=2)
    bare = solve_boards(key, cells, actions=False)
    for name in one._fields:
        assert np.array_equal(getattr(one, name), getattr(two, name))
    for name in ("value", "endless", "distance"):
        assert (getattr(one, name) == getattr(bare, name)).all()
    assert bare.action_value.shape == (CHUNK + 10, 0)


def test_a_position_is_worth_its_best_action() -> None:
    """`best` marks the actions that keep the value."""
    solved = solve_boards("number-connect", drawn("number-connect", 4, 4, 200))
    assert (solved.best.any(axis=1)).all()
    assert (solved.action_value.max(axis=1) == solved.value).all()


def test_the_arrays_have_the_promised_types() -> None:
    """Other programs rely on shapes and types."""
    solved = solve_boards("number-maze", drawn("number-maze", 4, 4, 3))
    assert [array.dtype for array in solved] == [np.int8, np.bool_, np.int16, np.int8, np.int16]
    assert [array.shape for array in solved] == [(3,), (3,), (3,), (3, 4), (3, 4)]


def test_a_board_that_is_over_at_once_has_no_actions() -> None:
    """A 4 in the first corner of Number Maze is lost before the first move."""
    cells = np.ones((1, 4, 4), int)
    cells[0, 0, 0] = 4
    solved = solve_boards("number-maze", cells)
    assert (solved.value[0], solved.distance[0]) == (-1, 0)
    assert (solved.action_value == NOT_LEGAL).all()


def test_boards_of_equal_cells() -> None:
    """On equal cells Number Connect is counted by hand: who gets to 15 first, or must go over."""
    boards = np.stack([np.full((4, 4), value) for value in range(1, 10)])
    solved = solve_boards("number-connect", boards)
    # Sixteen ones are a draw: eight each, and the board is full before anybody has 15.
    assert (solved.value[0], solved.endless[0], solved.distance[0]) == (0, False, 16)
    # Else each claims `value` in turn and nobody is ever without a cell so early: whoever's claim
    # makes exactly 15 wins, and where 15 is no multiple the first to go over, Player 1, loses.
    for value in range(2, 10):
        assert solved.value[value - 1] == (1 if 15 % value == 0 else -1)
        assert solved.distance[value - 1] == 2 * -(-15 // value) - 1


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", ">i4"])
def test_any_whole_numbers_will_do(dtype: str) -> None:
    """The type of the integers does not matter, nor their order in memory."""
    cells = drawn("number-connect", 4, 4, 5)
    expected = solve_boards("number-connect", cells)
    other = np.asfortranarray(cells.astype(dtype))
    assert (solve_boards("number-connect", other).distance == expected.distance).all()
    assert (solve_boards("number-connect", cells.tolist()).value == expected.value).all()


def test_an_array_that_cannot_be_written_to_will_do() -> None:
    """As they come from a file, from a framework, or as a part of another array."""
    cells = drawn("number-connect", 4, 4, 6)
    expected = solve_boards("number-connect", cells)
    fixed = cells.astype(np.int64)
    fixed.flags.writeable = False
    everywhere = np.broadcast_to(cells[:1], (6, 4, 4))
    assert (solve_boards("number-connect", fixed).action_value == expected.action_value).all()
    assert (solve_boards("number-connect", fixed[::-2]).value == expected.value[::-2]).all()
    assert (solve_boards("number-connect", everywhere).value == expected.value[0]).all()


def test_matches_and_any_iterable_of_positions_are_solved() -> None:
    """What takes a position takes a Match too."""
    matches = [gridwise.Match("number-connect", seed=seed) for seed in range(3)]
    expected = solve_positions([match.position for match in matches])
    assert (solve_positions(matches).distance == expected.distance).all()
    assert (solve_positions(iter(matches)).value == expected.value).all()


def test_no_boards_give_empty_arrays() -> None:
    """Nothing in, nothing out, in the same shapes."""
    solved = solve_boards("number-run", np.zeros((0, 5, 5), int))
    assert [array.shape for array in solved] == [(0,), (0,), (0,), (0, 8), (0, 8)]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (np.ones((4, 4), int), "shape (boards, rows, columns)"),
        (np.ones((1, 4, 4), float), "whole numbers, not of the type float64"),
        (np.ones((1, 4, 4), bool), "whole numbers, not of the type bool"),
        (np.full((1, 4, 4), "1"), "whole numbers"),
        ([[[1, 2], [3]]], "shape (boards, rows, columns)"),
        (np.full((2, 4, 4), 10), "Board 0 has 10 in row 0, column 0"),
        (np.zeros((2, 4, 4), int), "Board 0 has 0 in row 0, column 0"),
        (np.ones((1, 8, 8), int), "63"),
        (np.ones((1, 0, 4), int), "cells"),
        (np.full((1, 4, 4), np.nan), "whole numbers, not of the type float64"),
        (np.full((1, 4, 4), 2**63, np.uint64), "Board 0 has 9223372036854775808"),
        (np.full((1, 4, 4), 1, object), "whole numbers, not of the type object"),
        (None, "shape (boards, rows, columns)"),
    ],
)
def test_cells_that_are_no_boards_get_a_clear_error(cells: object, said: str) -> None:
    """What was wrong is named."""
    with pytest.raises(BadBoard) as caught:
        solve_boards("number-connect", cells)  # type: ignore[arg-type]
    assert said in str(caught.value)


def test_an_obstacle_on_a_start_names_the_board() -> None:
    """Grid Runner's corners must be open on every board of the array."""
    cells = drawn("grid-runner", 3, 3, 4)
    cells[2, 0, 0] = gridwise.game("grid-runner").rules.HIGH
    with pytest.raises(BadBoard, match="Board 2: There is an obstacle on A1"):
        solve_boards("grid-runner", cells)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: solve_boards("grid-conquest", np.ones((1, 5, 5), int)), "hidden cells"),
        (lambda: solve_boards("number-run", np.ones((1, 5, 5), int), target=9), "target"),
        (lambda: solve_boards("number-run", np.ones((1, 5, 5), int), threads=0), "threads"),
        (lambda: solve_boards("number-run", np.ones((1, 5, 5), int), threads=1.5), "threads"),  # type: ignore[arg-type]
        (lambda: solve_boards("number-connect", np.ones((1, 4, 4), int), target="x"), "target"),  # type: ignore[arg-type]
        (lambda: solve_boards("number-run", np.ones((1, 5, 5), int), handicap=1.5), "handicap"),  # type: ignore[arg-type]
        (lambda: solve_boards("number-connect", np.ones((1, 7, 9), int)), "Board 0 is too large"),
        (lambda: solve_positions([]), "no positions"),
        (lambda: solve_boards("nim", np.ones((1, 5, 5), int)), "no game"),
    ],
)
def test_what_cannot_be_solved_says_why(call: object, said: str) -> None:
    """Grid Conquest is refused with the reason, like everything else that makes no sense."""
    with pytest.raises(GridwiseError, match=said):
        call()  # type: ignore[operator]


def test_positions_of_two_sizes_are_refused() -> None:
    """One call has one size."""
    one, two = Position("number-connect", "123/456"), Position("number-connect", "12/34")
    with pytest.raises(BadRequest, match="Position 1"):
        solve_positions([one, two])


def test_progress_counts_boards() -> None:
    """Whoever waits can be told how far it is."""
    seen: list[int] = []
    solve_boards("number-maze", drawn("number-maze", 3, 3, 2 * CHUNK + 1), progress=seen.append)
    assert seen == [CHUNK, 2 * CHUNK, 2 * CHUNK + 1]
