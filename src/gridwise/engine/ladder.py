"""How strong the bots are, told by games: each level against the one below, each board twice.

A pair of games on one board with sides swapped is one measurement, so that the luck of the deal and
of moving first cancels out. The interval is for the mean over pairs.

The interval is Student's, over the pairs and two more: one won twice and one lost twice. They are
what a few pairs cannot rule out; without them three pairs that happen to agree would prove that
all do. Over many pairs they hardly matter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import NormalDist, fmean, stdev
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
    low: float  # the 95 % interval
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out an even score."""
        return self.low > 0.5


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval for the mean, of which these shares between 0 and 1 are a sample."""
    sample = [*shares, 0.0, 1.0]
    mean = fmean(sample)
    margin = student(len(sample) - 1) * stdev(sample, mean) / sqrt(len(sample))
    return max(0.0, mean - margin), min(1.0, mean + margin)


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t: the normal one, and Fisher's expansion of the difference.

    From three degrees of freedom on it is off by less than one in a hundred.
    """
    z = NormalDist().inv_cdf(0.975)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


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
    return Standing(level, against, pairs, fmean(shares), *interval(shares))


def ladder(
    game: Game, pairs: int, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Iterator[Standing]:
    """Each level against the one below it."""
    for below, level in pairwise(LEVELS):
        yield contest(game, level, below, pairs, seed, progress)
