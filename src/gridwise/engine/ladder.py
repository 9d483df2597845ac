"""How strong the bots are, told by games: each level against the one below, each board twice.

A pair of games on one board with sides swapped is one measurement, so that the luck of the deal and
of moving first cancels out. The interval is for the mean over pairs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, Position
from gridwise.core.player import Player
from gridwise.core.playout import CAP
from gridwise.engine.bots import LEVELS, bot


class Standing(NamedTuple):
    """The share of points one level took from another."""

    level: str
    against: str
    pairs: int
    score: float
    margin: float  # half the width of the 95 % interval

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out an even score."""
        return self.margin > 0 and self.score - self.margin > 0.5


def play_game(game: Game, board: Board, first: int, players: tuple[Player, Player]) -> float:
    """The points of Player 1: 1, 0, or a half for a draw or a game without an end."""
    rules = game.rules
    state = rules.start(board, first)
    actions: list[int] = []
    while rules.moves(board, state) and len(actions) < CAP:
        position = Position(game, game.seen(board, state), state, first, tuple(actions))
        actions.append(players[state.turn - 1].choose(position))
        state = rules.play(board, state, actions[-1])
    return {1: 1.0, 2: 0.0}.get(rules.winner(board, state), 0.5)


def pair_of_games(game: Game, level: str, against: str, seed: str) -> float:
    """The share of points `level` takes in two games on one board, once on each side."""
    board = game.deal(random.Random(f"ladder {seed}"))
    points = 0.0
    for side in (1, 2):
        one, two = bot(game, level, f"{seed} {side}"), bot(game, against, f"{seed} {side}")
        if side == 1:
            points += play_game(game, board, 1, (one, two))
        else:
            points += 1.0 - play_game(game, board, 1, (two, one))
    return points / 2


def contest(
    game: Game,
    level: str,
    against: str,
    pairs: int,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Standing:
    """The score of one level against another over so many pairs of games."""
    shares = []
    for number in range(pairs):
        shares.append(pair_of_games(game, level, against, f"{game.key} {seed} {number}"))
        if progress:
            progress(number + 1)
    mean = sum(shares) / pairs
    variance = sum((share - mean) ** 2 for share in shares) / max(1, pairs - 1)
    return Standing(level, against, pairs, mean, 1.96 * sqrt(variance / pairs))


def ladder(
    game: Game, pairs: int, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Iterator[Standing]:
    """Each level against the one below it."""
    for below, level in pairwise(LEVELS):
        yield contest(game, level, below, pairs, seed, progress)
