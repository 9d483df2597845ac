"""Winning chances of a race by sampling, compiled: a tree of claims and of what they turned up.

A simulation goes down the tree. Where a player is to move it takes the claim that looks best, with
some curiosity; where cells are turned up it draws their numbers, and each different outcome is a
branch of its own. So nobody in the tree ever knows a number before it is turned up. The first new
position is judged by one look ahead with the shadow behind it, and the news goes back up: a
position is worth its best claim, a claim the average over what was drawn.

Three things make few simulations go far:

- The shadow knows the average of its own judgement over everything a claim can turn up. Only the
  *difference* between a branch's worth and the shadow's judgement is averaged over draws; that
  varies five times less than the worth, so it takes 25 times fewer draws.
- Positions that come up again and again are handed to the exact search, each time with more
  patience. Where that succeeds the branch is settled for good.
- Nothing is played out to the end at random: a simulation takes about a microsecond.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from gridwise.engine.binding import Ints
from gridwise.engine.desk import (
    BEST,
    CLAIMS,
    COUNTS,
    HIDDEN,
    LEAST,
    LISTED,
    MINE,
    MOST,
    SHOWN,
    YOURS,
    Desk,
    Floats,
)
from gridwise.engine.expectimax import begin, exact_claims, exact_worth, list_claims
from gridwise.engine.foregone import at_the_end, counted, key_of, mixed, plain
from gridwise.engine.masks import count, lowest, random_bits
from gridwise.engine.race import Race
from gridwise.engine.shadow import NUMBERS, WIDE, shadow_of

CURIOSITY = 0.12  # how far a claim's promise is stretched where it has been tried little
WIDE_CURIOSITY = 0.2  # the same for the claims asked about: none may fall too far behind
CAUTION = 2.0  # draws that say "as the shadow has it", to begin with
PATIENCE = 10  # visits of the exact search for each time a position has come up,
MOST_PATIENCE = 10_000  # but not more than 10 ms, so that the search can be stopped
FIRST_TRY = 4  # how often a position must have come up
NEAR = 4  # claims to the end, at the least; with more the exact search has no chance
MOST_NODES = 1 << 19
EDGES_A_NODE = 4

# Of a node, among `nodes`: how often it was drawn, its claims in `edges` (from where, how many, or
# that it needs none because it is worked out exactly), and the claim it comes from.
DRAWS, FIRST, EDGES, PARENT = range(4)
SETTLED = -1
# Among `worths`: what it is worth, what it is worth in any case, how the shadow judges it, and how
# much of the difference has been counted in at the claim it comes from.
WORTH, FLOOR, JUDGED, GIVEN = range(4)
# Of a claim, among `edges`: its cell, and how often it was tried. Among `sums`: what the shadow
# says, and the sum of differences. Among `hopes`, which are gone through most: both together, and
# one over the root of how often it was tried (kept, because roots took a quarter of the time).
CELL, TRIES = range(2)
PRIOR, GAIN = range(2)
PROMISE, RARITY = range(2)
NEVER = -1e6  # the rarity of a claim that is known exactly

# An entry of `index` is a key with the node in place of its last bits: one look at one place.
NODE_BITS = 20
NODE = (1 << NODE_BITS) - 1


class Tree(NamedTuple):
    """A tree of positions (nodes) and claims (edges); the first node is what is asked about."""

    index: Ints  # by key, with open addressing; 0 is empty
    nodes: Ints
    worths: Floats
    edges: Ints
    sums: Floats
    hopes: Floats
    used: Ints  # how many nodes, how many edges
    path: Ints  # [ply, …] the node and the edge of the present simulation
    source: Ints  # the seed
    table: Floats  # the shadow, its rows numbered by `row_of`
    blind: Floats
    ranks: Ints
    sizes: Ints  # how many rows of the shadow there are for each `yours`, and for each `mine`
    rows: Ints  # number -> the row of the shadow after claiming an open cell with it


def tree_of(race: Race, simulations: int, seed: int) -> Tree:
    """A tree with room for so many simulations, but not more than 100 MB."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    from gridwise.engine.tables import Sheet, Table  # noqa: PLC0415 - imports numba

    room = min(MOST_NODES, 1 << max(8, simulations.bit_length()))
    judge = shadow_of(race)
    hands = judge.table.shape[2]
    return Tree(
        index=Table(np.zeros(2 * room, dtype=np.int64)),
        nodes=Sheet(np.zeros((room, 4), dtype=np.int32)),
        worths=Sheet(np.zeros((room, 4), dtype=np.float32)),
        edges=Sheet(np.zeros((room * EDGES_A_NODE, 2), dtype=np.int32)),
        sums=Sheet(np.zeros((room * EDGES_A_NODE, 2))),
        hopes=Sheet(np.zeros((room * EDGES_A_NODE, 2), dtype=np.float32)),
        used=Table([1, 0]),
        path=Sheet(np.zeros((66, 2), dtype=np.int64)),
        source=Table([seed * 2 + 1]),
        table=Sheet(judge.table.reshape(-1, WIDE)),
        blind=Sheet(judge.blind.reshape(-1, WIDE)),
        ranks=Sheet(judge.ranks),
        sizes=Table([hands, hands * (race.target + 1)]),
        rows=Table([0] * NUMBERS),
    )


def search(
    desk: Desk, spare: Desk, tree: Tree, race: Ints, cells: Ints, found: Floats, known: Ints,
    visits: int, simulations: int,
) -> None:  # fmt: skip
    """Work claims out exactly as far as so many visits go, then judge the rest by simulations.

    One kernel for both, because compiling it takes seconds. `race` has mine, yours, hidden, shown;
    `spare` is a second desk, with the same table, for looking into single positions.
    """
    if visits:
        exact_claims(desk, race, cells, found, known, visits)
    if simulations:
        if tree.nodes[0, EDGES] == 0:
            plant(spare, tree, race, cells)
        for k in range(len(cells)):
            if known[k]:
                tree.hopes[k, RARITY] = NEVER
        simulate(spare, tree, race, simulations)


def plant(desk: Desk, tree: Tree, race: Ints, cells: Ints) -> None:
    """Give the first node its claims."""
    counts = counted(desk.numbers, race[SHOWN])
    look_up(desk, tree, race[MINE], race[YOURS], counts)
    for k in range(len(cells)):
        sprout(tree, k, cells[k], prior(desk, tree, race[MINE], race[HIDDEN], cells[k]))
    tree.nodes[0, EDGES] = len(cells)
    tree.used[1] = len(cells)


def sprout(tree: Tree, edge: int, cell: int, hope: float) -> None:
    """Make a claim that has not been tried yet."""
    tree.edges[edge, CELL] = cell
    tree.sums[edge, PRIOR] = tree.hopes[edge, PROMISE] = hope
    tree.hopes[edge, RARITY] = 1.0


def simulate(desk: Desk, tree: Tree, race: Ints, simulations: int) -> None:
    """Run simulations."""
    for _ in range(simulations):
        ply = gone_down(desk, tree, race)
        tree.nodes[0, DRAWS] += 1
        while ply >= 0:
            report(tree, ply)
            ply -= 1


def gone_down(desk: Desk, tree: Tree, race: Ints) -> int:
    """One way down the tree: how many plies there are in `path` to report back from."""
    mine, yours, hidden, shown = race[MINE], race[YOURS], race[HIDDEN], race[SHOWN]
    least, kinds = desk.tally[LEAST], desk.tally[MOST] + 1 - desk.tally[LEAST]
    node = ply = 0
    while True:
        edge = chosen(tree, node)
        tree.edges[edge, TRIES] += 1
        tree.hopes[edge, RARITY] = 1.0 / math.sqrt(tree.edges[edge, TRIES] + 1)
        tree.path[ply, 0], tree.path[ply, 1] = node, edge
        cell = tree.edges[edge, CELL]
        if hidden >> cell & 1:
            desk.numbers[cell] = least + (random_bits(tree.source) * kinds >> 31)
        number = desk.numbers[cell]
        if number >= mine:
            tree.path[ply + 1, 0] = -1
            return ply
        fresh = desk.around[cell] & hidden
        hidden &= ~fresh & ~(1 << cell)
        shown = (shown | fresh) & ~(1 << cell)
        while fresh:
            desk.numbers[lowest(fresh)] = least + (random_bits(tree.source) * kinds >> 31)
            fresh &= fresh - 1
        mine, yours = yours, mine - number
        node = arrived(desk, tree, edge, mine, yours, hidden, shown)
        ply += 1
        tree.path[ply, 0] = node
        if node < 0 or tree.nodes[node, EDGES] <= 0:
            return ply - 1


def arrived(
    desk: Desk, tree: Tree, edge: int, mine: int, yours: int, hidden: int, shown: int
) -> int:
    """The node of an outcome, counted and judged; -1 if there is no room for it.

    It has claims to go on with if it came up before and is not settled.
    """
    key = mixed(key_of(desk.around, desk.numbers, mine, yours, hidden, shown), edge)
    slots = len(tree.index) - 1
    slot = key & slots
    while tree.index[slot] and (tree.index[slot] ^ key) & ~NODE:
        slot = slot + 1 & slots
    node = tree.index[slot] & NODE
    if not node:
        return added(desk, tree, slot, key, edge, mine, yours, hidden, shown)
    draws = tree.nodes[node, DRAWS] + 1
    tree.nodes[node, DRAWS] = draws
    if tree.nodes[node, EDGES] == SETTLED:
        return int(node)
    if worth_a_try(draws, mine, yours, desk.tally[MOST]):
        found = exact_worth(desk, mine, yours, hidden, shown, min(MOST_PATIENCE, PATIENCE * draws))
        if found >= 0.0:
            tree.nodes[node, EDGES] = SETTLED
            tree.worths[node, WORTH] = found
            return int(node)
    if tree.nodes[node, EDGES] == 0:
        branch(desk, tree, node, mine, yours, hidden, shown)
    return int(node)


def worth_a_try(draws: int, mine: int, yours: int, most: int) -> bool:
    """Whether to hand a position that has come up so often to the exact search.

    It must be over, at the best, in four claims more. Of those with four hardly one in twenty is
    worked out, of nearer ones every third: so those with four have to wait longer between tries.
    """
    if draws < FIRST_TRY or draws & draws - 1:
        return False
    claims = (mine + most - 1) // most + (yours + most - 1) // most
    if claims == NEAR:
        return draws >= FIRST_TRY**2 and bits(draws) & 1 == 1  # the powers of four from 16 on
    return claims < NEAR


def added(
    desk: Desk, tree: Tree, slot: int, key: int, edge: int,
    mine: int, yours: int, hidden: int, shown: int,
) -> int:  # fmt: skip
    """A new node, judged; -1 if there is no room, and then its news is counted in at once."""
    counts = counted(desk.numbers, shown)
    worth = plain(desk, counts, mine, yours, hidden)
    if not hidden | shown:
        worth = at_the_end(mine, yours)
    settled = worth >= 0.0
    row = row_of(tree, mine, yours, ranked(tree.ranks, counts, desk.tally[MOST]))
    judged = tree.table[row, 0]
    if not settled:
        look_up(desk, tree, mine, yours, counts)
        worth = best_prior(desk, tree, hidden, shown)
    node = tree.used[0]
    if node == len(tree.nodes):
        tree.sums[edge, GAIN] += judged - worth
        return -1
    tree.used[0] = node + 1
    tree.index[slot] = key & ~NODE | node
    tree.nodes[node, DRAWS], tree.nodes[node, PARENT] = 1, edge
    tree.nodes[node, EDGES] = SETTLED if settled else 0
    tree.worths[node, WORTH], tree.worths[node, JUDGED] = worth, judged
    return int(node)


def branch(
    desk: Desk, tree: Tree, node: int, mine: int, yours: int, hidden: int, shown: int
) -> None:
    """List a node's claims, if there is room."""
    begin(desk, mine, yours, hidden, shown)
    list_claims(desk, 0)
    first, listed = tree.used[1], desk.ints[0, LISTED]
    if first + listed > len(tree.edges):
        return
    look_up(desk, tree, mine, yours, desk.ints[0, COUNTS])
    for place in range(listed):
        cell = desk.ints[0, CLAIMS + place]
        sprout(tree, first + place, cell, prior(desk, tree, mine, hidden, cell))
    tree.worths[node, FLOOR] = desk.floats[0, BEST]
    tree.nodes[node, FIRST], tree.nodes[node, EDGES] = first, listed
    tree.used[1] = first + listed
    tree.worths[node, WORTH] = best_promise(tree, node)


def report(tree: Tree, ply: int) -> None:
    """Take the news from below to the claim that was tried, and to its position."""
    node, edge = tree.path[ply, 0], tree.path[ply, 1]
    below = tree.path[ply + 1, 0]
    worths, sums = tree.worths, tree.sums
    if below >= 0:
        # The difference as it is stored, in short floats: so what is added up here is its sum.
        before = worths[below, GIVEN]
        worths[below, GIVEN] = tree.nodes[below, DRAWS] * (
            worths[below, JUDGED] - worths[below, WORTH]
        )
        sums[edge, GAIN] += worths[below, GIVEN] - before
    was = tree.hopes[edge, PROMISE]
    tree.hopes[edge, PROMISE] = sums[edge, PRIOR] + sums[edge, GAIN] / (
        tree.edges[edge, TRIES] + CAUTION
    )
    if tree.hopes[edge, PROMISE] >= worths[node, WORTH]:
        worths[node, WORTH] = tree.hopes[edge, PROMISE]
    elif was >= worths[node, WORTH]:
        # It was the best, and has become worse.
        worths[node, WORTH] = best_promise(tree, node)


def best_promise(tree: Tree, node: int) -> float:
    """The promise of a node's best claim, or what there is without one."""
    best, first = float(tree.worths[node, FLOOR]), tree.nodes[node, FIRST]
    for edge in range(first, first + tree.nodes[node, EDGES]):
        best = max(best, float(tree.hopes[edge, PROMISE]))
    return best


def chosen(tree: Tree, node: int) -> int:
    """The claim to try: the best one, but one that was tried little is given some credit."""
    first, draws = tree.nodes[node, FIRST], tree.nodes[node, DRAWS] + 1
    credit = (
        CURIOSITY * math.sqrt(bits(draws)) if node else WIDE_CURIOSITY * math.sqrt(math.sqrt(draws))
    )
    best, choice = -9.0, first
    for edge in range(first, first + tree.nodes[node, EDGES]):
        hope = tree.hopes[edge, PROMISE] + credit * tree.hopes[edge, RARITY]
        if hope > best:
            best, choice = hope, edge
    return int(choice)


def bits(number: int) -> int:
    """The length of a number in binary: a logarithm that costs nothing."""
    length = 0
    while number:
        number >>= 1
        length += 1
    return length


# What the shadow says


def look_up(desk: Desk, tree: Tree, mine: int, yours: int, counts: int) -> None:
    """Find the rows for all claims of a position, for `prior`: one for each number.

    In place of a number that no open cell has, 0, there is the row for face-down cells.
    """
    most = desk.tally[MOST]
    tree.rows[0] = row_of(tree, mine, yours, ranked(tree.ranks, counts, most))
    for number in range(desk.tally[LEAST], min(most, mine - 1) + 1):
        if counts >> 6 * number & 63:
            hand = ranked(tree.ranks, counts - (1 << 6 * number), most)
            tree.rows[number] = row_of(tree, yours, mine - number, hand)


def prior(desk: Desk, tree: Tree, mine: int, hidden: int, cell: int) -> float:
    """What the shadow says of a claim: the average over all that it can turn up."""
    turned = count(desk.around[cell] & hidden)
    if hidden >> cell & 1:
        return float(tree.blind[tree.rows[0], turned])
    number = desk.numbers[cell]
    return 1.0 if number >= mine else 1.0 - float(tree.table[tree.rows[number], turned])


def best_prior(desk: Desk, tree: Tree, hidden: int, shown: int) -> float:
    """What the shadow says of the best claim, where none wins at once."""
    best = 0.0
    while shown:
        cell = lowest(shown)
        turned = count(desk.around[cell] & hidden)
        best = max(best, 1.0 - float(tree.table[tree.rows[desk.numbers[cell]], turned]))
        shown &= shown - 1
    rest = hidden
    while rest:
        turned = count(desk.around[lowest(rest)] & hidden)
        best = max(best, float(tree.blind[tree.rows[0], turned]))
        rest &= rest - 1
    return best


def row_of(tree: Tree, mine: int, yours: int, hand: int) -> int:
    """The row of the shadow for so many points needed and a hand."""
    return int(mine * tree.sizes[1] + yours * tree.sizes[0] + hand)


def ranked(ranks: Ints, counts: int, most: int) -> int:
    """The number of the hand with the best of so many of each number."""
    rank = place = 0
    length = len(ranks)
    for number in range(most, 0, -1):
        for _ in range(counts >> 6 * number & 63):
            if place == length:
                return rank
            rank += ranks[place, number]
            place += 1
    return rank
