"""LiveGame: one game in memory: what can be done in it, and what happens by itself.

The path of a move: `move` -> `commands.move` (checks, gives an event) -> `_commit` (applies it to
the session, writes it to the journal, takes a snapshot, wakes the listeners); see `shared_game`.

Bots move and flags fall by themselves, at whichever process has the game in memory.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from functools import partial

from gridwise.engine.hints import Hint, hint
from gridwise.engine.review import Review
from gridwise.play.records import Record
from gridwise.web.errors import Conflict, Unavailable
from gridwise.web.game import commands
from gridwise.web.game.commands import Command
from gridwise.web.game.events import Arrived, RematchMade
from gridwise.web.game.new_game import new_rematch
from gridwise.web.game.session import GameSession
from gridwise.web.game.shared_game import DROPPED, Services, SharedGame
from gridwise.web.game.snapshot import Snapshot
from gridwise.web.telemetry.logs import game_hash
from gridwise.web.workers.game_review import GameReview

log = logging.getLogger("gridwise.web")

# Seconds: a timer keeps the game in memory, and who is expected has a day. The hub finds it then.
LONGEST_TIMER = 4 * 3_600.0


class LiveGame(SharedGame):
    """One live game. Everything here runs on the event loop."""

    def __init__(
        self, session: GameSession, services: Services, snapshot: Snapshot | None = None
    ) -> None:
        super().__init__(session, services, snapshot)
        self._bot_task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None  # when the flag of the one to move falls
        self._spoke: dict[int, float] = {}  # when each player last sent an emote
        self.reviewing = GameReview(services.workers, services.limits.review_seconds)

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing is going on."""
        busy = self._tasks or self._lock.locked() or self.reviewing.is_going_on or self._flag
        return not (self.audience.listeners or busy)

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
                event = command(self._session, seats)
                commands.check_events(self._session, event, self._services.limits.events)
                await self._commit(event, ref)
            return bool(seats)

        # Not as a task of its own, for speed: if this is cancelled in mid-write, which happens when
        # the server stops, the game is dropped.
        self.last_used = time.monotonic()
        return await self._locked(work, version)

    async def take_seat(self, token: str, name: str) -> None:
        """Sit down on the free seat."""

        async def work() -> None:
            await self._commit(commands.take_seat(self._session, token, name))

        await self._exclusive(work)

    async def arrive(self, token: str | None) -> None:
        """Somebody opens the game: the clock may have waited for that."""

        async def work() -> None:
            for player in self._session.expected(token):
                await self._commit(Arrived(player))

        if self._session.expected(token):
            await self._exclusive(work)

    async def hint(self, token: str | None, version: int, ref: str | None) -> Hint:
        """A move to consider; that it was asked for is on disk before it is sent."""
        async with self._lock:
            await self._reach(version)
            session = self._session
            seats = self._check(token, version, ref) or session.held_by(token)
            given = commands.hint(session, seats)
            commands.check_events(session, given, self._services.limits.events)
            position, ply = session.match.position, len(session.match.actions)
        suggestion = await self._services.workers.ask(session.game.key, hint, position)

        async def work() -> None:
            match = self._session.match
            if len(match.actions) != ply or match.outcome:
                raise Conflict("The game changed before the hint was ready.")
            if ply not in self._session.hinted:
                self._check_unused(seats, ref)
                await self._commit(given, ref)

        await self._exclusive(work)
        return suggestion

    async def rematch(self, token: str | None, version: int, ref: str | None) -> str:
        """The id of the game that follows, with sides swapped; empty while the other is asked."""

        async def work() -> str:
            session = self._session
            seats = session.held_by(token)
            commands.check_rematch(session, seats)
            if session.rematch is None and not self._has_asked(seats, ref):
                asked = commands.rematch(session, seats)
                # Who agrees to an offer may have asked at the same moment.
                if session.offers["rematch"] in (0, *seats):
                    self._check(token, version, ref)
                if asked:
                    commands.check_events(session, asked, self._services.limits.events)
                    await self._commit(asked, ref)
                else:
                    await self._make_rematch(token or "", seats[0], ref)
            return session.rematch or ""

        return await self._exclusive(work, version)

    def _has_asked(self, seats: commands.Seats, ref: str | None) -> bool:
        """Whether this is the rematch that was asked for; raises if the ref is another's."""
        if self._session.is_done(seats, ref) and self._session.offers["rematch"] in seats:
            return True
        self._check_unused(seats, ref)
        return False

    async def _make_rematch(self, token: str, player: int, ref: str | None) -> None:
        session, services = self._session, self._services
        await services.check_new_game(token)
        made = await services.workers.quick(new_rematch, session, services.now)
        new = GameSession(*made)
        await self._commit(RematchMade(player, new.setup.id), ref, [new.created()])
        if not self.dropped:  # otherwise its seats may have changed since, too
            services.add(new)

    async def give_up(self, token: str) -> None:
        """Resign, or cancel the invitation, whatever happens at this moment."""

        async def work() -> None:
            seats = self._session.held_by(token)
            if seats and not self._session.match.outcome:
                await self._commit(commands.resign(self._session, seats))

        await self._exclusive(work)

    def emote(self, token: str | None, emote: str) -> None:
        """Say something from a short list; it is sent to everybody, and not kept."""
        seats = self.snapshot.held_by(token)
        commands.check_seat(seats)
        now, player = time.monotonic(), seats[0]
        commands.check_emote(emote, now - self._spoke.get(player, -math.inf))
        self._spoke[player] = now
        self.audience.emote(player, emote)
        self._services.say_emote(self.id, player, emote)

    async def record(self) -> Record:
        """The game so far as a record; cells nobody has seen are `?` in it."""
        async with self._lock:
            if self.dropped:
                raise Unavailable(DROPPED)
            return self._session.record()

    async def review(self, wait: float | None = None) -> Review | None:
        """What the engine says of a finished game; None if it takes longer than `wait` seconds."""
        if not self.snapshot.over:
            raise Conflict("The game is not over yet. It can be reviewed when it is.")
        return await self.reviewing.result(self.record, wait)

    # What happens by itself

    def wake(self, after: float = 0.0) -> None:
        """Let a bot move that is to move, and set the flag of a person who is."""
        self._set_flag()
        self._wake_bot(after)

    def drop(self) -> None:
        """Stop here: what is in memory may not be what is on disk."""
        super().drop()
        self._clear_flag()

    def _clear_flag(self) -> None:
        if self._flag:
            self._flag.cancel()
            self._flag = None

    def _set_flag(self) -> None:
        self._clear_flag()
        falls = self._session.flag_falls
        left = math.inf if falls is None else falls - self._services.now()
        if left < LONGEST_TIMER and not self.dropped:
            later = asyncio.get_running_loop().call_later
            self._flag = later(max(0.0, left), self._start_flag)

    def _start_flag(self) -> None:
        self._flag = None
        self._start(self.end_on_time())

    async def end_on_time(self) -> None:
        """Let the flag fall, if it is time."""

        async def work() -> None:
            self._set_flag()  # it fell before this, unless the timer was early

        try:
            await self._locked(work)
        except Unavailable:
            log.warning("The end on time could not be written; it is when the game is loaded again")

    def _wake_bot(self, after: float = 0.0) -> None:
        """If a bot is to move, let it; if another process may do so, only after some seconds."""
        version = self._session.version

        def unless_it_has_moved() -> None:
            if self._session.version == version and not self.dropped:
                self._wake_bot()

        if after > 0 and self._session.bot_to_move:
            asyncio.get_running_loop().call_later(after, unless_it_has_moved)
        elif self._session.bot_to_move and (self._bot_task is None or self._bot_task.done()):
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
        action = await self._services.workers.choose(seat.level, seed, position)

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
