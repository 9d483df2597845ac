"""Many games between two levels of bots, all at once in compiled code.

Games are rows of arrays, as in `engine.compiled.heuristic_batch`. A whole batch makes a ply, then
the next. The bots are those of `engine.bots`: novice, casual and strong see the board as far as it
has been turned up, perfect plays one of the best actions (`engine.exact.best_actions`).

Where cells are face down, perfect is a search of its own for each move: a third of a second. Such
games are played one by one.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gridwise.arena.boards import MAX_DEALS, play_on
from gridwise.arena.study.row_kernels import begin_rows, draw_rows, play_rows
from gridwise.arena.study.variant import Cells, Variant
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import start as start_position
from gridwise.core.rng import Stream, mix
from gridwise.engine.bots import bot, settings_of
from gridwise.engine.compiled.heuristic_batch import CompiledSettings, choose_by_heuristic
from gridwise.engine.compiled.kernels import (
    compiled_board,
    kernel,
    pinned,
    state_type,
)
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.exact.best_actions import BestActions
from gridwise.errors import BadBoard, BadRequest

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Choose = Callable[[Cells, Int64s, Bools, Int64s], Int64s]


class TooLarge(BadRequest):
    """A position that the perfect bot cannot solve in a batch."""


class Played(NamedTuple):
    """Finished games, a row for each."""

    winners: Int64s  # 1, 2, 3 for a draw, 0 for one that was stopped after 200 plies
    plies: Int64s


class Ply(NamedTuple):
    """One ply of a batch, before it is played."""

    number: int
    states: Int64s
    playing: Bools  # games that are not over
    legal: Int64s  # sets of actions


# Boards


def playable_boards(variant: Variant, count: int, seed: str) -> Cells:
    """Boards on which somebody has a move, the first ones that are dealt; raises BadBoard."""
    found: list[Cells] = []
    missing = count
    for number in range(MAX_DEALS):
        cells = variant.deal(count, f"{seed} {number}")
        _, legal = _begun(variant, cells)
        found.append(cells[legal != 0][:missing])
        missing -= len(found[-1])
        if not missing:
            return np.concatenate(found)
        if not variant.is_dealt:
            break
    raise BadBoard(f"{variant.played.title} ({variant.name}) is over before the first move.")


def _begun(variant: Variant, cells: Cells) -> tuple[Int64s, Int64s]:
    width = len(state_type(variant.played)._fields)  # type: ignore[attr-defined]
    states, legal = np.zeros((len(cells), width), np.int64), np.zeros(len(cells), np.int64)
    kernel(variant.played, begin_rows)(compiled_board(variant.template), cells, states, legal)
    return states, legal


# Games


def play_games(
    variant: Variant,
    cells: Cells,
    levels: tuple[str, str],
    seed: str,
    each_ply: Callable[[Ply], None] | None = None,
) -> Played:
    """One game on each board: the first level is Player 1, the second Player 2.

    `each_ply` is called before each ply. Games that are played one by one are not shown to it.
    """
    game = variant.played
    if game.has_hidden_cells and "perfect" in levels:
        return _one_by_one(variant, cells, levels, seed)
    sides = [_chooser(variant, level, len(cells), f"{seed} {n}") for n, level in enumerate(levels)]
    winners, plies = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    states, legal = _begun(variant, cells)
    actions = np.zeros(len(cells), np.int64)
    board = compiled_board(variant.template)
    for number in range(MAX_PLIES if game.cyclic else 1 << 20):
        playing = legal != 0
        if not playing.any():
            break
        if each_ply:
            each_ply(Ply(number, states, playing, legal))
        for side, choose in enumerate(sides, 1):
            turn = playing & (states[:, 0] == side)
            if turn.any():
                actions = np.where(turn, choose(cells, states, turn, legal), actions)
        plies += playing
        kernel(game, play_rows)(board, cells, states, legal, actions, winners)
    return Played(winners, plies)


def _chooser(variant: Variant, level: str, count: int, seed: str) -> Choose:
    """What chooses actions like a bot of that level, for that many games."""
    game, board = variant.played, variant.template
    source = Stream(seed).bits() << 31
    streams = np.array([mix(source + each) for each in range(count)], np.uint64).view(np.int64)
    settings = settings_of(game, level)
    if settings:
        depth = 1 if game.has_hidden_cells else settings.depth
        compiled = CompiledSettings(
            depth, int(settings.careful), game.rules.LOW, settings.miss_rate, settings.noise
        )
        room = np.zeros((2, board.size), np.int64)

        def by_heuristic(cells: Cells, states: Int64s, turn: Bools, _legal: Int64s) -> Int64s:
            actions = np.zeros(count, np.int64)
            kernel(game, choose_by_heuristic)(
                compiled_board(board), cells, states, turn, streams, actions, pinned(compiled),
                room[0], room[1],
            )  # fmt: skip
            return actions

        return by_heuristic
    best = BestActions(game, board, Threads(1)) if level == "perfect" else None

    def by_chance(cells: Cells, states: Int64s, turn: Bools, legal: Int64s) -> Int64s:
        sets = best.find(cells, states, turn) if best else legal
        if best and (turn & (sets == 0)).any():
            raise TooLarge(f"{game.title} ({variant.name}) is too large for the perfect bot.")
        actions = np.zeros(count, np.int64)
        kernel(game, draw_rows)(np.where(turn, sets, 0), streams, actions)
        return actions

    return by_chance


def _one_by_one(variant: Variant, cells: Cells, levels: tuple[str, str], seed: str) -> Played:
    results = [_play_one(variant, row, levels, f"{seed} {n}") for n, row in enumerate(cells)]
    winners, plies = zip(*results, strict=True)
    return Played(np.array(winners, np.int64), np.array(plies, np.int64))


def _play_one(variant: Variant, row: Cells, levels: tuple[str, str], seed: str) -> tuple[int, int]:
    """Winner and plies of a game between two bots."""
    game, board = variant.played, variant.template.with_cells(row.tolist())
    bots = [bot(game, level, f"{seed} {side}") for side, level in enumerate(levels)]
    position = start_position(game, board, 1)
    while not position.outcome:
        position = play_on(position, bots[position.turn - 1].choose(position), board)
    return position.outcome.winner or 0, len(position.history)


def spread(plies: Int64s, most: int) -> Iterator[tuple[int, int]]:
    """Game and ply of at most so many plies of each game, evenly spread over it."""
    for game, count in enumerate(plies.tolist()):
        if count <= most:
            yield from ((game, ply) for ply in range(count))
        else:
            yield from ((game, ply * count // most) for ply in range(most))
