"""How cells and directions are written, both ways.

A game picks one of the two ways to name a cell. Reading is forgiving about case, spaces and
brackets, and accepts every string that writing produces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gridwise.core.board import DIRECTIONS, Board
from gridwise.core.contracts import Notation
from gridwise.errors import IllegalMove, NoSuchCell, UnreadableMove, quoted

_BRACKETS = str.maketrans("", "", "()[]{}<>")
_NUMBERS = re.compile(r"(-?\d{1,4})\s*[,;:\s]\s*(-?\d{1,4})")
_TWO_DIGITS = re.compile(r"(\d)(\d)")
_LETTER_NUMBER = re.compile(r"([a-z])\s*[,;:\s]?\s*(-?\d{1,4})")
_INDEX = r"[ :=]{0,3}(-?\d{1,4}|[a-z](?![a-z]))"
_ROW, _COLUMN, _BETWEEN = rf"r(?:ow)?{_INDEX}", rf"c(?:ol(?:umn)?)?{_INDEX}", "[ ,;/]{0,3}(?:and )?"
ROW_THEN_COLUMN = re.compile(_ROW + _BETWEEN + _COLUMN)  # `row 0, column 1`, `r0 c1`
COLUMN_THEN_ROW = re.compile(_COLUMN + _BETWEEN + _ROW)
DIRECTION_WORDS = {
    form: action for action, word in enumerate(DIRECTIONS) for form in (word, word[0])
}


def tidy(text: str) -> str:
    """What was typed without what does not matter: case, brackets, odd forms of characters."""
    plain = unicodedata.normalize("NFKC", text[:200])
    return " ".join(plain.translate(_BRACKETS).casefold().split())


def spelt_out(tidied: str) -> tuple[str, str] | None:
    """The row and the column of `row 0, column 1` or `column 1, row 0`, if it is that."""
    match = ROW_THEN_COLUMN.fullmatch(tidied)
    if match:
        return match[1], match[2]
    match = COLUMN_THEN_ROW.fullmatch(tidied)
    return (match[2], match[1]) if match else None


def parse_direction(text: str) -> int | None:
    """0 to 3 for up, down, left, right or their first letters; None for anything else."""
    return DIRECTION_WORDS.get(tidy(text))


def parse_step(
    notation: Notation, board: Board, text: str, targets: Sequence[int], far: str
) -> int:
    """The direction that a text means: its name, or the cell that it leads to.

    `targets` are the cells up, down, left and right (-1 for none), and `far` ends the sentence
    about a cell that is not one of them, such as "is not one step away from A1".
    """
    direction = parse_direction(text)
    if direction is not None:
        return direction
    try:
        to = notation.parse_cell(board, text)
    except UnreadableMove:
        if any(char.isdigit() for char in text):
            raise  # it was meant as a cell, and the message says what is wrong with it
        raise UnreadableMove(
            f"{quoted(text.strip())} is not a direction. Type up, down, left or right."
        ) from None
    if to not in targets:
        raise IllegalMove(f"{notation.mention(board, to)} {far}.")
    return targets.index(to)


def off_the_grid(text: str, first: str, last: str) -> NoSuchCell:
    """The answer to a cell that does not exist."""
    return NoSuchCell(
        f"There is no cell {quoted(text.strip())} on this board: cells go from {first} to {last}."
    )


@dataclass(frozen=True, slots=True)
class RowColumn:
    """Cells as two numbers, row then column, counted from `base`: `0,1`."""

    base: int

    def cell_name(self, board: Board, cell: int) -> str:
        """`0,1`."""
        row, col = divmod(cell, board.cols)
        return f"{row + self.base},{col + self.base}"

    def mention(self, board: Board, cell: int) -> str:
        """`(0,1)`."""
        return f"({self.cell_name(board, cell)})"

    def cell_names(self, board: Board) -> list[str]:
        """The names of all cells, row by row."""
        return list(_cell_names(self, board.rows, board.cols))

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell meant by `0,1`, `(0, 1)`, `0 1`, `row 0, column 1`.

        `01` too, where all rows and columns have one digit: elsewhere `111` could be two cells.
        """
        tidied = tidy(text)
        match = _NUMBERS.fullmatch(tidied) or _NUMBERS.fullmatch(",".join(spelt_out(tidied) or ()))
        if match is None and max(board.rows, board.cols) + self.base <= 10:
            match = _TWO_DIGITS.fullmatch(tidied)
        if match is None:
            example = self.cell_name(board, board.size // 2)
            raise UnreadableMove(
                f"{quoted(text.strip())} is not a cell. Type a row and a column, like {example}."
            )
        row, col = int(match[1]) - self.base, int(match[2]) - self.base
        if 0 <= row < board.rows and 0 <= col < board.cols:
            return row * board.cols + col
        last = self.cell_name(board, board.size - 1)
        raise off_the_grid(text, self.cell_name(board, 0), last)

    def problem(self, board: Board) -> str:  # noqa: ARG002 - numbers name any board
        """None: any number of rows and columns can be numbered."""
        return ""

    def labels(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels beside the rows and above the columns."""
        rows = tuple(str(row + self.base) for row in range(board.rows))
        return rows, tuple(str(col + self.base) for col in range(board.cols))


@dataclass(frozen=True, slots=True)
class LetterNumber:
    """Cells as a letter and a number, as in `C3`; the letter names the row or the column."""

    letter_is_row: bool

    def cell_name(self, board: Board, cell: int) -> str:
        """`C3`."""
        row, col = divmod(cell, board.cols)
        letter, number = (row, col) if self.letter_is_row else (col, row)
        return f"{_letter(letter)}{number + 1}"

    mention = cell_name

    def cell_names(self, board: Board) -> list[str]:
        """The names of all cells, row by row."""
        return list(_cell_names(self, board.rows, board.cols))

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell meant by `C3`, `c3`, `(c, 3)`, `column C, row 3`."""
        tidied = tidy(text)
        match = _LETTER_NUMBER.fullmatch(tidied)
        if match is None:
            spelt = spelt_out(tidied) or ()
            match = _LETTER_NUMBER.fullmatch("".join(spelt[:: 1 if self.letter_is_row else -1]))
        if match is None:
            what = "row" if self.letter_is_row else "column"
            other = "column" if self.letter_is_row else "row"
            example = self.cell_name(board, board.size // 2)
            raise UnreadableMove(
                f"{quoted(text.strip())} is not a cell. "
                f"Type the letter of a {what} and the number of a {other}, like {example}."
            )
        letter, number = ord(match[1]) - ord("a"), int(match[2]) - 1
        row, col = (letter, number) if self.letter_is_row else (number, letter)
        if 0 <= row < board.rows and 0 <= col < board.cols:
            return row * board.cols + col
        last = self.cell_name(board, board.size - 1)
        raise off_the_grid(text, self.cell_name(board, 0), last)

    def problem(self, board: Board) -> str:
        """Why the rows or columns cannot all have a letter: there are only 26."""
        lettered, count = ("rows", board.rows) if self.letter_is_row else ("columns", board.cols)
        return f"{count} {lettered} are too many: there are only 26 letters." if count > 26 else ""

    def labels(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels beside the rows and above the columns."""
        letters, numbers = (
            (board.rows, board.cols) if self.letter_is_row else (board.cols, board.rows)
        )
        named = tuple(_letter(index) for index in range(letters))
        counted = tuple(str(index + 1) for index in range(numbers))
        return (named, counted) if self.letter_is_row else (counted, named)


@lru_cache(maxsize=256)
def _cell_names(notation: RowColumn | LetterNumber, rows: int, cols: int) -> tuple[str, ...]:
    """The names of all cells of a board of one size: a server asks with every move."""
    board = Board(rows, cols, (0,) * (rows * cols))
    return tuple(notation.cell_name(board, cell) for cell in range(board.size))


def _letter(index: int) -> str:
    return chr(ord("A") + index)
