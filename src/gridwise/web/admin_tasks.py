"""What a server does by itself for its operator, every few seconds.

It reads the messages of operators' tools (`storage/admin_messages.py`), stops games that nobody has
joined, removes old ones if the settings say so, and ends the server once it is drained. All of it
in small steps, so that nobody who plays notices.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from gridwise.web.errors import Unavailable
from gridwise.web.game.live_game import LiveGame
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore, admin_messages
from gridwise.web.storage.admin_messages import DRAIN, RELOAD, SEATS
from gridwise.web.storage.store import stopped

log = logging.getLogger("gridwise.web")

UNJOINED = "nobody joined"
BATCH_SIZE = 50  # games that are stopped or removed in one step: some ms of writing
PAUSE_SECONDS = 0.25  # between two steps
MOST_STEPS = 200  # at a time
DAY_SECONDS = 86_400.0

Commit = Callable[[list[Any]], Awaitable[None]]


class AdminTasks:
    """What one server process does for its operator."""

    def __init__(
        self,
        store: GameStore,
        settings: ServerSettings,
        live: Mapping[str, LiveGame],
        commit: Commit,
    ) -> None:
        self._store, self._settings, self._live, self._commit = store, settings, live, commit
        # When a server that is drained, and takes no new games, ends at the latest.
        self.drain_until: float | None = None

    # What the operator says

    async def follow_messages(self) -> None:
        """Do what operators' tools say, until cancelled or drained."""
        # The time of the last message that was read; those from before the start are for others.
        read: float | None = None
        while True:
            try:
                read, messages = await self._store.ask(
                    admin_messages.posted_after, self._store, read
                )
            except Unavailable:
                messages = []  # it is logged
            for kind, value in messages:
                self._follow(kind, value)
            games = self._live.values()
            in_play = any(game.audience.subscribers and not game.snapshot.over for game in games)
            if self.drain_until and (not in_play or time.time() > self.drain_until):
                log.info("Drained: the server stops")
                os.kill(os.getpid(), signal.SIGTERM)
                return
            await asyncio.sleep(self._settings.message_interval)

    def _follow(self, kind: str, value: str) -> None:
        if kind == DRAIN:
            self.drain_until = float(value) or None
        if kind == SEATS:
            self.drop_games_of(value)
        if kind == RELOAD and (game := self._live.get(value)):
            game.drop()

    def drop_games_of(self, token: str) -> None:
        """Drop games whose seats have changed, by how the hash of their holder's token begins."""
        for game in list(self._live.values()):
            if any(seat.token.startswith(token) for seat in game.snapshot.seats):
                game.drop()

    # Old games

    async def clean_up(self) -> None:
        """Stop games that nobody has joined, and remove old ones."""
        ask, settings, now = self._store.ask, self._settings, time.time()
        await ask(admin_messages.remove_old, self._store)
        before = now - settings.retention * DAY_SECONDS
        for _ in range(MOST_STEPS):
            unjoined = await ask(
                self._store.unjoined, 0.0, now - settings.limits.unjoined, BATCH_SIZE
            )
            await self.stop(unjoined, UNJOINED)
            removed = 0
            if settings.retention:
                removed = await ask(self._store.remove_finished, before, BATCH_SIZE)
            await asyncio.sleep(PAUSE_SECONDS)
            if max(len(unjoined), removed) < BATCH_SIZE:
                break

    async def stop(self, last: Mapping[str, int], reason: str) -> int:
        """Stop games, given by their last events, as long as they are that; how many were stopped.

        One that somebody joins at this moment goes on: the next number is taken then.
        """
        now = self._store.clock.now()
        written = [
            self._commit([stopped(game_id, number, reason, now)])
            for game_id, number in last.items()
        ]
        done = await asyncio.gather(*written, return_exceptions=True)
        for game_id in last:
            if game := self._live.get(game_id):
                await game.catch_up()
        return done.count(None)
