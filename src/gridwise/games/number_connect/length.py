"""How long a game of Number Connect can be.

A game goes on as long as both totals are below the target, and then ends with one more claim. What
a player owns is connected, and any connected set can be claimed cell by cell. So the longest game
is one claim longer than the largest two sets that have no cell in common, are each below the
target, and are of sizes that taking turns leads to: equal, or Player 1 one ahead. Only where one
player is walled in, and passes, can the other's set grow beyond that.
"""

from __future__ import annotations

from itertools import product

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board

MAX_SETS = 20_000  # every 4x4 board has fewer: a grid of that size has 11,506 connected sets


def max_plies(board: Board) -> int:
    """The most plies of a game; on large boards with many small numbers an upper bound of it."""
    most = _bound(board)
    # Numbers too small for the target fill the board.
    sets = _connected_sets(board) if sum(board.cells) >= board.target else None
    if sets is None:
        return most
    claims = _in_turns(sets, most - 1)
    if claims < most - 1:
        claims = max(claims, _walled_in(board, sets))
    return claims + 1


def _bound(board: Board) -> int:
    """One more than the smallest numbers that two players can have, both below the target."""
    left, claims = 2 * (board.target - 1), 0
    for value in sorted(board.cells):
        left -= value
        if left < 0:
            break
        claims += 1
    return min(claims + 1, board.size)


def _connected_sets(board: Board) -> list[list[int]] | None:
    """By size, all connected sets of cells that add up to less than the target; None if many."""
    by_size: list[dict[int, int]] = [{0: 0}]
    larger = {1 << cell: value for cell, value in enumerate(board.cells) if value < board.target}
    while larger:
        by_size.append(larger)
        if sum(map(len, by_size)) > MAX_SETS:
            return None
        larger = {
            cells | 1 << cell: total + board.cells[cell]
            for cells, total in larger.items()
            for cell in bit_indices(_around(board, cells))
            if total + board.cells[cell] < board.target
        }
    return [list(sets) for sets in by_size]


def _around(board: Board, cells: int) -> int:
    """The cells next to a set."""
    around = 0
    for cell in bit_indices(cells):
        around |= board.neighbours4[cell]
    return around & ~cells


def _in_turns(sets: list[list[int]], most: int) -> int:
    """The most claims, up to `most`, after which both are below the target and nobody passed."""
    for claims in range(min(most, 2 * len(sets) - 2), 0, -1):
        ahead, behind = (claims + 1) // 2, claims // 2
        if ahead < len(sets) and any(
            not mine & yours for mine, yours in product(sets[ahead], sets[behind])
        ):
            return claims
    return 0


def _walled_in(board: Board, sets: list[list[int]]) -> int:
    """The same where one player passes from some point on, or 0 where nobody can be made to."""
    longest = 0
    for count, inner in enumerate(sets[1:], 1):
        for inside, wall_count in product(inner, (count, count + 1)):
            wall = _around(board, inside)
            if wall.bit_count() > wall_count or wall_count >= len(sets):
                continue
            # In turns: equal if Player 1 is walled in, and one more if it is Player 2.
            walls = [each for each in sets[wall_count] if wall & ~each == 0 and not each & inside]
            grown = [
                size
                for size in range(wall_count, min(len(sets), board.size - count))
                if any(
                    not each & inside and any(start & ~each == 0 for start in walls)
                    for each in sets[size]
                )
            ]
            longest = max(longest, *(count + size for size in grown), 0)
    return longest
