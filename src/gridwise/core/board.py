"""Board: what was dealt and never changes, and the geometry that follows from its size.

The rules read boards in their innermost loops, so everything they look up is a plain tuple or int
made once. Nothing here knows a game: how a board is written as text is up to the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from gridwise.core.bits import bits_as_bytes
from gridwise.core.view import CellView, Drawing, View
from gridwise.errors import BadBoard

# A set of cells is one int, and compiled code has 64-bit signed ones: 63 cells, no more.
MAX_CELLS = 63

UP, DOWN, LEFT, RIGHT = range(4)
DIRECTIONS = ("up", "down", "left", "right")
_OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Geometry(NamedTuple):
    """Which cells are next to each other on a grid of one size."""

    steps: tuple[tuple[int, ...], ...]  # cell -> the cells up, down, left, right of it; -1 = none
    neighbours4: tuple[int, ...]  # cell -> the set of cells next to it
    neighbours8: tuple[int, ...]  # cell -> the same, diagonals too
    starts: tuple[int, int, int]  # player -> the cell a token starts on (there is no player 0)


@lru_cache(maxsize=256)
def geometry(rows: int, cols: int) -> Geometry:
    """The neighbourhoods of a grid, shared by all boards of that size."""

    def cell_at(row: int, col: int) -> int:
        return row * cols + col if 0 <= row < rows and 0 <= col < cols else -1

    places = [(row, col) for row in range(rows) for col in range(cols)]
    steps = tuple(tuple(cell_at(row + dr, col + dc) for dr, dc in _OFFSETS) for row, col in places)
    neighbours8 = tuple(
        sum(
            1 << cell_at(row + dr, col + dc)
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
            if (dr or dc) and cell_at(row + dr, col + dc) >= 0
        )
        for row, col in places
    )
    neighbours4 = tuple(sum(1 << to for to in targets if to >= 0) for targets in steps)
    return Geometry(steps, neighbours4, neighbours8, (-1, 0, rows * cols - 1))


@lru_cache
def symmetries(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The ways to turn or mirror a grid onto itself, the identity first: 8 of a square, else 4.

    Each says, cell by cell, where the content of the image comes from.
    """
    grid = [[row * cols + col for col in range(cols)] for row in range(rows)]
    flipped = [row[::-1] for row in grid]
    images = [grid, flipped, grid[::-1], flipped[::-1]]
    if rows == cols:
        images += [[list(row) for row in zip(*image, strict=True)] for image in images]
    return tuple(tuple(cell for row in image for cell in row) for image in images)


def grid_distance(cols: int, one: int, other: int) -> int:
    """Steps between two cells of a grid with so many columns; compiled code calls it too."""
    return abs(one // cols - other // cols) + abs(one % cols - other % cols)


@dataclass(frozen=True, slots=True)
class Board:
    """A dealt grid: its size, a value for each cell (0 = not known), the target, a handicap.

    What a handicap means is up to the game's `start`; most games have none.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]
    target: int = 0
    handicap: int = 0
    size: int = field(init=False, repr=False, compare=False)
    full: int = field(init=False, repr=False, compare=False)
    steps: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    neighbours4: tuple[int, ...] = field(init=False, repr=False, compare=False)
    neighbours8: tuple[int, ...] = field(init=False, repr=False, compare=False)
    starts: tuple[int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        size = self.rows * self.cols
        if self.rows < 1 or self.cols < 1 or size > MAX_CELLS:
            raise BadBoard(
                f"A board of {self.rows} rows and {self.cols} columns cannot be used: "
                f"it needs at least one of each, and at most {MAX_CELLS} cells."
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
        """The board with the cells of the set `hidden` not known."""
        if not hidden:
            return self
        # The set is looked up again when the position is observed.
        known = bits_as_bytes(hidden, self.size).translate(_SWAP_0_AND_1)
        return self.with_cells(map(mul, self.cells, known))

    def with_cells(self, cells: Iterable[int]) -> Board:
        """The board with other values; as many as it has cells, which is not checked."""
        made = object.__new__(Board)
        _rows(made, self.rows)
        _cols(made, self.cols)
        _cells(made, tuple(cells))
        _target(made, self.target)
        _handicap(made, self.handicap)
        _size(made, self.size)
        _full(made, self.full)
        _steps(made, self.steps)
        _neighbours4(made, self.neighbours4)
        _neighbours8(made, self.neighbours8)
        _starts(made, self.starts)
        return made

    @property
    def unknown(self) -> int:
        """The set of cells whose value is not known."""
        return sum(1 << cell for cell, value in enumerate(self.cells) if not value)

    @property
    def view(self) -> View:
        """The bare grid: the numbers that are known, and `?`."""
        cells = tuple(
            CellView(value, str(value or "?"), "", hidden=not value) for value in self.cells
        )
        row_labels, col_labels = (
            tuple(str(number + 1) for number in range(count)) for count in (self.rows, self.cols)
        )
        return View(
            game="",
            title="Board",
            rows=self.rows,
            cols=self.cols,
            row_labels=row_labels,
            col_labels=col_labels,
            cells=cells,
            turn=0,
            result="",
            scores=None,
            caption="",
            drawing=Drawing("boxes", width=3),
        )

    def __str__(self) -> str:
        return str(self.view)

    def _repr_svg_(self) -> str:
        return self.view._repr_svg_()


_SWAP_0_AND_1 = bytes([1, 0, *range(2, 256)])

# The class is frozen; `with_cells` writes past that, one by one, because every position with hidden
# cells needs it: it takes a fifth of the time of `dataclasses.replace`.
(
    _rows, _cols, _cells, _target, _handicap, _size, _full, _steps, _neighbours4, _neighbours8,
    _starts,
) = (Board.__dict__[name].__set__ for name in Board.__slots__)  # fmt: skip
