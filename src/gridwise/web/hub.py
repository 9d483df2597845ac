"""GameHub: the live games by id.

They are read from the database when first asked for, and removed from memory when nobody has
used them for a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from gridwise.web.errors import NotFound, TooMany, Unavailable
from gridwise.web.game import (
    GameSession,
    LiveGame,
    NewGame,
    Services,
    Workers,
    new_game,
    restore_session,
)
from gridwise.web.game.model import StoredGame, is_id
from gridwise.web.settings import Settings
from gridwise.web.storage import Journal, Store

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

NO_GAME = "There is no such game. The link may be incomplete."
MOST_LISTED = 50
MOST_RESUMED = 2_000  # games with bots that are loaded after a start


class GameHub:
    """All games, in memory and in the database."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.store = store
        self.workers = Workers(settings.limits.waiting)
        self._journal = Journal(store)
        self._services = Services(
            self.workers, self._journal.commit, self._check_open_games, self.add, self.drop
        )
        self._games: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._background = {
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._resume_bots()),
        }

    def __len__(self) -> int:
        return len(self._games)

    async def create(self, request: NewGame, token: str) -> LiveGame:
        """Start a game for the holder of a token."""
        await self._check_open_games(token)
        limits = self.settings.limits
        session = GameSession(*await self.workers.ask(new_game, request, token, limits.plies))
        await asyncio.shield(self._journal.commit([session.created()]))
        return self.add(session)

    def add(self, session: GameSession) -> LiveGame:
        """The live game of a session that has just been written, or read."""
        game = self._games.get(session.setup.id)
        # Once a game is written, somebody may load it before its creator gets here.
        if game is None:
            game = self._games[session.setup.id] = LiveGame(session, self._services)
            game.wake_bot()
        return game

    async def game(self, game_id: str) -> LiveGame:
        """The game with that id; raises NotFound."""
        game = self._games.get(game_id)
        if game is None and not is_id(game_id):
            raise NotFound(NO_GAME)
        if game is None:
            # Two who ask at the same time must get the same object.
            if game_id not in self._loading:
                task = asyncio.create_task(self._load(game_id))
                self._loading[game_id] = task
                task.add_done_callback(lambda _: self._loading.pop(game_id, None))
            game = await asyncio.shield(self._loading[game_id])
        game.last_used = time.monotonic()
        return game

    async def _load(self, game_id: str) -> LiveGame:
        stored = await self._read(self.store.load, game_id)
        if stored is None:
            raise NotFound(NO_GAME)
        return self.add(restore_session(stored))

    async def _read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read from the database in a thread."""
        try:
            return await asyncio.to_thread(work, *args, **kwargs)
        except SQLAlchemyError as error:
            log.warning("The database does not respond: %s", type(error).__name__)
            raise Unavailable("The database does not respond. Try again later.") from None

    async def listed(self, status: str, token: str | None = None) -> list[StoredGame]:
        """Games open to everybody, and the asker's own finished ones; the newest first."""
        fresh = self.settings.limits.fresh
        return await self._read(self.store.listed, status, MOST_LISTED, fresh, token)

    async def mine(self, token: str | None) -> list[StoredGame]:
        """Unfinished games that the holder of a token has a seat in, the newest first."""
        return await self._read(self.store.mine, token, MOST_LISTED) if token else []

    async def _check_open_games(self, token: str) -> None:
        """Raise TooMany if there are too many unfinished games, of one browser or in total."""
        limits = self.settings.limits
        mine = await self._read(self.store.count_open, limits.fresh, token)
        if mine >= limits.open_games:
            raise TooMany(
                f"You have {mine} unfinished games; the limit is {limits.open_games}. "
                "Finish one, or resign."
            )
        everybody = await self._read(self.store.count_open, limits.fresh)
        if everybody >= limits.all_games:
            raise TooMany("The server is full. Try again later.")

    def drop(self, game: LiveGame) -> None:
        """Forget a live game; it is read again from the database when next asked for."""
        if self._games.get(game.id) is game:
            del self._games[game.id]
        game.drop()

    async def close(self) -> None:
        """Shut down cleanly: what has begun is written."""
        for task in self._background:
            task.cancel()
        for game in list(self._games.values()):
            await game.settle()
        await self._journal.close()
        self.workers.close()

    async def _sweep(self) -> None:
        """Remove games from memory that nobody has used for a while."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            long_ago = time.monotonic() - self.settings.idle
            for game in list(self._games.values()):
                if game.last_used < long_ago and game.idle:
                    self.drop(game)

    async def _resume_bots(self) -> None:
        """After a start, let bots move that were to move when the server stopped."""
        try:
            waiting = await self._read(self.store.unfinished_with_bots, MOST_RESUMED)
        except Unavailable:
            return  # it is logged; a bot goes on when somebody opens its game
        for game_id in waiting:
            try:
                await self.game(game_id)
            except Exception:
                log.exception("Could not resume the game %s", game_id)
