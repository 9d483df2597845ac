"""Board: what was dealt and never changes, and the geometry that follows from its size.

The rules read boards in their innermost loops, so everything they look up is a plain tuple or int
made once. Nothing here knows a game; how a board is written as text is the game's affair.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from gridwise.errors import BadBoard

# A set of cells is one int, and compiled code has 64-bit signed ones: 63 cells, no more.
MOST_CELLS = 63

UP, DOWN, LEFT, RIGHT = range(4)
DIRECTIONS = ("up", "down", "left", "right")
_OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Geometry(NamedTuple):
    """Who is next to whom on a grid of one size."""

    steps: tuple[tuple[int, ...], ...]  # cell -> the cells up, down, left, right of it; -1 = none
    near: tuple[int, ...]  # cell -> the set of cells next to it
    around: tuple[int, ...]  # cell -> the same, diagonals too
    homes: tuple[int, int, int]  # player -> the cell a token starts on (there is no player 0)


@lru_cache(maxsize=256)
def geometry(rows: int, cols: int) -> Geometry:
    """The neighbourhoods of a grid, shared by all boards of that size."""

    def cell_at(row: int, col: int) -> int:
        return row * cols + col if 0 <= row < rows and 0 <= col < cols else -1

    places = [(row, col) for row in range(rows) for col in range(cols)]
    steps = tuple(tuple(cell_at(row + dr, col + dc) for dr, dc in _OFFSETS) for row, col in places)
    around = tuple(
        sum(
            1 << cell_at(row + dr, col + dc)
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
            if (dr or dc) and cell_at(row + dr, col + dc) >= 0
        )
        for row, col in places
    )
    near = tuple(sum(1 << to for to in targets if to >= 0) for targets in steps)
    return Geometry(steps, near, around, (-1, 0, rows * cols - 1))


@dataclass(frozen=True, slots=True)
class Board:
    """A dealt grid: its size, a value for each cell (0 = not known), the target, a handicap.

    What a handicap is worth is for the game's `start` to say; most games have none.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]
    target: int = 0
    handicap: int = 0
    size: int = field(init=False, repr=False, compare=False)
    full: int = field(init=False, repr=False, compare=False)
    steps: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    near: tuple[int, ...] = field(init=False, repr=False, compare=False)
    around: tuple[int, ...] = field(init=False, repr=False, compare=False)
    homes: tuple[int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        size = self.rows * self.cols
        if self.rows < 1 or self.cols < 1 or size > MOST_CELLS:
            raise BadBoard(
                f"A board of {self.rows} rows and {self.cols} columns cannot be used: "
                f"it needs at least one of each, and at most {MOST_CELLS} cells in all."
            )
        if len(self.cells) != size:
            raise BadBoard(
                f"A board of {self.rows} rows and {self.cols} columns has {size} cells, "
                f"not {len(self.cells)}."
            )
        put = object.__setattr__  # the class is frozen; this is its own construction
        put(self, "size", size)
        put(self, "full", (1 << size) - 1)
        for name, value in zip(Geometry._fields, geometry(self.rows, self.cols), strict=True):
            put(self, name, value)

    def without(self, hidden: int) -> Board:
        """The same board, with the cells of the set `hidden` not known."""
        if not hidden:
            return self
        cells = tuple(0 if hidden >> cell & 1 else v for cell, v in enumerate(self.cells))
        return replace(self, cells=cells)

    @property
    def unknown(self) -> int:
        """The set of cells whose value is not known."""
        return sum(1 << cell for cell, value in enumerate(self.cells) if not value)
