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
- Nothing is played out to the end at random: a simulation takes one to two microseconds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from gridwise.engine.binding import Ints
from gridwise.engine.expectimax import (
    BEST,
    CLAIMS,
    HIDDEN,
    LEAST,
    LISTED,
    MINE,
    MOST,
    SHOWN,
    YOURS,
    Desk,
    Floats,
    at_the_end,
    begin,
    counted,
    exact_claims,
    exact_worth,
    key_of,
    list_claims,
    mixed,
    plain,
)
from gridwise.engine.masks import count, lowest, random_bits
from gridwise.engine.race import Race
from gridwise.engine.shadow import shadow_of

CURIOSITY = 0.12  # how far a claim's promise is stretched where it has been tried little
WIDE_CURIOSITY = 0.2  # the same for the claims asked about: none may fall too far behind
CAUTION = 2.0  # draws that say "as the shadow has it", to begin with
PATIENCE = 10  # visits of the exact search for each time a position has come up,
MOST_PATIENCE = 10_000  # but not more than 10 ms, so that the search can be stopped
NEAR = 4
MOST_NODES = 1 << 19
EDGES_A_NODE = 4

# Of a node, among `nodes`: what it is found by, how often it was drawn, its claims in `edges` (from
# where, how many), whether it is worked out exactly, and the claim it comes from.
KEY, DRAWS, FIRST, EDGES, SETTLED, PARENT = range(6)
# Among `worths`: what it is worth, what it is worth in any case, how the shadow judges it, and how
# much of the difference has been counted in at the claim it comes from.
WORTH, FLOOR, JUDGED, GIVEN = range(4)
# Of a claim, among `edges` and `hopes`: its cell, how often it was tried, whether it is known
# exactly; what the shadow says, the sum of differences, both together, and one over the root of how
# often it was tried (kept, because roots and divisions were half of the time).
CELL, TRIES, KNOWN = range(3)
PRIOR, GAIN, PROMISE, RARITY = range(4)


class Tree(NamedTuple):
    """A tree of positions (nodes) and claims (edges); the first node is what is asked about."""

    index: Ints  # key -> node, by open addressing; 0 is empty
    nodes: Ints
    worths: Floats
    edges: Ints
    hopes: Floats
    used: Ints  # how many nodes, how many edges
    path: Ints  # [ply, …] the node and the edge of the present simulation
    source: Ints  # the seed
    table: Floats  # the shadow
    blind: Floats
    ranks: Ints


def tree_of(race: Race, simulations: int, seed: int) -> Tree:
    """A tree with room for so many simulations, but not more than 100 MB."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    room = min(MOST_NODES, 1 << max(8, simulations.bit_length()))
    judge = shadow_of(race)
    return Tree(
        index=np.zeros(2 * room, dtype=np.int64),
        nodes=np.zeros((room, 6), dtype=np.int64),
        worths=np.zeros((room, 4)),
        edges=np.zeros((room * EDGES_A_NODE, 3), dtype=np.int64),
        hopes=np.zeros((room * EDGES_A_NODE, 4)),
        used=np.array([1, 0], dtype=np.int64),
        path=np.zeros((66, 2), dtype=np.int64),
        source=np.array([seed * 2 + 1], dtype=np.int64),
        table=judge.table,
        blind=judge.blind,
        ranks=judge.ranks,
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
            tree.edges[k, KNOWN] = known[k]
        simulate(spare, tree, race, simulations)


def plant(desk: Desk, tree: Tree, race: Ints, cells: Ints) -> None:
    """Give the first node its claims."""
    counts = counted(desk.numbers, race[SHOWN])
    for k in range(len(cells)):
        sprout(tree, k, cells[k], prior(
            desk, tree, race[MINE], race[YOURS], race[HIDDEN], counts, cells[k]
        ))  # fmt: skip
    tree.nodes[0, EDGES] = len(cells)
    tree.used[1] = len(cells)


def sprout(tree: Tree, edge: int, cell: int, hope: float) -> None:
    """Make a claim that has not been tried yet."""
    tree.edges[edge, CELL] = cell
    tree.hopes[edge, PRIOR] = tree.hopes[edge, PROMISE] = hope
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
        if node < 0 or tree.nodes[node, EDGES] == 0:
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
    while tree.index[slot] and tree.nodes[tree.index[slot], KEY] != key:
        slot = slot + 1 & slots
    node = tree.index[slot]
    if not node:
        return added(desk, tree, slot, key, edge, mine, yours, hidden, shown)
    tree.nodes[node, DRAWS] += 1
    draws = tree.nodes[node, DRAWS]
    if tree.nodes[node, SETTLED]:
        return int(node)
    if draws & draws - 1 == 0 and draws > 2 and near(mine, yours, desk.tally[MOST]):
        found = exact_worth(desk, mine, yours, hidden, shown, min(MOST_PATIENCE, PATIENCE * draws))
        if found >= 0.0:
            tree.nodes[node, SETTLED], tree.nodes[node, EDGES] = 1, 0
            tree.worths[node, WORTH] = found
            return int(node)
    if tree.nodes[node, EDGES] == 0:
        branch(desk, tree, node, mine, yours, hidden, shown)
    return int(node)


def near(mine: int, yours: int, most: int) -> bool:
    """Whether the exact search has a chance: four claims more, at the least, and it is over."""
    return (mine + most - 1) // most + (yours + most - 1) // most <= NEAR


def added(
    desk: Desk, tree: Tree, slot: int, key: int, edge: int,
    mine: int, yours: int, hidden: int, shown: int,
) -> int:  # fmt: skip
    """A new node, judged; -1 if there is no room, and then its news is counted in at once."""
    counts = counted(desk.numbers, shown)
    judged = tree.table[mine, yours, ranked(tree.ranks, counts, desk.tally[MOST]), 0]
    worth = plain(desk, counts, mine, yours, hidden)
    if not hidden | shown:
        worth = at_the_end(mine, yours)
    settled = worth >= 0.0
    if not settled:
        worth = best_prior(desk, tree, mine, yours, hidden, shown, counts)
    node = tree.used[0]
    if node == len(tree.nodes):
        tree.hopes[edge, GAIN] += judged - worth
        return -1
    tree.used[0] = node + 1
    tree.index[slot] = node
    tree.nodes[node, KEY], tree.nodes[node, DRAWS] = key, 1
    tree.nodes[node, SETTLED], tree.nodes[node, PARENT] = settled, edge
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
    counts = counted(desk.numbers, shown)
    for place in range(listed):
        cell = desk.ints[0, CLAIMS + place]
        sprout(tree, first + place, cell, prior(desk, tree, mine, yours, hidden, counts, cell))
    tree.worths[node, FLOOR] = desk.floats[0, BEST]
    tree.nodes[node, FIRST], tree.nodes[node, EDGES] = first, listed
    tree.used[1] = first + listed


def report(tree: Tree, ply: int) -> None:
    """Take the news from below to the claim that was tried, and to its position."""
    node, edge = tree.path[ply, 0], tree.path[ply, 1]
    below = tree.path[ply + 1, 0]
    if below >= 0:
        worths = tree.worths
        given = tree.nodes[below, DRAWS] * (worths[below, JUDGED] - worths[below, WORTH])
        tree.hopes[edge, GAIN] += given - worths[below, GIVEN]
        worths[below, GIVEN] = given
    hopes = tree.hopes
    hopes[edge, PROMISE] = hopes[edge, PRIOR] + hopes[edge, GAIN] / (
        tree.edges[edge, TRIES] + CAUTION
    )
    best = tree.worths[node, FLOOR]
    for other in range(tree.nodes[node, FIRST], tree.nodes[node, FIRST] + tree.nodes[node, EDGES]):
        best = max(best, hopes[other, PROMISE])
    tree.worths[node, WORTH] = best


def chosen(tree: Tree, node: int) -> int:
    """The claim to try: the best one, but one that was tried little is given some credit."""
    first, draws = tree.nodes[node, FIRST], tree.nodes[node, DRAWS] + 1
    credit = (
        CURIOSITY * math.sqrt(bits(draws)) if node else WIDE_CURIOSITY * math.sqrt(math.sqrt(draws))
    )
    best, choice = -9.0, first
    for edge in range(first, first + tree.nodes[node, EDGES]):
        hope = tree.hopes[edge, PROMISE] + credit * tree.hopes[edge, RARITY]
        if hope > best and not tree.edges[edge, KNOWN]:
            best, choice = hope, edge
    return int(choice)


def bits(number: int) -> int:
    """The length of a number in binary: a logarithm that costs nothing."""
    length = 0
    while number:
        number >>= 1
        length += 1
    return length


def prior(
    desk: Desk, tree: Tree, mine: int, yours: int, hidden: int, counts: int, cell: int
) -> float:
    """What the shadow says of a claim: the average over all that it can turn up."""
    turned, most = count(desk.around[cell] & hidden), desk.tally[MOST]
    if hidden >> cell & 1:
        return float(tree.blind[mine, yours, ranked(tree.ranks, counts, most), turned])
    number = desk.numbers[cell]
    if number >= mine:
        return 1.0
    hand = ranked(tree.ranks, counts - (1 << 6 * number), most)
    return float(1.0 - tree.table[yours, mine - number, hand, turned])


def best_prior(
    desk: Desk, tree: Tree, mine: int, yours: int, hidden: int, shown: int, counts: int
) -> float:
    """What the shadow says of the best claim."""
    best = 0.0
    while shown:
        best = max(best, prior(desk, tree, mine, yours, hidden, counts, lowest(shown)))
        shown &= shown - 1
    rest, seen = hidden, 0
    while rest:
        # Face-down cells differ only in how many others they turn up.
        turned = count(desk.around[lowest(rest)] & hidden)
        if not seen >> turned & 1:
            best = max(best, prior(desk, tree, mine, yours, hidden, counts, lowest(rest)))
            seen |= 1 << turned
        rest &= rest - 1
    return best


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
