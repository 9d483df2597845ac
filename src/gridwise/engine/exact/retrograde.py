"""Retrograde analysis: games that can go on for ever, solved backwards from their ends.

All states that can come up are listed, then results are propagated back from those that are over to
those that lead there. What no result reaches is endless: neither side can force a win. The states
are few: two tokens on 63 cells make 7,812 of them.

`solve_reachable` is a kernel: it runs compiled and interpreted.
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


class Workspace(NamedTuple):
    """The memory of the kernel, for a number of states."""

    rows: Ints  # the states; the first one is where to begin
    slots: Ints  # a hash table of their numbers, counted from 1; empty at the beginning
    first: Ints  # `edges[first[k]:first[k + 1]]` are the states that state k leads to,
    edges: Ints
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
        states * width, slots, states + 1, edges, states + 1, edges, states, states, states, states,
    )  # fmt: skip
    work = Workspace(*(zeros(size, compiled=compiled) for size in sizes))
    return register_numba_type(work) if compiled else work


def solve_reachable(board: Grid, work: Workspace, most: int) -> int:
    """Result and distance of all states that can come up after the first; how many they are.

    0 if they are more than `most`.
    """
    listed = _list_states(board, work, most)
    if listed:
        _propagate_results(board, work, listed)
    return listed


def _list_states(board: Grid, work: Workspace, most: int) -> int:
    rows, slots, first, edges = work.rows, work.slots, work.first, work.edges
    opening = unpack(rows, 0)
    width = len(opening)
    slots[state_slot(opening, rows, slots)] = 1
    listed, followed, edge = 1, 0, 0
    while followed < listed:
        state = unpack(rows, followed * width)
        first[followed] = edge
        legal = moves(board, state)
        while legal:
            after = play(board, state, lowest_bit(legal))
            legal &= legal - 1
            slot = state_slot(after, rows, slots)
            if slots[slot] == 0:
                if listed == most:
                    return 0
                pack(after, rows, listed * width)
                listed += 1
                slots[slot] = listed
            edges[edge] = slots[slot] - 1
            edge += 1
        followed += 1
    first[followed] = edge
    return listed


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


def _propagate_results(board: Grid, work: Workspace, listed: int) -> None:
    """Fill in the results and the distances of all listed states.

    A state goes to its mover as soon as one move leads to a result for the mover, and to the other
    when all moves do; as results are propagated in order of distance, the first is the shortest
    way to win, and the last the longest way to lose. Draws come after: a state that is neither
    won nor lost is one if every move that does not lose leads to one.
    """
    _reverse_edges(work, listed)
    first, left, queue, results = work.first, work.left, work.queue, work.results
    width = len(unpack(work.rows, 0))
    ends = 0
    for number in range(listed):
        results[number] = 0
        work.distances[number] = 0
        left[number] = first[number + 1] - first[number]
        if left[number] == 0:
            result = winner(board, unpack(work.rows, number * width))
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


def _reverse_edges(work: Workspace, listed: int) -> None:
    """Fill in `back` and `parents`."""
    first, edges, back, parents = work.first, work.edges, work.back, work.parents
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

    Raises SearchStopped if there are more than `most` of them.
    """

    def __init__(
        self, game: Game, board: Board, opening: State, budget: Budget, *, most: int, compiled: bool
    ) -> None:
        budget.check()
        self._work = make_workspace(most, len(opening), game.actions(board), compiled=compiled)
        pack(opening, self._work.rows, 0)
        solve = kernel(game, solve_reachable) if compiled else interpreted(game, solve_reachable)
        grid = compiled_board(board) if compiled else board
        room = budget.room(most)
        self.states: int = solve(grid, self._work, room)
        budget.used += self.states or room
        if not self.states:
            raise SearchStopped(TOO_LARGE)

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
        return sum(not self._work.results[number] for number in range(self.states))
