"""Reference Number Run: walk to the other corner, never twice over a cell, challenge on the way.

An oracle for tests: plain sets and dictionaries, no speed. It may not import the product.
"""

from .base import (
    DIRECTIONS,
    Cell,
    ReferenceGame,
    cell_text,
    corners,
    marks,
    neighbours,
    opponent,
    shifted,
)


class NumberRun(ReferenceGame):
    """Number Run in progress."""

    def __init__(self, board: str, first: int = 1, target: int | None = None) -> None:
        """Put both tokens on their corners, which they have thereby visited."""
        super().__init__(board, first, target)
        self._start = corners(self._cells)
        self._token = dict(self._start)
        self._score = {1: 0, 2: 0}
        self._visited = {(1, self._start[1]), (2, self._start[2])}
        self._begin_turn(first)

    def scores(self) -> tuple[int, int]:
        """Give both scores."""
        return (self._score[1], self._score[2])

    def owner_or_token(self) -> dict[Cell, str]:
        """Map the two token cells to their players."""
        return marks({cell: player for player, cell in self._token.items()})

    def _open_cells(self) -> list[Cell]:
        """List where the mover may go: up, down, left, right."""
        mover = self._mover
        around = [shifted(self._token[mover], direction) for direction in DIRECTIONS]
        return [
            cell
            for cell in around
            if cell in self._cells
            and (mover, cell) not in self._visited
            and cell != self._token[opponent(mover)]
        ]

    def _moves(self) -> list[str]:
        other = opponent(self._mover)
        cells = self._open_cells()
        challenges = [
            cell
            for cell in cells
            if cell != self._start[other] and self._token[other] in neighbours(cell)
        ]
        return [cell_text(cell) for cell in cells] + [cell_text(c) + "!" for c in challenges]

    def _apply(self, move: str) -> None:
        mover, other = self._mover, opponent(self._mover)
        row, column = move.removesuffix("!").split(",")
        cell = (int(row), int(column))
        self._token[mover] = cell
        self._visited.add((mover, cell))
        self._score[mover] += int(self._cells[cell])
        if cell == self._start[other]:
            self._win(mover)
            return
        if move.endswith("!"):
            self._challenge()
        self._begin_turn(other)

    def _challenge(self) -> None:
        """Send the player with the lower score home with nothing."""
        if self._score[1] == self._score[2]:
            return
        loser = 1 if self._score[1] < self._score[2] else 2
        self._token[loser] = self._start[loser]
        self._score[loser] = 0
