"""Hall: the live games by id.

They are read from the store when first asked for, and let go when nobody has looked at them for a
while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from gridwise.core.registry import game as game_of
from gridwise.web.dealing import new_game
from gridwise.web.engine_room import EngineRoom
from gridwise.web.journal import Journal
from gridwise.web.kept import is_id
from gridwise.web.messages import NewGame
from gridwise.web.refusals import NotFound, TooMany, Unavailable
from gridwise.web.settings import Settings
from gridwise.web.sitting import Sitting, sitting_of
from gridwise.web.store import Listed, Store
from gridwise.web.table import Table

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

NO_GAME = "There is no such game. Its link may have been cut short."
MOST_LISTED = 50
MOST_RESUMED = 2_000  # games with bots that are looked at after a start


class Hall:
    """All games, live and kept."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.store = store
        self.journal = Journal(store)
        self.engine = EngineRoom(settings.limits.waiting)
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._chores = {
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._resume_bots()),
        }

    def __len__(self) -> int:
        return len(self._tables)

    async def create(self, wish: NewGame, token: str) -> Table:
        """Start a game for the holder of a token."""
        await self.check_open_games(token)
        limits = self.settings.limits
        deal, seats = await self.engine.ask(new_game, wish, token, limits.plies)
        sitting = Sitting(deal, seats)
        await asyncio.shield(self.journal.put(sitting.new_writes()))
        return self.seat_at_table(sitting)

    def seat_at_table(self, sitting: Sitting) -> Table:
        """The table of a game that has just been written, or read."""
        table = self._tables.get(sitting.deal.id)
        # Once a game is written somebody may read it before whoever wrote it gets here.
        if table is None:
            table = self._tables[sitting.deal.id] = Table(self, sitting)
            table.wake_bot()
        return table

    async def table(self, game_id: str) -> Table:
        """The game with that id; raises NotFound."""
        table = self._tables.get(game_id)
        if table is None and not is_id(game_id):
            raise NotFound(NO_GAME)
        if table is None:
            # Two who ask at the same time must get the same table.
            if game_id not in self._loading:
                task = asyncio.create_task(self._load(game_id))
                self._loading[game_id] = task
                task.add_done_callback(lambda _: self._loading.pop(game_id, None))
            table = await asyncio.shield(self._loading[game_id])
        table.used = time.monotonic()
        return table

    async def _load(self, game_id: str) -> Table:
        kept = await self._read(self.store.load, game_id)
        if kept is None:
            raise NotFound(NO_GAME)
        return self.seat_at_table(sitting_of(kept))

    async def _read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read from the store without holding anybody up."""
        try:
            return await asyncio.to_thread(work, *args, **kwargs)
        except SQLAlchemyError as error:
            log.warning("The database does not answer: %s", type(error).__name__)
            raise Unavailable("The database does not answer. Try again in a while.") from None

    async def listed(self, status: str, token: str | None = None) -> list[Listed]:
        """Games open to everybody, and finished ones of one's own; the newest first."""
        fresh = self.settings.limits.fresh
        return await self._read(self.store.listed, status, MOST_LISTED, fresh, token)

    async def mine(self, token: str | None) -> list[Listed]:
        """Unfinished games that somebody has a seat in, the newest first."""
        return await self._read(self.store.mine, token, MOST_LISTED) if token else []

    async def check_open_games(self, token: str) -> None:
        """Raise TooMany if there are too many unfinished games, of one browser or in all."""
        limits = self.settings.limits
        mine = await self._read(self.store.count_open, limits.fresh, token)
        if mine >= limits.open_games:
            raise TooMany(
                f"You have {mine} unfinished games, and {limits.open_games} are the most. "
                "Finish one, or resign."
            )
        everybody = await self._read(self.store.count_open, limits.fresh)
        if everybody >= limits.all_games:
            raise TooMany("There are as many games here as the server takes on. Try again later.")

    def drop(self, table: Table) -> None:
        """Give a table up; the game is read again from the store when next asked for."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        table.give_up()

    async def close(self) -> None:
        """Bring everything to a clean end: what has begun is written."""
        for chore in self._chores:
            chore.cancel()
        for table in list(self._tables.values()):
            await table.settled()
        await self.journal.close()
        self.engine.close()

    async def _sweep(self) -> None:
        """Let go of games that nobody has looked at for a while."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            long_ago = time.monotonic() - self.settings.idle
            for table in list(self._tables.values()):
                if table.used < long_ago and table.idle:
                    self.drop(table)

    async def _resume_bots(self) -> None:
        """After a start, let bots move that were due when the server stopped."""
        try:
            waiting = await self._read(self.store.unfinished_with_bots, MOST_RESUMED)
        except Unavailable:
            return  # it is logged; bots go on when somebody looks at their games
        for game_id in waiting:
            try:
                await self.table(game_id)
            except Exception:
                log.exception("Could not go on with the game %s", game_id)


def title_of(listed: Listed) -> str:
    """The title of a listed game."""
    return game_of(listed.deal.game).title
