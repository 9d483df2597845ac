"""Maintenance: what a server does every few seconds besides the games.

It reads the notes of operators' tools (`storage/upkeep.py`), stops games that nobody has joined,
removes old ones if the settings say so, and ends the server once it is drained. All of it in small
steps, so that nobody who plays notices.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from gridwise.web.errors import Unavailable
from gridwise.web.game import LiveGame
from gridwise.web.game.events import Stopped
from gridwise.web.game.model import EntryAdded, GameEnding, JournalEntry
from gridwise.web.settings import Settings
from gridwise.web.storage import Store, Visitors
from gridwise.web.storage.upkeep import DRAIN, RELOAD, Note, Upkeep

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

UNJOINED = "nobody joined"
GAVE_WAY = "nobody had joined, and the server needed room"
GIVE_WAY_TRIES = 5  # where others join or stop the oldest invitation at the same moment
SOME = 50  # games that are stopped or removed in one step: some ms of writing
PAUSE = 0.25  # seconds between two steps
STEPS = 200  # at a time
DAY = 86_400.0

Commit = Callable[[list[Any]], Awaitable[None]]


class Maintenance:
    """The maintenance of one server process."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        live: Mapping[str, LiveGame],
        commit: Commit,
        drop: Callable[[LiveGame], None],
    ) -> None:
        self._store, self._upkeep, self._settings = store, Upkeep(store), settings
        self._live, self._commit, self._drop = live, commit, drop
        self._asked: set[asyncio.Future[Any]] = set()
        self._giving_way = asyncio.Lock()
        self.drain_until: float | None = None  # when a server that is drained ends at the latest

    @property
    def draining(self) -> bool:
        """Whether the server takes no new games, because it is to stop."""
        return self.drain_until is not None

    async def run(self) -> None:
        """Go on until cancelled, or drained."""
        await asyncio.gather(self._heed_notes(), self._tidy_regularly())

    async def close(self) -> None:
        """Wait for what is being asked of the database; `run` has been cancelled."""
        await asyncio.gather(*self._asked, return_exceptions=True)

    async def _ask(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the database in a thread, which goes on if the server is stopped meanwhile."""
        asked = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)
        return await asyncio.shield(asked)

    async def _heed_notes(self) -> None:
        # The time of the last note that was read. A process that replaces another reads again what
        # that one has read: the server may be draining.
        read = self._settings.notes_since
        while True:
            try:
                if read is None:  # notes from before the start are for others
                    read = await self._ask(self._upkeep.last_note)
                read, notes = await self._ask(self._upkeep.notes_after, read)
            except SQLAlchemyError:
                notes = []  # those who play hear of it, and it is in the log from there
            for note in notes:
                self._heed(note)
            if self.drain_until and (self._nobody_plays() or time.time() > self.drain_until):
                log.info("Drained: the server stops")
                os.kill(os.getpid(), signal.SIGTERM)
                return
            await asyncio.sleep(self._settings.upkeep)

    async def _tidy_regularly(self) -> None:
        while True:
            await asyncio.sleep(self._settings.tidy)
            try:
                await self._tidy()
            except (SQLAlchemyError, Unavailable) as error:
                log.warning("Old games are removed later: %s", type(error).__name__)

    def _heed(self, note: Note) -> None:
        if note.kind == DRAIN:
            self.drain_until = float(note.value) or None
        game = self._live.get(note.value)
        if note.kind == RELOAD and game:
            self._drop(game)

    def _nobody_plays(self) -> bool:
        return not any(
            game.audience.listeners and not game.snapshot.over for game in self._live.values()
        )

    async def _tidy(self) -> None:
        await self._ask(self._upkeep.remove_old_notes)
        await self._ask(Visitors(self._store).remove_old_links)
        limits, now = self._settings.limits, time.time()
        for _ in range(STEPS):
            ids = await self._ask(self._upkeep.unjoined, 0.0, now - limits.unjoined, SOME)
            await self._stop_unjoined(ids, UNJOINED)
            await asyncio.sleep(PAUSE)
            if len(ids) < SOME:
                break
        before = now - self._settings.retention * DAY
        for _ in range(STEPS if self._settings.retention else 0):
            removed = await self._ask(self._upkeep.remove_finished, before, SOME)
            await asyncio.sleep(PAUSE)
            if removed < SOME:
                break

    async def give_way(self) -> bool:
        """Stop the oldest game that counts and that nobody has joined; False if there is none."""
        async with self._giving_way:  # else all who ask at once would stop the same one
            for _ in range(GIVE_WAY_TRIES):
                now = time.time()
                since = now - self._settings.limits.fresh
                ids = await self._ask(self._upkeep.unjoined, since, now, 1)
                if not ids or await self._stop_unjoined(ids, GAVE_WAY):
                    return bool(ids)
        return False

    async def _stop_unjoined(self, ids: list[str], reason: str) -> int:
        """Stop games; one that somebody joins at this moment goes on. How many were stopped."""
        latest = await self._ask(self._store.latest, ids)
        # Asked after the numbers: who joins later has taken the number of the entry.
        waiting = await self._ask(self._upkeep.still_waiting, ids)
        now = time.time()
        written = [
            self._commit(
                [
                    EntryAdded(
                        game_id,
                        JournalEntry(number + 1, Stopped(1, reason), None, now),
                        GameEnding(now, "", reason),
                    )
                ]
            )
            for game_id, number in latest.items()
            if game_id in waiting
        ]
        done = await asyncio.gather(*written, return_exceptions=True)
        for game_id in ids:
            game = self._live.get(game_id)
            if game:
                await game.catch_up()
        return done.count(None)
