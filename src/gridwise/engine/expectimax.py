"""Exact winning chances of a race, compiled: every claim, every number that may turn up.

Nothing that is face down is ever fixed in advance: a claim is worth the average over all that it
may turn up, and both players choose by what lies open. What makes it fast leaves it exact:

- *Foregone.* However the cells fall, a claim is worth at most the highest number. So a player who
  can finish from the open numbers alone, even if the opponent takes the next best one each time,
  has won if that is soon enough; this decides most positions near the end.
- *Alike.* Open cells whose claims turn up the same cells differ in their number only, and the
  higher one is never worse: give me the higher and whoever claims the other later gets the lower,
  and I have at least as many points at every moment, my opponent at most as many. One claim of each
  kind is enough, and a position is known by its kinds: so is its place in the table.
- *Turned up.* Cells that are alike once they are turned up count as a set of numbers: five of them
  have 126 outcomes instead of 3,125.
- *Windows.* Averages are cut off as soon as the rest cannot change the choice (Ballard's Star1).

It is written without recursion: numba's disk cache crashes when it reads back functions that call
each other (issue 6061 there). All plies are rows of two arrays instead, and that has its own good:
a search that was stopped goes on where it was.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gridwise.engine.binding import Ints
from gridwise.engine.masks import count, lowest
from gridwise.engine.race import Race

Floats = Any  # an array of floats

ENTRIES = 1 << 20  # of the table, a power of two; 24 MB, of which only what is used is touched
PLIES = 64  # one a cell, and the claim that is asked for

# What `tally` has.
LEAST, MOST, VISITS, LIMIT, STOP, PLY = range(6)

# What a ply has among `ints`: the position, its key, the claims and which is being looked into,
(MINE, YOURS, HIDDEN, SHOWN, KEY, LISTED, TRIED) = range(7)
# that claim's cell, the number it has, and the positions it leads to.
(CELL, NUMBER, LOW, TOP, NEXT_HIDDEN, NEXT_SHOWN, TURNED, TURNING) = range(7, 15)
CLAIMS, KINDS, CELLS, RUNS, DRAWN = 16, 80, 144, 160, 176  # lists: where they begin
# Among `floats`: the window, the best claim so far; of the claim being looked into: what it has
# brought, what it still may bring, how likely each number of the cell and this outcome is.
ALPHA, BETA, BEST, SURE, STILL, EACH, CHANCE = range(7)
CHANCES, HOPES = 8, 32


class Desk(NamedTuple):
    """What a search reads and writes: arrays only, so that one compiled kernel fits all."""

    around: Ints  # cell -> the cells that a claim of it turns up, 15 at most
    numbers: Ints  # cell -> its number, once it is turned up
    tally: Ints
    ints: Ints  # [ply, …]
    floats: Floats  # [ply, …]
    keys: Ints  # the table: which position an entry is for,
    bounds: Floats  # [entry, …] the least and the most it is worth


def desk_of(race: Race, shared: Desk | None = None) -> Desk:
    """An empty desk for a race. Two may share one table, for it holds only what is certain."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    tally = [race.least, race.most, 0, 0, 0, -1]
    return Desk(
        around=np.array(race.around, dtype=np.int64),
        numbers=np.array(race.values, dtype=np.int64),
        tally=np.array(tally, dtype=np.int64),
        ints=np.zeros((PLIES + 1, 192), dtype=np.int64),
        floats=np.zeros((PLIES + 1, 96)),
        keys=shared.keys if shared else np.zeros(ENTRIES, dtype=np.int64),
        bounds=shared.bounds if shared else np.zeros((ENTRIES, 2)),
    )


# From outside


def exact_claims(
    desk: Desk, race: Ints, cells: Ints, found: Floats, known: Ints, visits: int
) -> None:
    """Work out claims one after the other; `known[k]` tells which `found[k]` are exact.

    `race` has mine, yours, hidden, shown. After so many visits, or when the desk's STOP is set, it
    comes back; the next call goes on.
    """
    tally = desk.tally
    tally[VISITS], tally[LIMIT] = 0, visits
    for k in range(len(cells)):
        if not known[k]:
            if tally[PLY] < 0:
                begin(desk, race[MINE], race[YOURS], race[HIDDEN], race[SHOWN])
                desk.ints[0, CLAIMS] = cells[k]
                desk.ints[0, LISTED] = 1
            if not carried_on(desk):
                return
            found[k] = desk.floats[0, BEST]
            known[k] = 1


def exact_worth(desk: Desk, mine: int, yours: int, hidden: int, shown: int, visits: int) -> float:
    """The chance of the player to move; -1 if that takes more than so many visits."""
    desk.tally[VISITS], desk.tally[LIMIT] = 0, visits
    begin(desk, mine, yours, hidden, shown)
    if not opened(desk, 0) or carried_on(desk):
        return float(desk.floats[0, BEST])
    return -1.0


def begin(desk: Desk, mine: int, yours: int, hidden: int, shown: int) -> None:
    """Put a position on the first ply, with no claims listed yet."""
    ints, floats = desk.ints, desk.floats
    desk.tally[PLY] = 0
    ints[0, MINE], ints[0, YOURS], ints[0, HIDDEN], ints[0, SHOWN] = mine, yours, hidden, shown
    ints[0, LISTED], ints[0, TRIED], ints[0, CELL], ints[0, KEY] = 0, 0, -1, 0
    floats[0, ALPHA], floats[0, BETA], floats[0, BEST] = -1.0, 2.0, 0.0


def carried_on(desk: Desk) -> bool:
    """Search until the first ply is worked out, which then is its BEST; False if stopped before."""
    tally = desk.tally
    ply = tally[PLY]
    while tally[VISITS] < tally[LIMIT] and not tally[STOP]:
        if stepped(desk, ply):
            ply += 1
            tally[VISITS] += 1
            if opened(desk, ply):
                continue
        else:
            remember(desk, ply)
            if ply == 0:
                tally[PLY] = -1
                return True
        ply -= 1
        receive(desk, ply, desk.floats[ply + 1, BEST])
    tally[PLY] = ply
    return False


# A position


def opened(desk: Desk, ply: int) -> bool:
    """List the claims of a position; False if its worth, in BEST, is plain without them."""
    ints, floats = desk.ints, desk.floats
    mine, yours, hidden, shown = (
        ints[ply, MINE], ints[ply, YOURS], ints[ply, HIDDEN], ints[ply, SHOWN]
    )  # fmt: skip
    least, most = desk.tally[LEAST], desk.tally[MOST]
    counts = counted(desk.numbers, shown)
    decided = foregone(counts, mine, yours, least, most)
    if decided >= 0:
        floats[ply, BEST] = decided
        return False
    if not hidden | shown:
        floats[ply, BEST] = 1.0 if mine < yours else 0.5 if mine == yours else 0.0
        return False
    # A face-down cell may hold all I need.
    gamble = max(0, most + 1 - max(mine, least)) / (most + 1 - least) if hidden else 0.0
    threats = 0
    for number in range(max(yours, least), most + 1):
        threats += counts >> 6 * number & 63
    floats[ply, BEST] = gamble if threats else 0.0
    if threats > 1:
        return False
    key = key_of(desk.around, desk.numbers, mine, yours, hidden, shown)
    ints[ply, KEY] = key
    slot = key & len(desk.keys) - 1
    if desk.keys[slot] == key:
        floor, ceiling = desk.bounds[slot, 0], desk.bounds[slot, 1]
        if floor >= floats[ply, BETA] or floor >= ceiling:
            floats[ply, BEST] = floor
            return False
        if ceiling <= floats[ply, ALPHA]:
            floats[ply, BEST] = ceiling
            return False
    ints[ply, CELL], ints[ply, TRIED] = -1, 0
    if threats:
        list_threat(desk, ply, yours, shown)
    else:
        list_claims(desk, ply, hidden, shown)
    return True


def remember(desk: Desk, ply: int) -> None:
    """Write what has become of a position into the table."""
    key = desk.ints[ply, KEY]
    best = desk.floats[ply, BEST]
    slot = key & len(desk.keys) - 1
    if desk.keys[slot] != key:
        desk.keys[slot] = key
        desk.bounds[slot, 0] = 0.0
        desk.bounds[slot, 1] = 1.0
    if best > desk.floats[ply, ALPHA]:
        desk.bounds[slot, 0] = best
    if best < desk.floats[ply, BETA]:
        desk.bounds[slot, 1] = best


def counted(numbers: Ints, shown: int) -> int:
    """How often each number lies open, packed six bits a number."""
    counts = 0
    while shown:
        counts += 1 << 6 * numbers[lowest(shown)]
        shown &= shown - 1
    return counts


def foregone(counts: int, mine: int, yours: int, least: int, most: int) -> int:
    """1 if the player to move has won whatever comes, 0 if lost, -1 if it is open."""
    my_claims = (yours + most - 1) // most  # so many before the opponent can have finished
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


def key_of(around: Ints, numbers: Ints, mine: int, yours: int, hidden: int, shown: int) -> int:
    """A number for the position: the same for any that differ only in cells that are alike."""
    key = mixed(mine * 1024 + yours, hidden)
    while shown:
        cell = lowest(shown)
        key += mixed(around[cell] & hidden, numbers[cell])
        shown &= shown - 1
    return key


def mixed(one: int, other: int) -> int:
    """A well-stirred number made of two."""
    stirred = one * -7046029254386353131 + other * -4417276706812531889 + 1442695040888963407
    stirred ^= stirred >> 29 & 0x7FFFFFFFF
    stirred *= -4658895280553007687
    return stirred ^ (stirred >> 32 & 0xFFFFFFFF)


# Its claims


def list_threat(desk: Desk, ply: int, yours: int, shown: int) -> None:
    """List the one claim that keeps the opponent from winning at once."""
    while desk.numbers[lowest(shown)] < yours:
        shown &= shown - 1
    desk.ints[ply, CLAIMS] = lowest(shown)
    desk.ints[ply, LISTED] = 1


def list_claims(desk: Desk, ply: int, hidden: int, shown: int) -> None:
    """List one claim of each kind, the best of those alike.

    What is turned up helps the opponent first, roughly by a quarter of a point a cell. That only
    says which are looked into first.
    """
    ints, floats, numbers = desk.ints, desk.floats, desk.numbers
    listed = 0
    while shown:
        cell = lowest(shown)
        shown &= shown - 1
        kind = desk.around[cell] & hidden
        place = 0
        while place < listed and ints[ply, KINDS + place] != kind:
            place += 1
        if place < listed and numbers[ints[ply, CLAIMS + place]] >= numbers[cell]:
            continue
        ints[ply, CLAIMS + place], ints[ply, KINDS + place] = cell, kind
        floats[ply, HOPES + place] = numbers[cell] - 0.25 * count(kind)
        listed = max(listed, place + 1)
    first, average = listed, 0.5 * (desk.tally[LEAST] + desk.tally[MOST])
    rest = hidden
    while rest:
        cell = lowest(rest)
        rest &= rest - 1
        kind = desk.around[cell] & hidden | 1 << cell
        place = first
        while place < listed and ints[ply, KINDS + place] != kind:
            place += 1
        if place == listed:
            ints[ply, CLAIMS + place], ints[ply, KINDS + place] = cell, kind
            floats[ply, HOPES + place] = average - 0.25 * count(kind)
            listed += 1
    ints[ply, LISTED] = listed


def stepped(desk: Desk, ply: int) -> bool:
    """Put the next position to look at on the next ply; False when this one is worked out."""
    ints, floats = desk.ints, desk.floats
    while True:
        if ints[ply, CELL] < 0:
            if ints[ply, TRIED] >= ints[ply, LISTED] or floats[ply, BEST] >= floats[ply, BETA]:
                return False
            begin_claim(desk, ply, most_hopeful(desk, ply))
        while ints[ply, NUMBER] >= ints[ply, LOW]:
            if turned_next(desk, ply):
                descend(desk, ply)
                return True
            ints[ply, NUMBER] -= 1
            begin_turning(desk, ply)
        floats[ply, BEST] = max(floats[ply, BEST], floats[ply, SURE])
        ints[ply, CELL] = -1


def most_hopeful(desk: Desk, ply: int) -> int:
    """Take the most hopeful claim that is left from the list."""
    ints, floats = desk.ints, desk.floats
    tried, listed = ints[ply, TRIED], ints[ply, LISTED]
    best = tried
    for place in range(tried + 1, listed):
        if floats[ply, HOPES + place] > floats[ply, HOPES + best]:
            best = place
    cell = ints[ply, CLAIMS + best]
    ints[ply, CLAIMS + best] = ints[ply, CLAIMS + tried]
    floats[ply, HOPES + best] = floats[ply, HOPES + tried]
    ints[ply, TRIED] = tried + 1
    return int(cell)


# A claim


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
    ints[ply, TURNED] = listed
    desk.floats[ply, CHANCES] = chance


def begin_turning(desk: Desk, ply: int) -> None:
    """Go back to before the first outcome."""
    desk.ints[ply, TURNING] = 0
    desk.ints[ply, DRAWN] = desk.ints[ply, TOP] + 1


def turned_next(desk: Desk, ply: int) -> bool:
    """Put the next outcome on the board; False if there is none left.

    Numbers count down, the last cell first; cells alike get theirs in falling order.
    """
    ints, floats = desk.ints, desk.floats
    place, last = ints[ply, TURNING], ints[ply, TURNED] - 1
    if last < 0:
        floats[ply, CHANCE] = floats[ply, EACH]
        ints[ply, TURNING] = -1
        return bool(place == 0)
    while place >= 0:
        number = ints[ply, DRAWN + place] - 1
        ints[ply, DRAWN + place] = number
        if number < desk.tally[LEAST]:
            place -= 1
            continue
        desk.numbers[ints[ply, CELLS + place]] = number
        same, run = 1, ints[ply, RUNS + place]
        while place - same >= run and ints[ply, DRAWN + place - same] == number:
            same += 1
        floats[ply, CHANCES + place + 1] = floats[ply, CHANCES + place] / same
        if place == last:
            ints[ply, TURNING] = place
            floats[ply, CHANCE] = floats[ply, EACH] * floats[ply, CHANCES + place + 1]
            return True
        place += 1
        alike = ints[ply, RUNS + place] < place
        ints[ply, DRAWN + place] = (number if alike else ints[ply, TOP]) + 1
    return False


def descend(desk: Desk, ply: int) -> None:
    """Set up the next ply after an outcome: the opponent's turn, and what matters of its worth."""
    ints, floats = desk.ints, desk.floats
    ints[ply + 1, MINE] = ints[ply, YOURS]
    ints[ply + 1, YOURS] = ints[ply, MINE] - ints[ply, NUMBER]
    ints[ply + 1, HIDDEN] = ints[ply, NEXT_HIDDEN]
    ints[ply + 1, SHOWN] = ints[ply, NEXT_SHOWN]
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
