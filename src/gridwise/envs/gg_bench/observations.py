"""What an observation in gg-bench's shape has, number by number, for each game.

Each begins with what gg-bench's own environment shows, in its order; what that leaves out and a
player needs (the scores, whose turn it is) follows. Everything is in one flat row, because
gg-bench's wrapper takes nothing else.

| game | the first numbers | then |
|---|---|---|
| number-run | for each cell: its number, visited by Player 1, by Player 2, the player on it | scores, turn |
| number-maze | the numbers, the cell of Player 1, of Player 2, whose turn it is | |
| grid-runner | for each cell: -1 an obstacle, 0 nobody, 1 or 2 the player on it | turn |
| grid-conquest | for each cell -1 face down, 0 open, 1 or 2 its owner; the numbers (0: face down); scores | turn |
| number-connect | the numbers, and 10 more if Player 1 has claimed it, 20 more if Player 2 has | turn |

A game without a layout of its own has, for each cell, its number and whose it is; scores; turn.
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.view import CellView

Numbers: TypeAlias = npt.NDArray[np.int32]
Bound: TypeAlias = "tuple[int, int]"  # the least and the greatest that a number can be


class Part(NamedTuple):
    """Some of the numbers of an observation: what they are, and between what they lie."""

    read: Callable[[Position, tuple[CellView, ...], int], Iterable[int]]
    bounds: Callable[[Game, int], list[Bound]]  # of a game, with so many cells


class Layout(NamedTuple):
    """An observation, part by part."""

    parts: tuple[Part, ...]
    passes: bool = False  # whether a player may have nothing to play, and the game goes on

    def observe(self, position: Position, player: int) -> Numbers:
        """The observation of a position; `player` is whose turn it is, or was at the end."""
        cells = tuple(position.bare_cells)
        numbers = chain.from_iterable(part.read(position, cells, player) for part in self.parts)
        return np.fromiter(numbers, dtype=np.int32)

    def bounds(self, game: Game, size: int) -> tuple[Numbers, Numbers]:
        """The least and the greatest of every number."""
        pairs = list(chain.from_iterable(part.bounds(game, size) for part in self.parts))
        low, high = np.array(pairs, dtype=np.int32).T
        return low.copy(), high.copy()


def by_cell(*looks: Callable[[CellView], int], bounds: tuple[Bound | None, ...]) -> Part:
    """For each cell in turn, these things about it; no bound is that of its number."""

    def numbers(_: Position, cells: tuple[CellView, ...], __: int) -> Iterable[int]:
        return (look(cell) for cell in cells for look in looks)

    def limits(game: Game, size: int) -> list[Bound]:
        return [each or (0, game.rules.HIGH) for each in bounds] * size

    return Part(numbers, limits)


def _token_cells(_: Position, cells: tuple[CellView, ...], __: int) -> Iterable[int]:
    """The cells on which the two players stand."""
    return (
        next(number for number, cell in enumerate(cells) if cell.token == player)
        for player in (1, 2)
    )


def _scores(position: Position, _: tuple[CellView, ...], __: int) -> Iterable[int]:
    return position.scores or (0, 0)


def _status(cell: CellView) -> int:
    return -1 if cell.hidden else cell.owner


NUMBER = by_cell(lambda cell: cell.value, bounds=(None,))
STATUS = by_cell(_status, bounds=((-1, 2),))
TOKENS = Part(_token_cells, lambda _, size: [(0, size - 1)] * 2)
# Nobody scores more than all cells together, a head start included; a handicap is 999 at most.
SCORES = Part(_scores, lambda game, size: [(0, game.rules.HIGH * size + 999)] * 2)
TURN = Part(lambda _, __, player: (player,), lambda _, __: [(1, 2)])

STEPS = by_cell(
    lambda cell: cell.value,
    lambda cell: int(1 in cell.visited),
    lambda cell: int(2 in cell.visited),
    lambda cell: cell.token,
    bounds=(None, (0, 1), (0, 1), (0, 2)),
)
OBSTACLES = by_cell(lambda cell: -1 if cell.blocked else cell.token, bounds=((-1, 2),))
CLAIMS = by_cell(lambda cell: cell.value + 10 * cell.owner, bounds=((1, 29),))
WHOSE = by_cell(lambda cell: cell.owner or cell.token, bounds=((0, 2),))

LAYOUTS = {
    "number-run": Layout((STEPS, SCORES, TURN)),
    "number-maze": Layout((NUMBER, TOKENS, TURN)),
    "grid-runner": Layout((OBSTACLES, TURN)),
    "grid-conquest": Layout((STATUS, NUMBER, SCORES, TURN)),
    "number-connect": Layout((CLAIMS, TURN), passes=True),
}
DEFAULT = Layout((NUMBER, WHOSE, SCORES, TURN), passes=True)


def layout_of(game: Game) -> Layout:
    """How a game is observed."""
    return LAYOUTS.get(game.key, DEFAULT)
