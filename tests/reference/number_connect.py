"""Reference Number Connect: grow a group that adds up to the target, not beyond.

An oracle for tests: plain dictionaries, no speed. It may not import the product. A pass is no
move here: the turn simply stays with the only player who can claim something.
"""

from .base import Cell, ReferenceGame, cell_text, marks, neighbours, opponent


class NumberConnect(ReferenceGame):
    """Number Connect in progress."""

    has_target = True

    def __init__(self, board: str, first: int = 1, target: int | None = None) -> None:
        """Begin with nothing claimed."""
        super().__init__(board, first, target)
        self._total = {1: 0, 2: 0}
        self._owner: dict[Cell, int] = {}

    def scores(self) -> tuple[int, int]:
        """Give both totals."""
        return (self._total[1], self._total[2])

    def owner_or_token(self) -> dict[Cell, str]:
        """Map claimed cells to their owners."""
        return marks(self._owner)

    def _claimable(self, player: int) -> list[Cell]:
        """List the free cells a player may take: all of them at first, then those in touch."""
        free = [cell for cell in sorted(self._cells) if cell not in self._owner]
        if player not in self._owner.values():
            return free
        return [c for c in free if any(self._owner.get(n) == player for n in neighbours(c))]

    def _moves(self) -> list[str]:
        return [cell_text(cell) for cell in self._claimable(self._mover)]

    def _apply(self, move: str) -> None:
        mover = self._mover
        row, column = move.split(",")
        cell = (int(row), int(column))
        self._owner[cell] = mover
        self._total[mover] += int(self._cells[cell])
        self._finish_turn()

    def _finish_turn(self) -> None:
        """Look for an ending, else hand over, unless the other player must pass."""
        mover, other = self._mover, opponent(self._mover)
        if self._total[mover] == self._target:
            self._win(mover)
        elif self._total[mover] > self._target:
            self._win(other)
        elif len(self._owner) == len(self._cells):
            self._compare(self._total)
        elif self._claimable(other):
            self._mover = other
