"""The middling bots in many games at once, compiled: the moves of `HeuristicBot` with a Stream.

The kernel draws from each game's stream in the same order as the bot, so both play the same moves.
It looks at the board as far as it has been seen, and takes face-down cells for the smallest number
where it looks ahead, as `engine.lookahead` does.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.contracts import State
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount, random_bits
from gridwise.engine.compiled.kernels import with_cells
from gridwise.engine.compiled.pointers import as_pointer
from gridwise.engine.compiled.specialize import (
    Floats,
    Grid,
    Ints,
    hidden,
    moves,
    play,
    score,
    unpack,
    winner,
)

WON, UNCLEAR, LOST = 1, 0, -1  # as in `engine.lookahead`


class CompiledSettings(NamedTuple):
    """`HeuristicSettings` as compiled code has them; `low` is the smallest number of a cell."""

    depth: int
    careful: int
    low: int
    miss_rate: float
    noise: float


def choose_by_heuristic(
    board: Grid,
    cells: Ints,
    states: Ints,
    chosen: Ints,
    streams: Ints,
    actions: Ints,
    settings: CompiledSettings,
    seen: Ints,
    least: Ints,
) -> None:
    """Write an action for each of the chosen games; `seen` and `least` are room for a board."""
    for game in range(len(states)):
        if not chosen[game]:
            continue
        state = unpack(states[game], 0)
        unseen = hidden(with_cells(board, as_pointer(cells[game])), state)
        for cell in range(board.size):
            known = cells[game, cell] * (1 - (unseen >> cell & 1))
            seen[cell] = known
            least[cell] = known or settings.low
        known_grid = with_cells(board, as_pointer(seen))
        least_grid = with_cells(board, as_pointer(least))
        stream = streams[game : game + 1]
        legal = moves(known_grid, state)
        if settings.careful:
            legal = _careful_moves(least_grid, state, legal)
        noticed = _noticed(legal, settings.miss_rate, stream)
        actions[game] = _best_looking(known_grid, least_grid, state, noticed, settings, stream)


def _careful_moves(grid: Grid, state: State, legal: int) -> int:
    """`lookahead.careful_moves`, as a set."""
    for depth in range(1, 3):
        best, kept = LOST - 1, 0
        todo = legal
        while todo:
            result = _look_ahead(grid, state, lowest_bit(todo), depth)
            if result > best:
                best, kept = result, 0
            if result == best:
                kept |= todo & -todo
            todo &= todo - 1
        legal = kept
        if best == WON:
            break
    return legal


def _noticed(legal: int, miss_rate: float, stream: Ints) -> int:
    """The moves that are not overlooked; any one if all are."""
    noticed = 0
    todo = legal
    while todo:
        if _random(stream) >= miss_rate:
            noticed |= todo & -todo
        todo &= todo - 1
    if noticed:
        return noticed
    skip = random_bits(stream) * popcount(legal) >> 31
    while skip:
        legal &= legal - 1
        skip -= 1
    return legal & -legal


def _best_looking(
    known: Grid, least: Grid, state: State, noticed: int, settings: CompiledSettings, stream: Ints
) -> int:
    """The move with the best result within sight, and of those the one that looks best."""
    chosen, best, best_looks = -1, LOST, 0.0
    while noticed:
        action = lowest_bit(noticed)
        noticed &= noticed - 1
        bell = 2 * (_random(stream) + _random(stream) + _random(stream)) - 3
        looks = bell * settings.noise + score(known, state, action)
        depth = settings.depth
        if depth > 1 and _random(stream) < settings.miss_rate:
            depth = 1
        result = _look_ahead(least, state, action, depth)
        if chosen < 0 or result > best or (result == best and looks > best_looks):
            chosen, best, best_looks = action, result, looks
    return chosen


def _random(stream: Ints) -> Floats:
    """A number from 0 up to 1: `Stream.random`."""
    return random_bits(stream) * 2.0**-31


def _look_ahead(grid: Grid, state: State, action: int, depth: int) -> int:
    return _result(grid, play(grid, state, action), depth - 1, state[0])


def _result(grid: Grid, state: State, depth: int, player: int) -> int:
    """Whether a player wins or loses by force within `depth` plies."""
    won = winner(grid, state)
    if won:
        return UNCLEAR if won == 3 else WON if won == player else LOST
    if depth <= 0:
        return UNCLEAR
    mine = state[0] == player  # turns need not alternate
    best = LOST if mine else WON
    legal = moves(grid, state)
    while legal and best != (WON if mine else LOST):
        found = _result(grid, play(grid, state, lowest_bit(legal)), depth - 1, player)
        legal &= legal - 1
        best = max(best, found) if mine else min(best, found)
    return best
