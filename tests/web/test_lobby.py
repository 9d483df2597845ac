"""The lobby: who is here at this moment, and no ghosts."""

from __future__ import annotations

import asyncio
import threading
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gridwise.web import lobby as lobbies
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.snapshot import Presence
from gridwise.web.game.stored_game import StoredGame, new_token
from gridwise.web.game.subscriber import Subscriber
from gridwise.web.lobby import Lobby
from gridwise.web.peers import Peers
from gridwise.web.storage import GameStore, open_database
from gridwise.web.workers.fair_queue import Asker, asker

from .servers import (
    Browse,
    Browser,
    Program,
    eventually,
    ok,
    receive,
    running,
    send,
)


def lobby(browser: Browser) -> dict[str, Any]:
    """What somebody sees."""
    return ok(browser.http.get("/api/lobby"))


def ids(games: list[dict[str, Any]]) -> list[str]:
    """Of games in a list."""
    return [game["id"] for game in games]


def test_a_game_is_open_while_its_creator_is_there(database: str, browse: Browse) -> None:
    """Not before the page is open, and not after it is closed; and never to the creator."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        clock = {"minutes": 3, "increment": 2}
        game_id = ann.create("grid-runner", name="Ann", listed=True, clock=clock, best_of=3)
        hidden = ann.create("grid-runner", name="Ann")
        assert lobby(bob)["open"] == []
        with ann.socket(game_id), ann.socket(hidden):
            eventually(lambda: bool(lobby(bob)["open"]), "nobody waits")
            (game,) = lobby(bob)["open"]
            assert game == {
                "id": game_id,
                "url": f"/g/{game_id}",
                "game": "grid-runner",
                "title": "Grid Runner",
                "name": "Ann",
                "names": ["Ann"],
                "clock": clock,
                "series": {"best_of": 3},
            }
            assert lobby(ann)["open"] == []
        eventually(lambda: lobby(bob)["open"] == [], "a ghost waits")
        assert ok(bob.http.get(f"/api/games/{game_id}"))["status"] == "waiting"  # by its link


def test_whoever_waits_as_player_2_is_found_too(database: str, browse: Browse) -> None:
    """Which of the two seats is free does not matter."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner", name="Ann", side=2, listed=True)
        with ann.socket(game_id):
            eventually(lambda: ids(lobby(bob)["open"]) == [game_id], "nobody waits")
            assert lobby(bob)["open"][0]["names"] == ["Ann"]


def test_games_that_are_played_can_be_watched(database: str, browse: Browse) -> None:
    """As long as somebody plays; spectators alone are nobody to watch."""
    with running(database) as address:
        ann, bob, cleo = browse(address), browse(address), browse(address)
        game_id = ann.create("grid-runner", name="Ann", listed=True)
        bob.take_seat(game_id, "Bob")
        with cleo.socket(game_id):
            with ann.socket(game_id):
                eventually(lambda: ids(lobby(cleo)["playing"]) == [game_id], "nobody plays")
                assert lobby(cleo)["playing"][0]["names"] == ["Ann", "Bob"]
                eventually(lambda: lobby(cleo)["people"] == 2, "one who plays, one who watches")
            eventually(lambda: lobby(cleo)["playing"] == [], "nobody plays any more")


def test_ghosts_do_not_hide_who_is_there(database: str, browse: Browse) -> None:
    """However many newer games nobody waits in."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        first = ann.create("grid-runner", listed=True)
        for _ in range(60):
            bob.create("grid-runner", listed=True)
        with ann.socket(first) as socket:
            receive(socket, "state")
            eventually(lambda: ids(lobby(bob)["open"]) == [first], "she cannot be found")


def at(browser: Browser, address: str) -> Browser:
    """Somebody at an address, as a reverse proxy tells it."""
    browser.http.headers["X-Forwarded-For"] = address
    return browser


def listed(browser: Browser, stack: ExitStack) -> str:
    """A game that somebody waits in."""
    game_id = browser.create("grid-runner", listed=True)
    address = browser.http.headers["X-Forwarded-For"]
    receive(stack.enter_context(browser.socket(game_id, {"X-Forwarded-For": address})), "state")
    return game_id


def test_one_address_does_not_own_the_lobby(database: str, browse: Browse) -> None:
    """However many games it lists, and newer ones: the others have a place each."""
    with running(database) as address, ExitStack() as stack:
        ann, bob = at(browse(address), "10.0.0.1"), at(browse(address), "10.0.0.2")
        eve, cleo = at(browse(address), "203.0.113.7"), at(browse(address), "10.0.0.3")
        anns, bobs = [listed(ann, stack)], [listed(bob, stack) for _ in range(2)]
        eves = [listed(eve, stack) for _ in range(60)]
        assert ids(lobby(cleo)["open"])[:3] == [eves[-1], bobs[-1], anns[-1]], "one of each"
        assert set(anns + bobs) < set(ids(lobby(cleo)["open"]))
        assert len(lobby(cleo)["open"]) == 50


def test_invented_cookies_are_not_people(database: str, browse: Browse) -> None:
    """An address counts as forty at the most: more than a class, in which everybody counts."""

    def look(address: str, many: int) -> None:
        for _ in range(many):
            headers = {"X-Forwarded-For": address, "Cookie": f"gridwise={new_token()}"}
            people.http.get("/api/lobby", headers=headers)

    with running(database) as address:
        people = browse(address)
        look("203.0.113.7", 200)
        look("10.0.0.1", 30)
        eventually(lambda: lobby(people)["people"] == 40 + 30 + 1)


def test_the_lobby_is_the_same_at_all_processes(
    postgres: str, tmp_path: Path, browse: Browse
) -> None:
    """Who is connected to one is found at the other, and is gone when that process is."""
    with Program(tmp_path, database=postgres) as one, Program(tmp_path, database=postgres) as two:
        ann, bob = browse(one.address), browse(two.address)
        game_id = ann.create("grid-runner", name="Ann", listed=True)
        for ending in (None, 9):
            with ann.socket(game_id) as socket:
                receive(socket, "state")
                eventually(lambda: game_id in ids(lobby(bob)["open"]), "nobody waits")
                for each in (ann, bob):
                    eventually(lambda: lobby(each)["people"] == 2, "Ann, and Bob who looks")  # noqa: B023 - now
                if ending:
                    one.end(ending)
            eventually(lambda: game_id not in ids(lobby(bob)["open"]), "a ghost waits")


def test_emotes_go_from_process_to_process(two: tuple[str, str], browse: Browse) -> None:
    """They are in no table."""
    ann, bob = map(browse, two)
    game_id = ann.create("grid-runner")
    bob.take_seat(game_id)
    with ann.socket(game_id) as at_ann, bob.socket(game_id) as at_bob:
        receive(at_bob, "state")
        receive(at_ann, "state")
        send(at_ann, "emote", emote="well-played")
        said = receive(at_bob, "emote")
        assert said == {"type": "emote", "player": 1, "emote": "well-played"}


class EmptyStore:
    """A database without games."""

    present = None

    async def ask(self, *_: object) -> list[StoredGame]:
        """No game is listed."""
        return []


NO_GAMES = cast("GameStore", EmptyStore())
NO_PEERS = cast("Peers", SimpleNamespace(elsewhere={}, presence=lambda _: Presence()))


def test_who_is_connected_counts_like_who_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, in two tabs or at the lobby too; and an address no more than forty times.

    Who looks no more is gone after a while.
    """

    async def happens() -> None:
        ann = Subscriber("ann", address="10.0.0.1"), Subscriber("ann", address="10.0.0.1")
        eves = [Subscriber(f"{each}", address="203.0.113.7") for each in range(1_000)]
        live = SimpleNamespace(audience=SimpleNamespace(subscribers={*ann, *eves}, player_at=None))
        one = Lobby({"game": cast("LiveGame", live)}, NO_PEERS, NO_GAMES)
        asker.set(Asker("10.0.0.1", "ann"))
        assert (await one.state("ann"))["people"] == 1 + 40
        asker.set(Asker("10.0.0.2", "bob"))
        monkeypatch.setattr(lobbies, "FRESH_SECONDS", -1.0)
        assert (await one.state("bob"))["people"] == 1 + 40 + 1
        monkeypatch.setattr(lobbies, "LOOK_SECONDS", -1.0)
        assert (await one.state("bob"))["people"] == 1 + 40

    asyncio.run(happens())


def test_nobody_waits_for_the_questions_of_who_looked_first(database: str) -> None:
    """It is read for all: not in the turn of whoever asked, who may have many before it."""
    go_on = threading.Event()

    async def happens() -> None:
        store = GameStore(open_database(database))
        here = Lobby({}, NO_PEERS, store)
        asker.set(Asker("203.0.113.7", "eve"))
        busy = asyncio.create_task(store.ask(go_on.wait, 10))
        first = asyncio.create_task(here.state("eve"))
        await asyncio.sleep(0)
        asker.set(Asker("10.0.0.1", "ann"))
        async with asyncio.timeout(5):
            assert (await here.state("ann"))["open"] == []
        go_on.set()
        await asyncio.gather(busy, first)
        store.close()

    asyncio.run(happens())
