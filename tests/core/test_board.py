"""Boards, their geometry, their text, and what is wrong with bad ones."""

from __future__ import annotations

import pickle
import random

import pytest

from gridwise import Board, game, games
from gridwise.core.bits import bit_indices, random_bit
from gridwise.errors import BadBoard


def test_neighbours_of_a_corner_an_edge_and_the_middle() -> None:
    """On 5x5: two neighbours in a corner, then three, then four; with diagonals 3, 5, 8."""
    board = Board(5, 5, (1,) * 25)
    assert [board.neighbours4[cell].bit_count() for cell in (0, 2, 12)] == [2, 3, 4]
    assert [board.neighbours8[cell].bit_count() for cell in (0, 2, 12)] == [3, 5, 8]
    assert board.steps[0] == (-1, 5, -1, 1)
    assert board.starts[1:] == (0, 24)


def test_rows_do_not_wrap() -> None:
    """The last cell of a row is not next to the first of the following."""
    board = Board(3, 4, (1,) * 12)
    assert not board.neighbours4[3] >> 4 & 1
    assert not board.neighbours8[3] >> 4 & 1


def test_a_board_is_a_value() -> None:
    """Equal boards are equal keys, survive pickling, and cannot be changed."""
    one, two = Board(2, 2, (1, 2, 3, 4)), Board(2, 2, (1, 2, 3, 4))
    assert {one: "x"}[two] == "x"
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    with pytest.raises(AttributeError):
        one.rows = 3  # type: ignore[misc]


def test_the_largest_board_has_63_cells() -> None:
    """Seven by nine works; 64 cells do not fit a set of cells in one machine integer."""
    assert Board(7, 9, (1,) * 63).size == 63
    with pytest.raises(BadBoard, match="63 cells"):
        Board(8, 8, (1,) * 64)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "look like"),
        ("/", "look like"),
        ("12/3", "different lengths: 2, 1"),
        ("12/x4", 'Row 2 of the board has "X"'),
        ("00/00", "are 1, 2, 3, 4, 5"),
        ("1", "at least 2 cells"),
        ("1" * 64, "63 cells"),
        ("1" * 100_000, "Cannot read"),
        ("12/3\x00", "Row 2"),
        ("\N{SNOWMAN}1", "Row 1"),
        ("1?/11", "Row 1"),
    ],
)
def test_bad_boards_are_explained(text: str, says: str) -> None:
    """Whatever is wrong with a board, the message names it and shows a good one where it helps."""
    with pytest.raises(BadBoard) as caught:
        game("number-run").parse_board(text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 300


def test_obstacles_on_a_start_are_refused() -> None:
    """Nobody can start on an obstacle."""
    with pytest.raises(BadBoard, match="A1, where Player 1 starts"):
        game("grid-runner").parse_board("X../.../...")
    with pytest.raises(BadBoard, match="C3, where Player 2 starts"):
        game("grid-runner").parse_board(".../.../..X")


def test_letters_run_out() -> None:
    """A board with more rows than letters is refused where rows have letters."""
    with pytest.raises(BadBoard, match="27 rows are too many"):
        game("grid-conquest").parse_board("/".join(["11"] * 27))
    assert game("grid-conquest").parse_board("1" * 27).cols == 27


def test_only_games_with_points_have_a_target() -> None:
    """A target makes sense in two games, and it must be at least 1."""
    assert game("number-connect").parse_board("11/11", target=3).target == 3
    with pytest.raises(BadBoard, match="no target"):
        game("number-run").parse_board("11/11", target=3)
    with pytest.raises(BadBoard, match="1 to 999"):
        game("grid-conquest").parse_board("11/11", target=0)


def test_deals_are_uniform() -> None:
    """Each value comes up equally often, within five standard deviations."""
    rng = random.Random(12)
    for each in games():
        if each.fixed:
            continue
        values = [value for _ in range(400) for value in each.deal(rng).cells]
        low, high = each.rules.LOW, each.rules.HIGH
        share = 1 / (high - low + 1)
        spread = (len(values) * share * (1 - share)) ** 0.5
        for value in range(low, high + 1):
            assert abs(values.count(value) - len(values) * share) < 5 * spread
        assert set(values) == set(range(low, high + 1))


def test_choose_is_fair_and_only_chooses_members() -> None:
    """Every member comes up about equally often, in sparse sets and in full ones."""
    rng = random.Random(13)
    for mask in (0b1, 0b1010, 0b1111_0000_1111, (1 << 25) - 1, 1 << 62 | 1):
        drawn = [random_bit(mask, rng.random) for _ in range(4000)]
        assert set(drawn) == set(bit_indices(mask))
        expected = 4000 / mask.bit_count()
        assert all(abs(drawn.count(one) - expected) < 6 * expected**0.5 for one in set(drawn))
