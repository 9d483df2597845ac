"""GameHub: the live games by id.

They are read from the database when first asked for, and removed from memory when nobody has
used them for a while.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Iterable, Sequence
from typing import Any

from gridwise.core.registry import games
from gridwise.errors import UnknownGame
from gridwise.web.admin_tasks import AdminTasks
from gridwise.web.errors import NotFound, TooMany, Unavailable, shielded
from gridwise.web.game import (
    GameSession,
    LiveGame,
    NewGame,
    Presence,
    Services,
    Snapshot,
    new_game,
    restore_session,
)
from gridwise.web.game.model import JournalEntry, StoredGame, is_id
from gridwise.web.lobby import Lobby
from gridwise.web.peers import Peers
from gridwise.web.settings import Settings
from gridwise.web.storage import BotRecord, Cursor, Journal, Store, Visitors
from gridwise.web.storage.store import MOST_UNFINISHED
from gridwise.web.storage.visitors import LinkState
from gridwise.web.telemetry.logs import game_hash
from gridwise.web.telemetry.metrics import Level
from gridwise.web.workers import Workers, asker
from gridwise.web.workers.client_games import ClientGames

log = logging.getLogger("gridwise.web")

NO_GAME = "There is no such game. The link may be incomplete."
UNKNOWN_KIND = (
    "This game is of a kind that this server does not know; a newer version of Gridwise may."
)
MOST_LISTED = 50
FLAG_GRACE = 2.0  # seconds that the process which has a game in memory gets to end it on time
MOST_RESUMED = 2_000  # games with bots that are loaded after a start


class GameHub:
    """All games, in memory and in the database."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.store, self._read = store, store.ask
        self.workers = Workers(settings.limits)
        self._journal = Journal(store)
        self._games: dict[str, LiveGame] = {}
        self.peers = Peers(store, settings, self._games, self.drop)
        self._services = Services(
            self.workers,
            settings.limits,
            self._journal.commit,
            self._check_new_game,
            self._add_rematch,
            self.drop,
            restore=self._restore,
            events_after=self._events_after,
            show_presence=self.peers.show_presence,
            say_emote=self.peers.say_emote,
            patience=settings.patience if self.peers.possible else 0.0,
            now=store.clock.now,
        )
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._client_games = ClientGames(settings.limits, self._unfinished)
        self.admin_tasks = AdminTasks(store, settings, self._games, self._journal.commit, self.drop)
        self.visitors = Visitors(store)
        self._lobby = Lobby(self._games, self.peers, self._listed_among)
        self._background = {
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._end_on_time()),
            asyncio.create_task(self.admin_tasks.run()),
            asyncio.create_task(self._resume_bots()),
        }
        if self.peers.possible:
            self._background.add(asyncio.create_task(self._lobby.tell_others()))

    def __len__(self) -> int:
        return len(self._games)

    def levels(self) -> list[Level]:
        """How much there is of everything now, for the metrics."""
        journal, waiting = self._journal, self.workers.waiting
        draining = float(self.admin_tasks.draining)
        return [
            Level("gridwise_live_games", "Games in memory.", {"": len(self)}),
            Level("gridwise_waiting", "Questions to the engine that wait.", waiting),
            Level("gridwise_journal_queued", "Changes to be written.", {"": journal.queued}),
            Level(
                "gridwise_journal_delay", "Seconds of the last transaction.", {"": journal.delay}
            ),
            Level("gridwise_draining", "Whether the server is to stop.", {"": draining}),
        ]

    async def create(self, request: NewGame, token: str) -> LiveGame:
        """Start a game for the holder of a token."""
        await self._check_new_game(token)
        limits = self.settings.limits
        made = await self.workers.quick(
            new_game, request, token, limits.plies, self.store.clock.now
        )
        session = GameSession(*made)
        await self._find_room()
        self._note_new(session)  # before it is written: whoever goes meanwhile has started it
        await shielded(self._journal.commit([session.created()]))
        return self.add(session)

    def _note_new(self, session: GameSession) -> None:
        self._client_games.note(asker.get().address, session.setup.id)

    def _add_rematch(self, session: GameSession) -> None:
        self._note_new(session)
        self.add(session)

    def add(
        self, session: GameSession, snapshot: Snapshot | None = None, patience: float = 0.0
    ) -> LiveGame:
        """The live game of a session that has just been written, or read."""
        game = self._games.get(session.setup.id)
        # Once a game is written, somebody may load it before its creator gets here.
        if game is None:
            self._make_room()
            game = self._games[session.setup.id] = LiveGame(session, self._services, snapshot)
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
        """The same for somebody who opens it."""
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
        # The bot may be thinking at another process.
        return self.add(*await self._restore(game_id), self._services.patience)

    async def _restore(self, game_id: str) -> tuple[GameSession, Snapshot]:
        # In a thread: a long game takes a while, and the others go on meanwhile.
        return await self._read(self._restored, game_id)

    def _restored(self, game_id: str) -> tuple[GameSession, Snapshot]:
        try:
            stored = self.store.load(game_id)
            if stored is None:
                raise NotFound(NO_GAME)
            session = restore_session(stored)
        except UnknownGame:
            raise NotFound(UNKNOWN_KIND) from None
        return session, Snapshot(session, now=self.store.clock.now)

    async def _events_after(self, game_id: str, version: int) -> list[JournalEntry]:
        return await self._read(self.store.events_after, game_id, version)

    async def listed(self, status: str, after: Cursor | None = None) -> list[StoredGame]:
        """Games open to everybody, the newest first; with a cursor, those that come after it."""
        fresh = self.settings.limits.fresh
        return await self._read(self.store.listed, status, MOST_LISTED, fresh, after)

    async def _listed_among(self, ids: Sequence[str]) -> list[StoredGame]:
        return known_games(await self._read(self.store.present, ids))

    async def lobby(self, token: str | None = None) -> dict[str, Any]:
        """Games to join or to watch at this moment, and how many people are here."""
        return await self._lobby.state(token)

    async def count_mine(self, token: str | None) -> int:
        """How many unfinished games the holder of a token has a seat in."""
        return await self._read(self.store.count_open, math.inf, token) if token else 0

    async def bot_record(self, token: str | None) -> BotRecord:
        """How somebody has done against the bots: games won, lost and drawn, by game and level."""
        return await self._read(self.visitors.bot_record, token) if token else {}

    # Another device, and erasing

    async def new_link(self, token: str) -> str:
        """The code of a link that gives a token (not its hash) to another device."""
        return await self._read(self.visitors.new_link, token)

    async def link_state(self, code: str) -> LinkState:
        """Whether a link can still be used, and if not, why."""
        return await self._read(self.visitors.link_state, code)

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
        await self.visitors.erase(token)
        self.admin_tasks.drop_games_of(token)

    async def _unfinished(self, ids: Sequence[str]) -> set[str]:
        return await self._read(self.store.unfinished, ids, self.settings.limits.fresh)

    async def _check_new_game(self, token: str) -> None:
        """Raise Unavailable if the server is to stop, TooMany for too many unfinished games."""
        if self.admin_tasks.draining:
            raise Unavailable("The server is about to stop, and takes no new games.")
        await self._client_games.check(asker.get().address)
        limits = self.settings.limits
        mine = await self._read(self.store.count_open, limits.fresh, token)
        if mine >= limits.open_games:
            raise TooMany(
                f"You have {mine} unfinished games; the limit is {limits.open_games}. "
                "Finish one, or resign."
            )

    async def _find_room(self) -> None:
        """At a full server the oldest invitation gives way to a new game; TooMany without one."""
        limits = self.settings.limits
        everybody = await self._read(self.store.count_open, limits.fresh)
        if everybody >= limits.all_games and not await self.admin_tasks.give_way():
            raise TooMany("The server is full. Try again later.")

    def drop(self, game: LiveGame) -> None:
        """Forget a live game; it is read again from the database when next asked for."""
        if self._games.get(game.id) is game:
            del self._games[game.id]
            self.peers.show_presence(game.id, Presence())
        game.drop()

    async def close(self) -> None:
        """Shut down cleanly: what has begun is written."""
        for task in self._background:
            task.cancel()
        await self.peers.stop()
        for game in list(self._games.values()):
            await game.settle()
        await self._journal.close()
        await self.peers.say_goodbye()
        await self.store.last_answers()
        self.workers.close()

    def _make_room(self) -> None:
        """Before another game is added, drop a tenth of them, longest unused first, if need be."""
        if len(self._games) >= self.settings.limits.live_games:
            idle = [game for game in self._games.values() if game.idle]
            idle.sort(key=lambda game: game.last_used)
            for game in idle[: len(self._games) // 10 + 1]:
                self.drop(game)

    async def _sweep(self) -> None:
        """Remove games from memory that nobody has used for a while."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            long_ago = time.monotonic() - self.settings.idle
            for game in list(self._games.values()):
                if game.last_used < long_ago and game.idle:
                    self.drop(game)

    async def _end_on_time(self) -> None:
        """End games whose flag fell while no process had them in memory.

        Or while one had, but was asleep: its timer does not count that time.
        """
        stuck: set[str] = set()  # cannot be loaded; the others must not wait behind them
        while True:
            await asyncio.sleep(self.settings.flags)
            try:
                late, many = self.store.clock.now() - FLAG_GRACE, MOST_LISTED + len(stuck)
                found = await self._read(self.store.out_of_time, late, many)
            except Unavailable:
                continue  # it is logged
            stuck &= set(found)
            stuck |= {each for each in found if each not in stuck and not await self._wake(each)}

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
        try:
            waiting = await self._read(self.store.unfinished_with_bots, MOST_RESUMED)
        except Unavailable:
            return  # it is logged; a bot goes on when somebody opens its game
        for game_id in waiting:
            await self._wake(game_id)


def known_games(stored: Iterable[StoredGame]) -> list[StoredGame]:
    """Those of a kind that this version can show."""
    keys = {game.key for game in games()}
    return [each for each in stored if each.setup.game in keys]
