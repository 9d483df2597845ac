"""The stack of the exact search: the positions on the line it is searching, ply by ply.

All of it is numbers behind pointers, so that one compiled kernel fits all races; the names here are
their columns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gridwise.engine.chance.race import Race
from gridwise.engine.compiled.kernels import pointer
from gridwise.engine.compiled.specialize import Floats, Ints

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
