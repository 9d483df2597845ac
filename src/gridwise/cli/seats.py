"""Who sits where: `human` or `bot:LEVEL`, as text from the command line."""

from __future__ import annotations

from gridwise.core.game import Game
from gridwise.core.player import Player
from gridwise.engine.bots import BOTS, bot
from gridwise.errors import BadRequest, quoted

HUMAN = "human"


def resumed_player(who: str) -> str:
    """Who goes on in the seat of a recorded player: the same bot, or a person."""
    return who if who.startswith("bot:") else HUMAN


def seat(game: Game, who: str, seed: int | str | None = None) -> Player | None:
    """The player that `who` names; None for a person, who is asked at the console."""
    kind, _, level = who.strip().casefold().partition(":")
    if kind == HUMAN and not level:
        return None
    if kind == "bot" and level:
        return bot(game, level, seed)
    levels = " or ".join(f"bot:{name}" for name in BOTS)
    raise BadRequest(f"A player is human or {levels}, not {quoted(who)}.")
