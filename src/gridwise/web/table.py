"""Table: one live game, with everybody around it.

The law here: whatever changes the game happens under the table's lock, one thing at a time, and is
on disk before anybody is told. Until then everybody sees `told`, the last version that was
written. If writing fails the table is given up, and read again from the store when next asked for:
what is in the store is what happened.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from gridwise.engine.hints import Suggestion, suggest
from gridwise.play.records import Record, record_of
from gridwise.web import rulings
from gridwise.web.dealing import rematch
from gridwise.web.kept import HUMAN, OPEN, Event
from gridwise.web.listener import Listener
from gridwise.web.refusals import Conflict, Unavailable
from gridwise.web.sitting import Sitting
from gridwise.web.states import Presence, Told
from gridwise.web.store import Write, ended_write, event_write, taken_write

if TYPE_CHECKING:
    from gridwise.web.hall import Hall

log = logging.getLogger("gridwise.web")
T = TypeVar("T")

AGAIN = 1012  # as a server that is being restarted says it
GONE = "The game is being read again from the database. Try again."
USED = "That ref was used already, for something else."


class Table:
    """One live game. Everything here runs on the event loop."""

    def __init__(self, hall: Hall, sitting: Sitting) -> None:
        self._hall = hall
        self._sitting = sitting
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bot_task: asyncio.Task[None] | None = None
        self.listeners: set[Listener] = set()
        self.presence = Presence()
        self.gone = False
        self.used = time.monotonic()
        self.told = Told(sitting)
        self.review: dict[str, Any] | None = None  # of a finished game, once somebody has asked

    @property
    def id(self) -> str:
        """The game's id."""
        return self._sitting.deal.id

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not (self.listeners or self._tasks or self._lock.locked())

    # What can be seen: always the last version that is on disk

    def text_for(self, token: str | None) -> str:
        """The state as JSON, for the holder of a token."""
        return self.told.text(self.told.held_by(token), self.presence)

    def state_for(self, token: str | None) -> dict[str, Any]:
        """The same as data, for pages."""
        return self.told.state(self.told.held_by(token), self.presence)

    # What can be done

    async def move(self, token: str | None, text: str, version: int, ref: str | None) -> bool:
        """Play a move; whether it is new, and not one that was sent before."""

        async def work() -> bool:
            held = self._checked(token, version, ref)
            if held:
                await self._happen(*rulings.move(self._sitting, held, text), ref)
            return bool(held)

        return await self._alone(work)

    async def wish(self, kind: str, token: str | None, version: int, ref: str | None) -> bool:
        """Resign, ask for something, agree to it or decline it; whether it is new."""

        async def work() -> bool:
            held = self._checked(token, version, ref)
            if held:
                await self._happen(*rulings.WISHES[kind](self._sitting, held), ref)
            return bool(held)

        return await self._alone(work)

    async def take_seat(self, token: str, name: str) -> int:
        """Sit down on the free seat; its number."""

        async def work() -> int:
            sitting = self._sitting
            free = next((seat for seat in sitting.seats if seat.kind == OPEN), None)
            if sitting.held_by(token):
                raise Conflict("You have a seat in this game already: the link is for the other.")
            if sitting.match.outcome:
                raise Conflict(f"The game is over: {sitting.match.outcome.reason}.")
            if free is None:
                raise Conflict("No seat is free in this game. You can watch it.")
            await self._hall.check_open_games(token)
            taken = replace(free, kind=HUMAN, name=name, token=token)
            sitting.seats[taken.number - 1] = taken
            await self._happen("seat", taken.number, {}, None, [taken_write(self.id, taken)])
            return taken.number

        return await self._alone(work)

    async def hint(self, token: str | None, version: int, ref: str | None) -> Suggestion:
        """A move to consider; that it was asked for is marked before it is told."""
        async with self._lock:
            held = self._checked(token, version, ref) or self._sitting.held_by(token)
            rulings.hint(self._sitting, held)
            position, ply = self._sitting.match.position, len(self._sitting.match.actions)
        found = await self._hall.engine.ask(suggest, position)

        async def work() -> None:
            sitting = self._sitting
            if len(sitting.match.actions) != ply or sitting.match.outcome:
                raise Conflict("The game has moved on before the hint was ready.")
            if ply not in sitting.hinted:
                self._check_unused(ref)
                await self._happen("hint", position.state.turn, {}, ref)

        await self._alone(work)
        return found

    async def rematch(self, token: str | None, version: int, ref: str | None) -> str:
        """The id of the game that follows, with sides swapped; made when first asked for."""

        async def work() -> str:
            sitting = self._sitting
            held = sitting.held_by(token)
            rulings.check_seat(held)
            rulings.check_rematch(sitting)
            if sitting.rematch is None:
                self._check_unused(ref)
                self._checked(token, version, ref)
                await self._hall.check_open_games(token or "")
                deal, seats = await self._hall.engine.ask(rematch, sitting.deal, sitting.seats)
                new = Sitting(deal, seats)
                data = {"id": deal.id}
                await self._happen("rematch", held[0], data, ref, new.new_writes())
                self._hall.seat_at_table(new)
            return sitting.rematch or ""

        return await self._alone(work)

    async def record(self) -> Record:
        """The game so far as a record; cells nobody has seen are `?` in it."""
        async with self._lock:
            if self.gone:
                raise Unavailable(GONE)
            sitting = self._sitting
            names = [f"bot:{seat.level}" if seat.level else HUMAN for seat in sitting.seats]
            date = time.strftime("%Y.%m.%d", time.localtime(sitting.deal.created))
            record = record_of(sitting.match, (names[0], names[1]), date)
            tags = {f"Name{seat.number}": seat.name for seat in sitting.seats if seat.name}
            hinted = sorted(ply + 1 for ply in sitting.hinted if ply < len(record.moves))
            if hinted:
                tags["Hints"] = " ".join(str(ply) for ply in hinted)
            return replace(record, tags=tags)

    # Who is here

    def join(self, listener: Listener) -> None:
        """Somebody has opened a socket."""
        if self.gone:  # since it was asked for
            listener.close(AGAIN, GONE)
        self.listeners.add(listener)
        self._look_around()

    def leave(self, listener: Listener) -> None:
        """Somebody has closed one."""
        self.listeners.discard(listener)
        self.used = time.monotonic()
        self._look_around()

    def _look_around(self) -> None:
        held = [self.told.held_by(listener.token) for listener in self.listeners]
        here = {number for numbers in held for number in numbers}
        watching = sum(not numbers for numbers in held)
        presence = Presence(1 in here, 2 in here, watching)
        if presence != self.presence:
            self.presence = presence
            for listener in self.listeners:
                listener.note_presence()

    def give_up(self) -> None:
        """What is in memory may not be what is on disk: nobody may go on with it."""
        self.gone = True
        for listener in self.listeners:
            listener.close(AGAIN, GONE)

    # How things happen

    def _checked(self, token: str | None, version: int, ref: str | None) -> tuple[int, ...]:
        """The seats held; none if it was done already."""
        sitting = self._sitting
        held = sitting.held_by(token)
        rulings.check_seat(held)
        if ref is not None and ref in sitting.refs:
            return ()
        rulings.check_version(sitting, version)
        return held

    def _check_unused(self, ref: str | None) -> None:
        """Raise if a ref stands for another event: two of one ref cannot be written."""
        if ref is not None and ref in self._sitting.refs:
            raise Conflict(USED)

    async def _alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something under the lock. It is done to the end even if whoever asked has gone."""

        async def locked() -> T:
            async with self._lock:
                if self.gone:
                    raise Unavailable(GONE)
                return await work()

        self.used = time.monotonic()
        return await asyncio.shield(self._start(locked()))

    def _start(self, work: Any) -> asyncio.Task[Any]:  # noqa: ANN401 - any coroutine
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _happen(
        self,
        kind: str,
        player: int,
        data: dict[str, Any],
        ref: str | None = None,
        along: Iterable[Write] = (),
    ) -> None:
        """Let an event happen, write it down, and then tell everybody."""
        sitting = self._sitting
        now = time.time()
        event = Event(sitting.version + 1, kind, player, data, ref, now)
        was_over = sitting.match.outcome is not None
        try:
            sitting.apply(event)
            writes = [*along, event_write(self.id, event)]
            outcome = sitting.match.outcome
            if outcome and not was_over:
                writes.append(ended_write(self.id, now, outcome.result, outcome.reason))
            written = self._hall.journal.put(writes)
            told = Told(sitting)  # while the disk turns
            await written
        except BaseException:
            self._hall.drop(self)
            raise
        self.told = told
        self._look_around()
        for listener in self.listeners:
            listener.note_state()
        self.wake_bot()

    # Bots

    def wake_bot(self) -> None:
        """If a bot is to move, let it."""
        if self._sitting.bot_due and (self._bot_task is None or self._bot_task.done()):
            self._bot_task = self._start(self._play_bot())

    async def _play_bot(self) -> None:
        try:
            while not self.gone and await self._bot_moved():
                pass
        except Unavailable:
            log.warning("A bot's move could not be written; the game goes on when it is read again")
        except Exception:
            log.exception("A bot failed at the table %s", self.id)

    async def _bot_moved(self) -> bool:
        """Let the bot that is due choose and move; whether one was due."""
        async with self._lock:
            sitting = self._sitting
            seat = sitting.bot_due
            if seat is None:
                return False
            version, position = sitting.version, sitting.match.position
        seed = f"{sitting.deal.seed} player {seat.number}"
        action = await self._hall.engine.choose(seat.level, seed, position)
        async with self._lock:
            # While it thought, a move may have been taken back, or the game given up.
            if sitting.version == version and not self.gone:
                await self._happen(*rulings.bot_move(sitting, action))
        return True

    async def settled(self) -> None:
        """Wait until nothing is going on, for a clean end; a bot that thinks is not waited for."""
        async with self._lock:
            if self._bot_task:
                self._bot_task.cancel()
