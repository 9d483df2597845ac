"""Forward search for forced wins: whether a player can force one within a number of plies.

The question has a yes-or-no answer, so a search for it cuts off at the first reply that settles a
move. Iterative deepening gives exact distances; asked for both players, it tells wins from losses
from draws. A transposition table holds for each state the fewest plies known to be enough and the
most known not to be.

`search_forced_win` is a kernel: it runs compiled or interpreted. It works for a given number of
nodes and can be resumed where it stopped, so that its caller can check the clock.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.engine.budget import Budget, run_interruptibly
from gridwise.engine.compiled.bitmasks import hash_state, lowest_bit
from gridwise.engine.compiled.kernels import (
    compiled_board,
    interpreted,
    is_cached,
    is_compiled,
    kernel,
    pack,
    pointer,
    register_numba_type,
    zeros,
)
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, unpack, winner

# The answer. NEVER: not within any number of plies.
OPEN, NO, NEVER, YES = -1, 0, 1, 2
UNSOLVED = -1  # in place of a winner

MAX_DEPTH = 250  # plies; a depth is stored in eight bits
_ANY, _NONE = 254, 255  # in the table: "not within any number", "not within any that we know"

# Indices into `control`, the state of a search between two calls.
_LEVEL, _RESULT, _ATTACKER, CONTROL = 0, 1, 2, 3

# Behind a state in `frames`: actions to try, plies left, whether each "no" so far was NEVER, the
# action that is being tried, and the state's slot in the table.
_TODO, _DEPTH, _FINAL, _ACTION, _SLOT, _EXTRA = 0, 1, 2, 3, 4, 5

# Entries; one is 64 bytes or so. A table that fits the processor's cache is the fastest, so it
# starts small and grows with the work. Larger ones than this saved no nodes (Number Run on 7x9,
# 2.3 M nodes) and take more than 100 ms to clear, in which nobody can stop the search.
SMALLEST_TABLE = 1 << 13
LARGEST_TABLE = 1 << 17

# Nodes between two looks at the clock: some 10 ms.
COMPILED_SLICE = 50_000
INTERPRETED_SLICE = 500

# Nodes of a game that a process searches interpreted before it switches to compiled code, if that
# is cached on the disk (numba takes 0.4 s to import; the nodes take 0.25 s) and if not (compiling
# takes 2.5 s, the nodes 1.5 s). No first position on a uniform standard board needs the first.
NODES_IF_CACHED = 30_000
NODES_IF_NOT_CACHED = 200_000
_interpreted_nodes: Counter[str] = Counter()

_BUCKET = 4  # table entries that share an address
# A table entry is one int: for each player eight bits of the fewest plies that are enough to win,
# eight of the most that are not, eight of the best action, and a bit that says it is in use.
_NEW_ENTRY = 1 << 48 | (_NONE | _NONE << 8) << 24 | _NONE | _NONE << 8


class SearchMemory(NamedTuple):
    """What a search reads and writes."""

    frames: Ints  # for each ply a state, and what is listed above
    control: Ints
    killers: Ints  # ply -> the action that settled it last
    keys: Ints  # the table: the states,
    entries: Ints  # and what is known about them


def make_memory(width: int, *, compiled: bool) -> SearchMemory:
    """Memory for states of `width` ints, with the smallest table."""
    plies = MAX_DEPTH + 2
    sizes = (plies * (width + _EXTRA), CONTROL, plies, SMALLEST_TABLE * width, SMALLEST_TABLE)
    return SearchMemory(*(zeros(size, compiled=compiled) for size in sizes))


def ask(memory: SearchMemory, state: State, attacker: int, depth: int) -> None:
    """Ask whether the attacker can force a win from a state within `depth` plies."""
    pack(state, memory.frames, 0)
    memory.frames[len(state) + _DEPTH] = depth
    pack((0, OPEN, attacker), memory.control, 0)


def answer(memory: SearchMemory) -> int:
    """YES, NO, or NEVER for a "no" that holds for any depth; OPEN until the search is done."""
    return int(memory.control[_RESULT]) if memory.control[_LEVEL] < 0 else OPEN


def search_forced_win(board: Grid, memory: SearchMemory, budget: int) -> int:
    """Search for at most `budget` nodes; the nodes used."""
    frames, control, killers = memory.frames, memory.control, memory.killers
    level, result, attacker = control[_LEVEL], control[_RESULT], control[_ATTACKER]
    width = len(unpack(frames, 0))
    nodes = 0
    while level >= 0:
        at = level * (width + _EXTRA)
        own = at + width
        state = unpack(frames, at)
        if result == OPEN:
            if nodes >= budget:
                break
            nodes += 1
            result = _enter(board, memory, own, state, attacker)
            if result != OPEN:
                level -= 1
                continue
        else:
            result = _back_up(frames, own, state[0] == attacker, result)
            if result != OPEN:
                if (result == YES) == (state[0] == attacker):
                    killers[level] = frames[own + _ACTION]
                _store(memory, own, state, attacker, result)
                level -= 1
                continue
        action = _next_action(frames, own, killers[level])
        below = own + _EXTRA
        pack(play(board, state, action), frames, below)
        frames[below + width + _DEPTH] = frames[own + _DEPTH] - 1
        level += 1
    control[_LEVEL], control[_RESULT] = level, result
    return nodes


def _enter(board: Grid, memory: SearchMemory, own: int, state: State, attacker: int) -> int:
    """The answer, if there is one without searching; otherwise the frame is prepared."""
    frames = memory.frames
    legal = moves(board, state)
    if legal == 0:
        return YES if winner(board, state) == attacker else NEVER
    depth = frames[own + _DEPTH]
    if depth == 0:
        return NO
    if depth == 1:
        return _last_ply(board, state, attacker, legal)
    slot = _slot(memory, state)
    entry = memory.entries[slot]
    frames[own + _TODO] = legal
    frames[own + _FINAL] = 1
    frames[own + _ACTION] = entry >> 24 * attacker - 8 & 255 if entry else -1
    frames[own + _SLOT] = slot
    return _probe(entry >> 24 * (attacker - 1), depth) if entry else OPEN


def _probe(entry: int, depth: int) -> int:
    """What a table entry says, its bits for the attacker being the lowest."""
    if entry & 255 <= depth:
        return YES
    refuted = entry >> 8 & 255
    if refuted == _ANY:
        return NEVER
    return NO if refuted != _NONE and refuted >= depth else OPEN


def _last_ply(board: Grid, state: State, attacker: int, legal: int) -> int:
    """The answer where one ply is left: most nodes are here, and need no frames and no table."""
    attacking = state[0] == attacker
    result = NEVER if attacking else YES
    while legal:
        after = play(board, state, lowest_bit(legal))
        legal &= legal - 1
        if moves(board, after):
            result = NO
            if not attacking:
                break
        elif winner(board, after) == attacker:
            if attacking:
                return YES
        elif not attacking:
            return NEVER
    return result


def _back_up(frames: Ints, own: int, attacking: bool, result: int) -> int:
    """The answer of a frame after that of the action tried last; OPEN if more must be tried."""
    if attacking:
        if result == YES:
            return YES
        if result == NO:
            frames[own + _FINAL] = 0
        if frames[own + _TODO] == 0:
            return NEVER if frames[own + _FINAL] else NO
        return OPEN
    if result != YES:
        return result
    return OPEN if frames[own + _TODO] else YES


def _next_action(frames: Ints, own: int, killer: int) -> int:
    """The table's move first, then the killer move of this ply, then the rest."""
    todo = frames[own + _TODO]
    action = frames[own + _ACTION]
    if action < 0 or not todo >> action & 1:
        action = killer
        if action < 0 or not todo >> action & 1:
            action = lowest_bit(todo)
    frames[own + _TODO] = todo ^ 1 << action
    frames[own + _ACTION] = action
    return int(action)


def _store(memory: SearchMemory, own: int, state: State, attacker: int, result: int) -> None:
    frames, keys, entries = memory.frames, memory.keys, memory.entries
    slot = frames[own + _SLOT]
    entry = entries[slot]
    at = slot * len(state)
    if entry == 0 or not _matches(state, keys, at):  # it is new, or its slot has been taken
        pack(state, keys, at)
        entry = _NEW_ENTRY
    shift = 24 * (attacker - 1)
    if result == YES:
        entry = entry & ~(255 << shift) | frames[own + _DEPTH] << shift
    else:
        refuted = _ANY if result == NEVER else frames[own + _DEPTH]
        entry = entry & ~(255 << shift + 8) | refuted << shift + 8
    entries[slot] = entry & ~(255 << shift + 16) | frames[own + _ACTION] << shift + 16


def _slot(memory: SearchMemory, state: State) -> int:
    """The slot of a state in the table; or a free one; or one that is freed for it."""
    entries, hashed = memory.entries, hash_state(state)
    first = hashed & len(entries) - _BUCKET  # tables have a power of two of entries
    for slot in range(first, first + _BUCKET):
        if entries[slot] == 0 or _matches(state, memory.keys, slot * len(state)):
            return int(slot)
    slot = first + (hashed >> 40) % _BUCKET
    entries[slot] = 0
    return int(slot)


def _matches(state: State, rows: Ints, at: int) -> bool:
    """Whether that state is written from `rows[at]` on."""
    for field in range(len(state)):  # noqa: SIM110 - `all` does not compile
        if rows[at + field] != state[field]:
            return False
    return True


def solve_state(
    grid: Grid, memory: SearchMemory, state: State, budget: int
) -> tuple[int, int, int]:
    """Winner and distance, found one ply deeper at a time, and the nodes that it took.

    The distance of a draw is not looked for.
    """
    nodes = 0
    for depth in range(MAX_DEPTH):
        refuted = 0
        for attacker in range(1, 3):
            ask(memory, state, attacker, depth)
            nodes += search_forced_win(grid, memory, budget - nodes)
            result = answer(memory)
            if result == YES:
                return attacker, depth, nodes
            if result == OPEN:
                return UNSOLVED, 0, nodes
            refuted += result == NEVER
        if refuted == 2:
            return 3, 0, nodes
    return UNSOLVED, 0, nodes


class ForwardSearch:
    """Runs `search_forced_win` on one board, and keeps its table from one search to the next.

    It begins on the interpreted rules, which are ready at once, and switches to compiled ones when
    the work turns out to be long. It may be used by one thread at a time.
    """

    def __init__(self, game: Game, board: Board) -> None:
        self._game = game
        self._grid: Grid = board
        self._search = interpreted(game, search_forced_win)
        self._compiled = False
        self._width = len(game.rules.start(board, 1))
        self._memory = make_memory(self._width, compiled=False)
        self._spent = 0
        self._is_cached: bool | None = None  # None: not checked yet

    def forced_win(self, state: State, attacker: int, depth: int, budget: Budget) -> int:
        """Whether the attacker can force a win from a state within `depth` plies.

        YES, NO, or NEVER for a "no" that holds for any depth. Raises SearchStopped.
        """
        ask(self._memory, state, attacker, depth)
        while (result := answer(self._memory)) == OPEN:
            self._search_slice(budget)
        return result

    @property
    def size(self) -> int:
        """How many states the table has room for."""
        return len(self._memory.entries)

    def compile(self) -> None:
        """Compile the search, or load it from the disk; all searches of the game then use it."""
        self._switch_to_compiled()
        self._call_kernel()

    def _search_slice(self, budget: Budget) -> None:
        if not self._compiled and self._is_worth_compiling():
            self._switch_to_compiled()
        if self._compiled and not is_compiled(self._game, search_forced_win):
            run_interruptibly(self._call_kernel, budget)
        if self._spent > self.size and self.size < LARGEST_TABLE:
            # What the small one knew is found again in a quarter of the time.
            self._memory = SearchMemory(*self._memory[:3], *self._new_table(4 * self.size))
        nodes = budget.slice(COMPILED_SLICE if self._compiled else INTERPRETED_SLICE)
        used = self._search(self._grid, self._memory, nodes)
        self._spent += used
        budget.used += used
        if not self._compiled:
            _interpreted_nodes[self._game.key] += used

    def _is_worth_compiling(self) -> bool:
        spent = _interpreted_nodes[self._game.key]
        if spent >= NODES_IF_NOT_CACHED or is_compiled(self._game, search_forced_win):
            return True
        if spent >= NODES_IF_CACHED and self._is_cached is None:
            self._is_cached = is_cached(self._game, search_forced_win)
        return bool(self._is_cached)

    def _switch_to_compiled(self) -> None:
        """Go on with compiled rules, in the middle of a search if need be."""
        self._compiled = True
        self._grid = compiled_board(self._grid)
        self._search = kernel(self._game, search_forced_win)
        frames, control, killers = map(pointer, self._memory[:3])
        table = self._new_table(self.size)
        self._memory = register_numba_type(SearchMemory(frames, control, killers, *table))

    def _call_kernel(self) -> None:
        """Call the kernel for the first time, with nothing to do.

        It gets a control of its own: it may go on after this search was given up, while the next
        one is running.
        """
        idle = self._memory._replace(control=pointer([-1] * CONTROL))
        self._search(self._grid, idle, 0)

    def _new_table(self, size: int) -> tuple[Ints, Ints]:
        keys, entries = (zeros(n, compiled=self._compiled) for n in (size * self._width, size))
        return keys, entries
