"""Peers: the other processes that serve games of the same PostgreSQL database.

nginx brings all of a game to one process; this is for those who come to another one all the same.
Processes tell each other what is worth looking at, by NOTIFY: ids of games and how many people are
connected, never a move, a name or a token. What happened is read from the database. A notification
that is lost delays, and does no harm: every few seconds each process tells and looks again.

    sender changed ID ID …         events were written, in the transaction that sends this
    sender present ID=1,0,3 ID=…   who is connected: to seat 1, to seat 2, spectators
    sender emote ID=1,wave         what the player of a seat has said, from a fixed list
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from gridwise.web.async_tasks import regularly
from gridwise.web.errors import Unavailable
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.snapshot import Presence
from gridwise.web.game.stored_game import JournalEntry
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore

log = logging.getLogger("gridwise.web")

CHANNEL = "gridwise"
MOST_ITEMS = 300  # of a notification: PostgreSQL takes fewer than 8,000 bytes, and an item has 25
SILENT_LOOKS = 3  # after which somebody who was not told of again is gone
NOBODY = Presence()
_NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("text")))
_TEXT = re.compile(r"([0-9a-f]{16}) (changed|present|emote) ([\w=, -]+)", re.ASCII)
_PRESENT = re.compile(r"([\w-]{12})=([01]),([01]),(\d{1,6})", re.ASCII)
_EMOTE = re.compile(r"([\w-]{12})=([12]),([a-z-]{1,20})", re.ASCII)


class Peers:
    """The other processes, as far as they have made themselves heard."""

    def __init__(
        self, store: GameStore, settings: ServerSettings, games: Mapping[str, LiveGame]
    ) -> None:
        self._store, self._games, self._pause = store, games, settings.peer_interval
        self.possible = store.engine.dialect.name == "postgresql"  # whether there can be others
        self._name = secrets.token_hex(8)
        self._here: dict[str, Presence] = {}  # who is connected to this process, or has just left
        # Who is connected to others: by the game and the process, with the time when it was told.
        self.elsewhere: dict[str, dict[str, tuple[Presence, float]]] = {}
        self._behind: set[str] = set()  # games that others may have written to
        self._read_due = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        if self.possible:
            store.announce = self.announce
            looks = regularly(self._pause, self._look)
            for work in (self._listen(), self._catch_up(), looks):
                self._start(work)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Follow the others no longer; what is written here is still announced."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def say_goodbye(self) -> None:
        """Nothing more is written here, and nobody is connected."""
        if self.possible:
            self._store.announce = None
            self._here = dict.fromkeys(self._here, NOBODY)
            await self._tell_presence()

    # Who is connected

    def presence(self, game_id: str) -> Presence:
        """Who is connected to a game at other processes."""
        together = NOBODY
        for presence, _ in self.elsewhere.get(game_id, {}).values():
            together = together.with_others(presence)
        return together

    def show_presence(self, game_id: str, presence: Presence) -> None:
        """Note who is connected to a game here; the others are told in a few seconds."""
        if self.possible and self._here.get(game_id, NOBODY) != presence:
            self._here[game_id] = presence
            self._note_behind([game_id])  # it may not have followed the others until now

    def say_emote(self, game_id: str, player: int, emote: str) -> None:
        """Tell those at other processes what a player has said."""
        if self.possible:
            self._start(self._tell("emote", [f"{game_id}={player},{emote}"]))

    def _note_elsewhere(self, game_id: str, process: str, presence: Presence) -> None:
        before, at = self.presence(game_id), self.elsewhere.setdefault(game_id, {})
        at[process] = presence, time.monotonic()
        if presence == NOBODY:
            del at[process]
        if not at:
            del self.elsewhere[game_id]
        if (game := self._games.get(game_id)) and self.presence(game_id) != before:
            game.note_elsewhere(self.presence(game_id))

    # What is told to others

    def announce(
        self, connection: sa.Connection, items: Sequence[str], kind: str = "changed"
    ) -> None:
        """Say something when the transaction is committed, such as which games have changed."""
        for start in range(0, len(items), MOST_ITEMS):
            some = " ".join(items[start : start + MOST_ITEMS])
            connection.execute(_NOTIFY, {"text": f"{self._name} {kind} {some}"})

    async def _tell(self, kind: str, items: Sequence[str]) -> None:
        def send() -> None:
            with self._store.engine.begin() as connection:
                self.announce(connection, items, kind)

        with suppress(Unavailable):  # it is logged
            await self._store.ask(send)

    async def _tell_presence(self) -> None:
        here = self._here
        self._here = {each: presence for each, presence in here.items() if presence != NOBODY}
        told = [f"{each}={one:d},{two:d},{min(n, 999_999)}" for each, (one, two, n) in here.items()]
        await self._tell("present", told)

    async def _look(self) -> None:
        """Tell who is here, forget who was not told of again, and look for what was not told."""
        await self._tell_presence()
        self._note_behind(self._games)
        long_ago = time.monotonic() - SILENT_LOOKS * self._pause
        for game_id, at in list(self.elsewhere.items()):
            for process in [each for each, (_, told) in at.items() if told < long_ago]:
                self._note_elsewhere(game_id, process, NOBODY)
        await self._store.ask(self._store.clock.measure)

    # What others tell

    async def _listen(self) -> None:
        """Hear what others tell, for ever; a connection that is lost is made again."""
        import psycopg  # noqa: PLC0415 - an extra, for PostgreSQL only

        engine = self._store.engine
        # The system notices a machine that is gone; nothing is ever sent here.
        options: dict[str, Any] = {"autocommit": True, "connect_timeout": 5, "keepalives_idle": 10}
        options |= engine.dialect.create_connect_args(engine.url)[1]
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**options) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._note_behind(self._games)  # much may have been missed before now
                    async for said in connection.notifies():
                        self.hear(said.payload)
            except (psycopg.Error, OSError) as error:
                log.warning("Cannot hear the other processes: %s", type(error).__name__)
            await asyncio.sleep(self._pause)

    def hear(self, text: str) -> None:
        """Heed what another process tells; what is not of this form was not for us."""
        match = _TEXT.fullmatch(text)
        if not match or match[1] == self._name:
            return
        process, kind, items = match.groups()
        if kind == "changed":
            self._note_behind(items.split())
        elif kind == "present":
            for game_id, one, two, spectators in _PRESENT.findall(items):
                presence = Presence(one == "1", two == "1", int(spectators))
                self._note_elsewhere(game_id, process, presence)
        elif (said := _EMOTE.fullmatch(items)) and (game := self._games.get(said[1])):
            game.audience.emote(int(said[2]), said[3])

    def _note_behind(self, ids: Iterable[str]) -> None:
        """Look at these games, if anybody is connected to them; others when they are asked for."""
        known = (self._games.get(game_id) for game_id in ids)
        self._behind.update(game.id for game in known if game and game.audience.subscribers)
        if self._behind:
            self._read_due.set()

    async def _catch_up(self) -> None:
        """Read what others have written: for many games at once, and while more comes in."""
        while True:
            await self._read_due.wait()
            self._read_due.clear()
            ids, self._behind = self._behind, set()
            known = {each: self._games[each].snapshot.version for each in ids & self._games.keys()}
            written: Mapping[str, list[JournalEntry] | None]
            try:
                written = await self._store.ask(self._store.events_since, known)
            except Unavailable:  # it is logged; the next look tries again
                continue
            except Exception:
                # An event that this version does not know, for example: the others go on.
                log.exception("Some events could not be read")
                written = dict.fromkeys(known)  # one by one
            for game_id, entries in written.items():
                if game := self._games.get(game_id):
                    self._start(self._follow(game, entries))
                    await asyncio.sleep(0)  # others have their turn between two games

    async def _follow(self, game: LiveGame, entries: list[JournalEntry] | None) -> None:
        try:
            await game.catch_up(entries)
        except Unavailable:
            pass  # it is logged; the next look tries again
        except Exception:  # what is in memory is not what happened, and will not be
            log.exception("Could not follow the other processes")
            game.drop()
