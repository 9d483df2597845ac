"""Peers: the other processes that serve games of the same database.

What happens here: games in memory catch up with what others have written, and everybody sees who is
connected to whichever process. On PostgreSQL notifications tell when to look; behind them, and on
SQLite alone (where the tools of `gridwise server` may have written), a slow poll.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from gridwise.web.errors import Refused, Unavailable
from gridwise.web.game import LiveGame, Presence
from gridwise.web.game.model import JournalEntry
from gridwise.web.settings import Settings
from gridwise.web.storage import Emote, Notification, Notifications, Store

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

TOGETHER = 0.05  # seconds: what changes within them is sent as one
MISSED_HEARTBEATS = 3  # after which a process is taken for dead
LAST_QUESTIONS = 5.0  # seconds that the database gets to answer at the end
NOBODY = Presence()


class _Peer:
    """What is known of another process."""

    def __init__(self) -> None:
        self.heard = time.monotonic()
        self.present: dict[str, Presence] = {}


class Peers:
    """The other processes, as far as they have made themselves heard."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        games: Mapping[str, LiveGame],
        drop: Callable[[LiveGame], None],
    ) -> None:
        self._store, self._settings, self._games, self._drop = store, settings, games, drop
        self._behind: set[str] = set()  # games that others have written to
        self._read_due = asyncio.Event()
        self._here: dict[str, Presence] = {}  # who is connected to this process
        self._unsent: dict[str, Presence] = {}
        self._to_say: set[str] = set()
        self._emotes: list[Emote] = []
        self._send_due = asyncio.Event()
        self._peers: dict[str, _Peer] = {}
        self._moved: set[str] = set()  # games whose presence at other processes has changed
        self._tasks: set[asyncio.Task[Any]] = set()
        self._asked: set[asyncio.Future[Any]] = set()  # what is being asked of the database
        self._notifications: Notifications | None = None
        self._start(self._poll())
        self._start(self._catch_up())
        if store.engine.dialect.name == "postgresql":
            self._notifications = Notifications(store.engine)
            store.announce = self._notifications.announce
            silence = MISSED_HEARTBEATS * settings.heartbeat
            self._start(self._notifications.listen(self._hear, self._connected, silence))
            self._start(self._send(self._notifications))

    @property
    def possible(self) -> bool:
        """Whether there can be other processes."""
        return self._notifications is not None

    def __len__(self) -> int:
        return len(self._peers)

    def presence(self, game_id: str) -> Presence:
        """Who is connected to a game at other processes."""
        found = NOBODY
        for peer in self._peers.values():
            found = found.with_others(peer.present.get(game_id, NOBODY))
        return found

    @property
    def present(self) -> set[str]:
        """The games that somebody is connected to at other processes."""
        return {game_id for peer in self._peers.values() for game_id in peer.present}

    def say_emote(self, game_id: str, player: int, emote: str) -> None:
        """Tell the others what a player has said."""
        if self.possible:
            self._emotes.append(Emote(game_id, player, emote))
            self._send_due.set()

    def show_presence(self, game_id: str, presence: Presence) -> None:
        """Tell the others who is connected to a game here."""
        if self._here.get(game_id, NOBODY) == presence or not self.possible:
            return
        if presence == NOBODY:
            del self._here[game_id]
        else:
            self._here[game_id] = presence
            self._note_behind([game_id])  # it has not followed the others until now
        self._unsent[game_id] = presence
        self._send_due.set()

    async def stop(self) -> None:
        """Follow the others no longer; what is written here is still announced."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._asked:  # otherwise their connections would outlive the pool
            await asyncio.wait(self._asked, timeout=LAST_QUESTIONS)

    async def _ask(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the database in a thread, which goes on if the server is stopped meanwhile."""
        asked = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
        self._asked.add(asked)
        asked.add_done_callback(self._answered)
        return await asyncio.shield(asked)

    def _answered(self, asked: asyncio.Future[Any]) -> None:
        self._asked.discard(asked)
        if not asked.cancelled():
            asked.exception()  # it has been looked at, even if nobody waited

    async def say_goodbye(self) -> None:
        """Nothing more is written here."""
        if self._notifications:
            self._store.announce = None
            with suppress(SQLAlchemyError):
                await asyncio.to_thread(self._notifications.send, "bye")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refused):
            log.error("Could not follow the other processes", exc_info=error)

    # What others have written

    async def _poll(self) -> None:
        """Look for what no notification has told of, in the games that somebody watches."""
        while True:
            await asyncio.sleep(self._settings.poll)
            watched = {
                game_id: game for game_id, game in self._games.items() if game.audience.listeners
            }
            try:
                await self._ask(self._store.clock.measure)
                latest = await self._ask(self._store.latest, list(watched))
            except SQLAlchemyError as error:
                log.warning("The database does not respond: %s", type(error).__name__)
                continue
            for game_id, game in watched.items():
                if game_id not in latest:
                    self._drop(game)  # it was removed
                elif latest[game_id] > game.snapshot.version:
                    self._note_behind([game_id])

    def _note_behind(self, ids: Iterable[str]) -> None:
        """Somebody has written to these games: look at those that somebody is connected to.

        The others are looked at when they are asked for.
        """
        known = (self._games.get(game_id) for game_id in ids)
        self._behind.update(game.id for game in known if game and game.audience.listeners)
        if self._behind:
            self._read_due.set()

    async def _catch_up(self) -> None:
        """Read what others have written: for many games at once, and while more comes in."""
        while True:
            await self._read_due.wait()
            self._read_due.clear()
            ids, self._behind = self._behind, set()
            known = {each: self._games[each].snapshot.version for each in ids & self._games.keys()}
            found: Mapping[str, list[JournalEntry] | None]
            try:
                found = await self._ask(self._store.events_since, known)
            except SQLAlchemyError as error:  # the poll tries again
                log.warning("The database does not respond: %s", type(error).__name__)
                continue
            except Exception:
                # An event that this version does not know, for example: the others go on.
                log.exception("Some events could not be read")
                found = dict.fromkeys(known)  # one by one
            for game_id, entries in found.items():
                game = self._games.get(game_id)
                if game:
                    self._start(self._follow(game, entries))
                    await asyncio.sleep(0)  # others have their turn between two games

    async def _follow(self, game: LiveGame, entries: list[JournalEntry] | None) -> None:
        try:
            await game.catch_up(entries)
        except Unavailable:  # the poll tries again
            raise
        except Exception:  # what is in memory is not what happened, and will not be
            self._drop(game)
            raise

    # What others say

    def _connected(self) -> None:
        """Much may have been missed before now."""
        self._note_behind(self._games)
        self._say("hello")

    def _hear(self, said: Notification) -> None:
        if said.kind == "bye":
            self._forget(said.sender)
            return
        peer = self._peers.get(said.sender)
        if peer is None:
            peer = self._peers[said.sender] = _Peer()
            if said.kind not in ("hello", "all"):
                self._say("hello")
        peer.heard = time.monotonic()
        if said.kind == "hello":
            self._say("all")
        elif said.kind == "all":
            self._note_moved(peer.present)
            peer.present = {}
        elif said.kind == "changed":
            self._note_behind(said.ids)
        self._hear_emotes(said.emotes)
        for game_id, presence in said.present.items():
            peer.present[game_id] = presence
            if presence == NOBODY:
                del peer.present[game_id]
        self._note_moved(said.present)

    def _hear_emotes(self, emotes: Iterable[Emote]) -> None:
        for game_id, player, emote in emotes:
            if game := self._games.get(game_id):
                game.audience.emote(player, emote)

    def _forget(self, sender: str) -> None:
        peer = self._peers.pop(sender, None)
        if peer:
            self._note_moved(peer.present)

    def _note_moved(self, ids: Mapping[str, Presence]) -> None:
        if ids and not self._moved:
            asyncio.get_running_loop().call_soon(self._show_moved)
        self._moved.update(ids)

    def _show_moved(self) -> None:
        moved, self._moved = self._moved, set()
        for game_id in moved & self._games.keys():
            self._games[game_id].note_elsewhere(self.presence(game_id))

    # What is said to others

    def _say(self, kind: str) -> None:
        self._to_say.add(kind)
        self._send_due.set()

    async def _send(self, notifications: Notifications) -> None:
        """Send what is to be said, or a sign of life; and forget who has not given one."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.heartbeat):
                    await self._send_due.wait()
                    await asyncio.sleep(TOGETHER)
            self._send_due.clear()
            kinds, self._to_say = self._to_say, set()
            unsent, self._unsent = self._unsent, {}
            emotes, self._emotes = self._emotes, []  # one that cannot be sent is late and lost
            present = self._here | unsent if "all" in kinds else unsent
            try:
                await self._ask(
                    notifications.send,
                    *(sorted(kinds) or ["alive"]),
                    present=present,
                    emotes=emotes,
                )
            except SQLAlchemyError as error:
                log.warning("Cannot reach the other processes: %s", type(error).__name__)
                self._to_say |= kinds
                self._unsent = unsent | self._unsent
            long_ago = time.monotonic() - MISSED_HEARTBEATS * self._settings.heartbeat
            for sender, peer in list(self._peers.items()):
                if peer.heard < long_ago:
                    self._forget(sender)
