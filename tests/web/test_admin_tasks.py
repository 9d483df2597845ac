"""What a server does by itself: the cap on games cannot be filled by one client, old games go."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

from gridwise.web import admin
from gridwise.web.admin_tasks import AdminTasks
from gridwise.web.game.events import SeatTaken
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import OPEN, EntryAdded, GameCreated, GameEnding, JournalEntry
from gridwise.web.settings import ServerLimits, ServerSettings
from gridwise.web.storage import GameStore, admin_messages, open_database

from .servers import (
    TIMEOUT,
    Browse,
    Json,
    eventually,
    receive,
    refused,
    running,
)
from .stored import dealt_game

SAME_SCREEN = NewGame.model_validate({"game": "grid-runner", "opponent": "same-screen"})
QUICK: Json = {"message_interval": 0.02, "cleanup_interval": 0.02}


def test_a_game_that_nobody_joins_is_stopped(empty: str, browse: Browse) -> None:
    """Whoever looks at it is told; a game that was joined goes on."""
    with running(empty, unjoined=1.0, **QUICK) as address:
        ann, bob = browse(address), browse(address)
        joined, alone = ann.create("grid-runner"), ann.create("grid-runner")
        bob.take_seat(joined)
        with ann.socket(alone) as socket:
            receive(socket, "state")
            eventually(lambda: ann.state(alone)["status"] == "over")
        assert ann.state(alone)["reason"] == "nobody joined"
        refused(bob.post(f"/games/{alone}/seats"), 409, "conflict")
        assert ann.state(joined)["status"] == "playing"
    with closing(GameStore(open_database(empty))) as store:
        token = next(seat.token for seat in store.load(joined).seats)  # type: ignore[union-attr]
        assert [each.setup.id for each in store.mine(token, 50)] == [joined]
        assert alone not in [each.setup.id for each in store.listed("recent", 50, 3_600)]


def test_a_game_that_is_joined_at_the_last_moment_goes_on(empty: str) -> None:
    """Whether somebody joins before the number of the last event is read, or after."""
    with closing(GameStore(open_database(empty))) as store:
        waiting = [
            GameCreated(*dealt_game({"game": "grid-runner"}, "ann", 1_000)) for _ in range(3)
        ]
        before, after, alone = [each.setup.id for each in waiting]
        store.write(waiting)
        free = {
            each.setup.id: seat.number
            for each in waiting
            for seat in each.seats
            if seat.kind == OPEN
        }

        def join(game_id: str) -> None:
            entry = JournalEntry(1, SeatTaken(free[game_id], "Bob", "bob"), None, time.time())
            store.write([EntryAdded(game_id, entry)])

        async def commit(changes: list[EntryAdded]) -> None:
            if changes[0].game_id == after:
                join(after)
            store.write(changes)

        live: dict[str, LiveGame] = {}
        settings = ServerSettings(empty, limits=ServerLimits(unjoined=0.0))
        join(before)
        asyncio.run(AdminTasks(store, settings, live, commit).clean_up())
        for game_id, is_stopped in ((before, False), (after, False), (alone, True)):
            stored = store.load(game_id)
            assert stored
            assert bool(stored.ending) == is_stopped


def finished(days: float) -> GameCreated:
    """A game that ended some days ago."""
    setup, seats = dealt_game(SAME_SCREEN, "somebody", 1_000)
    at = time.time() - 86_400 * days
    return GameCreated(replace(setup, created=at), seats, GameEnding(at, "p1", "resigned"))


def test_old_games_are_removed_if_the_settings_say_so(empty: str, browse: Browse) -> None:
    """Finished ones only, and only after that time; without the setting, none."""
    old, young = [finished(31) for _ in range(120)], finished(29)
    with closing(GameStore(open_database(empty))) as store:
        store.write([*old, young])
        with running(empty, **QUICK) as address:
            time.sleep(0.2)
            browse(address).state(old[0].setup.id)
        unfinished = dealt_game(SAME_SCREEN, "somebody", 1_000)
        begun = GameCreated(replace(unfinished[0], created=old[0].setup.created), unfinished[1])
        store.write([begun])
        with running(empty, retention=30.0, **QUICK) as address:
            ann = browse(address)
            eventually(lambda: admin.count_games(store, admin.ended_before(30)) == 0)
            refused(ann.http.get(f"/api/games/{old[0].setup.id}"), 404, "not-found")
            assert ann.state(young.setup.id)["id"] == young.setup.id
            assert ann.state(begun.setup.id)["status"] == "playing"


def test_messages_are_read_in_the_order_in_which_they_can_be_seen(empty: str) -> None:
    """A tool that takes its time posts nothing that is older than what a server has read."""
    with closing(GameStore(open_database(empty))) as store:
        last = 0.0

        def post_another() -> None:
            with store.engine.begin() as connection:
                admin_messages.post(connection, "reload", "second")

        with ThreadPoolExecutor(1) as pool:
            with store.engine.begin() as connection:
                admin_messages.post(connection, "reload", "first")
                other = pool.submit(post_another)
                wait([other], timeout=0.5)
                last, seen = admin_messages.posted_after(store, last)
            other.result(TIMEOUT)
        last, more = admin_messages.posted_after(store, last)
        assert [value for _, value in seen + more] == ["first", "second"]


def test_a_server_has_as_many_minutes_to_drain_as_the_operator_says(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers are told the time at which they stop, in seconds; 0 takes it back."""
    monkeypatch.setattr("gridwise.web.admin.time", SimpleNamespace(time=lambda: 1_000.0))
    with closing(GameStore(open_database(empty))) as store:
        for minutes, until in ((5, "1300"), (None, "0")):
            admin.drain(store, minutes)
            last = admin_messages.posted_after(store, 0.0)[1][-1]
            assert last == ("drain", until)
