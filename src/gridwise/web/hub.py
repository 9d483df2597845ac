"""GameHub: the live games by id.

They are read from the database when first asked for, and removed from memory when nobody has
used them for a while.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter, deque
from contextlib import suppress

from gridwise.errors import UnknownGame
from gridwise.web.admin_tasks import AdminTasks
from gridwise.web.async_tasks import regularly, shielded
from gridwise.web.errors import NotFound, TooMany, Unavailable
from gridwise.web.game.event_sourced_game import EventSourcedGame, known_games
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.new_game import NewGame, new_game
from gridwise.web.game.snapshot import Presence, Snapshot
from gridwise.web.game.stored_game import JournalEntry, is_id
from gridwise.web.lobby import FRESH_SECONDS, Lobby
from gridwise.web.peers import Peers
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore, Journal, Visitors
from gridwise.web.storage.store import MOST_UNFINISHED
from gridwise.web.telemetry.logs import game_hash
from gridwise.web.telemetry.metrics import Level
from gridwise.web.workers.engine import Workers
from gridwise.web.workers.fair_queue import asker

log = logging.getLogger("gridwise.web")

NO_GAME = "There is no such game. The link may be incomplete."
UNKNOWN_KIND = (
    "This game is of a kind that this server does not know; a newer version of Gridwise may."
)
FULL = "Your network has {} unfinished games on this server, the limit. Finish one, or resign."
GAVE_WAY = "the server needed room"
GIVE_WAY_TRIES = 5  # where others join or stop the oldest invitation at the same moment
MOST_LISTED = 50
FLAG_GRACE = 2.0  # seconds that the process which has a game in memory gets to end it on time
MOST_RESUMED = 2_000  # games with bots that are loaded after a start


class GameHub:
    """All games, in memory and in the database."""

    def __init__(self, store: GameStore, settings: ServerSettings) -> None:
        self.settings = settings
        self.store, self._read = store, store.ask
        self.visitors = Visitors(store)
        self.workers = Workers(settings.limits)
        self.journal = Journal(store)
        self._games: dict[str, LiveGame] = {}
        self.peers = Peers(store, settings, self._games)
        # The bot of a game may be thinking at another process.
        self.bot_wait = settings.bot_wait if self.peers.possible else 0.0
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        # The address that has started each of the last games; of older ones, the server can have no
        # more than of these. In memory: the database has no addresses, which could be guessed back.
        self._started: deque[tuple[str, str]] = deque(maxlen=settings.limits.all_games)
        self.admin_tasks = AdminTasks(store, settings, self._games, self.journal.commit)
        self.lobby = Lobby(self._games, self.peers, store)
        self._giving_way = asyncio.Lock()
        self._stuck: set[str] = set()  # cannot be loaded; the others must not wait behind them
        works = [
            regularly(settings.unload_interval, self._sweep),
            regularly(settings.flag_interval, self._end_on_time),
            regularly(settings.cleanup_interval, self.admin_tasks.clean_up),
            self.admin_tasks.follow_messages(),
            self._resume_bots(),
        ]
        if self.peers.possible:
            works.append(regularly(FRESH_SECONDS, self.lobby.tell_others))
        self._background = [asyncio.create_task(work) for work in works]

    def __len__(self) -> int:
        return len(self._games)

    def levels(self) -> list[Level]:
        """How much there is of everything now, for the metrics."""
        journal, waiting = self.journal, self.workers.waiting
        draining = float(self.admin_tasks.drain_until is not None)
        return [
            ("gridwise_live_games", "Games in memory.", {"": len(self)}),
            ("gridwise_waiting", "Questions to the engine that wait.", waiting),
            ("gridwise_journal_queued", "Changes to be written.", {"": journal.queued}),
            ("gridwise_journal_delay", "Seconds of the last write.", {"": journal.delay}),
            ("gridwise_draining", "Whether the server is to stop.", {"": draining}),
        ]

    async def create(self, request: NewGame, token: str) -> LiveGame:
        """Start a game for the holder of a token."""
        await self.check_new_game(token)
        limits = self.settings.limits
        dealt = await self.workers.deal(request.setup())
        made = new_game(request, dealt, token, limits.plies, self.store.clock.now())
        session = EventSourcedGame(*made)
        everybody = await self._read(self.store.count_open, limits.fresh)
        if everybody >= limits.all_games and not await self._give_way():
            raise TooMany("The server is full. Try again later.")
        # Before it is written: whoever goes meanwhile has started it.
        self._started.append((asker.get().address, session.setup.id))
        await shielded(self.journal.commit([session.created()]))
        return self.add(session)

    def add_rematch(self, session: EventSourcedGame) -> None:
        """Go on with a rematch that has just been written: it is started as any other."""
        self._started.append((asker.get().address, session.setup.id))
        self.add(session)

    def add(
        self, session: EventSourcedGame, snapshot: Snapshot | None = None, patience: float = 0.0
    ) -> LiveGame:
        """The live game of a session that has just been written, or read."""
        game = self._games.get(session.setup.id)
        # Once a game is written, somebody may load it before its creator gets here.
        if game is None:
            self._make_room()
            game = self._games[session.setup.id] = LiveGame(session, self, snapshot)
            game.note_elsewhere(self.peers.presence(game.id))
        game.wake(patience)
        return game

    async def game(self, game_id: str, version: int | None = None) -> LiveGame:
        """The game with that id, at least at a version if it is given; raises NotFound."""
        game = self._games.get(game_id)
        if game is None and not is_id(game_id):
            raise NotFound(NO_GAME)
        if game is None:
            # Two who ask at the same time must get the same object.
            if game_id not in self._loading:
                task = asyncio.create_task(self._load(game_id))
                self._loading[game_id] = task
                task.add_done_callback(lambda _: self._loading.pop(game_id, None))
            game = await shielded(self._loading[game_id])
        game.last_used = time.monotonic()
        if self.peers.possible and game.snapshot.version != version:
            # A visitor whose last request went to another process sees what it led to.
            await game.catch_up()
        return game

    async def opened(self, game_id: str, token: str | None) -> LiveGame:
        """The game with that id, for somebody who opens it; raises NotFound."""
        game = await self.game(game_id)
        await game.arrive(token)
        return game

    async def playable(self, game_id: str, version: int | None = None) -> LiveGame | None:
        """One game of many: None if it was removed, or a newer Gridwise has changed it."""
        try:
            return await self.game(game_id, version)
        except NotFound:
            return None

    async def _load(self, game_id: str) -> LiveGame:
        return self.add(*await self.restored(game_id), self.bot_wait)

    async def restored(self, game_id: str) -> tuple[EventSourcedGame, Snapshot]:
        """A game as it is in the database; raises NotFound."""
        return await self._read(self._restored, game_id)

    async def events_after(self, game_id: str, number: int) -> list[JournalEntry]:
        """What any process has written of a game after an event."""
        return await self._read(self.store.events_after, game_id, number)

    def _restored(self, game_id: str) -> tuple[EventSourcedGame, Snapshot]:
        """For a thread: a long game takes a while, and the others go on meanwhile."""
        try:
            stored = self.store.load(game_id)
            if stored is None:
                raise NotFound(NO_GAME)
            session = EventSourcedGame(stored.setup, stored.seats, stored.journal)
        except UnknownGame:
            raise NotFound(UNKNOWN_KIND) from None
        return session, Snapshot(session, now=self.store.clock.now)

    async def count_mine(self, token: str | None) -> int:
        """How many unfinished games the holder of a token has a seat in."""
        return await self._read(self.store.count_open, math.inf, token) if token else 0

    async def use_link(self, code: str, own: str | None) -> str | None:
        """The token that a link gives; the seats of the holder of `own` go to it as well."""
        token = await self.visitors.use_link(code, own)
        if token and own:
            self.admin_tasks.drop_games_of(own)
        return token

    async def forget(self, token: str) -> None:
        """End somebody's unfinished games, and erase names and seats."""
        for stored in known_games(await self._read(self.store.mine, token, MOST_UNFINISHED)):
            if game := await self.playable(stored.setup.id):
                await game.give_up(token)
        await self.visitors.hand_over(token, "")
        self.admin_tasks.drop_games_of(token)

    async def check_new_game(self, token: str) -> None:
        """Raise Unavailable if the server is to stop, TooMany for too many unfinished games."""
        if self.admin_tasks.drain_until:
            raise Unavailable("The server is about to stop, and takes no new games.")
        limits = self.settings.limits
        if await self._unfinished_of(asker.get().address, limits.client_games):
            raise TooMany(FULL.format(limits.client_games), after=600)
        mine = await self._read(self.store.count_open, limits.fresh, token)
        if mine >= limits.open_games:
            raise TooMany(
                f"You have {mine} unfinished games; the limit is {limits.open_games}. "
                "Finish one, or resign."
            )

    async def _unfinished_of(self, address: str, least: int) -> dict[str, int]:
        """The games that an address has started, by their last events, if there are so many.

        Those that are over are forgotten.
        """
        # 0.6 ms for 20,000 games; to start one takes ten times that.
        mine = [game_id for whose, game_id in self._started if whose == address]
        if len(mine) < least:  # it is not worth asking which of them are over
            return {}
        unfinished = await self._read(self.store.unfinished, mine, self.settings.limits.fresh)
        over = set(mine) - unfinished.keys()
        left = [each for each in self._started if each[1] not in over]
        self._started = deque(left, self._started.maxlen)
        return (
            {each: unfinished[each] for each in mine if each in unfinished}
            if len(unfinished) >= least
            else {}
        )

    async def _crowd(self) -> dict[str, int]:
        """The games of the address with the most, if it is more than half of what it may have."""
        least = self.settings.limits.client_games // 2 + 1
        for address, _ in Counter(address for address, _ in self._started).most_common(1):
            return await self._unfinished_of(address, least)
        return {}

    async def _give_way(self) -> bool:
        """Stop the oldest game of a crowd, else one that nobody has joined; False if there is none.

        But for those that somebody waits in.
        """
        waited_in, fresh = self.lobby.clients(), self.settings.limits.fresh
        async with self._giving_way:  # else all who ask at once would stop the same one
            for _ in range(GIVE_WAY_TRIES):
                now, many = time.time(), len(waited_in) + 1
                unjoined = await self._read(self.store.unjoined, now - fresh, now, many)
                last = await self._crowd() | unjoined
                oldest = [each for each in last if each not in waited_in][:1]
                if not oldest or await self.admin_tasks.stop(
                    {oldest[0]: last[oldest[0]]}, GAVE_WAY
                ):
                    return bool(oldest)
        return False

    def unload(self, game: LiveGame) -> None:
        """A game that was dropped is read again from the database when next asked for."""
        if self._games.get(game.id) is game:
            del self._games[game.id]
            self.peers.show_presence(game.id, Presence())

    async def close(self) -> None:
        """Shut down cleanly: what has begun is written."""
        for task in self._background:
            task.cancel()
        await self.peers.stop()
        for game in list(self._games.values()):
            await game.settle()
        await self.journal.close()
        await self.peers.say_goodbye()
        await self.store.last_answers()
        self.workers.close()

    def _make_room(self) -> None:
        """Before another game is added, drop a tenth of them, longest unused first, if need be."""
        if len(self._games) >= self.settings.limits.live_games:
            idle = [game for game in self._games.values() if game.idle]
            idle.sort(key=lambda game: game.last_used)
            for game in idle[: len(self._games) // 10 + 1]:
                game.drop()

    async def _sweep(self) -> None:
        """Remove games from memory that nobody has used for a while."""
        long_ago = time.monotonic() - self.settings.idle
        for game in list(self._games.values()):
            if game.last_used < long_ago and game.idle:
                game.drop()

    async def _end_on_time(self) -> None:
        """End games whose flag fell while no process had them in memory.

        Or while one had, but was asleep: its timer does not count that time.
        """
        late, many = self.store.clock.now() - FLAG_GRACE, MOST_LISTED + len(self._stuck)
        ids = await self._read(self.store.out_of_time, late, many)
        self._stuck &= set(ids)
        new = [each for each in ids if each not in self._stuck]
        self._stuck |= {each for each in new if not await self._wake(each)}

    async def _wake(self, game_id: str) -> bool:
        """Load a game, and end it if its time is over; False if it can never be loaded."""
        try:
            await (await self.game(game_id)).end_on_time()
        except Unavailable:
            return True  # it is logged
        except NotFound as error:
            log.warning("Could not resume the game %s: %s", game_hash(game_id), error)
            return False
        except Exception:
            log.exception("Could not resume the game %s", game_hash(game_id))
            return False
        return True

    async def _resume_bots(self) -> None:
        """After a start, let bots move that were to move when the server stopped."""
        with suppress(Unavailable):  # it is logged; a bot goes on when somebody opens its game
            for game_id in await self._read(self.store.unfinished_with_bots, MOST_RESUMED):
                await self._wake(game_id)
