"""Games that can go on for ever, solved backwards from their ends.

All states that can come up are listed (`explore`), then results are carried back from the states
that are over to those that lead there (`retrace`). What no result reaches is endless: neither side
can force a win. The states are few: two tokens on 63 cells make 7,812 of them.

Both kernels run compiled and interpreted.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.engine.binding import Grid, Ints, moves, play, unpack, winner
from gridwise.engine.masks import lowest, mix
from gridwise.engine.twin import interpreted, kernel, pack, twin_board, zeros
from gridwise.engine.watch import TOO_LARGE, Halted, Watch

# Where things are in `control`: states listed, states whose moves have been followed, moves.
_LISTED, _FOLLOWED, _EDGES, CONTROL = 0, 1, 2, 3

# States between two looks at the clock: some 10 ms.
COMPILED_SLICE = 20_000
INTERPRETED_SLICE = 500


def list_first(row: Ints, rows: Ints, slots: Ints, control: Ints) -> None:
    """Begin afresh, with one state listed."""
    for slot in range(len(slots)):
        slots[slot] = 0
    for field in range(len(row)):
        rows[field] = row[field]
    slots[_slot(unpack(rows, 0), rows, slots)] = 1
    control[_LISTED], control[_FOLLOWED], control[_EDGES] = 1, 0, 0


def explore(
    board: Grid, rows: Ints, slots: Ints, first: Ints, edges: Ints, control: Ints, budget: int
) -> int:
    """List the states that the listed ones lead to, for so many of them; 0 when all are done.

    `rows` has the states, `slots` finds them, `edges[first[k]:first[k + 1]]` are the numbers of
    those that state k leads to. Returns -1 if there is no room for more.
    """
    listed, followed, edge = control[_LISTED], control[_FOLLOWED], control[_EDGES]
    width = len(unpack(rows, 0))
    room = len(first) - 1
    done = 0
    while followed < listed and done < budget:
        state = unpack(rows, followed * width)
        first[followed] = edge
        legal = moves(board, state)
        while legal:
            after = play(board, state, lowest(legal))
            legal &= legal - 1
            slot = _slot(after, rows, slots)
            if slots[slot] == 0:
                if listed == room:
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


def _slot(state: State, rows: Ints, slots: Ints) -> int:
    """Where the number of a state is, counted from 1, or the free place where it belongs."""
    width = len(state)
    slot = mix(state) & len(slots) - 1  # a power of two, at least twice as many as there are states
    while slots[slot]:
        at = (slots[slot] - 1) * width
        same = True
        for field in range(width):
            if rows[at + field] != state[field]:
                same = False
                break
        if same:
            break
        slot = slot + 1 & len(slots) - 1
    return int(slot)


def retrace(
    board: Grid, rows: Ints, first: Ints, edges: Ints, back: Ints, parents: Ints, left: Ints,
    queue: Ints, results: Ints, distances: Ints, listed: int,
) -> None:  # fmt: skip
    """Fill in `results` (0 endless, 1, 2, 3 for a draw) and `distances` of all listed states.

    A state goes to its mover as soon as one move leads to a result for the mover, and to the other
    when all moves do; as results are carried back in order of distance, the first is the shortest
    way to win, and the last the longest way to lose. Draws come after: a state that is neither
    won nor lost is one if every move that does not lose leads to one.
    """
    _turn_round(first, edges, back, parents, listed)
    width = len(unpack(rows, 0))
    ends = 0
    for number in range(listed):
        results[number] = 0
        distances[number] = 0
        left[number] = first[number + 1] - first[number]
        if left[number] == 0:
            result = winner(board, unpack(rows, number * width))
            if result < 3:
                results[number] = result
                queue[ends] = number
                ends += 1
    ends = _carry(rows, width, back, parents, left, queue, results, distances, 0, ends)
    known = ends
    for number in range(listed):
        if first[number + 1] == first[number] and results[number] == 0:
            results[number] = 3
            queue[ends] = number
            ends += 1
    _carry(rows, width, back, parents, left, queue, results, distances, known, ends)


def _turn_round(first: Ints, edges: Ints, back: Ints, parents: Ints, listed: int) -> None:
    """Make `parents[back[k]:back[k + 1]]` the states that lead to state k."""
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


def _carry(
    rows: Ints, width: int, back: Ints, parents: Ints, left: Ints, queue: Ints, results: Ints,
    distances: Ints, begin: int, end: int,
) -> int:  # fmt: skip
    """Carry the results of the queued states back as far as they go; the new end of the queue."""
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


class Room(NamedTuple):
    """What the two kernels work in, for a number of states."""

    rows: Ints
    slots: Ints
    first: Ints
    edges: Ints
    control: Ints
    back: Ints
    parents: Ints
    left: Ints
    queue: Ints
    results: Ints
    distances: Ints


def make_room(states: int, width: int, actions: int, *, compiled: bool) -> Room:
    """Room for so many states."""
    slots = 1 << (2 * states).bit_length()
    edges = states * actions
    sizes = (
        states * width, slots, states + 1, edges, CONTROL,
        states + 1, edges, states, states, states, states,
    )  # fmt: skip
    return Room(*(zeros(size) if compiled else [0] * size for size in sizes))


class Backwards:
    """Every state that can come up after one: its result and its distance.

    Raises Halted if there are more than `states` of them, or if it is told to stop.
    """

    def __init__(
        self, game: Game, board: Board, opening: State, watch: Watch, *, states: int, compiled: bool
    ) -> None:
        width = len(opening)
        room = make_room(states, width, game.actions(board), compiled=compiled)
        bind = kernel if compiled else interpreted
        grid = twin_board(board) if compiled else board
        usual = COMPILED_SLICE if compiled else INTERPRETED_SLICE
        pack(opening, room.rows, 0)
        room.slots[_slot(opening, room.rows, room.slots)] = room.control[_LISTED] = 1
        more = 1
        while more:
            before = room.control[_FOLLOWED]
            budget = watch.slice(usual)
            more = bind(game, explore)(
                grid, room.rows, room.slots, room.first, room.edges, room.control, budget
            )
            if more < 0:
                raise Halted(TOO_LARGE)
            watch.spend(int(room.control[_FOLLOWED] - before))
        self.states = int(room.control[_LISTED])
        bind(game, retrace)(
            grid, room.rows, room.first, room.edges, room.back, room.parents, room.left,
            room.queue, room.results, room.distances, self.states,
        )  # fmt: skip
        self._width = width
        self._room = room

    def has(self, state: State) -> bool:
        """Whether a state is among them."""
        return bool(self._room.slots[_slot(state, self._room.rows, self._room.slots)])

    def look_up(self, state: State) -> tuple[int, int]:
        """The result (0 for endless, 1, 2, 3 for a draw) and the distance of a state."""
        number = self._room.slots[_slot(state, self._room.rows, self._room.slots)] - 1
        return int(self._room.results[number]), int(self._room.distances[number])

    @property
    def endless(self) -> int:
        """How many of the states are endless."""
        results = self._room.results
        return sum(not results[number] for number in range(self.states))
