"""The census counts what a solver finds on every single board, only faster."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import product
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gridwise import game, games, solve_boards
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.rng import Stream
from gridwise.errors import BadBoard, BadRequest
from gridwise.lab.run import LocalProcesses
from gridwise.lab.store import FILE_NAME, ResultStore
from research.census import census_tasks, find_leaves, take_census
from research.census.count import count
from research.census.move_table import move_table
from tests.lab.executor_tasks import kept_keys, lose_half
from tests.reference.number_maze import NumberMaze
from tests.sizes import sample

MAZE = game("number-maze")
DATA = Path(__file__).parents[2] / "docs" / "census" / "number-maze-4x4.json"
Results = Counter[tuple[int, int]]  # boards by winner, 0 for endless, and plies


def counted(rows: int, cols: int) -> Results:
    """What the census finds."""
    found = take_census(MAZE, rows, cols)
    results = Counter({(1, plies): boards for plies, boards in found.p1.items()})
    results += Counter({(2, plies): boards for plies, boards in found.p2.items()})
    return results + Counter({(0, 0): found.endless})


def solved(cells: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """What the solver finds on each board."""
    found = solve_boards(MAZE, cells, threads=1, actions=False)
    winners = np.select([found.value > 0, found.value < 0], [1, 2], 0)
    return list(zip(winners.tolist(), found.distance.tolist(), strict=True))


def every_board(rows: int, cols: int) -> np.ndarray[Any, Any]:
    """All boards of a size."""
    numbers = np.arange(4 ** (rows * cols))[:, None] // 4 ** np.arange(rows * cols)
    return (numbers % 4 + 1).reshape(-1, rows, cols)


# By the second implementation of the rules


Key = tuple[Any, ...]  # who is to move, the result, where the tokens are


def reference_positions(board: str) -> dict[Key, list[Key]]:
    """All positions that can come up, the first one first, and those they lead to."""

    def key(at: NumberMaze) -> Key:
        return at.to_move(), at.result(), *sorted(at.owner_or_token().items())

    after: dict[Key, list[Key]] = {}
    todo = [NumberMaze(board)]
    while todo:
        at = todo.pop()
        if key(at) in after:
            continue
        after[key(at)] = []
        for move in at.legal():
            following = at.copy()
            following.play(move)
            after[key(at)].append(key(following))
            todo.append(following)
    return after


def reference_result(board: str) -> tuple[int, int]:
    """Winner and plies, by going back from the ends, on the second implementation."""
    after = reference_positions(board)
    won = {key: (int(key[1][1]), 0) for key in after if key[1]}
    for plies in range(1, len(after) + 1):
        for key, others in after.items():
            known = [won[other] for other in others if other in won and won[other][1] < plies]
            if key in won:
                continue
            if any(winner == key[0] for winner, _ in known):
                won[key] = key[0], plies
            elif len(known) == len(others):
                won[key] = 3 - key[0], plies
    return won.get(next(iter(after)), (0, 0))


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 4), (2, 2)])
def test_small_sizes_are_those_of_the_second_implementation(rows: int, cols: int) -> None:
    """Every board, one by one, on rules that were written apart from ours."""
    boards = (
        "/".join("".join(cells[row * cols : (row + 1) * cols]) for row in range(rows))
        for cells in product("1234", repeat=rows * cols)
    )
    assert counted(rows, cols) == Counter(map(reference_result, boards))


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (2, 4), (1, 7), (3, 3)])
def test_small_sizes_are_those_of_the_solver(rows: int, cols: int) -> None:
    """Every board of the size, solved one by one, has the result and the plies counted."""
    assert counted(rows, cols) == Counter(solved(every_board(rows, cols)))


# The full size


@pytest.fixture(scope="module")
def full() -> Results:
    """The published census of 4x4."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    results: Results = Counter({(0, 0): data["endless"]})
    for winner, name in ((1, "p1"), (2, "p2")):
        results |= Counter({(winner, int(plies)): n for plies, n in data["plies"][name].items()})
        assert sum(data["plies"][name].values()) == data[name]
    return results


def test_the_full_census_has_every_board(full: Results) -> None:
    """4^16 of them."""
    assert full.total() == 4**16


def test_short_games_are_as_many_as_can_be_worked_out_by_hand(full: Results) -> None:
    """A 4 is a dead end, and in the corners nothing else is."""
    # Player 1 stands on a 4: lost at once, whatever the other 15 cells are.
    assert full[2, 0] == 4**15
    # Otherwise there is a move, which wins if Player 2 stands on a 4. Nobody reaches the other
    # corner in one move, and one token cannot block both ways out of a corner.
    assert full[1, 1] == 3 * 4**14


def test_sampled_boards_are_counted_as_what_they_are() -> None:
    """The leaf of the tree in which a board is counted has the solver's result and plies."""
    stream = Stream(15)
    boards = [MAZE.deal(stream) for _ in range(sample(1_000, long=3_000))]
    leaves = list(find_leaves(MAZE, boards))
    expected = solved(np.array([board.cells for board in boards]).reshape(-1, 4, 4))
    assert [(leaf.winner, leaf.plies) for leaf in leaves] == expected
    # Cells that do not matter are left out, which is the point of it: ten of 16 in the mean.
    assert np.mean([leaf.unknown for leaf in leaves]) > 8


def test_sampled_boards_have_the_frequencies_of_the_census(full: Results) -> None:
    """Each result comes as often as the census says, within four standard errors."""
    boards = 60_000
    cells = np.random.default_rng(15).integers(1, 5, (boards, 4, 4))
    found = Counter(solved(cells))
    assert found.keys() <= full.keys()
    for key, number in full.items():
        share = number / 4**16
        expected = boards * share
        # Where next to none are expected, one or two may come all the same.
        assert abs(found[key] - expected) <= 4 * sqrt(expected * (1 - share)) + 2, key


def test_a_part_of_the_full_census_counts_real_boards() -> None:
    """A worker's part has as many boards as its results add up to."""
    task = dict(census_tasks(MAZE, 4, 4)[7].arguments)
    part = count(**task | sample({"parts": 640}, long={}))
    total = sum(part["p1"].values()) + sum(part["p2"].values()) + part["endless"]
    assert total == part["boards"]
    assert 0 < total < 4**16 / 8


# Parts, executors, folders


@pytest.mark.parametrize(("split", "parts"), [(1, 2), (3, 5), (6, 7), (12, 3)])
def test_parts_add_up_to_the_whole(split: int, parts: int) -> None:
    """Wherever the tree is cut, no board is lost and none is counted twice."""
    whole = every_part(2, 5, 0, 1)
    assert every_part(2, 5, split, parts) == whole
    assert whole["boards"] == 4**10


@cache
def every_part(rows: int, cols: int, split: int, parts: int) -> Counter[str]:
    """All parts together."""
    added: Counter[str] = Counter()
    for part in range(parts):
        found = count("number-maze", rows, cols, split, part, parts)
        for side in ("p1", "p2"):
            plies = found.pop(side)
            added.update({f"{side} {key}": number for key, number in plies.items()})
        added.update({"boards": found["boards"], "endless": found["endless"]})
    return added


def test_an_executor_counts_the_same_and_goes_on_where_it_stopped(
    two_workers: LocalProcesses, tmp_path: Path
) -> None:
    """With results missing too; a count that is wrong is not given out."""
    alone = take_census(MAZE, 2, 5)
    with ResultStore.in_folder(tmp_path, {"size": "2x5"}) as results:
        assert take_census(MAZE, 2, 5, two_workers, results) == alone
    parts = len(kept_keys(tmp_path / FILE_NAME))
    assert parts == len(census_tasks(MAZE, 2, 5)) > 3
    lost = lose_half(tmp_path / FILE_NAME)
    progress: list[int] = []
    with ResultStore.in_folder(tmp_path, {"size": "2x5"}) as results:
        assert take_census(MAZE, 2, 5, two_workers, results, progress.append) == alone
        assert len(progress) == 1 + lost  # what was there, and what was not
        assert progress[-1] == 4**10
        key = census_tasks(MAZE, 2, 5)[0].key
        results.put(key, results.get(key) | {"endless": 0, "p1": {}})
        with pytest.raises(BadRequest, match="not all of them"):
            take_census(MAZE, 2, 5, two_workers, results)


# Which games, which sizes


@pytest.mark.parametrize("other", [each for each in games() if each.key != "number-maze"], ids=str)
def test_other_games_are_refused_with_the_reason(other: Game) -> None:
    """What a move depends on is found out from the rules."""
    with pytest.raises(BadRequest, match=f"{other.title} cannot be counted: .* A census needs"):
        take_census(other, other.rows, other.cols)


def changed_rules(**changes: object) -> Game:
    """Number Maze with other rules under another name."""
    names = ("ACTIONS", "LOW", "HIGH", "CYCLIC", "start", "moves", "play", "winner", "hidden")
    rules = SimpleNamespace(**{name: getattr(MAZE.rules, name) for name in names} | changes)
    return Game("changed-maze", "Changed Maze", rules, MAZE.text, 4, 4)


def test_rules_that_look_elsewhere_are_refused() -> None:
    """Even where the result is the same."""

    def moves(board: Board, state: Any) -> int:  # noqa: ANN401 - the game's own
        return MAZE.rules.moves(board, state) if board.cells[0] else 0

    with pytest.raises(BadRequest, match="more cells than the one under the token"):
        move_table(changed_rules(moves=moves), 3, 3)


def test_rules_with_another_end_are_refused() -> None:
    """Where a player without a move wins, or where the opponent hinders more than by standing."""

    def winner(board: Board, state: Any) -> int:  # noqa: ANN401 - as above
        return 0 if MAZE.rules.moves(board, state) else int(state.turn)

    with pytest.raises(BadRequest, match="does not always lose"):
        move_table(changed_rules(winner=winner), 3, 3)

    def moves(board: Board, state: Any) -> int:  # noqa: ANN401 - as above
        legal = MAZE.rules.moves(board, state)
        return legal & 1 if state.your_cell == 4 else legal

    def loser(board: Board, state: Any) -> int:  # noqa: ANN401 - as above
        return 0 if moves(board, state) else 3 - state.turn

    with pytest.raises(BadRequest, match="more than the number under the token"):
        move_table(changed_rules(moves=moves, winner=loser), 3, 3)


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (1, 17), (63, 1)])
def test_sizes_that_would_take_years_are_refused(rows: int, cols: int) -> None:
    """With the number of boards."""
    with pytest.raises(BadRequest, match=rf"would have 4\^{rows * cols} boards"):
        take_census(MAZE, rows, cols)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (0, 4), (9, 9)])
def test_sizes_that_are_no_boards_are_refused(rows: int, cols: int) -> None:
    """As everywhere."""
    with pytest.raises(BadBoard):
        take_census(MAZE, rows, cols)


def test_numbers_that_do_the_same_are_one_choice() -> None:
    """In the middle of 4x4 a 3 is as dead as a 4; in a corner all four differ."""
    table = move_table(MAZE, 4, 4)
    assert [choice.values for choice in table.choices[5]] == [(1,), (2,), (3, 4)]
    assert [choice.values for choice in table.choices[0]] == [(1,), (2,), (3,), (4,)]
    assert table.choices[0][2].targets == 1 << 3 | 1 << 12
    assert (table.starts, table.goals) == ((0, 15), (1 << 15, 1))


def test_only_squares_have_a_symmetry_that_keeps_the_starts() -> None:
    """Rows and columns changed for each other."""
    assert move_table(MAZE, 4, 4).mirror == (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
    assert move_table(MAZE, 3, 4).mirror == tuple(range(12))


def test_a_board_and_its_transpose_count_the_same() -> None:
    """A size on its side is the same census."""
    assert counted(2, 5) == counted(5, 2)
