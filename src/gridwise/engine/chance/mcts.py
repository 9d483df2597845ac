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

import numpy as np

from gridwise.engine.chance import tree as at
from gridwise.engine.chance.decided import (
    count_numbers,
    full_board_value,
    hash_pair,
    position_key,
    value_if_decided,
)
from gridwise.engine.chance.expectimax import begin, exact_claims, exact_value, list_claims
from gridwise.engine.chance.search_stack import (
    BEST,
    CLAIM_COUNT,
    CLAIMS,
    COUNTS,
    NODES,
    RaceState,
    SearchStack,
)
from gridwise.engine.chance.tree import Tree, best_prior, look_up_rows, prior, table_row
from gridwise.engine.compiled.bitmasks import lowest_bit, random_bits
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


def search_claims(
    stack: SearchStack, spare: SearchStack, tree: Tree,
    race: RaceState, cells: Ints, found: Floats, known: Ints,
    simulations: int, nodes: int,
) -> int:  # fmt: skip
    """Solve claims exactly, or estimate those that are not known by simulations, if there are any.

    It returns after so many nodes, and says how many it took. A simulation counts as one, and what
    is solved exactly on its way is added: most of the time may go into that.

    One kernel for both, because compiling it takes seconds. `spare` is a second stack, for solving
    single positions of the tree.
    """
    if not simulations:
        exact_claims(stack, race, cells, found, known, nodes)
        return int(stack.counters[NODES])
    if tree.nodes[0, at.EDGES] == 0:
        init_root(spare, tree, race, cells)
    for k in range(len(cells)):
        if known[k]:
            tree.estimates[k, at.EXPLORATION_BONUS] = NEVER
    used = 0
    for _ in range(simulations):
        if used >= nodes:
            break
        spare.counters[NODES] = 0
        ply = descend(spare, tree, race)
        used += 1 + spare.counters[NODES]
        tree.nodes[0, at.VISITS] += 1
        while ply >= 0:
            backpropagate(tree, ply)
            ply -= 1
    return used


def init_root(stack: SearchStack, tree: Tree, race: RaceState, cells: Ints) -> None:
    """Give the root its claims."""
    look_up_rows(stack, tree, race, count_numbers(stack.numbers, race.shown))
    for k in range(len(cells)):
        init_edge(tree, k, cells[k], prior(stack, tree, race, cells[k]))
    tree.nodes[0, at.EDGES] = len(cells)
    tree.used[1] = len(cells)


def init_edge(tree: Tree, edge: int, cell: int, estimate: float) -> None:
    """Make a claim that has not been tried yet."""
    tree.edges[edge, at.CELL] = cell
    tree.sums[edge, at.PRIOR] = tree.estimates[edge, at.MEAN] = estimate
    tree.estimates[edge, at.EXPLORATION_BONUS] = 1.0


def descend(stack: SearchStack, tree: Tree, race: RaceState) -> int:
    """One path down the tree: the last ply of `path` to backpropagate from."""
    least, kinds = stack.least, stack.most + 1 - stack.least
    node = ply = 0
    while True:
        edge = select_edge(tree, node)
        tree.edges[edge, at.TRIES] += 1
        tree.estimates[edge, at.EXPLORATION_BONUS] = 1.0 / math.sqrt(tree.edges[edge, at.TRIES] + 1)
        tree.path[ply, 0], tree.path[ply, 1] = node, edge
        cell = tree.edges[edge, at.CELL]
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
        if node < 0 or tree.nodes[node, at.EDGES] <= 0:
            return ply - 1


def visit(stack: SearchStack, tree: Tree, edge: int, race: RaceState) -> int:
    """The node of an outcome, with its visit counted; -1 if there is no room for it.

    It is expanded when it comes up for the second time, unless it is settled.
    """
    key = hash_pair(position_key(stack, race), edge)
    slots = len(tree.index) - 1
    slot = key & slots
    while tree.index[slot] and (tree.index[slot] ^ key) & ~at.NODE:
        slot = slot + 1 & slots
    node = tree.index[slot] & at.NODE
    if not node:
        return add_node(stack, tree, slot, key, edge, race)
    visits = tree.nodes[node, at.VISITS] + 1
    tree.nodes[node, at.VISITS] = visits
    if tree.nodes[node, at.EDGES] == at.SETTLED:
        return int(node)
    if is_worth_solving(visits, race, stack.most):
        limit = min(MAX_EXACT_NODES, NODES_PER_VISIT * visits)
        found = exact_value(stack, race, limit)
        if found >= 0.0:
            tree.nodes[node, at.EDGES] = at.SETTLED
            tree.values[node, at.VALUE] = found
            return int(node)
    if tree.nodes[node, at.EDGES] == 0:
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
        tree.sums[edge, at.CORRECTION] += estimate - value
        return -1
    tree.used[0] = node + 1
    tree.index[slot] = key & ~at.NODE | node
    tree.nodes[node, at.VISITS], tree.nodes[node, at.PARENT] = 1, edge
    tree.nodes[node, at.EDGES] = at.SETTLED if settled else 0
    tree.values[node, at.VALUE], tree.values[node, at.ESTIMATE] = value, estimate
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
    tree.values[node, at.FLOOR] = stack.floats[0, BEST]
    tree.nodes[node, at.FIRST], tree.nodes[node, at.EDGES] = first, listed
    tree.used[1] = first + listed
    tree.values[node, at.VALUE] = best_mean(tree, node)


def backpropagate(tree: Tree, ply: int) -> None:
    """Update the claim that was tried, and its position, from the node below."""
    node, edge = tree.path[ply, 0], tree.path[ply, 1]
    below = tree.path[ply + 1, 0]
    values, sums = tree.values, tree.sums
    if below >= 0:
        # The difference as it is stored, in short floats: so what is added up here is its sum.
        before = values[below, at.COUNTED]
        values[below, at.COUNTED] = tree.nodes[below, at.VISITS] * (
            values[below, at.ESTIMATE] - values[below, at.VALUE]
        )
        sums[edge, at.CORRECTION] += values[below, at.COUNTED] - before
    was = tree.estimates[edge, at.MEAN]
    tree.estimates[edge, at.MEAN] = sums[edge, at.PRIOR] + sums[edge, at.CORRECTION] / (
        tree.edges[edge, at.TRIES] + PRIOR_VISITS
    )
    if tree.estimates[edge, at.MEAN] >= values[node, at.VALUE]:
        values[node, at.VALUE] = tree.estimates[edge, at.MEAN]
    elif was >= values[node, at.VALUE]:
        # It was the best, and has become worse.
        values[node, at.VALUE] = best_mean(tree, node)


def best_mean(tree: Tree, node: int) -> float:
    """The mean of a node's best claim, or its value without one."""
    best, first = float(tree.values[node, at.FLOOR]), tree.nodes[node, at.FIRST]
    for edge in range(first, first + tree.nodes[node, at.EDGES]):
        best = max(best, float(tree.estimates[edge, at.MEAN]))
    return best


def select_edge(tree: Tree, node: int) -> int:
    """The claim to try: the one with the best mean and exploration bonus."""
    first, visits = tree.nodes[node, at.FIRST], tree.nodes[node, at.VISITS] + 1
    if node:
        weight = EXPLORATION * math.sqrt(bit_length(visits))
    else:
        weight = ROOT_EXPLORATION * math.sqrt(math.sqrt(visits))
    best, choice = -9.0, first
    for edge in range(first, first + tree.nodes[node, at.EDGES]):
        bound = tree.estimates[edge, at.MEAN] + weight * tree.estimates[edge, at.EXPLORATION_BONUS]
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


# From outside a kernel


def sampled_estimates(tree: Tree, claims: int) -> tuple[list[float], list[float]]:
    """The probabilities of the root's claims as sampled, and their standard errors.

    The variance of what was drawn for a claim gives the error of its average, as for any sample. To
    it comes the error of the estimates, for the share of draws that ended in a position that has
    not been settled; less where that was visited often.
    """
    used = int(tree.used[0])
    nodes, values = tree.nodes[1:used], tree.values[1:used]
    below = nodes[:, at.PARENT] < claims
    parent, draws = nodes[below, at.PARENT], nodes[below, at.VISITS]
    corrections = values[below, at.ESTIMATE] - values[below, at.VALUE]
    tries = tree.edges[:claims, at.TRIES]

    def summed(amounts: Ints) -> Ints:
        return np.bincount(parent, weights=amounts, minlength=claims)

    weight = tries + PRIOR_VISITS
    mean = tree.sums[:claims, at.CORRECTION] / weight
    spread = (summed(draws * corrections**2) - tries * mean**2 + PRIOR_VARIANCE) / weight
    unsettled = draws * (nodes[below, at.EDGES] != at.SETTLED) / (1 + np.log2(draws))
    off = BIAS**2 * summed(unsettled) / np.maximum(tries, 1)
    errors = np.sqrt(np.maximum(spread, 0.0) / weight + off)
    return (tree.sums[:claims, at.PRIOR] + mean).tolist(), errors.tolist()
