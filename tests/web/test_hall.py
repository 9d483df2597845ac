"""The hall and its tables, where things happen at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy.exc import OperationalError

from gridwise.web.hall import Hall
from gridwise.web.listener import Listener
from gridwise.web.messages import NewGame
from gridwise.web.refusals import Unavailable
from gridwise.web.schema import open_database
from gridwise.web.settings import Settings
from gridwise.web.sitting import sitting_of
from gridwise.web.store import Store

from .serving import Browse, refused, running

GAME = NewGame.model_validate({"game": "grid-runner"})


def in_a_hall(database: str, happens: Callable[[Hall], Awaitable[None]]) -> None:
    """Let something happen in a hall of its own."""

    async def all_of_it() -> None:
        store = Store(open_database(database))
        hall = Hall(store, Settings(database=database))
        await happens(hall)
        await hall.close()
        store.close()

    asyncio.run(all_of_it())


def test_a_game_has_one_table_even_if_it_is_read_while_it_is_being_made(database: str) -> None:
    """Two tables would each tell its own listeners alone."""

    async def happens(hall: Hall) -> None:
        table = await hall.create(GAME, "somebody")
        kept = hall.store.load(table.id)
        assert kept
        assert hall.seat_at_table(sitting_of(kept)) is table
        assert await hall.table(table.id) is table

    in_a_hall(database, happens)


def test_whoever_comes_to_a_table_that_was_given_up_is_sent_on(database: str) -> None:
    """The socket is closed, so that the page asks again; nothing is told that may not be so."""

    async def happens(hall: Hall) -> None:
        table = await hall.create(GAME, "somebody")
        hall.drop(table)
        late = Listener("somebody")
        table.join(late)
        assert late.closing
        assert late.closing.code == 1012
        with pytest.raises(Unavailable):
            await table.record()
        assert await hall.table(table.id) is not table

    in_a_hall(database, happens)


def test_the_start_page_says_when_the_database_does_not_answer(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to somebody who has games to go on with."""

    def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    with running(database) as address:
        ann = browse(address)
        ann.create("grid-runner")
        monkeypatch.setattr(Store, "mine", fail)
        refused(ann.http.get("/"), 503, "unavailable")
