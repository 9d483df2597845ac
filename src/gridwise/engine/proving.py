"""Proving wins: whether a player can force one within so many plies.

The question has a yes-or-no answer, so a search for it cuts off at the first reply that settles a
move. Asked for one ply after another, it gives exact distances; asked for both players, it tells
wins from losses from draws. A table remembers for each state the fewest plies known to be enough
and the most known not to be.

`prove` is a kernel: it runs compiled or interpreted. It works for a given number of nodes and can
be taken up again where it stopped, so that whoever called it can look at the clock.
"""

from __future__ import annotations

from collections import Counter

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.engine.binding import Grid, Ints, moves, play, unpack, winner
from gridwise.engine.masks import lowest, mix
from gridwise.engine.twin import (
    interpreted,
    is_compiled,
    is_kept,
    kernel,
    pack,
    table,
    twin_board,
    zeros,
)
from gridwise.engine.watch import Watch, wait_for

# What a question comes to. NEVER: not within any number of plies.
OPEN, NO, NEVER, YES = -1, 0, 1, 2

DEEPEST = 250  # plies; a depth is kept in eight bits
_ANY, _NONE = 254, 255  # in the table: "not within any number", "not within any that we know"

# Where things are in `control`, what a search remembers between two calls.
_LEVEL, _RESULT, _ATTACKER, CONTROL = 0, 1, 2, 3

# Behind a state in `frames`: actions to try, plies left, whether each "no" so far was for good,
# the action that is being tried, and the state's place in the table.
_TODO, _DEPTH, _FINAL, _ACTION, _PLACE, _EXTRA = 0, 1, 2, 3, 4, 5

# Entries; one is 64 bytes or so. A table that fits the processor's cache is the fastest, so it
# starts small and grows with the work. Larger ones than this saved no nodes (Number Run on 7x9,
# 2.3 M nodes) and take more than 100 ms to clear, in which nobody can stop the search.
SMALLEST_TABLE = 1 << 13
LARGEST_TABLE = 1 << 17

# Nodes between two looks at the clock: some 10 ms.
COMPILED_SLICE = 50_000
INTERPRETED_SLICE = 500

# Nodes of a game that a process searches interpreted before it goes over to compiled code, if that
# is on the disk already (numba takes 0.4 s to import; the nodes take 0.25 s) and if not (compiling
# takes 2.5 s, the nodes 1.5 s). No first position on a uniform standard board needs the first.
PATIENCE = 30_000
COLD_PATIENCE = 200_000
_interpreted_nodes: Counter[str] = Counter()

_BUCKET = 4  # table entries that share an address
# A table entry is one int: for each player eight bits of the fewest plies that are enough to win,
# eight of the most that are not, eight of the best action, and a bit that says it is in use.
_FRESH = 1 << 48 | (_NONE | _NONE << 8) << 24 | _NONE | _NONE << 8


def frame_size(width: int) -> int:
    """How many ints a level of the search takes, for states of so many ints."""
    return width + _EXTRA


def prove(
    board: Grid, frames: Ints, control: Ints, killers: Ints, keys: Ints, entries: Ints, budget: int
) -> int:
    """Work on the question in `frames` for so many nodes; the nodes used."""
    level, result, attacker = control[_LEVEL], control[_RESULT], control[_ATTACKER]
    width = len(unpack(frames, 0))
    nodes = 0
    while level >= 0:
        at = level * frame_size(width)
        own = at + width
        state = unpack(frames, at)
        if result == OPEN:
            if nodes >= budget:
                break
            nodes += 1
            result = _opened(board, frames, own, state, attacker, keys, entries)
            if result != OPEN:
                level -= 1
                continue
        else:
            result = _weighed(frames, own, state[0] == attacker, result)
            if result != OPEN:
                if (result == YES) == (state[0] == attacker):
                    killers[level] = frames[own + _ACTION]
                _remember(frames, own, state, attacker, result, keys, entries)
                level -= 1
                continue
        action = _next_action(frames, own, killers[level])
        below = own + _EXTRA
        pack(play(board, state, action), frames, below)
        frames[below + width + _DEPTH] = frames[own + _DEPTH] - 1
        level += 1
    control[_LEVEL], control[_RESULT] = level, result
    return nodes


def _opened(
    board: Grid, frames: Ints, own: int, state: State, attacker: int, keys: Ints, entries: Ints
) -> int:
    """The answer, if there is one without searching; otherwise the frame is made ready."""
    legal = moves(board, state)
    if legal == 0:
        return YES if winner(board, state) == attacker else NEVER
    depth = frames[own + _DEPTH]
    if depth == 0:
        return NO
    if depth == 1:
        return _last_ply(board, state, attacker, legal)
    slot = _slot(state, keys, entries)
    entry = entries[slot]
    frames[own + _TODO] = legal
    frames[own + _FINAL] = 1
    frames[own + _ACTION] = entry >> 24 * attacker - 8 & 255 if entry else -1
    frames[own + _PLACE] = slot
    return _known(entry >> 24 * (attacker - 1), depth) if entry else OPEN


def _known(entry: int, depth: int) -> int:
    """What the table has to say, its bits for the attacker being the lowest."""
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
        after = play(board, state, lowest(legal))
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


def _weighed(frames: Ints, own: int, attacking: bool, result: int) -> int:
    """What the answer to the last action tried makes of the frame."""
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
    """Try what was best here before, then what was best elsewhere at this level, then the rest."""
    todo = frames[own + _TODO]
    action = frames[own + _ACTION]
    if action < 0 or not todo >> action & 1:
        action = killer
        if action < 0 or not todo >> action & 1:
            action = lowest(todo)
    frames[own + _TODO] = todo ^ 1 << action
    frames[own + _ACTION] = action
    return int(action)


def _remember(
    frames: Ints, own: int, state: State, attacker: int, result: int, keys: Ints, entries: Ints
) -> None:
    slot = frames[own + _PLACE]
    entry = entries[slot]
    if entry == 0 or not _is_at(state, keys, slot):  # it is new, or its place has been taken
        pack(state, keys, slot * len(state))
        entry = _FRESH
    shift = 24 * (attacker - 1)
    if result == YES:
        entry = entry & ~(255 << shift) | frames[own + _DEPTH] << shift
    else:
        refuted = _ANY if result == NEVER else frames[own + _DEPTH]
        entry = entry & ~(255 << shift + 8) | refuted << shift + 8
    entries[slot] = entry & ~(255 << shift + 16) | frames[own + _ACTION] << shift + 16


def _slot(state: State, keys: Ints, entries: Ints) -> int:
    """Where a state is in the table; or a free place; or a place that is freed for it."""
    mixed = mix(state)
    first = mixed & len(entries) - _BUCKET  # tables have a power of two of entries
    for slot in range(first, first + _BUCKET):
        if entries[slot] == 0 or _is_at(state, keys, slot):
            return int(slot)
    slot = first + (mixed >> 40) % _BUCKET
    entries[slot] = 0
    return int(slot)


def _is_at(state: State, keys: Ints, slot: int) -> bool:
    at = slot * len(state)
    for field in range(len(state)):  # noqa: SIM110 - `all` does not compile
        if keys[at + field] != state[field]:
            return False
    return True


class Prover:
    """Asks `prove` about one board, and keeps its table from one question to the next.

    It begins on the interpreted rules, which answer at once, and goes over to compiled ones when
    the work turns out to be long. It may be used by one thread at a time.
    """

    def __init__(self, game: Game, board: Board) -> None:
        self._game = game
        self._grid: Grid = board
        self._prove = interpreted(game, prove)
        self._compiled = False
        self._width = len(game.rules.start(board, 1))
        self._frames: Ints = [0] * ((DEEPEST + 2) * frame_size(self._width))
        self._killers: Ints = [0] * (DEEPEST + 2)
        self._control: Ints = [0] * CONTROL
        self._keys: Ints = []
        self._entries: Ints = []
        self._spent = 0
        self._is_kept: bool | None = None  # whether the disk has compiled code; not looked yet
        self._make_table(SMALLEST_TABLE)

    def ask(self, state: State, attacker: int, depth: int, watch: Watch) -> int:
        """Whether the attacker can force a win from a state within `depth` plies.

        YES, NO, or NEVER for a "no" that holds for any depth. Raises Halted.
        """
        pack(state, self._frames, 0)
        self._frames[self._width + _DEPTH] = depth
        pack((0, OPEN, attacker), self._control, 0)
        while self._control[_LEVEL] >= 0:
            self._slice(watch)
        return int(self._control[_RESULT])

    @property
    def size(self) -> int:
        """How many states the table has room for."""
        return len(self._entries)

    def _slice(self, watch: Watch) -> None:
        if not self._compiled and self._is_worth_compiling():
            self._go_over()
        if self._compiled and not is_compiled(self._game, prove):
            wait_for(self._compile, watch)
        if self._spent > self.size and self.size < LARGEST_TABLE:
            # What the small one knew is found again in a quarter of the time to come.
            self._make_table(self.size * 4)
        budget = watch.slice(COMPILED_SLICE if self._compiled else INTERPRETED_SLICE)
        used = self._prove(*self._arguments(budget))
        self._spent += used
        watch.spend(used)
        if not self._compiled:
            _interpreted_nodes[self._game.key] += used

    def _is_worth_compiling(self) -> bool:
        spent = _interpreted_nodes[self._game.key]
        if spent >= COLD_PATIENCE or is_compiled(self._game, prove):
            return True
        if spent >= PATIENCE and self._is_kept is None:
            self._is_kept = is_kept(self._game, prove)
        return bool(self._is_kept)

    def _go_over(self) -> None:
        """Go on with compiled rules, in the middle of a question if need be."""
        self._compiled = True
        self._grid = twin_board(self._grid)
        self._prove = kernel(self._game, prove)
        self._frames, self._killers = table(self._frames), table(self._killers)
        self._control = table(self._control)
        self._make_table(self.size)

    def _compile(self) -> None:
        """Call for the first time, with nothing to do.

        It gets a control of its own: it may go on after this question was given up, while the next
        one is being asked.
        """
        grid, frames, _, *others = self._arguments(0)
        self._prove(grid, frames, table([-1] * CONTROL), *others)

    def _arguments(self, budget: int) -> tuple[object, ...]:
        return (
            self._grid, self._frames, self._control, self._killers, self._keys, self._entries,
            budget,
        )  # fmt: skip

    def _make_table(self, size: int) -> None:
        if self._compiled:
            self._keys, self._entries = zeros(size * self._width), zeros(size)
        else:
            self._keys, self._entries = [0] * (size * self._width), [0] * size
