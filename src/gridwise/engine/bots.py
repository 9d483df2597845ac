"""Bots. A bot is given a Position, the board as far as anybody has seen it; it cannot see more."""

from __future__ import annotations

import random
from collections.abc import Callable

from gridwise.core.bits import choose
from gridwise.core.game import Game, Position
from gridwise.core.player import Player
from gridwise.core.registry import game as game_of
from gridwise.errors import BadRequest, quoted


class RandomBot:
    """Plays any legal move, each equally likely."""

    name = "bot:random"

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def choose(self, position: Position) -> int:
        """Any legal action."""
        return choose(position.legal, self._random)


BOTS: dict[str, Callable[[random.Random], Player]] = {"random": RandomBot}


def bot(game: Game | str, level: str, seed: int | str | None = None) -> Player:
    """A bot of that level. The same seed plays the same moves."""
    game = game_of(game) if isinstance(game, str) else game
    if level not in BOTS:
        raise BadRequest(f"There is no bot {quoted(level)}. The levels are {', '.join(BOTS)}.")
    rng = random.Random(None if seed is None else f"gridwise bot {game.key} {level} {seed}")
    return BOTS[level](rng)
