"""Winning chances the slow way: every claim, every number, no cleverness. No shared code.

A position is a dictionary from free cells, (row, column), to their numbers, None where a cell is
face down; what each player still needs; and nothing else. A draw counts half.
"""

from __future__ import annotations

from functools import cache
from itertools import product

Cell = tuple[int, int]
Free = dict[Cell, int | None]


def around(cell: Cell, free: Free) -> list[Cell]:
    """The free cells that touch a cell, at a corner too."""
    row, column = cell
    return [
        (r, c) for r, c in free if (r, c) != cell and abs(r - row) <= 1 and abs(c - column) <= 1
    ]


def chance_of(free: Free, mine: int, yours: int, numbers: tuple[int, ...]) -> float:
    """The chance of the player to move."""
    return _chance(tuple(sorted(free.items())), mine, yours, numbers)


@cache
def _chance(
    free: tuple[tuple[Cell, int | None], ...], mine: int, yours: int, numbers: tuple[int, ...]
) -> float:
    if yours <= 0:
        return 0.0
    if not free:
        return 1.0 if mine < yours else 0.5 if mine == yours else 0.0
    return max(after_claim(dict(free), cell, mine, yours, numbers) for cell, _ in free)


def after_claim(free: Free, cell: Cell, mine: int, yours: int, numbers: tuple[int, ...]) -> float:
    """The chance of the player who claims a cell."""
    fresh = [near for near in [cell, *around(cell, free)] if free[near] is None]
    total = 0.0
    for drawn in product(numbers, repeat=len(fresh)):
        after = free | dict(zip(fresh, drawn, strict=True))
        number = after.pop(cell)
        assert number is not None
        total += 1.0 - chance_of(after, yours, mine - number, numbers)
    return total / float(len(numbers) ** len(fresh))
