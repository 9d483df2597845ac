"""Reference Number Maze: the number under the token is the length of the next step.

An oracle for tests: plain dictionaries, no speed. It may not import the product.
"""

from .base import DIRECTIONS, Cell, ReferenceGame, corners, marks, opponent, shifted


class NumberMaze(ReferenceGame):
    """Number Maze in progress."""

    def __init__(self, board: str, first: int = 1, target: int | None = None) -> None:
        """Put both tokens on their corners; Player 1 may be stuck right there."""
        super().__init__(board, first, target)
        self._start = corners(self._cells)
        self._token = dict(self._start)
        self._begin_turn(first)

    def owner_or_token(self) -> dict[Cell, str]:
        """Map the two token cells to their players."""
        return marks({cell: player for player, cell in self._token.items()})

    def _landing(self, direction: str) -> Cell:
        here = self._token[self._mover]
        return shifted(here, direction, int(self._cells[here]))

    def _moves(self) -> list[str]:
        taken = self._token[opponent(self._mover)]
        landings = {direction: self._landing(direction) for direction in DIRECTIONS}
        return [d for d, cell in landings.items() if cell in self._cells and cell != taken]

    def _apply(self, move: str) -> None:
        mover, other = self._mover, opponent(self._mover)
        self._token[mover] = self._landing(move)
        if self._token[mover] == self._start[other]:
            self._win(mover)
            return
        self._begin_turn(other)
