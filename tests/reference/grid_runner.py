"""Reference Grid Runner: one step at a time round the obstacles to the other corner.

An oracle for tests: plain dictionaries, no speed. It may not import the product.
"""

from .base import DIRECTIONS, Cell, ReferenceGame, corners, marks, opponent, shifted

OBSTACLE = "X"


class GridRunner(ReferenceGame):
    """Grid Runner in progress."""

    accepted = "." + OBSTACLE

    def __init__(self, board: str, first: int = 1, target: int | None = None) -> None:
        """Put both tokens on their corners, which must be free."""
        super().__init__(board, first, target)
        self._start = corners(self._cells)
        if OBSTACLE in (self._cells[self._start[1]], self._cells[self._start[2]]):
            message = f"a start cell is an obstacle: {board!r}"
            raise ValueError(message)
        self._token = dict(self._start)
        self._begin_turn(first)

    def owner_or_token(self) -> dict[Cell, str]:
        """Map the two token cells to their players."""
        return marks({cell: player for player, cell in self._token.items()})

    def _free(self, cell: Cell) -> bool:
        """Tell whether the mover may stand there."""
        on_board = cell in self._cells
        taken = self._token[opponent(self._mover)]
        return on_board and self._cells[cell] != OBSTACLE and cell != taken

    def _moves(self) -> list[str]:
        here = self._token[self._mover]
        return [direction for direction in DIRECTIONS if self._free(shifted(here, direction))]

    def _apply(self, move: str) -> None:
        mover, other = self._mover, opponent(self._mover)
        self._token[mover] = shifted(self._token[mover], move)
        if self._token[mover] == self._start[other]:
            self._win(mover)
            return
        self._begin_turn(other)
