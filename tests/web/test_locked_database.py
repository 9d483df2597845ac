"""A database that is locked or gone: everybody is told soon, and play goes on when it is back."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from prometheus_client import REGISTRY
from sqlalchemy.exc import OperationalError

from gridwise.web.errors import Unavailable, WriteConflict
from gridwise.web.game.events import HintGiven
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import Change, EntryAdded, GameCreated, JournalEntry
from gridwise.web.storage import GameStore, Journal, open_database

from .postgres import Postgres
from .servers import Browse, eventually, ok, refused, running, transaction
from .stored import dealt_game

REQUEST = NewGame.model_validate({"game": "grid-runner", "opponent": "same-screen"})
LOCK_WAIT = 0.3


@contextmanager
def locked(url: str) -> Iterator[None]:
    """A database of which somebody else has the lock that a writer needs."""
    with transaction(url) as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_sqlite else "LOCK events, games")
        yield


class CountingStore(GameStore):
    """A store that counts how often it is asked to write."""

    writes = 0

    def write(self, changes: list[Change]) -> None:  # type: ignore[override]
        """Write, and count it."""
        self.writes += 1
        super().write(changes)


class FailingStore(GameStore):
    """A store that waits to be let go, and whose database is gone after one commit in conflict."""

    gone = False

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(engine)
        self.let_go = threading.Event()

    def write(self, changes: list[Change]) -> None:  # type: ignore[override]
        """Write, if the database is still there."""
        self.let_go.wait()
        if self.gone:
            raise OperationalError("", None, Exception())
        try:
            super().write(changes)
        except WriteConflict:
            self.gone = len(changes) == 1
            raise


async def _outcomes(journal: Journal, batches: list[list[Change]]) -> list[object]:
    return await asyncio.gather(*map(journal.commit, batches), return_exceptions=True)


def _failures() -> float:
    return REGISTRY.get_sample_value("gridwise_journal_failures_total") or 0.0


def _created() -> GameCreated:
    return GameCreated(*dealt_game(REQUEST, "somebody", 1_000))


def test_a_locked_database_fails_what_waits_at_once(url: str) -> None:
    """Not entry by entry, each with a wait of its own; and the next one is written."""
    store = CountingStore(open_database(url, lock_wait=LOCK_WAIT))

    async def happens() -> None:
        journal = Journal(store)
        with locked(url):
            outcomes = await _outcomes(journal, [[_created()] for _ in range(40)])
        assert [type(each) for each in outcomes] == [Unavailable] * 40
        # The first may go alone; all that came while it waited go together.
        assert store.writes <= 3
        assert await _outcomes(journal, [[_created()]]) == [None]
        await journal.close()

    asyncio.run(happens())
    store.close()


def test_one_conflict_in_a_batch_is_that_ones_alone(url: str) -> None:
    """The others are written."""
    store = GameStore(open_database(url))
    game = _created()
    taken = EntryAdded(game.setup.id, JournalEntry(1, HintGiven(1), None, time.time()))
    store.write([game, taken])

    async def happens() -> None:
        journal = Journal(store)
        outcomes = await _outcomes(journal, [[_created()], [taken], [_created()], [_created()]])
        assert [type(each) for each in outcomes] == [type(None), WriteConflict, *[type(None)] * 2]
        await journal.close()

    asyncio.run(happens())
    store.close()


def test_everybody_in_a_batch_is_answered_if_the_database_goes_half_way(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those after the one that noticed it, in full batches and in that with the end.

    The metrics count what was not written, change by change.
    """
    monkeypatch.setattr("gridwise.web.storage.journal.BATCH_SIZE", 4)
    store = FailingStore(open_database(url))
    game = _created()
    taken = EntryAdded(game.setup.id, JournalEntry(1, HintGiven(1), None, time.time()))
    store.let_go.set()
    store.write([game, taken])
    store.let_go.clear()

    async def happens() -> None:
        journal = Journal(store)
        rest: list[list[Change]] = [[_created()], [_created()], [_created()]]
        batches: list[list[Change]] = [[_created()], [taken], *rest, [_created(), _created()]]
        before = _failures()
        answers = [journal.commit(each) for each in batches]
        closing = asyncio.create_task(journal.close())
        await asyncio.sleep(0)  # now all of them wait, and the end too
        store.let_go.set()
        await closing
        await asyncio.sleep(0)
        outcomes = [type(each.exception()) for each in answers]
        assert outcomes == [type(None), WriteConflict, *[Unavailable] * 4]
        assert _failures() - before == 1 + 3 + 2

    asyncio.run(happens())
    store.close()


def test_players_hear_of_a_lock_and_go_on_after_it(database: str, browse: Browse) -> None:
    """The move was not made, the page of the game still opens, and later the move counts."""
    with running(database, lock_wait=LOCK_WAIT) as address:
        ann = browse(address)
        state = ann.state(ann.create("grid-runner", opponent="same-screen"))
        with locked(database):
            refused(ann.move(state, "down"), 503, "unavailable")
        assert ann.state(state["id"])["moves"] == []
        assert len(ok(ann.move(state, "down"))["moves"]) == 1


def test_the_server_goes_on_when_postgresql_is_back(cluster: Postgres, browse: Browse) -> None:
    """Nobody has to restart it, and `/ready` says how it is."""
    with running(cluster.database(), probe_time=2.0) as address:
        ann = browse(address)

        def status() -> int:
            return ann.http.get("/ready").status_code

        state = ann.state(ann.create("grid-runner", opponent="same-screen"))
        assert status() == 200
        cluster.stop()
        try:
            eventually(lambda: status() == 503)
            refused(ann.move(state, "down"), 503, "unavailable")
            refused(ann.post("/games", game="grid-runner"), 503, "unavailable")
        finally:
            cluster.start()
        eventually(lambda: status() == 200)
        assert len(ok(ann.move(state, "down"))["moves"]) == 1


def test_a_statement_has_a_time_limit(postgres: str) -> None:
    """One that takes for ever would stop all that comes after it."""
    engine = open_database(postgres, statement_limit=0.2)
    with engine.connect() as connection, pytest.raises(OperationalError, match="timeout"):
        connection.execute(sa.text("SELECT pg_sleep(60)"))
    engine.dispose()
