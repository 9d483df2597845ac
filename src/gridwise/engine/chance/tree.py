"""The tree of the Monte Carlo search, and the priors that the relaxation gives its claims.

All of it is numbers behind pointers, so that one compiled kernel fits all races; the names here are
their columns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gridwise.engine.chance.race import Race
from gridwise.engine.chance.relaxation import NUMBERS, WIDE, relaxation_of
from gridwise.engine.chance.search_stack import RaceState, SearchStack
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount
from gridwise.engine.compiled.kernels import pointer
from gridwise.engine.compiled.specialize import Floats, Ints

MAX_NODES = 1 << 19
EDGES_PER_NODE = 4

# Columns of `nodes`: how often a node was drawn, its claims in `edges` (from where, how many, or
# that it needs none because it is solved exactly), and the claim it comes from.
VISITS, FIRST, EDGES, PARENT = range(4)
SETTLED = -1
# Columns of `values`: its value, its value without the claims, the estimate of the relaxation, and
# how much of the difference has been added at the claim it comes from.
VALUE, FLOOR, ESTIMATE, COUNTED = range(4)
# Columns of `edges`: a claim's cell, and how often it was tried. Of `sums`: the estimate of the
# relaxation, and the sum of differences. Of `estimates`, which are read most: both together, and
# the exploration bonus, one over the root of the tries (stored: roots took a quarter of the time).
CELL, TRIES = range(2)
PRIOR, CORRECTION = range(2)
MEAN, EXPLORATION_BONUS = range(2)

# An entry of `index` is a key with the node in place of its last bits: one memory access for both.
NODE_BITS = 20
NODE = (1 << NODE_BITS) - 1


class Tree(NamedTuple):
    """A tree of positions (nodes) and claims (edges); the first node is the root."""

    index: Ints  # by key, with open addressing; 0 is empty
    nodes: Ints
    values: Floats
    edges: Ints
    sums: Floats
    estimates: Floats
    used: Ints  # how many nodes, how many edges
    path: Ints  # [ply, …] the node and the edge of the present simulation
    rng: Ints  # the seed
    table: Floats  # the relaxation, its rows numbered by `table_row`
    blind: Floats
    ranks: Ints
    sizes: Ints  # how many rows of the relaxation there are for each `yours`, and for each `mine`
    rows: Ints  # number -> the row of the relaxation after claiming a shown cell with it


def make_tree(race: Race, simulations: int, seed: int) -> Tree:
    """A tree with room for `simulations`, but not more than 100 MB."""
    room = min(MAX_NODES, 1 << max(8, simulations.bit_length()))
    relaxation = relaxation_of(race)
    hands = relaxation.table.shape[2]
    arrays = Tree(
        index=np.zeros(2 * room, dtype=np.int64),
        nodes=np.zeros((room, 4), dtype=np.int32),
        values=np.zeros((room, 4), dtype=np.float32),
        edges=np.zeros((room * EDGES_PER_NODE, 2), dtype=np.int32),
        sums=np.zeros((room * EDGES_PER_NODE, 2)),
        estimates=np.zeros((room * EDGES_PER_NODE, 2), dtype=np.float32),
        used=[1, 0],
        path=np.zeros((66, 2), dtype=np.int64),
        rng=[seed * 2 + 1],
        table=relaxation.table.reshape(-1, WIDE),
        blind=relaxation.blind.reshape(-1, WIDE),
        ranks=relaxation.ranks,
        sizes=[hands, hands * (race.target + 1)],
        rows=[0] * NUMBERS,
    )
    return Tree(*map(pointer, arrays))


# Estimates of the relaxation


def look_up_rows(stack: SearchStack, tree: Tree, race: RaceState, counts: int) -> None:
    """Find the rows for all claims of a position, for `prior`: one for each number.

    Under 0, a number that no shown cell has, there is the row for face-down cells.
    """
    mine, yours, most = race.mine, race.yours, stack.most
    tree.rows[0] = table_row(tree, mine, yours, counts, most)
    for number in range(stack.least, min(most, mine - 1) + 1):
        if counts >> 6 * number & 63:
            rest = counts - (1 << 6 * number)
            tree.rows[number] = table_row(tree, yours, mine - number, rest, most)


def prior(stack: SearchStack, tree: Tree, race: RaceState, cell: int) -> float:
    """The estimate for a claim: the average over all that it can reveal."""
    revealed = popcount(stack.reveals[cell] & race.hidden)
    if race.hidden >> cell & 1:
        return float(tree.blind[tree.rows[0], revealed])
    number = stack.numbers[cell]
    return 1.0 if number >= race.mine else 1.0 - float(tree.table[tree.rows[number], revealed])


def best_prior(stack: SearchStack, tree: Tree, race: RaceState) -> float:
    """The estimate for the best claim."""
    best, rest = 0.0, race.hidden | race.shown
    while rest:
        best = max(best, prior(stack, tree, race, lowest_bit(rest)))
        rest &= rest - 1
    return best


def table_row(tree: Tree, mine: int, yours: int, counts: int, most: int) -> int:
    """The row of the relaxation for the points needed and the shown numbers."""
    hand = hand_rank(tree.ranks, counts, most)
    return int(mine * tree.sizes[1] + yours * tree.sizes[0] + hand)


def hand_rank(ranks: Ints, counts: int, most: int) -> int:
    """The number of the hand with the best of the shown numbers."""
    rank = place = 0
    length = len(ranks)
    for number in range(most, 0, -1):
        for _ in range(counts >> 6 * number & 63):
            if place == length:
                return rank
            rank += ranks[place, number]
            place += 1
    return rank
