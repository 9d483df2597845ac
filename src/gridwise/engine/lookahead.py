"""How the middling bots choose: what looks good, and what is won or lost a few plies ahead.

They err like people: moves are overlooked, and how good one looks is off by some noise. Looking
ahead is plain recursion: a handful of plies of small games. Cells that are face down count as the
smallest number there is, so what is won or lost is so for certain.

These are kernels: they run interpreted for one position (`engine.bots`), and compiled for many
(`engine.batch_kernels`), with the same draws and the same moves.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.position import Position
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount, random_number
from gridwise.engine.compiled.kernels import interpreted
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, score, winner

WON, UNCLEAR, LOST = 1, 0, -1


class HeuristicSettings(NamedTuple):
    """How a bot of a middling level chooses."""

    depth: int  # plies it looks ahead
    miss_rate: float  # how often it does not notice a move, or what comes of it
    noise: float  # how far its heuristic score of a move may be off
    careful: bool = True  # whether it sees every win in one move, and every loss to the next


def choose_move(
    known: Grid, least: Grid, state: State, settings: HeuristicSettings, rng: Ints
) -> int:
    """The best-looking of the moves that are noticed, wins first and losses last.

    `known` is the board as far as it has been seen; in `least` face-down cells are the smallest.
    """
    legal = moves(known, state)
    if settings.careful:
        legal = careful_actions(least, state, legal)
    noticed = _noticed(legal, settings.miss_rate, rng)
    chosen, best, best_looks = -1, LOST, 0.0
    while noticed:
        action = lowest_bit(noticed)
        noticed &= noticed - 1
        # Three draws make a bell of width 1, and come out the same on every machine.
        bell = 2 * (random_number(rng) + random_number(rng) + random_number(rng)) - 3
        looks = bell * settings.noise + score(known, state, action)
        depth = settings.depth
        if depth > 1 and random_number(rng) < settings.miss_rate:
            depth = 1
        result = result_after(least, state, action, depth)
        if chosen < 0 or result > best or (result == best and looks > best_looks):
            chosen, best, best_looks = action, result, looks
    return chosen


def careful_actions(grid: Grid, state: State, legal: int) -> int:
    """The actions that win at once; without any, those that do not lose at once or to one answer.

    All of them if each loses.
    """
    for depth in range(1, 3):
        best, kept = LOST - 1, 0
        todo = legal
        while todo:
            result = result_after(grid, state, lowest_bit(todo), depth)
            if result > best:
                best, kept = result, 0
            if result == best:
                kept |= todo & -todo
            todo &= todo - 1
        legal = kept
        if best == WON:
            break
    return legal


def _noticed(legal: int, miss_rate: float, rng: Ints) -> int:
    """The moves that are not overlooked; any one if all are."""
    noticed = 0
    todo = legal
    while todo:
        if random_number(rng) >= miss_rate:
            noticed |= todo & -todo
        todo &= todo - 1
    if noticed:
        return noticed
    skip = int(random_number(rng) * popcount(legal))
    while skip:
        legal &= legal - 1
        skip -= 1
    return legal & -legal


def result_after(grid: Grid, state: State, action: int, depth: int) -> int:
    """Whether an action wins or loses by force within `depth` plies, for the player to move."""
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
        result = _result(grid, play(grid, state, lowest_bit(legal)), depth - 1, player)
        legal &= legal - 1
        best = max(best, result) if mine else min(best, result)
    return best


# For one position, interpreted


def with_least_cells(position: Position) -> Board:
    """The board of a position, face-down cells being the smallest number there is."""
    board, low = position.board, position.game.rules.LOW
    if not position.game.has_hidden_cells:
        return board
    return board.with_cells([value or low for value in board.cells])


def careful_moves(position: Position) -> tuple[int, ...]:
    """The moves of `careful_actions` in a position."""
    kernel = interpreted(position.game, careful_actions)
    return bit_indices(kernel(with_least_cells(position), position.state, position.legal_mask))


def look_ahead(position: Position, action: int, depth: int) -> int:
    """Whether a move wins or loses by force within `depth` plies, for the player who makes it."""
    kernel = interpreted(position.game, result_after)
    result: int = kernel(with_least_cells(position), position.state, action, depth)
    return result
