"""Whole games of Number Connect on standard boards, against a search that knows only the rules.

A sum of 15 is reached after a few claims, so even a plain search in Python sees every game of a
board to its end. It shares no code with the package, and none with `tests/reference`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from gridwise import solve_boards
from tests.sizes import sample

SIDE, TARGET = 4, 15
DEALT, BOARDS = sample((1_000, 20), long=(3_000, 50))
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
BESIDE = [
    [
        (row + down) * SIDE + col + right
        for down, right in STEPS
        if 0 <= row + down < SIDE and 0 <= col + right < SIDE
    ]
    for row in range(SIDE)
    for col in range(SIDE)
]


def worth_of_first_claims(cells: list[int]) -> list[int]:
    """What each first claim is worth to Player 1: 1 a win, 0 a draw, -1 a loss."""

    @cache
    def worth(mine: int, yours: int, my_sum: int, your_sum: int) -> int:
        free = [cell for cell in range(len(cells)) if not (mine | yours) >> cell & 1]
        if not free:
            return (my_sum > your_sum) - (my_sum < your_sum)
        open_to_me = [
            cell for cell in free if not mine or any(mine >> near & 1 for near in BESIDE[cell])
        ]
        if not open_to_me:  # a pass
            return -worth(yours, mine, your_sum, my_sum)
        best = -1
        for cell in open_to_me:
            best = max(best, claim(cell, mine, yours, my_sum, your_sum))
            if best == 1:
                break
        return best

    def claim(cell: int, mine: int, yours: int, my_sum: int, your_sum: int) -> int:
        total = my_sum + cells[cell]
        if total >= TARGET:
            return 1 if total == TARGET else -1
        return -worth(yours, mine | 1 << cell, your_sum, total)

    return [claim(cell, 0, 0, 0, 0) for cell in range(len(cells))]


def test_every_first_claim_is_worth_what_a_plain_search_finds() -> None:
    """On boards as they are dealt, and on as many of the rare ones that Player 1 loses."""
    boards = np.random.default_rng(1).integers(1, 10, (DEALT, SIDE, SIDE))
    solved = solve_boards("number-connect", boards)
    lost = np.flatnonzero(solved.value == -1)[:BOARDS]
    assert len(lost) == BOARDS
    for number in (*range(BOARDS), *lost):
        cells = [int(value) for value in boards[number].ravel()]
        assert solved.action_value[number].tolist() == worth_of_first_claims(cells), cells
