"""Monte Carlo tree search: winning probabilities of a race by sampling, compiled.

A simulation goes down the tree. Where a player is to move it selects the claim with the best mean
and exploration bonus; where cells are revealed it draws their numbers, and each different outcome
is a branch of its own. So nobody in the tree ever knows a number before it is revealed. The first
new position is evaluated by one ply of lookahead on the relaxation, and that is backpropagated: the
value of a position is that of its best claim, the value of a claim the average over what was drawn.

Three things make few simulations go far:

- The relaxation is a control variate: it knows the average of its own estimates over everything a
  claim can reveal. Only the *difference* between a branch's value and its estimate is averaged over
  draws; that varies five times less than the value, so it takes 25 times fewer draws.
- Positions that come up again and again are handed to the exact search, each time with more nodes.
  Where that succeeds the branch is settled for good.
- Nothing is played out to the end at random: a simulation takes about a microsecond.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gridwise.engine.chance.expectimax import (
    BEST,
    CLAIM_COUNT,
    CLAIMS,
    COUNTS,
    NODES,
    RaceState,
    SearchStack,
    begin,
    count_numbers,
    exact_claims,
    exact_value,
    full_board_value,
    hash_pair,
    list_claims,
    position_key,
    value_if_decided,
)
from gridwise.engine.chance.race import NUMBERS, WIDE, Race, relaxation_of
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount, random_bits
from gridwise.engine.compiled.kernels import pointer
from gridwise.engine.compiled.specialize import Floats, Ints

EXPLORATION = 0.12  # the weight of the exploration bonus
ROOT_EXPLORATION = 0.2  # the same at the root: no claim may fall too far behind
PRIOR_VISITS = 2.0  # draws that agree with the relaxation, to begin with
NODES_PER_VISIT = 10  # of the exact search for each visit of a position,
MAX_EXACT_NODES = 10_000  # but not more than 10 ms, so that the search can be stopped
MIN_VISITS = 4  # of a position before it is handed to the exact search
MAX_CLAIMS_LEFT = 4  # to the end, at the least; with more the exact search has no chance
NEVER = -1e6  # the bonus of a claim that is known exactly

# The standard error of the average over branches that were only estimated, not settled; and the sum
# of squares that a claim starts with: a few draws that happen to agree prove little.
BIAS = 0.03
PRIOR_VARIANCE = 0.03

# The tree

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


# The search


def search_claims(
    stack: SearchStack, spare: SearchStack, tree: Tree,
    race: RaceState, cells: Ints, exact: Floats, known: Ints,
    simulations: int, nodes: int,
) -> int:  # fmt: skip
    """Solve claims exactly, or estimate those that are not known by simulations, if there are any.

    It returns after so many nodes, and says how many it took. A simulation counts as one, and what
    is solved exactly on its way is added: most of the time may go into that.

    One kernel for both, because compiling it takes seconds. `spare` is a second stack, for solving
    single positions of the tree.
    """
    if not simulations:
        exact_claims(stack, race, cells, exact, known, nodes)
        return int(stack.counters[NODES])
    if tree.nodes[0, EDGES] == 0:
        init_root(spare, tree, race, cells)
    for k in range(len(cells)):
        if known[k]:
            tree.estimates[k, EXPLORATION_BONUS] = NEVER
    used = 0
    for _ in range(simulations):
        if used >= nodes:
            break
        spare.counters[NODES] = 0
        ply = descend(spare, tree, race)
        used += 1 + spare.counters[NODES]
        tree.nodes[0, VISITS] += 1
        while ply >= 0:
            backpropagate(tree, ply)
            ply -= 1
    return used


def init_root(stack: SearchStack, tree: Tree, race: RaceState, cells: Ints) -> None:
    """Give the root its claims."""
    look_up_rows(stack, tree, race, count_numbers(stack.numbers, race.shown))
    for k in range(len(cells)):
        init_edge(tree, k, cells[k], prior(stack, tree, race, cells[k]))
    tree.nodes[0, EDGES] = len(cells)
    tree.used[1] = len(cells)


def init_edge(tree: Tree, edge: int, cell: int, estimate: float) -> None:
    """Make a claim that has not been tried yet."""
    tree.edges[edge, CELL] = cell
    tree.sums[edge, PRIOR] = tree.estimates[edge, MEAN] = estimate
    tree.estimates[edge, EXPLORATION_BONUS] = 1.0


def descend(stack: SearchStack, tree: Tree, race: RaceState) -> int:
    """One path down the tree: the last ply of `path` to backpropagate from."""
    least, kinds = stack.least, stack.most + 1 - stack.least
    node = ply = 0
    while True:
        edge = select_edge(tree, node)
        tree.edges[edge, TRIES] += 1
        tree.estimates[edge, EXPLORATION_BONUS] = 1.0 / math.sqrt(tree.edges[edge, TRIES] + 1)
        tree.path[ply, 0], tree.path[ply, 1] = node, edge
        cell = tree.edges[edge, CELL]
        if race.hidden >> cell & 1:
            stack.numbers[cell] = least + (random_bits(tree.rng) * kinds >> 31)
        number = stack.numbers[cell]
        if number >= race.mine:
            tree.path[ply + 1, 0] = -1
            return ply
        fresh = stack.reveals[cell] & race.hidden
        hidden = race.hidden & ~fresh & ~(1 << cell)
        race = RaceState(
            race.yours, race.mine - number, hidden, (race.shown | fresh) & ~(1 << cell)
        )
        while fresh:
            stack.numbers[lowest_bit(fresh)] = least + (random_bits(tree.rng) * kinds >> 31)
            fresh &= fresh - 1
        node = visit(stack, tree, edge, race)
        ply += 1
        tree.path[ply, 0] = node
        if node < 0 or tree.nodes[node, EDGES] <= 0:
            return ply - 1


def visit(stack: SearchStack, tree: Tree, edge: int, race: RaceState) -> int:
    """The node of an outcome, with its visit counted; -1 if there is no room for it.

    It is expanded when it comes up for the second time, unless it is settled.
    """
    key = hash_pair(position_key(stack, race), edge)
    slots = len(tree.index) - 1
    slot = key & slots
    while tree.index[slot] and (tree.index[slot] ^ key) & ~NODE:
        slot = slot + 1 & slots
    node = tree.index[slot] & NODE
    if not node:
        return add_node(stack, tree, slot, key, edge, race)
    visits = tree.nodes[node, VISITS] + 1
    tree.nodes[node, VISITS] = visits
    if tree.nodes[node, EDGES] == SETTLED:
        return int(node)
    if is_worth_solving(visits, race, stack.most):
        limit = min(MAX_EXACT_NODES, NODES_PER_VISIT * visits)
        value = exact_value(stack, race, limit)
        if value >= 0.0:
            tree.nodes[node, EDGES] = SETTLED
            tree.values[node, VALUE] = value
            return int(node)
    if tree.nodes[node, EDGES] == 0:
        expand(stack, tree, node, race)
    return int(node)


def is_worth_solving(visits: int, race: RaceState, most: int) -> bool:
    """Whether to hand a position to the exact search.

    At least four claims must be able to end it. Of those with four hardly one in twenty is solved,
    of nearer ones every third: so those with four have to wait longer between tries.
    """
    if visits < MIN_VISITS or visits & visits - 1:
        return False
    claims = (race.mine + most - 1) // most + (race.yours + most - 1) // most
    if claims == MAX_CLAIMS_LEFT:
        # The powers of four from 16 on.
        return visits >= MIN_VISITS**2 and bit_length(visits) & 1 == 1
    return claims < MAX_CLAIMS_LEFT


def add_node(
    stack: SearchStack, tree: Tree, slot: int, key: int, edge: int, race: RaceState
) -> int:
    """A new node, evaluated; -1 if there is no room, and then its correction is added at once."""
    counts = count_numbers(stack.numbers, race.shown)
    value = value_if_decided(stack, counts, race.mine, race.yours, race.hidden)
    if not race.hidden | race.shown:
        value = full_board_value(race.mine, race.yours)
    settled = value >= 0.0
    estimate = tree.table[table_row(tree, race.mine, race.yours, counts, stack.most), 0]
    if not settled:
        look_up_rows(stack, tree, race, counts)
        value = best_prior(stack, tree, race)
    node = tree.used[0]
    if node == len(tree.nodes):
        tree.sums[edge, CORRECTION] += estimate - value
        return -1
    tree.used[0] = node + 1
    tree.index[slot] = key & ~NODE | node
    tree.nodes[node, VISITS], tree.nodes[node, PARENT] = 1, edge
    tree.nodes[node, EDGES] = SETTLED if settled else 0
    tree.values[node, VALUE], tree.values[node, ESTIMATE] = value, estimate
    return int(node)


def expand(stack: SearchStack, tree: Tree, node: int, race: RaceState) -> None:
    """List a node's claims, if there is room."""
    begin(stack, race)
    list_claims(stack, 0)
    first, listed = tree.used[1], stack.ints[0, CLAIM_COUNT]
    if first + listed > len(tree.edges):
        return
    look_up_rows(stack, tree, race, stack.ints[0, COUNTS])
    for place in range(listed):
        cell = stack.ints[0, CLAIMS + place]
        init_edge(tree, first + place, cell, prior(stack, tree, race, cell))
    tree.values[node, FLOOR] = stack.floats[0, BEST]
    tree.nodes[node, FIRST], tree.nodes[node, EDGES] = first, listed
    tree.used[1] = first + listed
    tree.values[node, VALUE] = best_mean(tree, node)


def backpropagate(tree: Tree, ply: int) -> None:
    """Update the claim that was tried, and its position, from the node below."""
    node, edge = tree.path[ply, 0], tree.path[ply, 1]
    below = tree.path[ply + 1, 0]
    values, sums = tree.values, tree.sums
    if below >= 0:
        # The difference as it is stored, in short floats: so what is added up here is its sum.
        before = values[below, COUNTED]
        values[below, COUNTED] = tree.nodes[below, VISITS] * (
            values[below, ESTIMATE] - values[below, VALUE]
        )
        sums[edge, CORRECTION] += values[below, COUNTED] - before
    was = tree.estimates[edge, MEAN]
    tree.estimates[edge, MEAN] = sums[edge, PRIOR] + sums[edge, CORRECTION] / (
        tree.edges[edge, TRIES] + PRIOR_VISITS
    )
    if tree.estimates[edge, MEAN] >= values[node, VALUE]:
        values[node, VALUE] = tree.estimates[edge, MEAN]
    elif was >= values[node, VALUE]:
        # It was the best, and has become worse.
        values[node, VALUE] = best_mean(tree, node)


def best_mean(tree: Tree, node: int) -> float:
    """The mean of a node's best claim, or its value without one."""
    best, first = float(tree.values[node, FLOOR]), tree.nodes[node, FIRST]
    for edge in range(first, first + tree.nodes[node, EDGES]):
        best = max(best, float(tree.estimates[edge, MEAN]))
    return best


def select_edge(tree: Tree, node: int) -> int:
    """The claim to try: the one with the best mean and exploration bonus."""
    first, visits = tree.nodes[node, FIRST], tree.nodes[node, VISITS] + 1
    if node:
        weight = EXPLORATION * math.sqrt(bit_length(visits))
    else:
        weight = ROOT_EXPLORATION * math.sqrt(math.sqrt(visits))
    best, choice = -9.0, first
    for edge in range(first, first + tree.nodes[node, EDGES]):
        bound = tree.estimates[edge, MEAN] + weight * tree.estimates[edge, EXPLORATION_BONUS]
        if bound > best:
            best, choice = bound, edge
    return int(choice)


def bit_length(number: int) -> int:
    """The length of a number in binary: a logarithm that costs nothing."""
    length = 0
    while number:
        number >>= 1
        length += 1
    return length


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


# From outside a kernel


def sampled_estimates(tree: Tree, claims: int) -> tuple[list[float], list[float]]:
    """The probabilities of the root's claims as sampled, and their standard errors.

    The variance of what was drawn for a claim gives the error of its average, as for any sample. To
    it comes the error of the estimates, for the share of draws that ended in a position that has
    not been settled; less where that was visited often.
    """
    used = int(tree.used[0])
    nodes, values = tree.nodes[1:used], tree.values[1:used]
    below = nodes[:, PARENT] < claims
    parent, draws = nodes[below, PARENT], nodes[below, VISITS]
    corrections = values[below, ESTIMATE] - values[below, VALUE]
    tries = tree.edges[:claims, TRIES]

    def summed(amounts: Ints) -> Ints:
        return np.bincount(parent, weights=amounts, minlength=claims)

    weight = tries + PRIOR_VISITS
    mean = tree.sums[:claims, CORRECTION] / weight
    spread = (summed(draws * corrections**2) - tries * mean**2 + PRIOR_VARIANCE) / weight
    unsettled = draws * (nodes[below, EDGES] != SETTLED) / (1 + np.log2(draws))
    off = BIAS**2 * summed(unsettled) / np.maximum(tries, 1)
    errors = np.sqrt(np.maximum(spread, 0.0) / weight + off)
    return (tree.sums[:claims, PRIOR] + mean).tolist(), errors.tolist()
