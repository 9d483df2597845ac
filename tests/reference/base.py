"""What the five reference games share: reading a board, players, the frame of a turn.

Slow on purpose, and written apart from the product: nothing here may import from it. Every
attribute of a game is a flat container or a plain value, so copying each attribute once is a
full copy of the game.
"""

import copy
from abc import ABC, abstractmethod
from typing import Self

Cell = tuple[int, int]

DIGITS = "123456789"
USUAL_TARGET = 15
DIRECTIONS: dict[str, Cell] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def read_board(text: str, accepted: str) -> dict[Cell, str]:
    """Turn board text into its cells, or say why it is no board."""
    rows = text.split("/")
    if not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        message = f"not a rectangle: {text!r}"
        raise ValueError(message)
    cells = {(r, c): rows[r][c] for r in range(len(rows)) for c in range(len(rows[0]))}
    for cell, letter in cells.items():
        if letter not in accepted:
            message = f"unexpected {letter!r} at {cell} in {text!r}"
            raise ValueError(message)
    return cells


def corners(cells: dict[Cell, str]) -> dict[int, Cell]:
    """Find where the two tokens begin; they need a cell each."""
    if len(cells) == 1:
        message = "one cell is too few for two tokens"
        raise ValueError(message)
    return {1: min(cells), 2: max(cells)}


def shifted(cell: Cell, direction: str, steps: int = 1) -> Cell:
    """Walk from a cell, possibly off the board."""
    down, right = DIRECTIONS[direction]
    return (cell[0] + down * steps, cell[1] + right * steps)


def neighbours(cell: Cell) -> list[Cell]:
    """List the four cells next to a cell, on the board or not."""
    return [shifted(cell, direction) for direction in DIRECTIONS]


def opponent(player: int) -> int:
    """Name the other player."""
    return 2 if player == 1 else 1


def cell_text(cell: Cell) -> str:
    """Write a cell as row, comma, column, counted from zero."""
    return f"{cell[0]},{cell[1]}"


class ReferenceGame(ABC):
    """A game in progress."""

    accepted = DIGITS
    any_first = False
    has_target = False

    def __init__(self, board: str, first: int = 1, target: int | None = None) -> None:
        """Set up the board; each game adds its own pieces."""
        self._cells = read_board(board, self.accepted)
        self._mover = first
        self._target = USUAL_TARGET if target is None else target
        self._result: str | None = None
        if first not in ((1, 2) if self.any_first else (1,)):
            message = f"player {first} cannot start this game"
            raise ValueError(message)
        if target is not None and (target < 1 or not self.has_target):
            message = f"this game cannot be played to {target}"
            raise ValueError(message)

    def to_move(self) -> int | None:
        """Name the player whose turn it is, if the game goes on."""
        return self._mover if self._result is None else None

    def legal(self) -> list[str]:
        """List the moves of the player whose turn it is, in the agreed order."""
        return self._moves() if self._result is None else []

    def play(self, move: str) -> None:
        """Make one legal move."""
        if move not in self.legal():
            message = f"{move!r} is not one of {self.legal()}"
            raise ValueError(message)
        self._apply(move)

    def result(self) -> str | None:
        """Tell how the game ended, if it has."""
        return self._result

    def scores(self) -> tuple[int, int] | None:
        """Give both scores, in the games that count."""
        return None

    def visible(self) -> set[Cell]:
        """Collect the cells whose content the players can see."""
        return set(self._cells)

    @abstractmethod
    def owner_or_token(self) -> dict[Cell, str]:
        """Map cells to the player who stands there or claimed them."""

    def copy(self) -> Self:
        """Make a second game that goes its own way from here."""
        twin = copy.copy(self)
        for name, value in vars(self).items():
            setattr(twin, name, copy.copy(value))
        return twin

    @abstractmethod
    def _moves(self) -> list[str]:
        """List the moves while the game goes on."""

    @abstractmethod
    def _apply(self, move: str) -> None:
        """Carry out a move known to be legal."""

    def _win(self, player: int) -> None:
        self._result = f"p{player}"

    def _begin_turn(self, player: int) -> None:
        """Hand the turn over; in the token games being stuck is losing."""
        self._mover = player
        if not self._moves():
            self._win(opponent(player))

    def _compare(self, totals: dict[int, int]) -> None:
        """End a game on a full board by the totals."""
        if totals[1] == totals[2]:
            self._result = "draw"
        else:
            self._win(1 if totals[1] > totals[2] else 2)


def marks(places: dict[Cell, int]) -> dict[Cell, str]:
    """Show players as P1 and P2."""
    return {cell: f"P{player}" for cell, player in places.items()}
