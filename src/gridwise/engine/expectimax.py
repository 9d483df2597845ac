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
  have 126 outcomes instead of 3,125. They are turned up one by one, highest first, and when the
  result is foregone before the last, the rest is not gone through: 95 outcomes in 100 go that way.
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

ENTRIES = 1 << 20  # of the table; 24 MB, of which only what is used is touched
PLIES = 64  # one a cell, and the claim that is asked for

# What `tally` has.
LEAST, MOST, VISITS, LIMIT, PLY = range(5)

# What a ply has among `ints`: the position, its key, the claims and which is being looked into,
(MINE, YOURS, HIDDEN, SHOWN, KEY, LISTED, TRIED) = range(7)
# that claim's cell, the number it has, and the positions it leads to;
(CELL, NUMBER, LOW, TOP, NEXT_HIDDEN, NEXT_SHOWN, TURNED, TURNING) = range(7, 15)
# and lists, by where they begin: the claims and their kinds; the cells that are turned up, where
# among them those alike begin and end, their numbers, and the open numbers as they come in.
CLAIMS, KINDS, CELLS, RUNS, ENDS, DRAWN, COUNTS = 16, 80, 144, 160, 176, 192, 208
WIDTH = 225
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


def desk_of(race: Race, entries: int = ENTRIES) -> Desk:
    """An empty desk for a race, with a table of so many entries, a power of two."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    from gridwise.engine.tables import Sheet, Table  # noqa: PLC0415 - imports numba

    return Desk(
        around=Table(race.around),
        numbers=Table(race.values),
        tally=Table([race.least, race.most, 0, 0, -1]),
        ints=Sheet(np.zeros((PLIES + 1, WIDTH), dtype=np.int64)),
        floats=Sheet(np.zeros((PLIES + 1, 96))),
        keys=Table(np.zeros(entries, dtype=np.int64)),
        bounds=Sheet(np.zeros((entries, 2))),
    )


# From outside


def exact_claims(
    desk: Desk, race: Ints, cells: Ints, found: Floats, known: Ints, visits: int
) -> None:
    """Work out claims one after the other; `known[k]` tells which `found[k]` are exact.

    `race` has mine, yours, hidden, shown. After so many visits it comes back; another call goes on.
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
    found = plain(desk, desk.ints[0, COUNTS], mine, yours, hidden)
    if found >= 0.0:
        return found
    if not opened(desk, 0) or carried_on(desk):
        return float(desk.floats[0, BEST])
    return -1.0


def begin(desk: Desk, mine: int, yours: int, hidden: int, shown: int) -> None:
    """Put a position on the first ply, with no claims listed yet."""
    ints, floats = desk.ints, desk.floats
    desk.tally[PLY] = 0
    ints[0, MINE], ints[0, YOURS], ints[0, HIDDEN], ints[0, SHOWN] = mine, yours, hidden, shown
    ints[0, LISTED], ints[0, TRIED], ints[0, CELL], ints[0, KEY] = 0, 0, -1, 0
    ints[0, COUNTS] = counted(desk.numbers, shown)
    floats[0, ALPHA], floats[0, BETA], floats[0, BEST] = -1.0, 2.0, 0.0


def carried_on(desk: Desk) -> bool:
    """Search until the first ply is worked out, which then is its BEST; False if stopped before."""
    tally = desk.tally
    ply = tally[PLY]
    while tally[VISITS] < tally[LIMIT]:
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
    """List the claims of a position that is not `plain`; False if its worth is in BEST already."""
    ints, floats = desk.ints, desk.floats
    mine, yours, hidden, shown = (
        ints[ply, MINE], ints[ply, YOURS], ints[ply, HIDDEN], ints[ply, SHOWN]
    )  # fmt: skip
    if not hidden | shown:
        floats[ply, BEST] = at_the_end(mine, yours)
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
    list_claims(desk, ply)
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


def plain(desk: Desk, counts: int, mine: int, yours: int, hidden: int) -> float:
    """The chance of the player to move where the open numbers alone decide; else -1.

    More open numbers would not change it, unless one of them wins at once.
    """
    least, most = desk.tally[LEAST], desk.tally[MOST]
    decided = foregone(counts, mine, yours, least, most)
    if decided < 0 and threats(counts, yours, most) > 1:
        return gamble(mine, hidden, least, most)
    return float(decided)


def at_the_end(mine: int, yours: int) -> float:
    """What a full board is worth to the player who would be next."""
    return 1.0 if mine < yours else 0.5 if mine == yours else 0.0


def threats(counts: int, yours: int, most: int) -> int:
    """How many open cells would be all the opponent needs."""
    found = 0
    for number in range(yours, most + 1):
        found += counts >> 6 * number & 63
    return found


def gamble(mine: int, hidden: int, least: int, most: int) -> float:
    """The chance that a face-down cell is all I need."""
    return max(0, most + 1 - max(mine, least)) / (most + 1 - least) if hidden else 0.0


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
    """A number for the position, the same for any that differ only in what cannot matter.

    Cells alike may change places. And of those that turn up nothing, the best is claimed first; if
    the better ones have more points than can be claimed before the end, the others do not count.
    """
    key = mixed(mine * 1024 + yours, hidden)
    quiet = 0
    while shown:
        cell = lowest(shown)
        shown &= shown - 1
        kind = around[cell] & hidden
        if kind:
            key += mixed(kind, numbers[cell])
        else:
            quiet += 1 << 6 * numbers[cell]
    left = mine + yours - 1
    number = 9
    while quiet and left > 0:
        here = quiet >> 6 * number & 63
        if here:
            quiet ^= here << 6 * number
            matter = min(here, (left + number - 1) // number)
            key += mixed(-number, matter)
            left -= matter * number
        number -= 1
    return key


def mixed(one: int, other: int) -> int:
    """A well-stirred number made of two."""
    stirred = one * -7046029254386353131 + other * -4417276706812531889 + 1442695040888963407
    stirred ^= stirred >> 29 & 0x7FFFFFFFF
    stirred *= -4658895280553007687
    return stirred ^ (stirred >> 32 & 0xFFFFFFFF)


# Its claims


def list_claims(desk: Desk, ply: int) -> None:
    """List what may be the best claim, and put into BEST what there is without it."""
    ints = desk.ints
    least, most = desk.tally[LEAST], desk.tally[MOST]
    mine, yours, hidden = ints[ply, MINE], ints[ply, YOURS], ints[ply, HIDDEN]
    ints[ply, CELL], ints[ply, TRIED] = -1, 0
    if threats(ints[ply, COUNTS], yours, most):
        # Nothing else helps but the luck of winning at once.
        desk.floats[ply, BEST] = gamble(mine, hidden, least, most)
        list_threat(desk, ply, yours)
    else:
        desk.floats[ply, BEST] = 0.0
        list_kinds(desk, ply)


def list_threat(desk: Desk, ply: int, yours: int) -> None:
    """List the one claim that keeps the opponent from winning at once."""
    shown = desk.ints[ply, SHOWN]
    while desk.numbers[lowest(shown)] < yours:
        shown &= shown - 1
    desk.ints[ply, CLAIMS] = lowest(shown)
    desk.ints[ply, LISTED] = 1


def list_kinds(desk: Desk, ply: int) -> None:
    """List one claim of each kind, the best of those alike.

    What is turned up helps the opponent first, roughly by a quarter of a point a cell. That only
    says which are looked into first.
    """
    ints, floats, numbers = desk.ints, desk.floats, desk.numbers
    hidden, shown = ints[ply, HIDDEN], ints[ply, SHOWN]
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
