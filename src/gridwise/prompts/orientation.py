"""The eight ways to lay a board on the table: as it is, mirrored, turned.

An orientation moves what is displayed. A board of R rows and C columns is displayed with C rows and
R columns where it is turned by a quarter.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import DIRECTIONS

_OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # up, down, left, right, as in DIRECTIONS


class Orientation(NamedTuple):
    """Where each cell of a board is displayed: swap rows and columns first, then flip."""

    name: str
    letter: str  # in the title of a game that is shown so; it says nothing to a reader
    swapped: bool = False  # rows are displayed as columns
    flip_rows: bool = False  # top and bottom change places
    flip_cols: bool = False  # left and right do

    def size(self, rows: int, cols: int) -> tuple[int, int]:
        """Rows and columns as displayed."""
        return (cols, rows) if self.swapped else (rows, cols)

    def place(self, rows: int, cols: int, cell: int) -> int:
        """Where a cell is displayed, counted row by row."""
        row, col = divmod(cell, cols)
        if self.swapped:
            row, col, rows, cols = col, row, cols, rows
        row = rows - 1 - row if self.flip_rows else row
        col = cols - 1 - col if self.flip_cols else col
        return row * cols + col

    def cells(self, rows: int, cols: int) -> tuple[int, ...]:
        """The cells in the order in which they are displayed."""
        places = [self.place(rows, cols, cell) for cell in range(rows * cols)]
        return tuple(sorted(range(rows * cols), key=places.__getitem__))

    def direction(self, direction: int) -> int:
        """The direction in which a step is displayed: 0 to 3 for up, down, left, right."""
        down, right = _OFFSETS[direction]
        if self.swapped:
            down, right = right, down
        down, right = (-down if self.flip_rows else down), (-right if self.flip_cols else right)
        return _OFFSETS.index((down, right))

    def directions(self) -> tuple[int, ...]:
        """For each displayed direction the direction on the board."""
        shown = [self.direction(direction) for direction in range(len(DIRECTIONS))]
        return tuple(shown.index(direction) for direction in range(len(DIRECTIONS)))


UPRIGHT = Orientation("upright", "A")
ORIENTATIONS = {
    each.name: each
    for each in (
        UPRIGHT,
        Orientation("mirrored", "B", flip_cols=True),
        Orientation("flipped", "C", flip_rows=True),
        Orientation("half-turned", "D", flip_rows=True, flip_cols=True),
        Orientation("transposed", "E", swapped=True),
        Orientation("turned", "F", swapped=True, flip_cols=True),  # a quarter, clockwise
        Orientation("turned-back", "G", swapped=True, flip_rows=True),
        Orientation("antitransposed", "H", swapped=True, flip_rows=True, flip_cols=True),
    )
}
