"""LiveGame: one game in memory, which other processes may have in memory too.

The rule here: whatever changes the game happens under its lock, one thing at a time, and is on disk
before anybody hears of it. Until then everybody sees `snapshot`, the last version that was written.
If writing fails the game is dropped, and read again from the database when next asked for: what is
in the database is what happened. If another process was first, the game is read again in place, and
the request is looked at once more. What other processes have written comes by `catch_up`.

The path of a move: `move` -> `commands.move` (checks, gives an event) -> `_commit` (applies it to
the session, writes it to the journal, takes a snapshot, wakes the subscribers). Bots move and flags
fall by themselves, at whichever process has the game in memory. A flag that has fallen falls before
anything else is looked at, even if the server was stopped meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import from_json

from gridwise.engine.hints import Hint, hint
from gridwise.engine.review import Review
from gridwise.play.ladder import Help
from gridwise.play.records import Record
from gridwise.web.async_tasks import shielded
from gridwise.web.errors import Conflict, NotFound, Stale, Unavailable, WriteConflict
from gridwise.web.game import commands
from gridwise.web.game.commands import COMMANDS
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import Arrived, Event, RematchMade, TimedOut
from gridwise.web.game.new_game import new_rematch, rematch_setup
from gridwise.web.game.snapshot import Presence, Snapshot
from gridwise.web.game.stored_game import Change, EntryAdded, JournalEntry
from gridwise.web.game.subscriber import Audience, Subscriber
from gridwise.web.telemetry.logs import game_hash
from gridwise.web.workers.game_review import GameReview

if TYPE_CHECKING:
    from gridwise.web.hub import GameHub

T = TypeVar("T")
log = logging.getLogger("gridwise.web")

RESTARTING = 1012  # the close code of a server that is being restarted
DROPPED = "The game is reloading. Try again in a moment."
NOT_OVER = "The game is not over yet. What its moves are worth can be seen when it is."
OTHER_SIDE = "What its moves are worth can be seen when the other side has been played, too."
MOST_TRIES = 5  # of a request that other processes keep overtaking
# Seconds: a timer keeps the game in memory, and who is expected has a day. The hub finds it then.
LONGEST_TIMER = 4 * 3_600.0


class LiveGame:
    """One live game. Everything here runs on the event loop."""

    def __init__(
        self, session: EventSourcedGame, hub: GameHub, snapshot: Snapshot | None = None
    ) -> None:
        self._session, self._hub, self._now = session, hub, hub.store.clock.now
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.audience = Audience(partial(hub.peers.show_presence, session.setup.id))
        self.dropped = False
        self.last_used = time.monotonic()
        self.snapshot = snapshot or Snapshot(session, now=self._now)
        self._bot_task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None  # when the flag of the one to move falls
        self._spoke: dict[int, float] = {}  # when each player last sent an emote
        self.reviewing = GameReview(hub.workers, hub.settings.limits.review_seconds)

    @property
    def id(self) -> str:
        """The game's id."""
        return self._session.setup.id

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing is going on."""
        busy = self._tasks or self._lock.locked() or self.reviewing.is_going_on or self._flag
        return not (self.audience.subscribers or busy)

    # What can be seen: always the last version that is on disk

    def text_for(self, token: str | None, *, picture: bool | None = None) -> str:
        """The state as JSON, for the holder of a token; with `picture` as pages get it."""
        snapshot, presence = self.snapshot, self.audience.presence
        you = snapshot.held_by(token)
        return snapshot.text(you, snapshot.present(presence), picture=picture)

    def state_for(self, token: str | None, *, picture: bool | None = None) -> dict[str, Any]:
        """The state as data."""
        state: dict[str, Any] = from_json(self.text_for(token, picture=picture))
        return state

    # Who is connected

    def join(self, subscriber: Subscriber) -> None:
        """Somebody has opened a socket."""
        if self.dropped:  # since it was asked for
            subscriber.close(RESTARTING, DROPPED)
            return
        self.audience.subscribers.add(subscriber)
        self.audience.update(self.snapshot)

    def leave(self, subscriber: Subscriber) -> None:
        """Somebody has closed one."""
        self.audience.subscribers.discard(subscriber)
        self.last_used = time.monotonic()
        if not self.dropped:  # the game may be loaded again, with others connected
            self.audience.update(self.snapshot)

    def note_elsewhere(self, presence: Presence) -> None:
        """Who is connected to other processes."""
        self.audience.elsewhere = presence
        self.audience.update(self.snapshot)

    # What can be done

    async def request(
        self, kind: str, token: str | None, version: int, ref: str | None, move: str = ""
    ) -> bool:
        """Move, resign, ask for something, agree to it or decline it.

        Whether it is new, and not one that was sent before.
        """
        command = partial(commands.move, text=move) if kind == "move" else COMMANDS[kind]

        async def work() -> bool:
            seats = self._check(token, version, ref)
            if seats:
                await self._commit(command(self._session, seats), ref)
            return bool(seats)

        return await self._locked(work, version)

    async def take_seat(self, token: str, name: str) -> None:
        """Sit down on the free seat."""
        await self._locked(lambda: self._commit(commands.take_seat(self._session, token, name)))

    async def arrive(self, token: str | None) -> None:
        """Somebody opens the game: the clock may have waited for that."""

        async def work() -> None:
            for player in self._session.expected(token):
                await self._commit(Arrived(player))

        if self._session.expected(token):
            await self._locked(work)

    async def hint(self, token: str | None, version: int, ref: str | None) -> Hint:
        """A move to consider; that it was asked for is on disk before it is sent."""
        async with self._lock:
            await self._reach(version)
            session = self._session
            seats = self._check(token, version, ref) or session.held_by(token)
            given = commands.hint(session, seats)
            commands.check_events(session, given, self._hub.settings.limits.events)
            position, ply = session.match.position, len(session.match.actions)
        suggestion = await self._hub.workers.ask(session.game.key, hint, position)

        async def work() -> None:
            match = self._session.match
            if len(match.actions) != ply or match.outcome:
                raise Conflict("The game changed before the hint was ready.")
            if ply not in self._session.hinted:
                self._check_unused(seats, ref)
                await self._commit(given, ref)

        # It is finished even if nobody waits for it any more.
        await shielded(self._start(self._locked(work)))
        return suggestion

    async def show_values(self, token: str | None) -> None:
        """Somebody has the values of the moves shown from now on: that is noted once."""

        async def work() -> None:
            session = self._session
            shown = commands.show_values(session, session.held_by(token))
            if Help.VALUES not in session.help.split(", "):
                await self._commit(shown)

        await self._locked(work)

    async def rematch(self, token: str | None, version: int, ref: str | None) -> str:
        """The id of the game that follows, with sides swapped; empty while the other is asked."""

        async def work() -> str:
            session = self._session
            seats = session.held_by(token)
            commands.check_rematch(session, seats)
            has_asked = session.is_done(seats, ref) and session.offers["rematch"] in seats
            if session.rematch is None and not has_asked:
                self._check_unused(seats, ref)
                asked = commands.rematch(session, seats)
                # Who agrees to an offer may have asked at the same moment.
                if session.offers["rematch"] in (0, *seats):
                    self._check(token, version, ref)
                if asked:
                    await self._commit(asked, ref)
                else:
                    await self._make_rematch(token or "", seats[0], ref)
            return session.rematch or ""

        return await self._locked(work, version)

    async def _make_rematch(self, token: str, player: int, ref: str | None) -> None:
        session, hub = self._session, self._hub
        await hub.check_new_game(token)
        dealt = await hub.workers.deal(rematch_setup(session))
        new = EventSourcedGame(*new_rematch(session, dealt, self._now()))
        await self._commit(RematchMade(player, new.setup.id), ref, [new.created()])
        if not self.dropped:  # otherwise its seats may have changed since, too
            hub.add_rematch(new)

    async def give_up(self, token: str, command: commands.Command = commands.resign) -> None:
        """Resign, or cancel the invitation, whatever happens at this moment."""

        async def work() -> None:
            seats = self._session.held_by(token)
            if seats and not self._session.match.outcome:
                await self._commit(command(self._session, seats))

        await self._locked(work)

    async def dismiss(self, token: str) -> None:
        """End it without a result, so that it is in no list any more."""
        await self.give_up(token, commands.dismiss)

    def emote(self, token: str | None, emote: str) -> None:
        """Say something from a short list; it is sent to everybody, and not kept."""
        seats = self.snapshot.held_by(token)
        commands.check_seat(seats)
        now, player = time.monotonic(), seats[0]
        commands.check_emote(emote, now - self._spoke.get(player, -math.inf))
        self._spoke[player] = now
        self.audience.emote(player, emote)
        self._hub.peers.say_emote(self.id, player, emote)

    async def record(self) -> Record:
        """The game so far as a record; cells nobody has seen are `?` in it."""
        async with self._lock:
            if self.dropped:
                raise Unavailable(DROPPED)
            return self._session.record()

    async def check_over(self) -> None:
        """Raise Conflict while what the engine says of it would tell how to win what goes on.

        That is the game itself or, where both sides of its board are played, the other one on it.
        There is none after a game that was stopped: then both begin anew.
        """
        if not self.snapshot.over:
            raise Conflict(NOT_OVER)
        if not self.snapshot.has_other_side:
            return
        following = self.snapshot.rematch
        with suppress(NotFound):  # it may have been deleted
            if not (following and (await self._hub.game(following)).snapshot.over):
                raise Conflict(OTHER_SIDE)

    async def review(self, wait: float | None = None) -> Review | None:
        """What the engine says of a finished game; None if it takes longer than `wait` seconds."""
        await self.check_over()
        return await self.reviewing.result(self.record, wait)

    # What happens by itself

    def wake(self, after: float = 0.0) -> None:
        """Set the flag of a person who is to move, and let a bot that is.

        If another process may let it, only after some seconds.
        """
        self._set_flag()
        if after > 0:
            asyncio.get_running_loop().call_later(after, self._wake_bot, self._session.version)
        else:
            self._wake_bot(self._session.version)

    def drop(self) -> None:
        """What is in memory may not be what is on disk: nobody may go on with it."""
        self.dropped = True
        self._hub.unload(self)
        for subscriber in self.audience.subscribers:
            subscriber.close(RESTARTING, DROPPED)
        self._clear_flag()

    def _clear_flag(self) -> None:
        if self._flag:
            self._flag.cancel()
            self._flag = None

    def _set_flag(self) -> None:
        self._clear_flag()
        falls = self._session.flag_falls
        left = math.inf if falls is None else falls - self._now()
        if left < LONGEST_TIMER and not self.dropped:
            fall = lambda: self._start(self.end_on_time())  # noqa: E731
            self._flag = asyncio.get_running_loop().call_later(max(0.0, left), fall)

    async def end_on_time(self) -> None:
        """Let the flag fall, if it is time."""

        async def work() -> None:
            self._set_flag()  # it fell before this, unless the timer was early

        self._clear_flag()
        try:
            await self._locked(work)
        except Unavailable:
            log.warning("The end on time could not be written; it is when the game is loaded again")

    def _wake_bot(self, version: int) -> None:
        """Let a bot move that is to move, unless something has happened since a version."""
        due = self._session.bot_to_move and self._session.version == version
        if due and (self._bot_task is None or self._bot_task.done()) and not self.dropped:
            self._bot_task = self._start(self._play_bot())

    async def _play_bot(self) -> None:
        try:
            while await self._bot_moved():
                pass
        except Unavailable:
            log.warning("A bot's move could not be written; it moves when the game is loaded again")
        except Exception:
            log.exception("A bot failed in the game %s", game_hash(self.id))

    async def _bot_moved(self) -> bool:
        """Let the bot that is to move choose and move; whether there was one."""
        async with self._lock:
            session = self._session
            seat = session.bot_to_move
            if seat is None or self.dropped:
                return False
            version, position = session.version, session.match.position
        seed = f"{session.setup.seed} player {seat.number}"
        action = await self._hub.workers.choose(seat.level, seed, position)

        async def work() -> None:
            # While it was thinking, a move may have been taken back, or the game resigned.
            if self._session.version == version:
                await self._commit(commands.played(self._session, action))

        await self._locked(work)
        return True

    async def settle(self) -> None:
        """Wait until nothing is being written; a bot that is thinking is not waited for."""
        async with self._lock:
            if self._bot_task:
                self._bot_task.cancel()

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

    async def _locked(self, work: Callable[[], Awaitable[T]], version: int = 0) -> T:
        """Do something under the lock.

        If another process has written to the game first, what it wrote is read, and the work is
        done again: the request may be stale now, or known by its ref. If this is cancelled in
        mid-write, which happens when the server stops, the game is dropped.
        """
        self.last_used = time.monotonic()
        async with self._lock:
            await self._reach(version)
            for _ in range(MOST_TRIES):
                if self.dropped:
                    raise Unavailable(DROPPED)
                try:
                    falls = self._session.flag_falls
                    if falls is not None and falls <= self._now():
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
        self, event: Event, ref: str | None = None, along: Sequence[Change] = ()
    ) -> None:
        """Let an event happen, write it down, and then send it to everybody."""
        session = self._session
        commands.check_events(session, event, self._hub.settings.limits.events)
        entry = JournalEntry(session.version + 1, event, ref, self._now())
        was_over, turn = session.match.outcome is not None, session.turn
        with self._dropped_on_error():
            session.apply(entry)
            ending = None if was_over else session.ending(entry.at)
            due = (
                (session.turn, session.flag_falls) if session.clock or session.turn != turn else ()
            )
            added = EntryAdded(self.id, entry, ending, *due)
            written = self._hub.journal.commit([*along, added])
            snapshot = Snapshot(session, self.snapshot)
            for subscriber in self.audience.subscribers:  # while the disk turns
                snapshot.change(snapshot.held_by(subscriber.token), picture=subscriber.picture)
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
                self.drop()
            raise

    def _show(self, snapshot: Snapshot) -> None:
        """Send a version that is on disk to everybody."""
        before, self.snapshot = self.snapshot, snapshot
        before.forget()
        if before.seats != snapshot.seats:
            self.audience.update(snapshot)
        for subscriber in self.audience.subscribers:
            subscriber.note_change()

    # What other processes have done

    async def catch_up(self, entries: list[JournalEntry] | None = None) -> None:
        """Let happen what other processes have written; it is read first, unless given."""
        if entries is None:
            entries = await self._hub.events_after(self.id, self.snapshot.version)
        if entries:
            async with self._lock:
                self._apply_written(entries)

    async def _reach(self, version: int) -> None:
        """Catch up with a version that a client has seen at another process."""
        if version > self._session.version and not self.dropped:
            self._apply_written(await self._hub.events_after(self.id, self._session.version))

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
            self._session, snapshot = await self._hub.restored(self.id)
            self._go_on(snapshot)

    def _go_on(self, snapshot: Snapshot) -> None:
        """Show what others have done, and leave it to them to let a bot move."""
        self._show(snapshot)
        self.wake(self._hub.bot_wait)
