"""Many games between two levels of bots, all at once in compiled code (`engine.batch`).

A whole batch makes a ply, then the next. Where cells are face down, perfect is a search of its own
for each move: a third of a second. Such games are played one by one.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gridwise.core.outcome import MAX_DEALS, MAX_PLIES
from gridwise.core.position import start as start_position
from gridwise.core.rng import Stream, mix
from gridwise.engine.batch import TOO_LARGE, BatchBot, GameBatch, Int64s
from gridwise.engine.bots import bot
from gridwise.engine.compiled.threads import Threads
from gridwise.errors import BadBoard, BadRequest
from gridwise.lab.study.variant import Cells, Variant
from gridwise.play.boards import play_on


class TooLargeToPlay(BadRequest):
    """A position that the perfect bot cannot solve in a batch."""


class Played(NamedTuple):
    """Finished games, a row for each."""

    winners: Int64s  # 1, 2, 3 for a draw, 0 for one that was stopped after 200 plies
    plies: Int64s


# Boards


def playable_boards(variant: Variant, count: int, seed: str) -> Cells:
    """Boards on which somebody has a move, the first ones that are dealt; raises BadBoard."""
    playable = np.zeros((0, variant.template.size), np.int64)
    for number in range(MAX_DEALS):
        cells = variant.deal(count, f"{seed} {number}")
        playable = np.concatenate([playable, cells[_begun(variant, cells).legal != 0]])[:count]
        if len(playable) == count:
            return playable
        if not variant.is_dealt:
            break
    raise BadBoard(f"{variant.played.title} ({variant.name}) is over before the first move.")


def _begun(variant: Variant, cells: Cells) -> GameBatch:
    """A game on each of the boards."""
    game = variant.played
    limit = MAX_PLIES if game.cyclic else 0
    games = GameBatch(game, [variant.template], len(cells), max_plies=limit)
    games.start(cells)
    return games


# Games


def play_games(
    variant: Variant,
    cells: Cells,
    levels: tuple[str, str],
    seed: str,
    trail: list[Int64s] | None = None,
) -> Played:
    """One game on each board: the first level is Player 1, the second Player 2.

    The states before each ply are added to the `trail`, not those of games played one by one.
    """
    game = variant.played
    if game.has_hidden_cells and "perfect" in levels:
        return _one_by_one(variant, cells, levels, seed)
    games = _begun(variant, cells)
    bots = [_bot(variant, level, len(cells), f"{seed} {n}") for n, level in enumerate(levels)]
    winners, actions = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    while (playing := games.legal != 0).any():
        if trail is not None:
            trail.append(games.states.copy())
        for side, one in enumerate(bots, 1):
            turn = playing & (games.states[:, 0] == side)
            if turn.any():
                chosen = one.choose(games.cells, games.states, games.legal, turn)
                actions = np.where(turn, chosen, actions)
        if (actions == TOO_LARGE).any():
            raise TooLargeToPlay(f"{game.title} ({variant.name}) is too large for the perfect bot.")
        winners += games.step(actions, playing).winners
    return Played(winners, games.plies)


def _bot(variant: Variant, level: str, count: int, seed: str) -> BatchBot:
    source = Stream(seed).bits() << 31
    streams = np.array([mix(source + each) for each in range(count)], np.uint64).view(np.int64)
    return BatchBot(variant.played, variant.template, level, streams, Threads())


def _one_by_one(variant: Variant, cells: Cells, levels: tuple[str, str], seed: str) -> Played:
    game = variant.played
    results = []
    for number, row in enumerate(cells.tolist()):
        board = variant.template.with_cells(row)
        bots = [bot(game, level, f"{seed} {number} {side}") for side, level in enumerate(levels)]
        position = start_position(game, board, 1)
        while not position.outcome:
            position = play_on(position, bots[position.turn - 1].choose(position), board)
        results.append((position.outcome.winner or 0, len(position.history)))
    return Played(*np.array(results, np.int64).T)


def spread(plies: Int64s, most: int) -> Iterator[tuple[int, int]]:
    """Game and ply of at most so many plies of each game, evenly spread over it."""
    for game, count in enumerate(plies.tolist()):
        if count <= most:
            yield from ((game, ply) for ply in range(count))
        else:
            yield from ((game, ply * count // most) for ply in range(most))
