"""Suites: values that come out again by a second way, and parts that are apart."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

import gridwise
from gridwise.core.bits import bit_indices
from gridwise.core.board import symmetries
from gridwise.core.position import Position
from gridwise.errors import BadRequest
from gridwise.lab.grading.judge import HARDEST, PHASES
from gridwise.lab.suites import PARTS, Suite, SuiteRow
from gridwise.lab.suites import suite as read_suite
from research.symmetry import canonical
from tests.engine.brute import Free, after_claim
from tests.engine.oracle import Oracle
from tests.reference import REFERENCE

suite = cache(read_suite)  # positions are worked out once
GAMES = [game.key for game in gridwise.games()]
EXACT = [game.key for game in gridwise.games() if not game.has_hidden_cells]


def few_positions_left(position: Position, few: int = 400) -> bool:
    """Whether the slow search can list everything that can still happen in a moment."""
    rules, board = position.game.rules, position.board
    seen, waiting = {position.state}, [position.state]
    while waiting and len(seen) <= few:
        state = waiting.pop()
        after = {rules.play(board, state, each) for each in bit_indices(rules.moves(board, state))}
        waiting += after - seen
        seen |= after
    return len(seen) <= few


@pytest.fixture(scope="module", params=GAMES)
def positions(request: pytest.FixtureRequest) -> Suite:
    """The suite of each game."""
    return suite(request.param)


def test_there_are_a_thousand_positions_in_each_part(positions: Suite) -> None:
    """Each part is large enough for a paper, and every row says what it is."""
    assert [len(positions.part(name)) for name in PARTS] == [1000, 1000]
    assert len({row.id for row in positions}) == 2000
    assert {row.phase for row in positions} <= set(PHASES)
    assert {row.difficulty for row in positions} <= set(range(1, HARDEST + 1))
    assert {row.position.turn for row in positions} == {1, 2}


def test_a_mistake_is_possible_everywhere(positions: Suite) -> None:
    """No position is in a suite in which all moves are worth the same."""
    for row in positions:
        values = row.values.values()
        assert max(values) > min(values)
        assert set(row.best_moves) < set(row.position.legal_moves)


def test_no_position_comes_twice_and_no_mirror_image_is_in_the_other_part(positions: Suite) -> None:
    """Turned and mirrored by hand, all eight ways, with who owns which cell and who is to move.

    Where nothing is hidden, not even a board is in both parts.
    """
    train, test = (positions.part(name) for name in PARTS)
    for part in (train, test):
        assert len({canonical(row.position) for row in part}) == 1000
    picture = _cells if positions.game.has_hidden_cells else _board
    images = {image for row in test for image in _images(picture(row))}
    assert not images & {picture(row) for row in train}


def _board(row: SuiteRow) -> tuple[tuple[object, ...], ...]:
    return tuple(tuple(line) for line in row.board.split("/"))


def _cells(row: SuiteRow) -> tuple[tuple[object, ...], ...]:
    """Each cell: its value if it is known, and whether it is the mover's or the other's."""
    view, turn = row.position.view, row.position.turn
    lines = [list(line) for line in row.board.split("/")]
    for number, cell in enumerate(view.cells):
        line, col = divmod(number, view.cols)
        owner = 0 if not cell.owner else 1 if cell.owner == turn else 2
        lines[line][col] = f"{lines[line][col]}{owner}"
    return tuple(tuple(line) for line in lines)


def _images(grid: tuple[tuple[object, ...], ...]) -> list[tuple[tuple[object, ...], ...]]:
    found = []
    for _ in range(4):
        grid = tuple(zip(*grid[::-1], strict=True))  # a quarter turn
        found += [grid, grid[::-1]]
    return found


def test_hidden_cells_are_not_in_the_file() -> None:
    """A row of Grid Conquest has what was revealed and no more."""
    for row in suite("grid-conquest"):
        shown = row.board.replace("/", "")
        assert shown.count("?") == row.position.hidden.bit_count()


@pytest.mark.parametrize("key", EXACT)
def test_values_come_out_again_by_an_independent_search(key: str) -> None:
    """A sample of positions, recomputed with the reference implementation of the rules."""
    game = gridwise.game(key)
    rows = list(suite(key))
    random.Random(key).shuffle(rows)
    few = (row for row in rows if few_positions_left(row.position))
    checked = list(islice(few, 12))
    assert len(checked) == 12
    for row in checked:
        reference = REFERENCE[key](row.board)
        for move in row.moves:
            reference.play(move)
        oracle = Oracle(reference, cyclic=game.cyclic)
        expected = {m: (w.value, w.distance) for m, w in oracle.options(reference).items()}
        found = {
            each.move: (each.value, None if each.value == "draw" else each.distance)
            for each in row.evaluation.moves
        }
        assert found == expected, row.id


@pytest.mark.parametrize("key", EXACT)
def test_values_come_out_again_one_by_one(key: str) -> None:
    """A sample of all positions, solved one at a time by the search that bots use."""
    for row in random.Random(key).sample(list(suite(key)), 40):
        found = gridwise.evaluate(row.position)
        assert found.moves == row.evaluation.moves, row.id
        assert found.best == row.evaluation.best


def test_chances_come_out_again_by_trying_all_cells() -> None:
    """Where few cells are left, each chance is counted over all that can be under them."""
    near = [row for row in suite("grid-conquest") if _can_be_counted(row)]
    for row in random.Random(1).sample(near, 8):
        view, target = row.position.view, row.position.board.target
        free: Free = {
            divmod(number, view.cols): cell.value or None
            for number, cell in enumerate(view.cells)
            if not cell.owner
        }
        turn, scores = row.position.turn, row.position.scores
        assert scores is not None
        mine, yours = target - scores[turn - 1], target - scores[2 - turn]
        for move in row.evaluation.moves:
            cell = divmod(row.position.target(move.action), view.cols)
            counted = after_claim(free, cell, mine, yours, (1, 2, 3, 4, 5))
            assert move.win == pytest.approx(counted, abs=1e-8), (row.id, move.move)


def _can_be_counted(row: SuiteRow) -> bool:
    """Whether so few cells are face down, and the end so near, that all of it can be tried."""
    scores = row.position.scores or (0, 0)
    return row.position.hidden.bit_count() <= 1 and min(scores) >= 11


@pytest.mark.parametrize("key", GAMES)
def test_a_data_frame_has_the_rows(key: str, tmp_path: Path) -> None:
    """Where pandas is there; so has one that pandas reads from the Parquet file."""
    pd = pytest.importorskip("pandas")
    some = suite(key)[-40:]
    some.write(tmp_path / "suite.parquet")
    frame, read = some.to_pandas(), pd.read_parquet(tmp_path / "suite.parquet")
    assert list(frame.columns) == list(read.columns) == list(some[0].as_dict())
    assert list(frame["id"]) == list(read["id"]) == [row.id for row in some]
    for row, (_, one), (_, two) in zip(some, frame.iterrows(), read.iterrows(), strict=True):
        assert one["options"] == list(two["options"]) == row.as_dict()["options"]
        assert list(two["best"]) == row.best_moves
    assert frame.groupby("part")["difficulty"].mean().between(1, 5).all()
    assert len(suite(key)[:0].to_pandas()) == 0


def test_rows_arrays_and_lines_say_the_same() -> None:
    """However a suite is taken, each move has the same worth."""
    some = suite("number-maze").part("test")[:50]
    arrays, rows = some.arrays(), some.rows()
    assert len(rows) == 50
    for number, (row, data) in enumerate(zip(some, rows, strict=True)):
        assert data["id"] == row.id
        assert [each["move"] for each in data["options"]] == row.position.legal_moves
        for move in row.evaluation.moves:
            assert arrays["action_value"][number, move.action] == move.points
        best = np.flatnonzero(arrays["best"][number])
        assert {row.position.name(int(action)) for action in best} == set(row.best_moves)
    assert (arrays["is_test"]).all()
    assert arrays["observation"].shape[0] == 50


def test_what_is_not_there_is_refused() -> None:
    """Games, versions and parts that do not exist are named with those that do."""
    with pytest.raises(BadRequest, match="v1"):
        suite("number-run", "v0")
    with pytest.raises(BadRequest, match="train and test"):
        suite("number-run").part("validation")
    with pytest.raises(gridwise.GridwiseError, match="no game"):
        suite("nim")


def test_symmetries_are_a_group_of_the_right_size() -> None:
    """A square has eight, another rectangle four, each its own, the identity first."""
    for rows, cols, count in ((3, 3, 8), (2, 3, 4), (5, 5, 8)):
        found = symmetries(rows, cols)
        assert len(set(found)) == count
        assert found[0] == tuple(range(rows * cols))
        for one, two in pairwise(found):
            assert tuple(one[k] for k in two) in found


@pytest.mark.parametrize("size", [10, 40, 150, 1000])
def test_a_sample_has_the_makeup_of_the_whole_at_every_size(positions: Suite, size: int) -> None:
    """By phase, by difficulty and by player to move: shares differ by less than three rows."""
    rows, drawn = positions.part("test"), positions.part("test").sample(size, seed=7)
    assert len(drawn) == len({row.id for row in drawn}) == size
    traits: list[Callable[[SuiteRow], object]] = [
        lambda row: row.phase,
        lambda row: row.difficulty,
        lambda row: row.position.turn,
    ]
    for trait in traits:
        whole, part = Counter(map(trait, rows)), Counter(map(trait, drawn))
        for each, count in whole.items():
            assert abs(part[each] - count * size / len(rows)) < 3, each


def test_a_sample_comes_from_its_seed_and_grows(positions: Suite) -> None:
    """The same again, others with another seed, and a larger one has all of a smaller one."""
    rows = positions.part("test")
    small, again, other, large = (
        [row.id for row in rows.sample(size, seed)]
        for size, seed in ((40, 1), (40, 1), (40, 2), (90, 1))
    )
    assert small == again
    assert len(set(small) & set(other)) < 20
    assert large[:40] == small
    assert rows.sample(40, 1).checksum != rows.sample(40, 2).checksum
    assert len(rows.sample(5000)) == len(rows)
