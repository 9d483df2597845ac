"""The desk of the exact search: where it keeps the position it is at, ply by ply.

All of it is numbers in Tables and Sheets, so that one compiled kernel fits all races; the names
here are their columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gridwise.engine.binding import Ints
from gridwise.engine.race import Race

Floats = Any  # floats in a Sheet or an array

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
INTS = 225
# Among `floats`: the window, the best claim so far; of the claim being looked into: what it has
# brought, what it still may bring, how likely each number of the cell and this outcome is.
ALPHA, BETA, BEST, SURE, STILL, EACH, CHANCE = range(7)
CHANCES, HOPES = 8, 32
FLOATS = 96


class Desk(NamedTuple):
    """What a search reads and writes."""

    around: Ints  # cell -> the cells that a claim of it turns up, eight at most
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
        ints=Sheet(np.zeros((PLIES + 1, INTS), dtype=np.int64)),
        floats=Sheet(np.zeros((PLIES + 1, FLOATS))),
        keys=Table(np.zeros(entries, dtype=np.int64)),
        bounds=Sheet(np.zeros((entries, 2))),
    )
