"""The lobby: who is here at this moment, and no ghosts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from gridwise.web import lobby as lobbies
from gridwise.web.game import Presence
from gridwise.web.game.model import StoredGame, is_id
from gridwise.web.lobby import Lobby
from gridwise.web.peers import Peers

from .servers import (
    TIMEOUT,
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
                eventually(lambda: lobby(cleo)["people"] == 3, "two at a game, one in the lobby")
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


def test_the_lobby_is_the_same_at_all_processes(
    postgres: str, tmp_path: Path, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is connected to one is found at the other, and is gone when that process is."""
    monkeypatch.setenv("GRIDWISE_HEARTBEAT", "0.5")
    with Program(tmp_path, database=postgres) as one, Program(tmp_path, database=postgres) as two:
        ann, bob = browse(one.address), browse(two.address)
        game_id = ann.create("grid-runner", name="Ann", listed=True)
        for ending in (None, 9):
            with ann.socket(game_id) as socket:
                receive(socket, "state")
                eventually(lambda: game_id in ids(lobby(bob)["open"]), "nobody waits")
                assert lobby(bob)["people"] >= 2
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


class LinkedPeers:
    """The other process, as one lobby hears of it."""

    def __init__(self) -> None:
        self.shown: dict[str, Presence] = {}
        self.other = self

    def show_presence(self, key: str, presence: Presence) -> None:
        """Say who is here."""
        self.shown.pop(key, None)
        if presence != Presence():
            self.shown[key] = presence

    def presence(self, key: str) -> Presence:
        """Who is there."""
        return self.other.shown.get(key, Presence())

    @property
    def present(self) -> set[str]:
        """What somebody is connected to there."""
        return set(self.other.shown)


def test_a_visitor_is_one_at_all_processes_and_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever process the page asks; and a process that nobody asks any more finds out."""

    async def nothing(_ids: Sequence[str]) -> list[StoredGame]:
        return []

    async def happens() -> None:
        monkeypatch.setattr(lobbies, "FRESH", 0.0)
        here, there = LinkedPeers(), LinkedPeers()
        here.other, there.other = there, here
        one, two = (Lobby({}, cast("Peers", peers), nothing) for peers in (here, there))
        for _ in range(30):  # however often the page asks
            await one.state(None, "Ann")
        assert (await two.state(None, "Ann"))["people"] == 1
        assert (await one.state(None, "Bob"))["people"] == 2
        assert all(is_id(key) for key in here.shown)
        monkeypatch.setattr(lobbies, "LASTS", 0.05)
        await one.state(None, "Cleo")
        async with asyncio.timeout(TIMEOUT):
            while here.shown:  # noqa: ASYNC110 - it is told to nobody who could set an event
                await asyncio.sleep(0.01)
        assert (await two.state(None, "Dora"))["people"] == 1

    asyncio.run(happens())
