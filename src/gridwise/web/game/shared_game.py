"""SharedGame: one game in memory, which other processes may have in memory too.

The rule here: whatever changes the game happens under its lock, one thing at a time, and is on disk
before anybody hears of it. Until then everybody sees `snapshot`, the last version that was written.
If writing fails the game is dropped, and read again from the database when next asked for: what is
in the database is what happened. If another process was first, the game is read again in place, and
the request is looked at once more. What other processes have written comes by `catch_up`.

A flag that has fallen falls before anything else is looked at: nobody moves with a clock that has
run out, even if the server was stopped meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from gridwise.web.errors import Conflict, Stale, Unavailable, WriteConflict, shielded
from gridwise.web.game import commands
from gridwise.web.game.events import Event, TimedOut
from gridwise.web.game.listener import Audience, Listener
from gridwise.web.game.model import Change, EntryAdded, JournalEntry
from gridwise.web.game.session import GameSession
from gridwise.web.game.snapshot import Presence, Snapshot
from gridwise.web.settings import ServerLimits
from gridwise.web.workers import Workers

T = TypeVar("T")

RESTARTING = 1012  # the close code of a server that is being restarted
DROPPED = "The game is reloading. Try again in a moment."
MOST_TRIES = 5  # of a request that other processes keep overtaking


@dataclass(frozen=True)
class Services:
    """What a live game needs of the server around it."""

    workers: Workers
    limits: ServerLimits
    commit: Callable[[list[Change]], asyncio.Future[None]]  # done when it is on disk
    check_new_game: Callable[[str], Awaitable[None]]  # raises TooMany or Unavailable
    add: Callable[[GameSession], object]  # a game that has just been written
    drop: Callable[[Any], None]  # a game whose memory may not be what is on disk
    restore: Callable[[str], Awaitable[tuple[GameSession, Snapshot]]]  # raises NotFound
    events_after: Callable[[str, int], Awaitable[list[JournalEntry]]]  # written by any process
    show_presence: Callable[[str, Presence], None]  # to the other processes
    say_emote: Callable[[str, int, str], None]  # to the other processes
    patience: float  # seconds that another process gets to let its bot move
    now: Callable[[], float] = time.time  # by the clock that all processes share


class SharedGame:
    """One live game as far as it is read, written and shown. All of it is on the event loop."""

    def __init__(
        self, session: GameSession, services: Services, snapshot: Snapshot | None = None
    ) -> None:
        self._session = session
        self._services = services
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.audience = Audience(partial(services.show_presence, session.setup.id))
        self.dropped = False
        self.last_used = time.monotonic()
        self.snapshot = snapshot or Snapshot(session, now=services.now)

    @property
    def id(self) -> str:
        """The game's id."""
        return self._session.setup.id

    def wake(self, after: float = 0.0) -> None:
        """See to what happens by itself, such as a bot's move; after some seconds, if given."""
        raise NotImplementedError

    # What can be seen: always the last version that is on disk

    def text_for(self, token: str | None) -> str:
        """The state as JSON, for the holder of a token."""
        snapshot = self.snapshot
        return snapshot.text(snapshot.held_by(token), snapshot.present(self.audience.presence))

    def state_for(self, token: str | None) -> dict[str, Any]:
        """The same as data, for pages."""
        return self.snapshot.state(self.snapshot.held_by(token), self.audience.presence)

    # Who is connected

    def join(self, listener: Listener) -> None:
        """Somebody has opened a socket."""
        if self.dropped:  # since it was asked for
            listener.close(RESTARTING, DROPPED)
            return
        self.audience.listeners.add(listener)
        self.audience.update(self.snapshot)

    def leave(self, listener: Listener) -> None:
        """Somebody has closed one."""
        self.audience.listeners.discard(listener)
        self.last_used = time.monotonic()
        if not self.dropped:  # the game may be loaded again, with others connected
            self.audience.update(self.snapshot)

    def note_elsewhere(self, presence: Presence) -> None:
        """Who is connected to other processes."""
        self.audience.elsewhere = presence
        self.audience.update(self.snapshot)

    def drop(self) -> None:
        """What is in memory may not be what is on disk: nobody may go on with it."""
        self.dropped = True
        for listener in self.audience.listeners:
            listener.close(RESTARTING, DROPPED)

    # How things happen

    def _check(self, token: str | None, version: int, ref: str | None) -> commands.Seats:
        """The seats held; none if it was done already."""
        session = self._session
        seats = session.held_by(token)
        commands.check_seat(seats)
        if session.is_done(seats, ref):
            return ()
        if not session.settled <= version <= session.version:
            message = f"The game has changed: it is at version {session.version}, not {version}."
            raise Stale(message, partial(self.state_for, token))
        return seats

    def _check_unused(self, seats: commands.Seats, ref: str | None) -> None:
        """Raise if a ref stands for another event: two of one ref cannot be written."""
        if self._session.is_done(seats, ref):
            raise Conflict("That ref was already used for something else.")

    async def _exclusive(self, work: Callable[[], Awaitable[T]], version: int = 0) -> T:
        """Do something under the lock. It is finished even if the client has disconnected."""
        self.last_used = time.monotonic()
        return await shielded(self._start(self._locked(work, version)))

    async def _locked(self, work: Callable[[], Awaitable[T]], version: int = 0) -> T:
        """Do something under the lock.

        If another process has written to the game first, what it wrote is read, and the work is
        done again: the request may be stale now, or known by its ref.
        """
        async with self._lock:
            await self._reach(version)
            for _ in range(MOST_TRIES):
                if self.dropped:
                    raise Unavailable(DROPPED)
                try:
                    if self._session.is_out_of_time(self._services.now()):
                        await self._commit(TimedOut(self._session.match.turn))
                    return await work()
                except WriteConflict:
                    await self._read_again()
            raise Unavailable("The game is changing too fast. Try again.")

    def _start(self, work: Any) -> asyncio.Task[Any]:  # noqa: ANN401 - any coroutine
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _commit(
        self, event: Event, ref: str | None = None, along: list[Change] | None = None
    ) -> None:
        """Let an event happen, write it down, and then send it to everybody."""
        session = self._session
        entry = JournalEntry(session.version + 1, event, ref, self._services.now())
        was_over, turn = session.match.outcome is not None, session.turn
        with self._dropped_on_error():
            session.apply(entry)
            ending = None if was_over else session.ending(entry.at)
            added = EntryAdded(self.id, entry, ending)
            if session.turn != turn or session.clock:
                added = replace(added, turn=session.turn, flag_falls=session.flag_falls)
            written = self._services.commit([*(along or ()), added])
            snapshot = Snapshot(session, self.snapshot)
            if self.audience.listeners:
                snapshot.prepare()  # while the disk turns
            await written
        self._show(snapshot)
        self.wake()

    @contextmanager
    def _dropped_on_error(self) -> Iterator[None]:
        """Drop the game if something fails, unless another process was first: see _locked."""
        try:
            yield
        except BaseException as error:
            if not isinstance(error, WriteConflict):
                self._services.drop(self)
            raise

    def _show(self, snapshot: Snapshot) -> None:
        """Send a version that is on disk to everybody."""
        before, self.snapshot = self.snapshot, snapshot
        before.forget()
        if before.seats != snapshot.seats:
            self.audience.update(snapshot)
        for listener in self.audience.listeners:
            listener.note_state()

    # What other processes have done

    async def catch_up(self, entries: list[JournalEntry] | None = None) -> None:
        """Let happen what other processes have written; it is read first, unless given."""
        if entries is None:
            entries = await self._services.events_after(self.id, self.snapshot.version)
        if entries:
            async with self._lock:
                self._apply_written(entries)

    async def _reach(self, version: int) -> None:
        """Catch up with a version that a client has seen at another process."""
        if version > self._session.version and not self.dropped:
            self._apply_written(await self._services.events_after(self.id, self._session.version))

    def _apply_written(self, entries: list[JournalEntry]) -> None:
        new = [entry for entry in entries if entry.number > self._session.version]
        if not new or self.dropped:
            return
        with self._dropped_on_error():
            for entry in new:
                self._session.apply(entry)
            self._go_on(Snapshot(self._session, self.snapshot))

    async def _read_again(self) -> None:
        """Go on from what is in the database: what is in memory was not written."""
        with self._dropped_on_error():
            self._session, snapshot = await self._services.restore(self.id)
            self._go_on(snapshot)

    def _go_on(self, snapshot: Snapshot) -> None:
        """Show what others have done, and leave it to them to let a bot move."""
        self._show(snapshot)
        self.wake(self._services.patience)
