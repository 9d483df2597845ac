"""Ways to name the cells of a displayed board, beside those that the games have: `R2C3`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gridwise.core.board import Board
from gridwise.core.contracts import Notation
from gridwise.core.notation import LetterNumber, RowColumn, off_the_grid, tidy
from gridwise.errors import UnreadableMove, quoted

_ROW_COLUMN = re.compile(r"r\s*(\d{1,4})\s*[,;\s]?\s*c\s*(\d{1,4})")


@dataclass(frozen=True, slots=True)
class Spreadsheet:
    """Cells as in a spreadsheet: `R2C3` is the second row, third column."""

    def cell_name(self, board: Board, cell: int) -> str:
        """`R2C3`."""
        row, col = divmod(cell, board.cols)
        return f"R{row + 1}C{col + 1}"

    mention = cell_name

    def cell_names(self, board: Board) -> list[str]:
        """The names of all cells, row by row."""
        return [self.cell_name(board, cell) for cell in range(board.size)]

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell meant by `R2C3`, `r2 c3`, `(R2, C3)`."""
        match = _ROW_COLUMN.fullmatch(tidy(text))
        if match is None:
            example = self.cell_name(board, board.size // 2)
            raise UnreadableMove(f"{quoted(text.strip())} is not a cell, which is like {example}.")
        row, col = int(match[1]) - 1, int(match[2]) - 1
        if 0 <= row < board.rows and 0 <= col < board.cols:
            return row * board.cols + col
        raise off_the_grid(text, self.cell_name(board, 0), self.cell_name(board, board.size - 1))

    def problem(self, board: Board) -> str:  # noqa: ARG002 - numbers name any board
        """None: any number of rows and columns can be numbered."""
        return ""

    def labels(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels beside the rows and above the columns."""
        rows = tuple(f"R{row + 1}" for row in range(board.rows))
        return rows, tuple(f"C{col + 1}" for col in range(board.cols))


def explain(notation: Notation, cell: str) -> str:
    """How cells are named, in a sentence that is true of any displayed board; `cell` is the noun.

    Empty for a notation that is not one of ours.
    """
    return _EXPLAINED.get(notation, "").format(cell=cell)


_WHERE = "the {cell} in the first row from the top and the second column from the left"
_EXPLAINED: dict[object, str] = {
    RowColumn(base=0): "Each {cell} is named by its row, then its column, both counted from 0: "
    f"0,1 is {_WHERE}.",
    RowColumn(base=1): "Each {cell} is named by its row, then its column, both counted from 1: "
    f"1,2 is {_WHERE}.",
    LetterNumber(
        letter_is_row=True
    ): "Each {cell} is named by the letter of its row and the number "
    f"of its column: A2 is {_WHERE}.",
    LetterNumber(letter_is_row=False): "Each {cell} is named by the letter of its column and the "
    f"number of its row: B1 is {_WHERE}.",
    Spreadsheet(): "Each {cell} is named by the number of its row and the number of its column: "
    f"R1C2 is {_WHERE}.",
}

# By the name that a skin has for it in `skins.toml`.
COORDINATES: dict[str, Notation] = {
    "row-column-from-0": RowColumn(base=0),
    "row-column-from-1": RowColumn(base=1),
    "row-letter": LetterNumber(letter_is_row=True),
    "column-letter": LetterNumber(letter_is_row=False),
    "spreadsheet": Spreadsheet(),
}
