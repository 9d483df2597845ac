"""The hub and its live games, where things happen at the same time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterable

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from gridwise.web.errors import Unavailable
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.snapshot import Presence, Snapshot
from gridwise.web.game.stored_game import Change
from gridwise.web.game.subscriber import Subscriber
from gridwise.web.hub import GameHub
from gridwise.web.peers import Peers
from gridwise.web.settings import ServerLimits, ServerSettings
from gridwise.web.storage import GameStore
from gridwise.web.storage.database import DatabaseClock, open_database

from .servers import TIMEOUT, Browse, refused, running

DEFAULT_LIMITS = ServerLimits()
GAME = NewGame.model_validate({"game": "grid-runner"})


def with_a_hub(
    database: str,
    happens: Callable[[GameHub], Awaitable[None]],
    limits: ServerLimits = DEFAULT_LIMITS,
) -> None:
    """Run something with a hub of its own."""

    async def all_of_it() -> None:
        store = GameStore(open_database(database))
        hub = GameHub(store, ServerSettings(database=database, limits=limits))
        await happens(hub)
        await hub.close()
        store.close()

    asyncio.run(all_of_it())


def test_a_game_has_one_live_game_even_if_it_is_read_while_it_is_being_made(database: str) -> None:
    """Two of them would each announce moves to their own subscribers only."""

    async def happens(hub: GameHub) -> None:
        game = await hub.create(GAME, "somebody")
        stored = hub.store.load(game.id)
        assert stored
        assert hub.add(EventSourcedGame(stored.setup, stored.seats, stored.journal)) is game
        assert await hub.game(game.id) is game

    with_a_hub(database, happens)


def test_a_game_is_read_in_a_thread_of_its_own(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long game takes a while, and everybody else goes on meanwhile."""
    threads: list[threading.Thread] = []

    def snapshot(session: EventSourcedGame, *, now: Callable[[], float]) -> Snapshot:
        threads.append(threading.current_thread())
        return Snapshot(session, now=now)

    monkeypatch.setattr("gridwise.web.hub.Snapshot", snapshot)

    async def happens(hub: GameHub) -> None:
        game = await hub.create(GAME, "somebody")
        game.drop()
        await hub.game(game.id)
        assert threads
        assert threading.current_thread() not in threads

    with_a_hub(database, happens)


def test_games_that_nobody_uses_make_room_for_others(database: str) -> None:
    """Anybody may open 40 old games a second: they must not fill the memory."""

    async def happens(hub: GameHub) -> None:
        watched = await hub.create(GAME, "somebody")
        watched.join(Subscriber(None))
        others = [await hub.create(GAME, "somebody") for _ in range(10)]
        assert len(hub) == 3
        assert await hub.game(watched.id) is watched
        assert await hub.game(others[-1].id) is others[-1]
        again = await hub.game(others[0].id)
        assert again is not others[0]
        assert again.id == others[0].id

    with_a_hub(database, happens, ServerLimits(live_games=3))


def test_a_socket_that_joins_a_dropped_game_is_closed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the page asks again, nothing is sent that may be wrong, and no trace is left.

    Otherwise the other processes would show somebody who has long been gone.
    """
    shown: list[Presence] = []
    monkeypatch.setattr(Peers, "show_presence", lambda _self, _id, who: shown.append(who))

    async def happens(hub: GameHub) -> None:
        game = await hub.create(GAME, "somebody")
        game.drop()
        late = Subscriber("somebody")
        game.join(late)
        assert late.closing
        assert late.closing[0] == 1012
        with pytest.raises(Unavailable):
            await game.record()
        game.leave(late)
        assert shown[-1] == Presence()
        assert await hub.game(game.id) is not game

    with_a_hub(database, happens)


def test_the_start_page_says_when_the_database_does_not_answer(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to somebody who has games to go on with."""

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    with running(database) as address:
        ann = browse(address)
        ann.create("grid-runner")
        monkeypatch.setattr(GameStore, "mine", fail)
        refused(ann.http.get("/"), 503, "unavailable")


def test_the_last_moves_before_a_process_ends_are_announced(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who wait for them at another process hear of them at once."""
    announced: list[str] = []
    announce, write, free = Peers.announce, GameStore.write, threading.Event()

    def noting(
        self: Peers, connection: Connection, items: list[str], kind: str = "changed"
    ) -> None:
        announced.extend(items if kind == "changed" else ())
        announce(self, connection, items, kind)

    def when_free(self: GameStore, changes: Iterable[Change]) -> None:
        free.wait(TIMEOUT)
        write(self, changes)

    monkeypatch.setattr(Peers, "announce", noting)

    async def happens(hub: GameHub) -> None:
        alone = NewGame.model_validate({"game": "grid-runner", "opponent": "same-screen"})
        game = await hub.create(alone, "somebody")
        monkeypatch.setattr(GameStore, "write", when_free)
        moving = asyncio.create_task(game.request("move", "somebody", 0, None, "down"))
        closing = asyncio.create_task(hub.close())
        done, _ = await asyncio.wait([closing], timeout=0.5)
        assert not done, "it does not wait for what is being written"
        free.set()
        await asyncio.gather(moving, closing)
        assert announced == [game.id]

    async def all_of_it() -> None:
        store = GameStore(open_database(postgres))
        await happens(GameHub(store, ServerSettings(database=postgres)))
        store.close()

    asyncio.run(all_of_it())


def test_the_clock_of_the_database_is_read_again(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every few seconds: ours may go faster or slower, or stand still while the machine sleeps."""

    async def happens() -> None:
        store = GameStore(open_database(postgres))
        store.clock.measure()
        right = time.time()
        assert store.clock.now() == pytest.approx(right, abs=1)  # both are on this machine
        slept = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: slept() - 3_600)
        assert store.clock.now() < right - 3_000
        hub = GameHub(store, ServerSettings(database=postgres, peer_interval=0.01))
        async with asyncio.timeout(TIMEOUT):
            while store.clock.now() < right:  # noqa: ASYNC110 - nobody is told
                await asyncio.sleep(0.01)
        await hub.close()
        store.close()

    asyncio.run(happens())


def test_what_is_asked_for_other_processes_is_answered_before_the_end(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise its connection would outlive the pool, and never be closed."""
    asked, answer = threading.Event(), threading.Event()

    def measure(_clock: DatabaseClock) -> None:
        asked.set()
        answer.wait(TIMEOUT)

    monkeypatch.setattr(DatabaseClock, "measure", measure)

    async def happens() -> None:
        store = GameStore(open_database(postgres))
        hub = GameHub(store, ServerSettings(database=postgres, peer_interval=0.01))
        await asyncio.to_thread(asked.wait, TIMEOUT)
        closing = asyncio.create_task(hub.close())
        closed, _ = await asyncio.wait({closing}, timeout=1)
        assert not closed
        answer.set()
        await closing
        store.close()

    asyncio.run(happens())
