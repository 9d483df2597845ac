"""The two seats of a game: `human`, `bot:LEVEL` or `ugi:COMMAND` made into players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol, runtime_checkable

from gridwise.core.game import Game
from gridwise.core.position import Player
from gridwise.engine.bots import LEVELS, bot
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import HUMAN

Seats = tuple[Player | None, Player | None]  # None where a person sits, who is asked


def resumed_player(who: str) -> str:
    """Who takes the seat of a recorded player: the same bot, or a person.

    Another program does not: a file that came from elsewhere must not start one.
    """
    return who if who.partition(":")[0] == "bot" else HUMAN


def make_player(game: Game, who: str, seed: str | None = None) -> Player | None:
    """The player that `who` names; None for a person, who is asked at the console."""
    kind, _, rest = who.strip().partition(":")
    kind, level = kind.casefold(), rest.casefold()
    if kind == HUMAN and not level:
        return None
    if kind == "bot" and level:
        return bot(game, level, seed)
    if kind == "ugi":
        from gridwise.engine.ugi.client import UgiPlayer  # noqa: PLC0415 - 15 ms, only for this

        return UgiPlayer(rest, seed)
    levels = ", ".join(f"bot:{name}" for name in LEVELS)
    raise BadRequest(f"A player is human, {levels} or ugi:COMMAND, not {quoted(who)}.")


@runtime_checkable
class _Program(Protocol):
    def start(self) -> None: ...
    def close(self) -> None: ...


@contextmanager
def programs_running(players: Iterable[Player | None]) -> Iterator[None]:
    """Run the programs among the players while the block runs, and no longer."""
    with ExitStack() as stack:
        for player in players:
            if isinstance(player, _Program):
                stack.callback(player.close)
                player.start()
        yield
