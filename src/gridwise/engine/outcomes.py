"""A claim in the exact search: all that it may turn up, one outcome after the other.

Cells that are alike once they are turned up count as a set of numbers, and as soon as the numbers
so far decide, all outcomes that begin with them are counted in together; see `expectimax`.
"""

from __future__ import annotations

from gridwise.engine.binding import Ints
from gridwise.engine.desk import (
    ALPHA,
    BEST,
    BETA,
    CELL,
    CELLS,
    CHANCE,
    CHANCES,
    COUNTS,
    DRAWN,
    EACH,
    ENDS,
    HIDDEN,
    LEAST,
    LOW,
    MINE,
    MOST,
    NEXT_HIDDEN,
    NEXT_SHOWN,
    NUMBER,
    RUNS,
    SHOWN,
    STILL,
    SURE,
    TOP,
    TURNED,
    TURNING,
    YOURS,
    Desk,
)
from gridwise.engine.foregone import counted, plain
from gridwise.engine.masks import count, lowest


def begin_claim(desk: Desk, ply: int, cell: int) -> None:
    """See what a claim brings for sure, and make ready to go through what it may turn up."""
    ints, floats = desk.ints, desk.floats
    least, most = desk.tally[LEAST], desk.tally[MOST]
    mine, hidden = ints[ply, MINE], ints[ply, HIDDEN]
    kinds = most + 1 - least
    low = high = desk.numbers[cell]
    each, sure = 1.0, 0.0
    if hidden >> cell & 1:
        # Numbers that are all I need win; the others are gone through.
        each = 1.0 / kinds
        low, high = least, max(least - 1, min(most, mine - 1))
        sure = (most - high) * each
    elif high >= mine:
        high, sure = low - 1, 1.0
    fresh = desk.around[cell] & hidden
    # A number that is all the opponent needs loses at once: such outcomes are left out.
    top = max(least - 1, min(most, ints[ply, YOURS] - 1))
    still = (high + 1 - low) * each * ((top + 1 - least) / kinds) ** count(fresh)
    if still <= 0.0 or sure + still <= max(floats[ply, ALPHA], floats[ply, BEST]):
        high, sure = low - 1, sure + still
    ints[ply, CELL], ints[ply, NUMBER], ints[ply, LOW], ints[ply, TOP] = cell, high, low, top
    ints[ply, NEXT_HIDDEN] = hidden & ~fresh & ~(1 << cell)
    ints[ply, NEXT_SHOWN] = (ints[ply, SHOWN] | fresh) & ~(1 << cell)
    floats[ply, SURE], floats[ply, STILL], floats[ply, EACH] = sure, still, each
    if high >= low:
        ints[ply, COUNTS + 1] = counted(desk.numbers, ints[ply, NEXT_SHOWN] & ~fresh)
        list_turned(desk, ply, fresh, kinds)
        begin_turning(desk, ply)


def list_turned(desk: Desk, ply: int, fresh: int, kinds: int) -> None:
    """List the cells that a claim turns up, those alike together.

    CHANCES begins with the chance of one outcome times the ways to order those alike.
    """
    ints, hidden = desk.ints, desk.ints[ply, NEXT_HIDDEN]
    listed = 0
    chance = 1.0
    while fresh:
        first = listed
        kind = desk.around[lowest(fresh)] & hidden
        rest = fresh
        while rest:
            cell = lowest(rest)
            rest &= rest - 1
            if desk.around[cell] & hidden == kind:
                ints[ply, CELLS + listed], ints[ply, RUNS + listed] = cell, first
                listed += 1
                chance *= (listed - first) / kinds
                fresh ^= 1 << cell
        for place in range(first, listed):
            ints[ply, ENDS + place] = listed
    ints[ply, TURNED] = listed
    desk.floats[ply, CHANCES] = chance


def begin_turning(desk: Desk, ply: int) -> None:
    """Go back to before the first outcome."""
    desk.ints[ply, TURNING] = -1


def turned_next(desk: Desk, ply: int) -> bool:
    """Put the next outcome on the board that has to be looked into; False if there is none left.

    Numbers count down, the last cell first; cells alike get theirs in falling order. As soon as
    the numbers so far decide, all outcomes that begin with them are counted in together.
    """
    ints = desk.ints
    place, turned = ints[ply, TURNING], ints[ply, TURNED]
    if place < 0:
        ints[ply, TURNING] = place = 0
        ints[ply, DRAWN] = ints[ply, TOP] + 1
        if goes_on(desk, ply, 0):
            if turned == 0:
                return True
        else:
            return False
    place = min(place, turned - 1)
    while place >= 0:
        number = ints[ply, DRAWN + place] - 1
        ints[ply, DRAWN + place] = number
        if number < desk.tally[LEAST]:
            place -= 1
            continue
        desk.numbers[ints[ply, CELLS + place]] = number
        ints[ply, COUNTS + place + 2] = ints[ply, COUNTS + place + 1] + (1 << 6 * number)
        same = alike_before(ints, ply, place) + 1
        desk.floats[ply, CHANCES + place + 1] = desk.floats[ply, CHANCES + place] / same
        if not goes_on(desk, ply, place + 1):
            if ints[ply, NUMBER] < ints[ply, LOW]:
                return False
            continue
        place += 1
        if place == turned:
            ints[ply, TURNING] = place
            return True
        within = ints[ply, RUNS + place] < place
        ints[ply, DRAWN + place] = (number if within else ints[ply, TOP]) + 1
    return False


def alike_before(ints: Ints, ply: int, place: int) -> int:
    """How many of the cells just before a place are alike and have the same number."""
    same = 0
    while (
        place - same > ints[ply, RUNS + place]
        and ints[ply, DRAWN + place - same - 1] == ints[ply, DRAWN + place]
    ):
        same += 1
    return same


def goes_on(desk: Desk, ply: int, placed: int) -> bool:
    """Whether it is still open after so many cells have been turned up.

    If not, all outcomes that begin like this are counted in.
    """
    ints, floats = desk.ints, desk.floats
    found = plain(
        desk, ints[ply, COUNTS + placed + 1],
        ints[ply, YOURS], ints[ply, MINE] - ints[ply, NUMBER], ints[ply, NEXT_HIDDEN],
    )  # fmt: skip
    chance = floats[ply, EACH] * floats[ply, CHANCES + placed]
    if found < 0.0:
        floats[ply, CHANCE] = chance
        return True
    floats[ply, CHANCE] = chance * ways_on(desk, ply, placed)
    floats[ply, STILL] -= floats[ply, CHANCE]
    receive(desk, ply, found)
    return False


def ways_on(desk: Desk, ply: int, placed: int) -> float:
    """How many times as likely as its last outcome all outcomes are that begin with so many cells.

    CHANCES has all orders of the cells alike in it from the start, so each way to go on counts one
    over the orders of the numbers that are equal in it.
    """
    ints = desk.ints
    place, turned = placed, ints[ply, TURNED]
    ways = 1.0
    if placed and ints[ply, ENDS + placed - 1] > placed:
        # Among those alike the rest have this number, `more` times, or any of the `lower` ones.
        place = ints[ply, ENDS + placed - 1]
        left = place - placed
        lower = float(ints[ply, DRAWN + placed - 1] - desk.tally[LEAST])
        same = alike_before(ints, ply, placed - 1) + 1
        ways, once = 0.0, 1.0
        for more in range(left + 1):
            ways += once * power_over_orders(lower, left - more)
            once /= same + more + 1
    kinds = float(ints[ply, TOP] + 1 - desk.tally[LEAST])
    while place < turned:
        length = ints[ply, ENDS + place] - place
        ways *= power_over_orders(kinds, length)
        place += length
    return ways


def power_over_orders(base: float, length: int) -> float:
    """The power over the factorial: ways to give numbers to a set of cells."""
    ways = 1.0
    for k in range(1, length + 1):
        ways *= base / k
    return ways


def descend(desk: Desk, ply: int) -> None:
    """Set up the next ply after an outcome: the opponent's turn, and what matters of its worth."""
    ints, floats = desk.ints, desk.floats
    ints[ply + 1, MINE] = ints[ply, YOURS]
    ints[ply + 1, YOURS] = ints[ply, MINE] - ints[ply, NUMBER]
    ints[ply + 1, HIDDEN] = ints[ply, NEXT_HIDDEN]
    ints[ply + 1, SHOWN] = ints[ply, NEXT_SHOWN]
    ints[ply + 1, COUNTS] = ints[ply, COUNTS + 1 + ints[ply, TURNED]]
    chance, sure = floats[ply, CHANCE], floats[ply, SURE]
    floats[ply, STILL] -= chance
    alpha = max(floats[ply, ALPHA], floats[ply, BEST])
    floats[ply + 1, ALPHA] = 1.0 - (floats[ply, BETA] - sure) / chance
    floats[ply + 1, BETA] = 1.0 - (alpha - sure - floats[ply, STILL]) / chance


def receive(desk: Desk, ply: int, worth: float) -> None:
    """Count in what the opponent's chance is after the outcome; leave the claim if that is enough.

    Enough is: it cannot become better than the best claim, or it is better than is allowed.
    """
    ints, floats = desk.ints, desk.floats
    sure = floats[ply, SURE] + floats[ply, CHANCE] * (1.0 - worth)
    still = floats[ply, STILL]
    if sure + still <= max(floats[ply, ALPHA], floats[ply, BEST]):
        sure += still
        ints[ply, NUMBER] = ints[ply, LOW] - 1
    elif sure >= floats[ply, BETA]:
        ints[ply, NUMBER] = ints[ply, LOW] - 1
    floats[ply, SURE] = sure
