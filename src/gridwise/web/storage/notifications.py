"""Notifications: what the processes of one PostgreSQL database tell each other, by NOTIFY.

A notification says that something is worth looking at: it has ids of games, and how many people are
connected to them; never a move, a name or a token. What happened is read from the database; only
emotes are not in there. A notification that is lost delays, and does no harm.

    sender changed  ID ID …            events were written, in the transaction that sends this
    sender present  ID=1,0,3 ID=…      who is connected: to seat 1, to seat 2, spectators
    sender emote    ID=1,wave          what the player of a seat has said, from a fixed list
    sender hello                       it has begun to listen: who is connected to the others?
    sender all                         what it says next of presence is all there is
    sender alive                       nothing new
    sender bye                         it stops
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from gridwise.web.game import Presence
from gridwise.web.game.model import is_id

if TYPE_CHECKING:
    from psycopg import AsyncConnection

log = logging.getLogger("gridwise.web")

CHANNEL = "gridwise"
LARGEST = 7_500  # bytes of a notification; PostgreSQL takes fewer than 8,000
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 10.0  # seconds before connecting again
NONE: Mapping[str, Presence] = {}
_NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("text")))
_PRESENT = re.compile(r"([A-Za-z0-9_-]{12})=([01]),([01]),(\d{1,6})")
_EMOTE = re.compile(r"([A-Za-z0-9_-]{12})=([12]),([a-z-]{1,20})")
_SENDER = re.compile(r"[0-9a-f]{16}")


class Emote(NamedTuple):
    """What the player of a seat has said."""

    game_id: str
    player: int
    emote: str


class Notification(NamedTuple):
    """What another process has said."""

    sender: str
    kind: str
    ids: tuple[str, ...] = ()
    present: Mapping[str, Presence] = NONE
    emotes: tuple[Emote, ...] = ()


def read_notification(text: str) -> Notification | None:
    """A notification from its text; None if it is not one of ours."""
    sender, _, rest = text.partition(" ")
    kind, *items = rest.split(" ")
    if not _SENDER.fullmatch(sender):
        return None
    if kind == "changed" and all(is_id(item) for item in items):
        return Notification(sender, kind, tuple(items))
    if kind == "present" and all(found := [_PRESENT.fullmatch(item) for item in items]):
        present = {
            each[1]: Presence(each[2] == "1", each[3] == "1", int(each[4]))
            for each in found
            if each
        }
        return Notification(sender, kind, present=present)
    if kind == "emote" and all(found := [_EMOTE.fullmatch(item) for item in items]):
        said = tuple(Emote(each[1], int(each[2]), each[3]) for each in found if each)
        return Notification(sender, kind, emotes=said)
    if kind in ("hello", "all", "alive", "bye") and not items:
        return Notification(sender, kind)
    return None


def _split(head: str, items: Iterable[str]) -> Iterator[str]:
    """Texts that begin alike and are not too long."""
    text = head
    for item in items:
        if len(text) + 1 + len(item) > LARGEST:
            yield text
            text = head
        text = f"{text} {item}"
    if text != head:
        yield text


class Notifications:
    """Sends and hears notifications, as one of the processes of a database."""

    def __init__(self, engine: sa.Engine) -> None:
        self.sender = secrets.token_hex(8)
        self._engine = engine

    # Sending; for threads

    def announce(self, connection: sa.Connection, ids: list[str]) -> None:
        """Say which games have changed, when the transaction is committed."""
        self._notify(connection, _split(f"{self.sender} changed", ids))

    def send(
        self, *kinds: str, present: Mapping[str, Presence] = NONE, emotes: Iterable[Emote] = ()
    ) -> None:
        """Say `hello`, `all`, `alive` or `bye`, who is connected to games, and what was said."""
        items = (
            f"{game_id}={one:d},{two:d},{min(spectators, 999_999)}"
            for game_id, (one, two, spectators) in present.items()
        )
        with self._engine.begin() as connection:
            self._notify(connection, (f"{self.sender} {kind}" for kind in kinds))
            self._notify(connection, _split(f"{self.sender} present", items))
            spoken = (f"{each.game_id}={each.player},{each.emote}" for each in emotes)
            self._notify(connection, _split(f"{self.sender} emote", spoken))

    @staticmethod
    def _notify(connection: sa.Connection, texts: Iterable[str]) -> None:
        for text in texts:
            connection.execute(_NOTIFY, {"text": text})

    # Hearing; on the event loop

    async def listen(
        self, hear: Callable[[Notification], None], connected: Callable[[], Any], silence: float
    ) -> None:
        """Hear what others say, for ever; `connected` is called each time it begins anew.

        A connection on which nothing has come for `silence` seconds is taken for dead: a process
        hears itself, too.
        """
        import psycopg  # noqa: PLC0415 - an extra, for PostgreSQL only

        _, options = self._engine.dialect.create_connect_args(self._engine.url)
        pause = SHORTEST_PAUSE
        while True:
            began = time.monotonic()
            try:
                async with await psycopg.AsyncConnection.connect(
                    **{"connect_timeout": 5, **options}, autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    connected()
                    while await self._heard(connection, hear, silence):
                        pass
            except (psycopg.Error, OSError) as error:
                log.warning("Cannot hear the other processes: %s", type(error).__name__)
            lasted = time.monotonic() - began
            pause = SHORTEST_PAUSE if lasted > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _heard(
        self,
        connection: AsyncConnection[Any],
        hear: Callable[[Notification], None],
        silence: float,
    ) -> bool:
        """Wait for the next notifications; whether any came."""
        heard = False
        async for notify in connection.notifies(timeout=silence, stop_after=1):
            heard = True
            said = read_notification(notify.payload)
            if said and said.sender != self.sender:
                hear(said)
        return heard
