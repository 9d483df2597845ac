"""How cells are typed: every usual way is read, and no text could mean two cells."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from gridwise import Position, game
from gridwise.core.board import Board
from gridwise.core.notation import LetterNumber, RowColumn
from gridwise.errors import UnreadableMove

RUN = "31425/25134/42513/14252/53142"


def empty(rows: int, cols: int) -> Board:
    """A board of that size, whatever is in its cells."""
    return Board(rows, cols, (1,) * (rows * cols))


@pytest.mark.parametrize("base", [0, 1])
def test_two_digits_are_a_row_and_a_column(base: int) -> None:
    """Where every row and column has a number of one digit; in brackets too."""
    notation, board = RowColumn(base), empty(10 - base, 6)
    for row, col in product(range(board.rows), range(board.cols)):
        for form in ("{}{}", "({}{})", " {}{} ", "{} {}", "{},{}"):
            text = form.format(row + base, col + base)
            assert notation.parse_cell(board, text) == row * board.cols + col, text


@pytest.mark.parametrize(("base", "rows"), [(0, 11), (1, 10), (0, 31)])
def test_two_digits_are_no_cell_where_a_number_has_two(base: int, rows: int) -> None:
    """They could be one of several; the message says how to write it."""
    for board in (empty(rows, 2), empty(2, rows)):
        with pytest.raises(UnreadableMove, match="Type a row and a column, like"):
            RowColumn(base).parse_cell(board, "11")


@pytest.mark.parametrize("rows", [1, 5, 9, 10, 11, 21])
def test_no_text_is_two_cells(rows: int) -> None:
    """Every name, with and without what stands between its parts, is that cell or none."""
    for notation in (RowColumn(0), RowColumn(1), LetterNumber(True), LetterNumber(False)):
        board = empty(rows, 3)
        meant = defaultdict(set)
        for cell, name in enumerate(notation.cell_names(board)):
            for between in ",", " ", "":
                meant[name.replace(",", between)].add(cell)
        for text, cells in meant.items():
            try:
                assert {notation.parse_cell(board, text)} == cells, text
            except UnreadableMove:
                assert "," not in text


def test_a_cell_in_two_digits_is_a_move() -> None:
    """As a step, and with the mark of a challenge; it is named as before."""
    after = Position("number-run", RUN).after("01")
    assert after.moves == ["0,1"]
    met = after.after("34").after("11").after("33").after("12").after("23")
    assert met.after("22!").moves[-1] == "2,2!"
    assert Position("number-maze", "1324/2132/4213/3421").after("12").moves == ["right"]
    assert Position("number-connect", "4152/6371/2845/9162").after("10").moves == ["1,0"]


@pytest.mark.parametrize(
    ("key", "board", "letters"),
    [
        ("number-run", RUN, "udlrc"),
        ("number-maze", None, "udlrc"),
        ("grid-runner", None, "abcdeudlr"),
        ("grid-conquest", "?????/?????/?????/?????/?????", "abcder"),
        ("grid-conquest", "????/????/????/????/????/????/????", "abcdefgr"),
        ("number-connect", None, "rc"),
    ],
)
def test_the_letters_that_begin_a_move(key: str, board: str | None, letters: str) -> None:
    """Directions, letters of rows and columns, and `row` and `column`."""
    position = Position(key, board or game(key).example_board)
    assert position.move_initials == set(letters)
