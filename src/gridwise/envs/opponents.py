"""Opponents that are no part of the compiled code, as a batch of games asks them.

A function is asked once for all games that wait. A bot or another player is asked about one game
after the other, which is slower by the time it thinks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gridwise.core.game import Game, Position
from gridwise.core.player import Player
from gridwise.engine.bots import bot
from gridwise.envs.observation import Int8s
from gridwise.envs.options import Opponent, is_player
from gridwise.envs.streams import Int64s, below
from gridwise.errors import BadRequest

SEEDS = 1 << 31  # bots' seeds are below this


class Seats(Protocol):
    """What an opponent is told of a batch of games."""

    def position(self, number: int) -> Position:
        """One game, as far as it has been seen."""

    def as_seen_by_mover(self, numbers: Int64s) -> tuple[Int8s, Int8s]:
        """Observations and masks of some games."""


class Answers(Protocol):
    """An opponent in many games."""

    def begin(self, chosen: npt.NDArray[np.bool_], streams: Int64s) -> None:
        """New games are about to start."""

    def choose(self, games: Seats, numbers: Int64s) -> Int64s:
        """An action for each of the games with these numbers."""


def answers_of(game: Game, opponent: Opponent) -> Answers:
    """The opponent, made to answer in many games."""
    if isinstance(opponent, str):
        return _Bots(game, opponent)
    if is_player(opponent):
        return _OnePlayer(opponent)
    assert callable(opponent)
    return _Policy(opponent)


class _Bots:
    """A bot for each game, seeded from the game's own stream."""

    def __init__(self, game: Game, level: str) -> None:
        self._game, self._level = game, level
        self._bots: dict[int, Player] = {}

    def begin(self, chosen: npt.NDArray[np.bool_], streams: Int64s) -> None:
        seeds = below(streams, chosen, SEEDS)
        for number, seed in zip(np.flatnonzero(chosen).tolist(), seeds.tolist(), strict=True):
            self._bots[number] = bot(self._game, self._level, seed)

    def choose(self, games: Seats, numbers: Int64s) -> Int64s:
        return np.array(
            [self._bots[number].choose(games.position(number)) for number in numbers.tolist()]
        )


class _OnePlayer:
    """One player who plays all the games."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def begin(self, chosen: npt.NDArray[np.bool_], streams: Int64s) -> None:
        """Nothing to do."""

    def choose(self, games: Seats, numbers: Int64s) -> Int64s:
        return np.array(
            [self._player.choose(games.position(number)) for number in numbers.tolist()]
        )


class _Policy:
    """A function of observations and masks."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self._function = function

    def begin(self, chosen: npt.NDArray[np.bool_], streams: Int64s) -> None:
        """Nothing to do."""

    def choose(self, games: Seats, numbers: Int64s) -> Int64s:
        seen, legal = games.as_seen_by_mover(numbers)
        answers = np.asarray(self._function(seen, legal))
        if answers.shape != (len(numbers),) or not np.issubdtype(answers.dtype, np.integer):
            raise BadRequest(
                f"The opponent was given {len(numbers)} observations and must answer with an array "
                f"of as many actions, whole numbers, not one of {answers.dtype} of the shape "
                f"{answers.shape}."
            )
        return answers
