"""Games in the database that this version cannot play."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from gridwise.web.hub import GameHub
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore, open_database
from gridwise.web.storage.schema import events, games

from .servers import (
    HIDDEN_BOARD,
    HTML,
    TIMEOUT,
    Browse,
    ok,
    receive,
    refused,
    running,
    transaction,
    until_closed,
)
from .test_game_clock import timed_game


def test_a_game_of_an_unknown_kind_takes_nothing_down(database: str, browse: Browse) -> None:
    """It is on no list, and its own page says what is the matter; others are there as ever."""
    with running(database) as address:
        ann = browse(address)
        strange, finished = (ann.create("grid-runner", listed=True) for _ in range(2))
        ann.create("number-run", listed=True)
    with transaction(database) as connection:
        kind = sa.update(games).values(game="grid-chess")
        connection.execute(kind.where(games.c.id == strange))
        ended = kind.values(finished=1.0, result="p1", reason="so", status="over")
        connection.execute(ended.where(games.c.id == finished))
    with running(database) as address:
        again = browse(address, ann)
        start = again.page("/")
        assert not [each for each in (strange, finished) if each in start]
        for status in ("open", "playing", "recent"):
            listed = again.http.get(f"/api/games?status={status}").json()["games"]
            assert [each["game"] for each in listed] == ["number-run"] * (status == "open")
        for each in (strange, finished):
            page = again.http.get(f"/g/{each}", headers=HTML)
            assert (page.status_code, "newer version" in page.text) == (404, True)
            said = refused(again.http.get(f"/api/games/{each}"), 404, "not-found")
            assert "newer version" in said
            with again.socket(each) as socket:
                assert until_closed(socket)[0] == 4404


@pytest.mark.parametrize(
    ("game", "board", "deal", "said"),
    [
        ("number-run", "1221/2112/1221/2112", "own", True),
        ("grid-conquest", HIDDEN_BOARD, "fair", False),
    ],
)
def test_a_rematch_on_a_board_of_somebodys_own_says_so(
    address: str, browse: Browse, game: str, board: str, deal: str, said: bool
) -> None:
    """In the state and on the page; where numbers are hidden it is dealt anew, and fair."""
    ann, bob = browse(address), browse(address)
    game_id = ann.create(game, board=board)
    bob.take_seat(game_id)
    ann.request("resign", ann.state(game_id))
    over = ann.state(game_id)
    ann.request("rematch", over)
    new_id = bob.request("rematch", over).json()["id"]
    assert ("on the same board" in " ".join(ann.state(game_id)["news"])) == said
    state = bob.state(new_id)
    assert (state["deal"], state["rematch_of"]) == (deal, game_id)
    assert (state["board"] == over["board"]) == (deal == "own")
    page = bob.page(f"/g/{new_id}")
    assert ("This rematch is on the same board" in page) == said
    assert ("may know the face-down numbers" in page) is False


def add_strange_event(url: str, game_id: str, number: int = 99) -> None:
    """As if a newer version had served this game."""
    row = {"game_id": game_id, "number": number, "kind": "sing", "player": 1, "data": {}, "at": 1.0}
    with transaction(url) as connection:
        connection.execute(sa.insert(events), row)


def test_an_event_of_a_newer_version_stops_its_own_game_alone(
    postgres: str, browse: Browse
) -> None:
    """While processes of two versions serve a database; the games of others are followed."""
    with running(postgres, peer_interval=0.1) as one, running(postgres, peer_interval=0.1) as other:
        ann, bob = browse(one), browse(other)
        strange = bob.take_seat(ann.create("grid-runner"))
        usual = bob.take_seat(ann.create("grid-runner"))
        with bob.socket(strange["id"]) as broken, bob.socket(usual["id"]) as socket:
            for each in (broken, socket):
                receive(each, "state")
            add_strange_event(postgres, strange["id"], strange["version"] + 1)
            assert until_closed(broken)[0] == 1012
            state = ok(ann.move(usual, usual["legal"][0]))
            receive(socket, "state", version=state["version"])
        said = refused(bob.http.get(f"/api/games/{strange['id']}"), 404, "not-found")
        assert "newer version" in said


def test_a_game_that_cannot_be_read_stands_in_the_way_of_nothing(
    database: str, browse: Browse
) -> None:
    """Your games are listed, and can be erased: that one with the others."""
    with running(database) as address:
        ann = browse(address)
        strange, usual = (ann.create("grid-runner", opponent="bot") for _ in range(2))
    add_strange_event(database, strange)
    with running(database) as address:
        again = browse(address, ann)
        mine = again.page("/games")
        assert (strange in mine, usual in mine) == (True, True)
        cookies = dict(again.http.cookies)
        assert again.http.post("/forget", data={"sure": "yes"}).status_code == 200
        again.http.cookies.update(cookies)
        assert again.state(usual)["status"] == "over"
        mine = again.page("/games")
        assert (strange in mine, usual in mine) == (False, False)


def test_a_game_that_cannot_be_read_holds_up_no_clock(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its flag fell first, and it is looked for one at a time; it is logged once, in a line."""
    monkeypatch.setattr("gridwise.web.hub.MOST_LISTED", 1)
    strange, usual = (timed_game(database, 60) for _ in range(2))
    add_strange_event(database, strange)
    with transaction(database) as connection:
        for game_id, at in ((strange, 1.0), (usual, 2.0)):
            row = sa.update(games).where(games.c.id == game_id)
            connection.execute(row.values(flag_falls=at))
    looks: list[int] = []

    async def happens() -> None:
        store = GameStore(open_database(database))
        look, loop, enough = store.out_of_time, asyncio.get_running_loop(), asyncio.Event()

        def counted(before: float, limit: int) -> list[str]:
            looks.append(limit)
            if len(looks) > 4:
                loop.call_soon_threadsafe(enough.set)
            return look(before, limit)

        monkeypatch.setattr(store, "out_of_time", counted)
        hub = GameHub(store, ServerSettings(database=database, flag_interval=0.01))
        await asyncio.wait_for(enough.wait(), TIMEOUT)
        assert len(hub) == 1  # the usual one
        await hub.close()
        store.close()

    asyncio.run(happens())
    told = [each for each in caplog.records if "Could not resume" in each.message]
    assert [each.exc_info for each in told] == [None]
