"""Retrograde analysis: games that can go on for ever, solved backwards from their ends.

All reachable states are listed (`list_states`), then results are propagated back from the states
that are over to those that lead there (`propagate_results`). What no result reaches is endless:
neither side can force a win. The states are few: two tokens on 63 cells make 7,812 of them.

Both kernels run compiled and interpreted.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.engine.budget import TOO_LARGE, Budget, SearchStopped
from gridwise.engine.compiled.bitmasks import hash_state, lowest_bit
from gridwise.engine.compiled.kernels import (
    compiled_board,
    interpreted,
    kernel,
    pack,
    register_numba_type,
    zeros,
)
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, unpack, winner

# Indices into `control`: states listed, states whose moves have been followed, moves.
_LISTED, _FOLLOWED, _EDGES, CONTROL = 0, 1, 2, 3

# States between two looks at the clock: some 10 ms.
COMPILED_SLICE = 20_000
INTERPRETED_SLICE = 500


class Workspace(NamedTuple):
    """The memory of the two kernels, for a number of states."""

    rows: Ints  # the states
    slots: Ints  # a hash table of their numbers, counted from 1
    first: Ints  # `edges[first[k]:first[k + 1]]` are the states that state k leads to,
    edges: Ints
    control: Ints
    back: Ints  # `parents[back[k]:back[k + 1]]` those that lead to it
    parents: Ints
    left: Ints  # moves of a state whose results are not known yet
    queue: Ints
    results: Ints  # 0 endless, 1, 2, 3 for a draw
    distances: Ints


def make_workspace(states: int, width: int, actions: int, *, compiled: bool) -> Workspace:
    """Memory for a number of states."""
    slots = 1 << (2 * states).bit_length()
    edges = states * actions
    sizes = (
        states * width, slots, states + 1, edges, CONTROL,
        states + 1, edges, states, states, states, states,
    )  # fmt: skip
    made = Workspace(*(zeros(size, compiled=compiled) for size in sizes))
    return register_numba_type(made) if compiled else made


def list_first(work: Workspace, state: State) -> None:
    """List the first state; the slots must be empty."""
    pack(state, work.rows, 0)
    work.slots[state_slot(state, work.rows, work.slots)] = 1
    work.control[_LISTED], work.control[_FOLLOWED], work.control[_EDGES] = 1, 0, 0


def list_states(board: Grid, work: Workspace, budget: int) -> int:
    """List the states that the listed ones lead to, for `budget` of them.

    Returns 0 when all are done, -1 if there is no room for more.
    """
    rows, slots, first, edges, control = work[:5]
    listed, followed, edge = control[_LISTED], control[_FOLLOWED], control[_EDGES]
    width = len(unpack(rows, 0))
    capacity = len(first) - 1
    done = 0
    while followed < listed and done < budget:
        state = unpack(rows, followed * width)
        first[followed] = edge
        legal = moves(board, state)
        while legal:
            after = play(board, state, lowest_bit(legal))
            legal &= legal - 1
            slot = state_slot(after, rows, slots)
            if slots[slot] == 0:
                if listed == capacity:
                    return -1
                pack(after, rows, listed * width)
                listed += 1
                slots[slot] = listed
            if edge == len(edges):
                return -1
            edges[edge] = slots[slot] - 1
            edge += 1
        followed += 1
        done += 1
    first[followed] = edge
    control[_LISTED], control[_FOLLOWED], control[_EDGES] = listed, followed, edge
    return int(listed - followed)


def state_slot(state: State, rows: Ints, slots: Ints) -> int:
    """The slot with the number of a state, counted from 1, or the free slot where it belongs."""
    # Their number is a power of two, at least twice as many as there are states.
    slot = hash_state(state) & len(slots) - 1
    while slots[slot]:
        at = (slots[slot] - 1) * len(state)
        for field in range(len(state)):  # in place, because calls are slow where it is interpreted
            if rows[at + field] != state[field]:
                break
        else:
            break
        slot = slot + 1 & len(slots) - 1
    return int(slot)


def propagate_results(board: Grid, work: Workspace) -> None:
    """Fill in the results and the distances of all listed states.

    A state goes to its mover as soon as one move leads to a result for the mover, and to the other
    when all moves do; as results are propagated in order of distance, the first is the shortest
    way to win, and the last the longest way to lose. Draws come after: a state that is neither
    won nor lost is one if every move that does not lose leads to one.
    """
    _reverse_edges(work)
    rows, first, left, queue = work.rows, work.first, work.left, work.queue
    results, listed = work.results, work.control[_LISTED]
    width = len(unpack(rows, 0))
    ends = 0
    for number in range(listed):
        results[number] = 0
        work.distances[number] = 0
        left[number] = first[number + 1] - first[number]
        if left[number] == 0:
            result = winner(board, unpack(rows, number * width))
            if result < 3:
                results[number] = result
                queue[ends] = number
                ends += 1
    ends = known = _propagate(work, width, 0, ends)
    for number in range(listed):
        if first[number + 1] == first[number] and results[number] == 0:
            results[number] = 3
            queue[ends] = number
            ends += 1
    _propagate(work, width, known, ends)


def _reverse_edges(work: Workspace) -> None:
    """Fill in `back` and `parents`."""
    first, edges, back, parents = work.first, work.edges, work.back, work.parents
    listed = work.control[_LISTED]
    for number in range(listed + 1):
        back[number] = 0
    for edge in range(first[listed]):
        back[edges[edge] + 1] += 1
    for number in range(listed):
        back[number + 1] += back[number]
    for number in range(listed - 1, -1, -1):
        for edge in range(first[number], first[number + 1]):
            back[edges[edge] + 1] -= 1
            parents[back[edges[edge] + 1]] = number
    # Each `back[k + 1]` has been counted down to where state k begins.
    for number in range(listed):
        back[number] = back[number + 1]
    back[listed] = first[listed]


def _propagate(work: Workspace, width: int, begin: int, end: int) -> int:
    """Propagate the results of the queued states; the new end of the queue."""
    back, left, results, distances = work.back, work.left, work.results, work.distances
    rows, queue, parents = work.rows, work.queue, work.parents
    while begin < end:
        number = queue[begin]
        begin += 1
        result = results[number]
        for place in range(back[number], back[number + 1]):
            parent = parents[place]
            if results[parent]:
                continue
            left[parent] -= 1
            if left[parent] == 0 or result == rows[parent * width]:  # the first field is the turn
                results[parent] = result
                distances[parent] = distances[number] + 1
                queue[end] = parent
                end += 1
    return end


class RetrogradeSolver:
    """The result and the distance of every state that can come up after one.

    Raises SearchStopped if there are more than `states` of them, or if it is stopped.
    """

    def __init__(
        self,
        game: Game,
        board: Board,
        opening: State,
        budget: Budget,
        *,
        states: int,
        compiled: bool,
    ) -> None:
        self._work = make_workspace(states, len(opening), game.actions(board), compiled=compiled)
        specialize = kernel if compiled else interpreted
        grid = compiled_board(board) if compiled else board
        usual = COMPILED_SLICE if compiled else INTERPRETED_SLICE
        control, more = self._work.control, 1
        list_first(self._work, opening)
        while more:
            before = control[_FOLLOWED]
            more = specialize(game, list_states)(grid, self._work, budget.slice(usual))
            if more < 0:
                raise SearchStopped(TOO_LARGE)
            budget.used += int(control[_FOLLOWED] - before)
        self.states = int(control[_LISTED])
        specialize(game, propagate_results)(grid, self._work)

    def has(self, state: State) -> bool:
        """Whether a state is among them."""
        return bool(self._work.slots[state_slot(state, self._work.rows, self._work.slots)])

    def look_up(self, state: State) -> tuple[int, int]:
        """The result (0 for endless, 1, 2, 3 for a draw) and the distance of a state."""
        number = self._work.slots[state_slot(state, self._work.rows, self._work.slots)] - 1
        return int(self._work.results[number]), int(self._work.distances[number])

    @property
    def endless(self) -> int:
        """How many of the states are endless."""
        results = self._work.results
        return sum(not results[number] for number in range(self.states))
