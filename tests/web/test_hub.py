"""The hub and its live games, where things happen at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy.exc import OperationalError

from gridwise.web.errors import Unavailable
from gridwise.web.game import Listener, NewGame, restore_session
from gridwise.web.hub import GameHub
from gridwise.web.settings import Settings
from gridwise.web.storage import Store
from gridwise.web.storage.database import open_database

from .servers import Browse, refused, running

GAME = NewGame.model_validate({"game": "grid-runner"})


def with_a_hub(database: str, happens: Callable[[GameHub], Awaitable[None]]) -> None:
    """Run something with a hub of its own."""

    async def all_of_it() -> None:
        store = Store(open_database(database))
        hub = GameHub(store, Settings(database=database))
        await happens(hub)
        await hub.close()
        store.close()

    asyncio.run(all_of_it())


def test_a_game_has_one_live_game_even_if_it_is_read_while_it_is_being_made(database: str) -> None:
    """Two of them would each announce moves to their own listeners only."""

    async def happens(hub: GameHub) -> None:
        game = await hub.create(GAME, "somebody")
        stored = hub.store.load(game.id)
        assert stored
        assert hub.add(restore_session(stored)) is game
        assert await hub.game(game.id) is game

    with_a_hub(database, happens)


def test_a_socket_that_joins_a_dropped_game_is_closed(database: str) -> None:
    """The socket is closed, so that the page asks again; nothing is sent that may be wrong."""

    async def happens(hub: GameHub) -> None:
        game = await hub.create(GAME, "somebody")
        hub.drop(game)
        late = Listener("somebody")
        game.join(late)
        assert late.closing
        assert late.closing.code == 1012
        with pytest.raises(Unavailable):
            await game.record()
        assert await hub.game(game.id) is not game

    with_a_hub(database, happens)


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
