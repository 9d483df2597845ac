"""The ladder: how strong the bots are, each level against the one below it.

Each board is played twice, with sides swapped; the pair is one measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.engine.bots import LEVELS
from gridwise.lab.paired_games import play_paired_games
from gridwise.lab.statistics import interval, pair_shares
from gridwise.play.boards import board_template
from gridwise.players.batch_player import batch_player


class Standing(NamedTuple):
    """The share of points that one level took from another."""

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


def contest(
    game: Game,
    level: str,
    against: str,
    pairs: int,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Standing:
    """The score of one level against another over a number of pairs of games.

    `progress` is called with the number of pairs that are done.
    """
    contestants = batch_player(level, game), batch_player(against, game)
    template, points = board_template(game, None, None), []
    for played in play_paired_games(game, template, contestants, 2 * pairs, seed):
        points.append(played.points)
        if progress and not len(points) % 2:
            progress(len(points) // 2)
    return Standing(level, against, pairs, fmean(points), *interval(pair_shares(points)))


def ladder(
    game: Game, pairs: int, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Iterator[Standing]:
    """Each level against the one below it."""
    for below, level in pairwise(LEVELS):
        yield contest(game, level, below, pairs, seed, progress)
