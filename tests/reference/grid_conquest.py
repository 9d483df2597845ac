"""Reference Grid Conquest: claim cells of hidden value, the target or more wins.

An oracle for tests: plain dictionaries, no speed. It may not import the product. A cell written
as a question mark may be on the board and is listed as a move, but claiming it is refused,
because nobody here can say what it is worth.
"""

from .base import DIGITS, Cell, ReferenceGame, marks, opponent

ROW_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def cell_name(cell: Cell) -> str:
    """Write a cell as row letter and column number."""
    return ROW_NAMES[cell[0]] + str(cell[1] + 1)


def surrounding(cell: Cell) -> list[Cell]:
    """List the eight cells round a cell, on the board or not."""
    row, column = cell
    near = (-1, 0, 1)
    return [(row + r, column + c) for r in near for c in near if (r, c) != (0, 0)]


class GridConquest(ReferenceGame):
    """Grid Conquest in progress."""

    accepted = DIGITS + "?"
    any_first = True
    has_target = True

    def __init__(self, board: str, first: int = 1, target: int | None = None) -> None:
        """Begin with nothing claimed and nothing seen."""
        super().__init__(board, first, target)
        self._score = {1: 0, 2: 0}
        self._owner: dict[Cell, int] = {}
        self._seen: set[Cell] = set()

    def scores(self) -> tuple[int, int]:
        """Give both scores."""
        return (self._score[1], self._score[2])

    def owner_or_token(self) -> dict[Cell, str]:
        """Map claimed cells to their owners."""
        return marks(self._owner)

    def visible(self) -> set[Cell]:
        """Collect the claimed cells and those next to a claim."""
        return set(self._seen)

    def _moves(self) -> list[str]:
        return [cell_name(cell) for cell in sorted(self._cells) if cell not in self._owner]

    def _apply(self, move: str) -> None:
        mover = self._mover
        cell = (ROW_NAMES.index(move[0]), int(move[1:]) - 1)
        if self._cells[cell] == "?":
            message = f"the value of {move} is not known"
            raise ValueError(message)
        self._owner[cell] = mover
        self._score[mover] += int(self._cells[cell])
        self._seen.add(cell)
        self._seen.update(near for near in surrounding(cell) if near in self._cells)
        self._finish_turn()

    def _finish_turn(self) -> None:
        """Look for an ending, else hand over."""
        if self._score[self._mover] >= self._target:
            self._win(self._mover)
        elif len(self._owner) == len(self._cells):
            self._compare(self._score)
        else:
            self._mover = opponent(self._mover)
