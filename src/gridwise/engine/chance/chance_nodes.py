"""Chance nodes of the exact search: the outcomes of a claim, one after the other.

Cells that are alike once they are revealed count as a multiset of numbers, and as soon as the
numbers so far decide, all outcomes that begin with them are added together; see `expectimax`.
"""

from __future__ import annotations

from gridwise.engine.chance import search_stack as at
from gridwise.engine.chance.decided import count_numbers, value_if_decided
from gridwise.engine.chance.search_stack import SearchStack
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount
from gridwise.engine.compiled.specialize import Ints


def begin_claim(stack: SearchStack, ply: int, cell: int) -> None:
    """Start a claim: its certain part, and the outcomes to go through."""
    ints, floats = stack.ints, stack.floats
    least, most = stack.least, stack.most
    mine, hidden = ints[ply, at.MINE], ints[ply, at.HIDDEN]
    kinds = most + 1 - least
    low = high = stack.numbers[cell]
    each, total = 1.0, 0.0
    if hidden >> cell & 1:
        # Numbers that are enough to win are summed at once; the others are gone through.
        each = 1.0 / kinds
        low, high = least, max(least - 1, min(most, mine - 1))
        total = (most - high) * each
    elif high >= mine:
        high, total = low - 1, 1.0
    fresh = stack.reveals[cell] & hidden
    # Revealing a number that is enough for the opponent loses: such outcomes are left out.
    top = max(least - 1, min(most, ints[ply, at.YOURS] - 1))
    remaining = (high + 1 - low) * each * ((top + 1 - least) / kinds) ** popcount(fresh)
    if remaining <= 0.0 or total + remaining <= max(floats[ply, at.ALPHA], floats[ply, at.BEST]):
        high, total = low - 1, total + remaining
    ints[ply, at.CELL], ints[ply, at.NUMBER], ints[ply, at.LOW], ints[ply, at.TOP] = (
        cell,
        high,
        low,
        top,
    )
    ints[ply, at.NEXT_HIDDEN] = hidden & ~fresh & ~(1 << cell)
    ints[ply, at.NEXT_SHOWN] = (ints[ply, at.SHOWN] | fresh) & ~(1 << cell)
    floats[ply, at.SUM], floats[ply, at.REMAINING] = total, remaining
    floats[ply, at.NUMBER_PROBABILITY] = each
    if high >= low:
        ints[ply, at.COUNTS + 1] = count_numbers(stack.numbers, ints[ply, at.NEXT_SHOWN] & ~fresh)
        list_revealed(stack, ply, fresh, kinds)
        ints[ply, at.CURSOR] = -1  # before the first outcome


def list_revealed(stack: SearchStack, ply: int, fresh: int, kinds: int) -> None:
    """List the cells that a claim reveals, those alike together.

    PROBABILITIES begins with that of one outcome times the ways to order those alike.
    """
    ints, hidden = stack.ints, stack.ints[ply, at.NEXT_HIDDEN]
    listed = 0
    probability = 1.0
    while fresh:
        first = listed
        kind = stack.reveals[lowest_bit(fresh)] & hidden
        rest = fresh
        while rest:
            cell = lowest_bit(rest)
            rest &= rest - 1
            if stack.reveals[cell] & hidden == kind:
                ints[ply, at.CELLS + listed], ints[ply, at.RUNS + listed] = cell, first
                listed += 1
                probability *= (listed - first) / kinds
                fresh ^= 1 << cell
        for place in range(first, listed):
            ints[ply, at.ENDS + place] = listed
    ints[ply, at.REVEALED] = listed
    stack.floats[ply, at.PROBABILITIES] = probability


def next_outcome(stack: SearchStack, ply: int) -> bool:
    """Set the numbers of the next outcome that has to be searched; False if there is none left.

    Numbers count down, the last cell first; cells alike get theirs in falling order. As soon as
    the numbers so far decide, all outcomes that begin with them are added together.
    """
    ints = stack.ints
    place, revealed = ints[ply, at.CURSOR], ints[ply, at.REVEALED]
    if place < 0:
        ints[ply, at.CURSOR] = place = 0
        ints[ply, at.DRAWN] = ints[ply, at.TOP] + 1
        if not is_open(stack, ply, 0):
            return False
        if revealed == 0:
            return True
    place = min(place, revealed - 1)
    while place >= 0:
        number = ints[ply, at.DRAWN + place] - 1
        ints[ply, at.DRAWN + place] = number
        if number < stack.least:
            place -= 1
            continue
        stack.numbers[ints[ply, at.CELLS + place]] = number
        ints[ply, at.COUNTS + place + 2] = ints[ply, at.COUNTS + place + 1] + (1 << 6 * number)
        same = equal_before(ints, ply, place) + 1
        probability = stack.floats[ply, at.PROBABILITIES + place] / same
        stack.floats[ply, at.PROBABILITIES + place + 1] = probability
        if not is_open(stack, ply, place + 1):
            if ints[ply, at.NUMBER] < ints[ply, at.LOW]:
                return False
            continue
        place += 1
        if place == revealed:
            ints[ply, at.CURSOR] = place
            return True
        within = ints[ply, at.RUNS + place] < place
        ints[ply, at.DRAWN + place] = (number if within else ints[ply, at.TOP]) + 1
    return False


def equal_before(ints: Ints, ply: int, place: int) -> int:
    """How many of the cells just before a place are alike and have the same number."""
    same = 0
    while (
        place - same > ints[ply, at.RUNS + place]
        and ints[ply, at.DRAWN + place - same - 1] == ints[ply, at.DRAWN + place]
    ):
        same += 1
    return same


def is_open(stack: SearchStack, ply: int, placed: int) -> bool:
    """Whether the result is still open after `placed` cells have been revealed.

    If not, all outcomes that begin like this are added.
    """
    ints, floats = stack.ints, stack.floats
    found = value_if_decided(
        stack, ints[ply, at.COUNTS + placed + 1],
        ints[ply, at.YOURS], ints[ply, at.MINE] - ints[ply, at.NUMBER], ints[ply, at.NEXT_HIDDEN],
    )  # fmt: skip
    probability = floats[ply, at.NUMBER_PROBABILITY] * floats[ply, at.PROBABILITIES + placed]
    if found < 0.0:
        floats[ply, at.PROBABILITY] = probability
        return True
    floats[ply, at.PROBABILITY] = probability * weight_of_rest(stack, ply, placed)
    floats[ply, at.REMAINING] -= floats[ply, at.PROBABILITY]
    accumulate(stack, ply, found)
    return False


def weight_of_rest(stack: SearchStack, ply: int, placed: int) -> float:
    """All outcomes that begin with the `placed` cells, in multiples of the likelihood of the last.

    PROBABILITIES includes all orders of the cells alike from the start, so each completion counts
    one over the orders of the numbers that are equal in it.
    """
    ints = stack.ints
    place, revealed = placed, ints[ply, at.REVEALED]
    ways = 1.0
    if placed and ints[ply, at.ENDS + placed - 1] > placed:
        # Among those alike the rest have this number, `more` times, or any of the `lower` ones.
        place = ints[ply, at.ENDS + placed - 1]
        left = place - placed
        lower = float(ints[ply, at.DRAWN + placed - 1] - stack.least)
        same = equal_before(ints, ply, placed - 1) + 1
        ways, once = 0.0, 1.0
        for more in range(left + 1):
            ways += once * power_over_factorial(lower, left - more)
            once /= same + more + 1
    kinds = float(ints[ply, at.TOP] + 1 - stack.least)
    while place < revealed:
        length = ints[ply, at.ENDS + place] - place
        ways *= power_over_factorial(kinds, length)
        place += length
    return ways


def power_over_factorial(base: float, length: int) -> float:
    """base^length / length!: the ways to give numbers to a set of cells."""
    ways = 1.0
    for k in range(1, length + 1):
        ways *= base / k
    return ways


def push_outcome(stack: SearchStack, ply: int) -> None:
    """Put the position after an outcome on the next ply: the opponent's turn, and its window."""
    ints, floats = stack.ints, stack.floats
    ints[ply + 1, at.MINE] = ints[ply, at.YOURS]
    ints[ply + 1, at.YOURS] = ints[ply, at.MINE] - ints[ply, at.NUMBER]
    ints[ply + 1, at.HIDDEN] = ints[ply, at.NEXT_HIDDEN]
    ints[ply + 1, at.SHOWN] = ints[ply, at.NEXT_SHOWN]
    ints[ply + 1, at.COUNTS] = ints[ply, at.COUNTS + 1 + ints[ply, at.REVEALED]]
    probability, total = floats[ply, at.PROBABILITY], floats[ply, at.SUM]
    floats[ply, at.REMAINING] -= probability
    alpha = max(floats[ply, at.ALPHA], floats[ply, at.BEST])
    floats[ply + 1, at.ALPHA] = 1.0 - (floats[ply, at.BETA] - total) / probability
    floats[ply + 1, at.BETA] = 1.0 - (alpha - total - floats[ply, at.REMAINING]) / probability


def accumulate(stack: SearchStack, ply: int, value: float) -> None:
    """Add the opponent's value after an outcome to the claim; leave the claim if that is enough.

    It is enough if the claim cannot become the best one any more, or is outside the window.
    """
    ints, floats = stack.ints, stack.floats
    total = floats[ply, at.SUM] + floats[ply, at.PROBABILITY] * (1.0 - value)
    remaining = floats[ply, at.REMAINING]
    if total + remaining <= max(floats[ply, at.ALPHA], floats[ply, at.BEST]):
        total += remaining
        ints[ply, at.NUMBER] = ints[ply, at.LOW] - 1
    elif total >= floats[ply, at.BETA]:
        ints[ply, at.NUMBER] = ints[ply, at.LOW] - 1
    floats[ply, at.SUM] = total
