"""LiveGame: one game in memory, with everybody who is connected to it.

The rule here: whatever changes the game happens under its lock, one thing at a time, and is on disk
before anybody hears of it. Until then everybody sees `snapshot`, the last version that was written.
If writing fails the game is dropped, and read again from the database when next asked for: what is
in the database is what happened.

The path of a move: `move` -> `commands.move` (checks, gives an event) -> `_commit` (applies it to
the session, writes it to the journal, takes a snapshot, wakes the listeners).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from gridwise.engine.hints import Hint, hint
from gridwise.engine.review import Review, limits_for
from gridwise.engine.review import review as review_moves
from gridwise.play.records import Record, recorded_positions
from gridwise.web.errors import Conflict, Stale, Unavailable
from gridwise.web.game import commands
from gridwise.web.game.commands import Command
from gridwise.web.game.events import Event, RematchMade
from gridwise.web.game.listener import Listener
from gridwise.web.game.model import HUMAN, Change, EntryAdded, JournalEntry
from gridwise.web.game.new_game import new_rematch
from gridwise.web.game.session import GameSession
from gridwise.web.game.snapshot import Presence, Snapshot
from gridwise.web.game.workers import Workers

log = logging.getLogger("gridwise.web")
T = TypeVar("T")

RESTARTING = 1012  # the close code of a server that is being restarted
DROPPED = "The game is reloading. Try again in a moment."


@dataclass(frozen=True)
class Services:
    """What a live game needs of the server around it."""

    workers: Workers
    commit: Callable[[list[Change]], asyncio.Future[None]]  # done when it is on disk
    check_open_games: Callable[[str], Awaitable[None]]  # raises TooMany
    add: Callable[[GameSession], object]  # a game that has just been written
    drop: Callable[[LiveGame], None]


class LiveGame:
    """One live game. Everything here runs on the event loop."""

    def __init__(self, session: GameSession, services: Services) -> None:
        self._session = session
        self._services = services
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bot_task: asyncio.Task[None] | None = None
        self.review_task: asyncio.Task[Review] | None = None  # worked out once, in the background
        self.moves_reviewed = 0
        self.listeners: set[Listener] = set()
        self.presence = Presence()
        self.dropped = False
        self.last_used = time.monotonic()
        self.snapshot = Snapshot(session)

    @property
    def id(self) -> str:
        """The game's id."""
        return self._session.setup.id

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing is going on."""
        return not (self.listeners or self._tasks or self._lock.locked())

    # What can be seen: always the last version that is on disk

    def text_for(self, token: str | None) -> str:
        """The state as JSON, for the holder of a token."""
        return self.snapshot.text(self.snapshot.held_by(token), self.presence)

    def state_for(self, token: str | None) -> dict[str, Any]:
        """The same as data, for pages."""
        return self.snapshot.state(self.snapshot.held_by(token), self.presence)

    # What can be done

    async def move(self, token: str | None, text: str, version: int, ref: str | None) -> bool:
        """Play a move; whether it is new, and not one that was sent before."""
        return await self.request(partial(commands.move, text=text), token, version, ref)

    async def request(
        self, command: Command, token: str | None, version: int, ref: str | None
    ) -> bool:
        """Resign, ask for something, agree to it or decline it; whether it is new."""

        async def work() -> bool:
            seats = self._check(token, version, ref)
            if seats:
                await self._commit(command(self._session, seats), ref)
            return bool(seats)

        return await self._exclusive(work)

    async def take_seat(self, token: str, name: str) -> None:
        """Sit down on the free seat."""

        async def work() -> None:
            taken = commands.take_seat(self._session, token, name)
            await self._services.check_open_games(token)
            await self._commit(taken)

        await self._exclusive(work)

    async def hint(self, token: str | None, version: int, ref: str | None) -> Hint:
        """A move to consider; that it was asked for is on disk before it is sent."""
        async with self._lock:
            session = self._session
            seats = self._check(token, version, ref) or session.held_by(token)
            given = commands.hint(session, seats)
            position, ply = session.match.position, len(session.match.actions)
        suggestion = await self._services.workers.ask(hint, position)

        async def work() -> None:
            if len(session.match.actions) != ply or session.match.outcome:
                raise Conflict("The game changed before the hint was ready.")
            if ply not in session.hinted:
                self._check_unused(ref)
                await self._commit(given, ref)

        await self._exclusive(work)
        return suggestion

    async def rematch(self, token: str | None, version: int, ref: str | None) -> str:
        """The id of the game that follows, with sides swapped; made when first asked for."""

        async def work() -> str:
            session, services = self._session, self._services
            seats = session.held_by(token)
            commands.check_rematch(session, seats)
            if session.rematch is None:
                self._check_unused(ref)
                self._check(token, version, ref)
                await services.check_open_games(token or "")
                new = GameSession(
                    *await services.workers.ask(new_rematch, session.setup, session.seats)
                )
                await self._commit(RematchMade(seats[0], new.setup.id), ref, [new.created()])
                services.add(new)
            return session.rematch or ""

        return await self._exclusive(work)

    async def record(self) -> Record:
        """The game so far as a record; cells nobody has seen are `?` in it."""
        async with self._lock:
            if self.dropped:
                raise Unavailable(DROPPED)
            session = self._session
            names = [f"bot:{seat.level}" if seat.level else HUMAN for seat in session.seats]
            date = time.strftime("%Y.%m.%d", time.localtime(session.setup.created))
            record = session.match.record((names[0], names[1]), date)
            tags = {f"Name{seat.number}": seat.name for seat in session.seats if seat.name}
            hinted = sorted(ply + 1 for ply in session.hinted if ply < len(record.moves))
            if hinted:
                tags["Hints"] = " ".join(str(ply) for ply in hinted)
            return replace(record, tags=tags)

    async def review(self, wait: float | None = None) -> Review | None:
        """What the engine says of a finished game; None if it takes longer than `wait` seconds."""
        if not self.snapshot.over:
            raise Conflict("The game is not over yet. It can be reviewed when it is.")
        task = self.review_task = self.review_task or self._start(self._work_out_review())
        await asyncio.wait([task], timeout=wait)
        if not task.done():
            return None
        if task.exception():
            self.review_task = None  # the next who asks tries again
        return task.result()

    async def _work_out_review(self) -> Review:
        positions = recorded_positions(await self.record())

        def progress(done: int) -> None:
            self.moves_reviewed = done  # from the worker thread; one int, and only for show

        return await self._services.workers.ask(
            review_moves, positions, limits_for(self._session.game), progress
        )

    # Who is connected

    def join(self, listener: Listener) -> None:
        """Somebody has opened a socket."""
        if self.dropped:  # since it was asked for
            listener.close(RESTARTING, DROPPED)
        self.listeners.add(listener)
        self._update_presence()

    def leave(self, listener: Listener) -> None:
        """Somebody has closed one."""
        self.listeners.discard(listener)
        self.last_used = time.monotonic()
        self._update_presence()

    def _update_presence(self) -> None:
        held = [self.snapshot.held_by(listener.token) for listener in self.listeners]
        present = {number for numbers in held for number in numbers}
        presence = Presence(1 in present, 2 in present, sum(not numbers for numbers in held))
        if presence != self.presence:
            self.presence = presence
            for listener in self.listeners:
                listener.note_presence()

    def drop(self) -> None:
        """What is in memory may not be what is on disk: nobody may go on with it."""
        self.dropped = True
        for listener in self.listeners:
            listener.close(RESTARTING, DROPPED)

    # How things happen

    def _check(self, token: str | None, version: int, ref: str | None) -> commands.Seats:
        """The seats held; none if it was done already."""
        session = self._session
        seats = session.held_by(token)
        commands.check_seat(seats)
        if ref in session.refs:
            return ()
        if version != session.version:
            message = f"The game has changed: it is at version {session.version}, not {version}."
            raise Stale(message, self.state_for(token))
        return seats

    def _check_unused(self, ref: str | None) -> None:
        """Raise if a ref stands for another event: two of one ref cannot be written."""
        if ref in self._session.refs:
            raise Conflict("That ref was already used for something else.")

    async def _exclusive(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something under the lock. It is finished even if the client has disconnected."""

        async def locked() -> T:
            async with self._lock:
                if self.dropped:
                    raise Unavailable(DROPPED)
                return await work()

        self.last_used = time.monotonic()
        return await asyncio.shield(self._start(locked()))

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
        entry = JournalEntry(session.version + 1, event, ref, time.time())
        was_over = session.match.outcome is not None
        try:
            session.apply(entry)
            ending = None if was_over else session.ending(entry.at)
            written = self._services.commit([*(along or ()), EntryAdded(self.id, entry, ending)])
            snapshot = Snapshot(session)  # while the disk turns
            await written
        except BaseException:
            self._services.drop(self)
            raise
        self.snapshot = snapshot
        self._update_presence()
        for listener in self.listeners:
            listener.note_state()
        self.wake_bot()

    # Bots

    def wake_bot(self) -> None:
        """If a bot is to move, let it."""
        if self._session.bot_to_move and (self._bot_task is None or self._bot_task.done()):
            self._bot_task = self._start(self._play_bot())

    async def _play_bot(self) -> None:
        try:
            while not self.dropped and await self._bot_moved():
                pass
        except Unavailable:
            log.warning("A bot's move could not be written; it moves when the game is loaded again")
        except Exception:
            log.exception("A bot failed in the game %s", self.id)

    async def _bot_moved(self) -> bool:
        """Let the bot that is to move choose and move; whether there was one."""
        async with self._lock:
            session = self._session
            seat = session.bot_to_move
            if seat is None:
                return False
            version, position = session.version, session.match.position
        seed = f"{session.setup.seed} player {seat.number}"
        action = await self._services.workers.choose(seat.level, seed, position)
        async with self._lock:
            # While it was thinking, a move may have been taken back, or the game resigned.
            if session.version == version and not self.dropped:
                await self._commit(commands.played(session, action))
        return True

    async def settle(self) -> None:
        """Wait until nothing is being written; a bot that is thinking is not waited for."""
        async with self._lock:
            if self._bot_task:
                self._bot_task.cancel()
