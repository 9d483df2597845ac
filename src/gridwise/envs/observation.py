"""What an agent is given to see: the position as planes of small numbers, from its own side.

A plane is a grid of the board's size. First comes `value`, the number in each cell, 0 where it is
face down; then the game's own sets of cells, as 0 and 1; then its numbers, each all over a plane;
last `to move` and `player 1`. What the game's own planes are is in its `planes.py`; `describe`
lists them all. Numbers are int8: what is above 127 shows as 127.

Cells that nobody has seen stay 0 in `value` after the game has ended too, so that an observation
depends on nothing that has not been revealed.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.planes import planes_of

MOST = 127  # what an int8 holds

Int8s: TypeAlias = npt.NDArray[np.int8]


class Plane(NamedTuple):
    """One plane of an observation."""

    name: str
    meaning: str
    high: int  # its values are from 0 to this


def describe(game: Game) -> tuple[Plane, ...]:
    """The planes of a game's observations, in order."""
    sight = planes_of(game)
    return (
        Plane("value", sight.VALUE, min(game.rules.HIGH, MOST)),
        *(Plane(name, meaning, 1) for name, meaning in sight.PLANES.items()),
        *(Plane(name, meaning, MOST) for name, meaning in sight.COUNTS.items()),
        Plane("to move", "1 everywhere if it is my turn", 1),
        Plane("player 1", "1 everywhere if I am Player 1", 1),
    )


def shape(game: Game, board: Board) -> tuple[int, int, int]:
    """Planes, rows and columns of an observation."""
    return len(describe(game)), board.rows, board.cols


def bounds(game: Game, board: Board) -> tuple[Int8s, Int8s]:
    """The least and the greatest observation there can be."""
    full = shape(game, board)
    high = np.array([plane.high for plane in describe(game)], dtype=np.int8)
    return np.zeros(full, np.int8), np.ascontiguousarray(np.broadcast_to(high[:, None, None], full))


class Observer:
    """`observe` for one game on boards of one size: what stays the same is worked out once."""

    def __init__(self, game: Game, rows: int, cols: int) -> None:
        sight = planes_of(game)
        self.game = game
        self._planes, self._counts = sight.planes, sight.counts
        self._size = rows * cols
        self._shape = (len(describe(game)), rows, cols)
        # A plane of one number, for all numbers: bytes are put together faster than arrays.
        self._flat = [bytes([number]) * self._size for number in range(MOST + 1)]

    def __call__(self, board: Board, state: State, player: int) -> Int8s:
        """What a player is given to see; a fresh array each time."""
        size, flat = self._size, self._flat
        values = bytes(board.cells)
        if self.game.hides:
            seen = spread(~self.game.rules.hidden(board, state), size)
            values = bytes(map(mul, values, seen))
        parts = [values]
        parts += [spread(mask, size) for mask in self._planes(board, state, player)]
        parts += [flat[min(max(count, 0), MOST)] for count in self._counts(board, state, player)]
        parts += [flat[int(player == state.turn)], flat[int(player == 1)]]
        return np.frombuffer(bytearray(b"".join(parts)), np.int8).reshape(self._shape)


# Games are told apart by identity, and kept alive with their observers so that no id comes twice.
_observers: dict[tuple[int, int, int], Observer] = {}


def observe(game: Game, board: Board, state: State, player: int) -> Int8s:
    """What a player is given to see; a fresh array each time.

    `board` may be the true one: what is hidden does not get into the observation.
    """
    known = (id(game), board.rows, board.cols)
    if known not in _observers:
        _observers[known] = Observer(game, board.rows, board.cols)
    return _observers[known](board, state, player)


@lru_cache(maxsize=1 << 14)
def spread(mask: int, size: int) -> bytes:
    """A set of cells as one byte a cell."""
    return bytes([mask >> cell & 1 for cell in range(size)])


def action_mask(game: Game, board: Board, state: State) -> Int8s:
    """1 for every legal action of the player to move, 0 for the others; a fresh array."""
    legal = spread(game.rules.moves(board, state), game.actions(board))
    return np.frombuffer(bytearray(legal), np.int8)
