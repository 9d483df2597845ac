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
stopped can be resumed. `decided` has the values that need no search, `chance_nodes` the outcomes of
one claim.
"""

from __future__ import annotations

from gridwise.engine.chance import search_stack as at
from gridwise.engine.chance.chance_nodes import (
    accumulate,
    begin_claim,
    next_outcome,
    push_outcome,
)
from gridwise.engine.chance.decided import (
    blind_win_probability,
    count_numbers,
    full_board_value,
    position_key,
    threats,
    value_if_decided,
)
from gridwise.engine.chance.search_stack import RaceState, SearchStack
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount
from gridwise.engine.compiled.specialize import Floats, Ints

# The search


def exact_claims(
    stack: SearchStack, race: RaceState, cells: Ints, found: Floats, known: Ints, nodes: int
) -> None:
    """Solve claims one after the other; `known[k]` says whether `found[k]` is exact.

    It returns after so many nodes; another call resumes.
    """
    counters = stack.counters
    counters[at.NODES], counters[at.NODE_LIMIT] = 0, nodes
    for k in range(len(cells)):
        if not known[k]:
            if counters[at.PLY] < 0:
                begin(stack, race)
                stack.ints[0, at.CLAIMS] = cells[k]
                stack.ints[0, at.CLAIM_COUNT] = 1
            if not resume(stack):
                return
            found[k] = stack.floats[0, at.BEST]
            known[k] = 1


def exact_value(stack: SearchStack, race: RaceState, nodes: int) -> float:
    """The winning probability of the player to move; -1 if it takes more than `nodes`."""
    stack.counters[at.NODES], stack.counters[at.NODE_LIMIT] = 0, nodes
    begin(stack, race)
    counts = stack.ints[0, at.COUNTS]
    found = value_if_decided(stack, counts, race.mine, race.yours, race.hidden)
    if found >= 0.0:
        return found
    if not enter_node(stack, 0) or resume(stack):
        return float(stack.floats[0, at.BEST])
    return -1.0


def begin(stack: SearchStack, race: RaceState) -> None:
    """Put a position on the first ply, with no claims listed yet."""
    ints, floats = stack.ints, stack.floats
    stack.counters[at.PLY] = 0
    ints[0, at.MINE], ints[0, at.YOURS], ints[0, at.HIDDEN], ints[0, at.SHOWN] = race
    ints[0, at.CLAIM_COUNT], ints[0, at.TRIED], ints[0, at.CELL], ints[0, at.KEY] = 0, 0, -1, 0
    ints[0, at.COUNTS] = count_numbers(stack.numbers, race.shown)
    floats[0, at.ALPHA], floats[0, at.BETA], floats[0, at.BEST] = -1.0, 2.0, 0.0


def resume(stack: SearchStack) -> bool:
    """Search until the first ply is solved, which is then in its BEST; False if stopped before."""
    counters = stack.counters
    ply = counters[at.PLY]
    while counters[at.NODES] < counters[at.NODE_LIMIT]:
        if advance(stack, ply):
            ply += 1
            counters[at.NODES] += 1
            if enter_node(stack, ply):
                continue
        else:
            store_bounds(stack, ply)
            if ply == 0:
                counters[at.PLY] = -1
                return True
        ply -= 1
        accumulate(stack, ply, stack.floats[ply + 1, at.BEST])
    counters[at.PLY] = ply
    return False


# A position


def enter_node(stack: SearchStack, ply: int) -> bool:
    """List the claims of a position that is not decided; False if its value is in BEST already."""
    ints, floats = stack.ints, stack.floats
    race = RaceState(
        ints[ply, at.MINE], ints[ply, at.YOURS], ints[ply, at.HIDDEN], ints[ply, at.SHOWN]
    )
    if not race.hidden | race.shown:
        floats[ply, at.BEST] = full_board_value(race.mine, race.yours)
        return False
    key = position_key(stack, race)
    ints[ply, at.KEY] = key
    slot = key & len(stack.keys) - 1
    if stack.keys[slot] == key:
        floor, ceiling = stack.bounds[slot, 0], stack.bounds[slot, 1]
        if floor >= floats[ply, at.BETA] or floor >= ceiling:
            floats[ply, at.BEST] = floor
            return False
        if ceiling <= floats[ply, at.ALPHA]:
            floats[ply, at.BEST] = ceiling
            return False
    list_claims(stack, ply)
    return True


def store_bounds(stack: SearchStack, ply: int) -> None:
    """Store the bounds of a position in the transposition table."""
    key = stack.ints[ply, at.KEY]
    best = stack.floats[ply, at.BEST]
    slot = key & len(stack.keys) - 1
    if stack.keys[slot] != key:
        stack.keys[slot] = key
        stack.bounds[slot, 0] = 0.0
        stack.bounds[slot, 1] = 1.0
    if best > stack.floats[ply, at.ALPHA]:
        stack.bounds[slot, 0] = best
    if best < stack.floats[ply, at.BETA]:
        stack.bounds[slot, 1] = best


# Its claims


def list_claims(stack: SearchStack, ply: int) -> None:
    """List the claims that may be best, and put the value without them into BEST."""
    ints = stack.ints
    mine, yours, hidden = ints[ply, at.MINE], ints[ply, at.YOURS], ints[ply, at.HIDDEN]
    ints[ply, at.CELL], ints[ply, at.TRIED] = -1, 0
    if threats(ints[ply, at.COUNTS], yours, stack.most):
        # Nothing else helps but the luck of winning at once.
        stack.floats[ply, at.BEST] = blind_win_probability(mine, hidden, stack.least, stack.most)
        list_threat(stack, ply, yours)
    else:
        stack.floats[ply, at.BEST] = 0.0
        list_kinds(stack, ply)


def list_threat(stack: SearchStack, ply: int, yours: int) -> None:
    """List the one claim that keeps the opponent from winning at once."""
    shown = stack.ints[ply, at.SHOWN]
    while stack.numbers[lowest_bit(shown)] < yours:
        shown &= shown - 1
    stack.ints[ply, at.CLAIMS] = lowest_bit(shown)
    stack.ints[ply, at.CLAIM_COUNT] = 1


def list_kinds(stack: SearchStack, ply: int) -> None:
    """List one claim of each kind, the best of those alike.

    What is revealed helps the opponent first, roughly by a quarter of a point a cell. That only
    decides the order in which they are searched.
    """
    ints, floats, numbers = stack.ints, stack.floats, stack.numbers
    hidden, shown = ints[ply, at.HIDDEN], ints[ply, at.SHOWN]
    listed = 0
    while shown:
        cell = lowest_bit(shown)
        shown &= shown - 1
        kind = stack.reveals[cell] & hidden
        place = 0
        while place < listed and ints[ply, at.KINDS + place] != kind:
            place += 1
        if place < listed and numbers[ints[ply, at.CLAIMS + place]] >= numbers[cell]:
            continue
        ints[ply, at.CLAIMS + place], ints[ply, at.KINDS + place] = cell, kind
        floats[ply, at.ESTIMATES + place] = numbers[cell] - 0.25 * popcount(kind)
        listed = max(listed, place + 1)
    first, average = listed, 0.5 * (stack.least + stack.most)
    rest = hidden
    while rest:
        cell = lowest_bit(rest)
        rest &= rest - 1
        kind = stack.reveals[cell] & hidden | 1 << cell
        place = first
        while place < listed and ints[ply, at.KINDS + place] != kind:
            place += 1
        if place == listed:
            ints[ply, at.CLAIMS + place], ints[ply, at.KINDS + place] = cell, kind
            floats[ply, at.ESTIMATES + place] = average - 0.25 * popcount(kind)
            listed += 1
    ints[ply, at.CLAIM_COUNT] = listed


def advance(stack: SearchStack, ply: int) -> bool:
    """Put the next position to search on the next ply; False when this one is solved."""
    ints, floats = stack.ints, stack.floats
    while True:
        if ints[ply, at.CELL] < 0:
            if (
                ints[ply, at.TRIED] >= ints[ply, at.CLAIM_COUNT]
                or floats[ply, at.BEST] >= floats[ply, at.BETA]
            ):
                return False
            begin_claim(stack, ply, take_most_promising(stack, ply))
        while ints[ply, at.NUMBER] >= ints[ply, at.LOW]:
            if next_outcome(stack, ply):
                push_outcome(stack, ply)
                return True
            ints[ply, at.NUMBER] -= 1
            ints[ply, at.CURSOR] = -1
        floats[ply, at.BEST] = max(floats[ply, at.BEST], floats[ply, at.SUM])
        ints[ply, at.CELL] = -1


def take_most_promising(stack: SearchStack, ply: int) -> int:
    """Take the claim with the best estimate from the list."""
    ints, floats = stack.ints, stack.floats
    tried, listed = ints[ply, at.TRIED], ints[ply, at.CLAIM_COUNT]
    best = tried
    for place in range(tried + 1, listed):
        if floats[ply, at.ESTIMATES + place] > floats[ply, at.ESTIMATES + best]:
            best = place
    cell = ints[ply, at.CLAIMS + best]
    ints[ply, at.CLAIMS + best] = ints[ply, at.CLAIMS + tried]
    floats[ply, at.ESTIMATES + best] = floats[ply, at.ESTIMATES + tried]
    ints[ply, at.TRIED] = tried + 1
    return int(cell)
