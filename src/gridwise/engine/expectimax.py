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
each other (issue 6061 there). All plies are rows of two sheets instead (`desk`), and that has its
own good: a search that was stopped goes on where it was. `foregone` has what can be told of a
position at a look, `outcomes` what becomes of one claim.
"""

from __future__ import annotations

from gridwise.engine.binding import Ints
from gridwise.engine.desk import (
    ALPHA,
    BEST,
    BETA,
    CELL,
    CLAIMS,
    COUNTS,
    HIDDEN,
    HOPES,
    KEY,
    KINDS,
    LEAST,
    LIMIT,
    LISTED,
    LOW,
    MINE,
    MOST,
    NUMBER,
    PLY,
    SHOWN,
    SURE,
    TRIED,
    VISITS,
    YOURS,
    Desk,
    Floats,
)
from gridwise.engine.foregone import at_the_end, counted, gamble, key_of, plain, threats
from gridwise.engine.masks import count, lowest
from gridwise.engine.outcomes import begin_claim, begin_turning, descend, receive, turned_next

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
