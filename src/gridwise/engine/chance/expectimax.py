"""Expectimax: exact winning probabilities of a race, compiled, over every claim and every number.

A face-down number is never fixed in advance: the value of a claim is the average over all that it
may reveal, and both players choose by what is shown. What makes it fast leaves it exact:

- *Decided.* However the numbers fall, a claim scores at most the highest number. So a player who
  can finish from the shown numbers alone, even if the opponent takes the next best one each time,
  has won if that is soon enough; this decides most positions near the end.
- *Alike.* Shown cells whose claims reveal the same cells differ in their number only, and the
  higher one is never worse: claim it, and the cell that is left has the lower number, so you have
  at least as many points at every moment, your opponent at most as many. One claim of each kind
  is enough, and a position is hashed by its kinds.
- *Revealed.* Cells that are alike once they are revealed count as a multiset of numbers: five of
  them have 126 outcomes instead of 3,125. They are revealed one by one, highest first, and when the
  result is decided before the last, the rest is skipped: 95 outcomes in 100 go that way.
- *Windows.* Averages are cut off as soon as the rest cannot change the choice (Ballard's Star1).

It is written without recursion: numba's disk cache crashes when it reads back functions that call
each other (issue 6061 there). All plies are rows of a SearchStack instead, so a search that was
stopped can be resumed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gridwise.engine.chance.race import Race
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount
from gridwise.engine.compiled.kernels import pointer
from gridwise.engine.compiled.specialize import Floats, Ints

# The stack: the positions on the line that is searched, ply by ply. All of it is numbers behind
# pointers, so that one compiled kernel fits all races; the names here are their columns.

ENTRIES = 1 << 20  # of the transposition table; 24 MB, of which only what is used is touched
PLIES = 64  # one for each cell, and the claim at the root

# Columns of `counters`.
NODES, NODE_LIMIT, PLY = range(3)

# Columns of a ply's `ints`: the position, its key, how many claims it has and how many were begun;
MINE, YOURS, HIDDEN, SHOWN, KEY, CLAIM_COUNT, TRIED = range(7)
# of the claim being searched: its cell, the number it has, and the positions it leads to;
CELL, NUMBER, LOW, TOP, NEXT_HIDDEN, NEXT_SHOWN, REVEALED, CURSOR = range(7, 15)
# and lists, by where they begin: the claims and their kinds; the cells that are revealed, where
# among them those alike begin and end, their numbers, and the counts of shown numbers after each.
CLAIMS, KINDS, CELLS, RUNS, ENDS, DRAWN, COUNTS = 16, 80, 144, 160, 176, 192, 208
INTS = 225
# Columns of a ply's `floats`: the window, the best claim so far; of the claim being searched: the
# sum over its outcomes so far, the probability of those that remain, and the probabilities of each
# number of the cell and of this outcome.
ALPHA, BETA, BEST, SUM, REMAINING, NUMBER_PROBABILITY, PROBABILITY = range(7)
PROBABILITIES, ESTIMATES = 8, 32
FLOATS = 96


class RaceState(NamedTuple):
    """A position of a race; the same as the first fields of a Race."""

    mine: int
    yours: int
    hidden: int
    shown: int


class SearchStack(NamedTuple):
    """What the exact search reads and writes."""

    least: int  # a face-down cell is uniform from least to most
    most: int
    reveals: Ints  # cell -> the cells that a claim of it reveals, eight at most
    numbers: Ints  # cell -> its number, once it is shown
    counters: Ints
    ints: Ints  # [ply, …]
    floats: Floats  # [ply, …]
    keys: Ints  # the transposition table: which position an entry is for,
    bounds: Floats  # [entry, …] and the bounds of its value


def make_stack(race: Race, entries: int = ENTRIES) -> SearchStack:
    """An empty stack for a race, with a table of `entries`, a power of two."""
    return SearchStack(
        least=race.least,
        most=race.most,
        reveals=pointer(race.reveals),
        numbers=pointer(race.values),
        counters=pointer([0, 0, -1]),
        ints=pointer(np.zeros((PLIES + 1, INTS), dtype=np.int64)),
        floats=pointer(np.zeros((PLIES + 1, FLOATS))),
        keys=pointer(np.zeros(entries, dtype=np.int64)),
        bounds=pointer(np.zeros((entries, 2))),
    )


# The search


def exact_claims(
    stack: SearchStack, race: RaceState, cells: Ints, exact: Floats, known: Ints, nodes: int
) -> None:
    """Solve claims one after the other; `known[k]` says whether `exact[k]` is there.

    It returns after so many nodes; another call resumes.
    """
    counters = stack.counters
    counters[NODES], counters[NODE_LIMIT] = 0, nodes
    for k in range(len(cells)):
        if not known[k]:
            if counters[PLY] < 0:
                begin(stack, race)
                stack.ints[0, CLAIMS] = cells[k]
                stack.ints[0, CLAIM_COUNT] = 1
            if not resume(stack):
                return
            exact[k] = stack.floats[0, BEST]
            known[k] = 1


def exact_value(stack: SearchStack, race: RaceState, nodes: int) -> float:
    """The winning probability of the player to move; -1 if it takes more than `nodes`."""
    stack.counters[NODES], stack.counters[NODE_LIMIT] = 0, nodes
    begin(stack, race)
    counts = stack.ints[0, COUNTS]
    value = value_if_decided(stack, counts, race.mine, race.yours, race.hidden)
    if value >= 0.0:
        return value
    if not enter_node(stack, 0) or resume(stack):
        return float(stack.floats[0, BEST])
    return -1.0


def begin(stack: SearchStack, race: RaceState) -> None:
    """Put a position on the first ply, with no claims listed yet."""
    ints, floats = stack.ints, stack.floats
    stack.counters[PLY] = 0
    ints[0, MINE], ints[0, YOURS], ints[0, HIDDEN], ints[0, SHOWN] = race
    ints[0, CLAIM_COUNT], ints[0, TRIED], ints[0, CELL], ints[0, KEY] = 0, 0, -1, 0
    ints[0, COUNTS] = count_numbers(stack.numbers, race.shown)
    floats[0, ALPHA], floats[0, BETA], floats[0, BEST] = -1.0, 2.0, 0.0


def resume(stack: SearchStack) -> bool:
    """Search until the first ply is solved, which is then in its BEST; False if stopped before."""
    counters = stack.counters
    ply = counters[PLY]
    while counters[NODES] < counters[NODE_LIMIT]:
        if advance(stack, ply):
            ply += 1
            counters[NODES] += 1
            if enter_node(stack, ply):
                continue
        else:
            store_bounds(stack, ply)
            if ply == 0:
                counters[PLY] = -1
                return True
        ply -= 1
        accumulate(stack, ply, stack.floats[ply + 1, BEST])
    counters[PLY] = ply
    return False


# A position


def enter_node(stack: SearchStack, ply: int) -> bool:
    """List the claims of a position that is not decided; False if its value is in BEST already."""
    ints, floats = stack.ints, stack.floats
    race = RaceState(ints[ply, MINE], ints[ply, YOURS], ints[ply, HIDDEN], ints[ply, SHOWN])
    if not race.hidden | race.shown:
        floats[ply, BEST] = full_board_value(race.mine, race.yours)
        return False
    key = position_key(stack, race)
    ints[ply, KEY] = key
    slot = key & len(stack.keys) - 1
    if stack.keys[slot] == key:
        floor, ceiling = stack.bounds[slot, 0], stack.bounds[slot, 1]
        if floor >= floats[ply, BETA] or floor >= ceiling:
            floats[ply, BEST] = floor
            return False
        if ceiling <= floats[ply, ALPHA]:
            floats[ply, BEST] = ceiling
            return False
    list_claims(stack, ply)
    return True


def store_bounds(stack: SearchStack, ply: int) -> None:
    """Store the bounds of a position in the transposition table."""
    key = stack.ints[ply, KEY]
    best = stack.floats[ply, BEST]
    slot = key & len(stack.keys) - 1
    if stack.keys[slot] != key:
        stack.keys[slot] = key
        stack.bounds[slot, 0] = 0.0
        stack.bounds[slot, 1] = 1.0
    if best > stack.floats[ply, ALPHA]:
        stack.bounds[slot, 0] = best
    if best < stack.floats[ply, BETA]:
        stack.bounds[slot, 1] = best


# Its claims


def list_claims(stack: SearchStack, ply: int) -> None:
    """List the claims that may be best, and put the value without them into BEST."""
    ints = stack.ints
    mine, yours, hidden = ints[ply, MINE], ints[ply, YOURS], ints[ply, HIDDEN]
    ints[ply, CELL], ints[ply, TRIED] = -1, 0
    if threats(ints[ply, COUNTS], yours, stack.most):
        # Nothing else helps but the luck of winning at once.
        stack.floats[ply, BEST] = blind_win_probability(mine, hidden, stack.least, stack.most)
        list_threat(stack, ply, yours)
    else:
        stack.floats[ply, BEST] = 0.0
        list_kinds(stack, ply)


def list_threat(stack: SearchStack, ply: int, yours: int) -> None:
    """List the one claim that keeps the opponent from winning at once."""
    shown = stack.ints[ply, SHOWN]
    while stack.numbers[lowest_bit(shown)] < yours:
        shown &= shown - 1
    stack.ints[ply, CLAIMS] = lowest_bit(shown)
    stack.ints[ply, CLAIM_COUNT] = 1


def list_kinds(stack: SearchStack, ply: int) -> None:
    """List one claim of each kind, the best of those alike.

    What is revealed helps the opponent first, roughly by a quarter of a point a cell. That only
    decides the order in which they are searched.
    """
    ints, floats, numbers = stack.ints, stack.floats, stack.numbers
    hidden, shown = ints[ply, HIDDEN], ints[ply, SHOWN]
    listed = 0
    while shown:
        cell = lowest_bit(shown)
        shown &= shown - 1
        kind = stack.reveals[cell] & hidden
        place = 0
        while place < listed and ints[ply, KINDS + place] != kind:
            place += 1
        if place < listed and numbers[ints[ply, CLAIMS + place]] >= numbers[cell]:
            continue
        ints[ply, CLAIMS + place], ints[ply, KINDS + place] = cell, kind
        floats[ply, ESTIMATES + place] = numbers[cell] - 0.25 * popcount(kind)
        listed = max(listed, place + 1)
    first, average = listed, 0.5 * (stack.least + stack.most)
    rest = hidden
    while rest:
        cell = lowest_bit(rest)
        rest &= rest - 1
        kind = stack.reveals[cell] & hidden | 1 << cell
        place = first
        while place < listed and ints[ply, KINDS + place] != kind:
            place += 1
        if place == listed:
            ints[ply, CLAIMS + place], ints[ply, KINDS + place] = cell, kind
            floats[ply, ESTIMATES + place] = average - 0.25 * popcount(kind)
            listed += 1
    ints[ply, CLAIM_COUNT] = listed


def advance(stack: SearchStack, ply: int) -> bool:
    """Put the next position to search on the next ply; False when this one is solved."""
    ints, floats = stack.ints, stack.floats
    while True:
        if ints[ply, CELL] < 0:
            if ints[ply, TRIED] >= ints[ply, CLAIM_COUNT] or floats[ply, BEST] >= floats[ply, BETA]:
                return False
            begin_claim(stack, ply, take_most_promising(stack, ply))
        while ints[ply, NUMBER] >= ints[ply, LOW]:
            if next_outcome(stack, ply):
                push_outcome(stack, ply)
                return True
            ints[ply, NUMBER] -= 1
            ints[ply, CURSOR] = -1
        floats[ply, BEST] = max(floats[ply, BEST], floats[ply, SUM])
        ints[ply, CELL] = -1


def take_most_promising(stack: SearchStack, ply: int) -> int:
    """Take the claim with the best estimate from the list."""
    ints, floats = stack.ints, stack.floats
    tried, listed = ints[ply, TRIED], ints[ply, CLAIM_COUNT]
    best = tried
    for place in range(tried + 1, listed):
        if floats[ply, ESTIMATES + place] > floats[ply, ESTIMATES + best]:
            best = place
    cell = ints[ply, CLAIMS + best]
    ints[ply, CLAIMS + best] = ints[ply, CLAIMS + tried]
    floats[ply, ESTIMATES + best] = floats[ply, ESTIMATES + tried]
    ints[ply, TRIED] = tried + 1
    return int(cell)


# Chance nodes: the outcomes of a claim, one after the other


def begin_claim(stack: SearchStack, ply: int, cell: int) -> None:
    """Start a claim: its certain part, and the outcomes to go through."""
    ints, floats = stack.ints, stack.floats
    least, most = stack.least, stack.most
    mine, hidden = ints[ply, MINE], ints[ply, HIDDEN]
    kinds = most + 1 - least
    low = high = stack.numbers[cell]
    likelihood, total = 1.0, 0.0
    if hidden >> cell & 1:
        # Numbers that are enough to win are summed at once; the others are gone through.
        likelihood = 1.0 / kinds
        low, high = least, max(least - 1, min(most, mine - 1))
        total = (most - high) * likelihood
    elif high >= mine:
        high, total = low - 1, 1.0
    fresh = stack.reveals[cell] & hidden
    # Revealing a number that is enough for the opponent loses: such outcomes are left out.
    top = max(least - 1, min(most, ints[ply, YOURS] - 1))
    outcomes = ((top + 1 - least) / kinds) ** popcount(fresh)
    remaining = (high + 1 - low) * likelihood * outcomes
    if remaining <= 0.0 or total + remaining <= max(floats[ply, ALPHA], floats[ply, BEST]):
        high, total = low - 1, total + remaining
    ints[ply, CELL], ints[ply, NUMBER], ints[ply, LOW], ints[ply, TOP] = cell, high, low, top
    ints[ply, NEXT_HIDDEN] = hidden & ~fresh & ~(1 << cell)
    ints[ply, NEXT_SHOWN] = (ints[ply, SHOWN] | fresh) & ~(1 << cell)
    floats[ply, SUM], floats[ply, REMAINING] = total, remaining
    floats[ply, NUMBER_PROBABILITY] = likelihood
    if high >= low:
        ints[ply, COUNTS + 1] = count_numbers(stack.numbers, ints[ply, NEXT_SHOWN] & ~fresh)
        list_revealed(stack, ply, fresh, kinds)
        ints[ply, CURSOR] = -1  # before the first outcome


def list_revealed(stack: SearchStack, ply: int, fresh: int, kinds: int) -> None:
    """List the cells that a claim reveals, those alike together.

    PROBABILITIES begins with that of one outcome times the ways to order those alike.
    """
    ints, hidden = stack.ints, stack.ints[ply, NEXT_HIDDEN]
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
                ints[ply, CELLS + listed], ints[ply, RUNS + listed] = cell, first
                listed += 1
                probability *= (listed - first) / kinds
                fresh ^= 1 << cell
        for place in range(first, listed):
            ints[ply, ENDS + place] = listed
    ints[ply, REVEALED] = listed
    stack.floats[ply, PROBABILITIES] = probability


def next_outcome(stack: SearchStack, ply: int) -> bool:
    """Set the numbers of the next outcome that has to be searched; False if there is none left.

    Numbers count down, the last cell first; cells alike get theirs in falling order. As soon as
    the numbers so far decide, all outcomes that begin with them are added together.
    """
    ints = stack.ints
    place, revealed = ints[ply, CURSOR], ints[ply, REVEALED]
    if place < 0:
        ints[ply, CURSOR] = place = 0
        ints[ply, DRAWN] = ints[ply, TOP] + 1
        if not is_open(stack, ply, 0):
            return False
        if revealed == 0:
            return True
    place = min(place, revealed - 1)
    while place >= 0:
        number = ints[ply, DRAWN + place] - 1
        ints[ply, DRAWN + place] = number
        if number < stack.least:
            place -= 1
            continue
        stack.numbers[ints[ply, CELLS + place]] = number
        ints[ply, COUNTS + place + 2] = ints[ply, COUNTS + place + 1] + (1 << 6 * number)
        same = equal_before(ints, ply, place) + 1
        probability = stack.floats[ply, PROBABILITIES + place] / same
        stack.floats[ply, PROBABILITIES + place + 1] = probability
        if not is_open(stack, ply, place + 1):
            if ints[ply, NUMBER] < ints[ply, LOW]:
                return False
            continue
        place += 1
        if place == revealed:
            ints[ply, CURSOR] = place
            return True
        within = ints[ply, RUNS + place] < place
        ints[ply, DRAWN + place] = (number if within else ints[ply, TOP]) + 1
    return False


def equal_before(ints: Ints, ply: int, place: int) -> int:
    """How many of the cells just before a place are alike and have the same number."""
    same = 0
    while (
        place - same > ints[ply, RUNS + place]
        and ints[ply, DRAWN + place - same - 1] == ints[ply, DRAWN + place]
    ):
        same += 1
    return same


def is_open(stack: SearchStack, ply: int, placed: int) -> bool:
    """Whether the result is still open after `placed` cells have been revealed.

    If not, all outcomes that begin like this are added.
    """
    ints, floats = stack.ints, stack.floats
    value = value_if_decided(
        stack, ints[ply, COUNTS + placed + 1],
        ints[ply, YOURS], ints[ply, MINE] - ints[ply, NUMBER], ints[ply, NEXT_HIDDEN],
    )  # fmt: skip
    probability = floats[ply, NUMBER_PROBABILITY] * floats[ply, PROBABILITIES + placed]
    if value < 0.0:
        floats[ply, PROBABILITY] = probability
        return True
    floats[ply, PROBABILITY] = probability * weight_of_rest(stack, ply, placed)
    floats[ply, REMAINING] -= floats[ply, PROBABILITY]
    accumulate(stack, ply, value)
    return False


def weight_of_rest(stack: SearchStack, ply: int, placed: int) -> float:
    """All outcomes that begin with the `placed` cells, in multiples of the likelihood of the last.

    PROBABILITIES includes all orders of the cells alike from the start, so each completion counts
    one over the orders of the numbers that are equal in it.
    """
    ints = stack.ints
    place, revealed = placed, ints[ply, REVEALED]
    ways = 1.0
    if placed and ints[ply, ENDS + placed - 1] > placed:
        # Among those alike the rest have this number, `more` times, or any of the `lower` ones.
        place = ints[ply, ENDS + placed - 1]
        left = place - placed
        lower = float(ints[ply, DRAWN + placed - 1] - stack.least)
        same = equal_before(ints, ply, placed - 1) + 1
        ways, once = 0.0, 1.0
        for more in range(left + 1):
            ways += once * power_over_factorial(lower, left - more)
            once /= same + more + 1
    kinds = float(ints[ply, TOP] + 1 - stack.least)
    while place < revealed:
        length = ints[ply, ENDS + place] - place
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
    ints[ply + 1, MINE] = ints[ply, YOURS]
    ints[ply + 1, YOURS] = ints[ply, MINE] - ints[ply, NUMBER]
    ints[ply + 1, HIDDEN] = ints[ply, NEXT_HIDDEN]
    ints[ply + 1, SHOWN] = ints[ply, NEXT_SHOWN]
    ints[ply + 1, COUNTS] = ints[ply, COUNTS + 1 + ints[ply, REVEALED]]
    probability, total = floats[ply, PROBABILITY], floats[ply, SUM]
    floats[ply, REMAINING] -= probability
    alpha = max(floats[ply, ALPHA], floats[ply, BEST])
    floats[ply + 1, ALPHA] = 1.0 - (floats[ply, BETA] - total) / probability
    floats[ply + 1, BETA] = 1.0 - (alpha - total - floats[ply, REMAINING]) / probability


def accumulate(stack: SearchStack, ply: int, value: float) -> None:
    """Add the opponent's value after an outcome to the claim; leave the claim if that is enough.

    It is enough if the claim cannot become the best one any more, or is outside the window.
    """
    ints, floats = stack.ints, stack.floats
    total = floats[ply, SUM] + floats[ply, PROBABILITY] * (1.0 - value)
    remaining = floats[ply, REMAINING]
    if total + remaining <= max(floats[ply, ALPHA], floats[ply, BEST]):
        total += remaining
        ints[ply, NUMBER] = ints[ply, LOW] - 1
    elif total >= floats[ply, BETA]:
        ints[ply, NUMBER] = ints[ply, LOW] - 1
    floats[ply, SUM] = total


# Positions that are decided without searching, and the keys by which they are stored. `counts` says
# how often each number is shown: one int, six bits a number.


def count_numbers(numbers: Ints, shown: int) -> int:
    """How often each number is shown, packed six bits a number."""
    counts = 0
    while shown:
        counts += 1 << 6 * numbers[lowest_bit(shown)]
        shown &= shown - 1
    return counts


def value_if_decided(stack: SearchStack, counts: int, mine: int, yours: int, hidden: int) -> float:
    """The winning probability of the player to move where the shown numbers alone decide; else -1.

    More shown numbers would not change it, unless one of them wins at once.
    """
    least, most = stack.least, stack.most
    won = decided(counts, mine, yours, least, most)
    if won < 0 and threats(counts, yours, most) > 1:
        return blind_win_probability(mine, hidden, least, most)
    return float(won)


def full_board_value(mine: int, yours: int) -> float:
    """The value of a full board to the player who would be next."""
    return 1.0 if mine < yours else 0.5 if mine == yours else 0.0


def threats(counts: int, yours: int, most: int) -> int:
    """How many shown cells would win at once for the opponent."""
    cells = 0
    for number in range(yours, most + 1):
        cells += counts >> 6 * number & 63
    return cells


def blind_win_probability(mine: int, hidden: int, least: int, most: int) -> float:
    """The probability that a face-down cell wins at once for the player to move."""
    return max(0, most + 1 - max(mine, least)) / (most + 1 - least) if hidden else 0.0


def decided(counts: int, mine: int, yours: int, least: int, most: int) -> int:
    """1 if the player to move has won whatever comes, 0 if lost, -1 if it is open."""
    my_claims = (yours + most - 1) // most  # before the opponent can have finished
    your_claims = (mine + most - 1) // most - 1
    places = 2 * max(my_claims, your_claims)
    my_sum = your_sum = place = 0
    for number in range(most, least - 1, -1):
        for _ in range(counts >> 6 * number & 63):
            if place >= places:
                break
            if place & 1:
                if place >> 1 < your_claims:
                    your_sum += number
            elif place >> 1 < my_claims:
                my_sum += number
            place += 1
    if my_sum >= mine:
        return 1
    return 0 if your_sum >= yours else -1


def position_key(stack: SearchStack, race: RaceState) -> int:
    """A hash of the position, the same for all that differ only in what cannot matter.

    Cells alike may change places. And of those that reveal nothing, the best is claimed first; if
    the better ones have more points than can be claimed before the end, the others do not count.
    """
    key = hash_pair(race.mine * 1024 + race.yours, race.hidden)
    quiet, shown = 0, race.shown
    while shown:
        cell = lowest_bit(shown)
        shown &= shown - 1
        kind = stack.reveals[cell] & race.hidden
        if kind:
            key += hash_pair(kind, stack.numbers[cell])
        else:
            quiet += 1 << 6 * stack.numbers[cell]
    left = race.mine + race.yours - 1
    number = 9
    while quiet and left > 0:
        here = quiet >> 6 * number & 63
        if here:
            quiet ^= here << 6 * number
            matter = min(here, (left + number - 1) // number)
            key += hash_pair(-number, matter)
            left -= matter * number
        number -= 1
    return key


def hash_pair(one: int, other: int) -> int:
    """A hash of two ints."""
    hashed = one * -7046029254386353131 + other * -4417276706812531889 + 1442695040888963407
    hashed ^= hashed >> 29 & 0x7FFFFFFFF
    hashed *= -4658895280553007687
    return hashed ^ (hashed >> 32 & 0xFFFFFFFF)
