"""Players that are no people, behind one small protocol.

Who sits where is written as `human` or `bot:LEVEL`. A bot is given a Position: the board as far as
anybody has seen it. It cannot look at more.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from gridwise.core.bits import choose
from gridwise.core.game import Game, Position
from gridwise.core.registry import game as game_of
from gridwise.errors import BadRequest, quoted

HUMAN = "human"


class Player(Protocol):
    """Anything that can choose a move."""

    name: str

    def choose(self, position: Position) -> int:
        """One of the legal actions."""


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


def seat(game: Game, who: str, seed: int | str | None = None) -> Player | None:
    """The player that `who` names; None for a person, who is asked elsewhere."""
    kind, _, level = who.strip().casefold().partition(":")
    if kind == HUMAN and not level:
        return None
    if kind == "bot" and level:
        return bot(game, level, seed)
    levels = " or ".join(f"bot:{name}" for name in BOTS)
    raise BadRequest(f"A player is human or {levels}, not {quoted(who)}.")
