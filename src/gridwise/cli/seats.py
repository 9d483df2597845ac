"""Who sits where: `human`, `bot:LEVEL` or `ugi:COMMAND`, as text from the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol, runtime_checkable

from gridwise.core.game import Game
from gridwise.core.player import Player
from gridwise.engine.bots import LEVELS, bot
from gridwise.errors import BadRequest, quoted

HUMAN = "human"

Seats = tuple[Player | None, Player | None]  # None where a person sits, who is asked


def resumed_player(who: str) -> str:
    """Who goes on in the seat of a recorded player: the same bot, or a person.

    Another program does not: a file that came from elsewhere must not start one.
    """
    return who if who.startswith("bot:") else HUMAN


@runtime_checkable
class Guest(Protocol):
    """A player that has to be fetched, and seen off: another program."""

    def start(self) -> None:
        """Get it ready; raises GridwiseError if that fails."""

    def close(self) -> None:
        """Leave nothing of it running."""


def seat(game: Game, who: str, seed: int | str | None = None) -> Player | None:
    """The player that `who` names; None for a person, who is asked at the console."""
    kind, _, rest = who.strip().partition(":")
    kind, level = kind.casefold(), rest.casefold()
    if kind == HUMAN and not level:
        return None
    if kind == "bot" and level:
        return bot(game, level, seed)
    if kind == "ugi":
        from gridwise.engine.ugi_player import UgiPlayer  # noqa: PLC0415 - 15 ms, only for this

        return UgiPlayer(rest, seed)
    levels = ", ".join(f"bot:{name}" for name in LEVELS)
    raise BadRequest(f"A player is human, {levels} or ugi:COMMAND, not {quoted(who)}.")


@contextmanager
def seated(players: Iterable[Player | None]) -> Iterator[None]:
    """Other programs run while the block does, and no longer."""
    with ExitStack() as leaving:
        for player in players:
            if isinstance(player, Guest):
                leaving.callback(player.close)
                player.start()
        yield
