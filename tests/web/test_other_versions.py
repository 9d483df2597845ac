"""Games in the database that this version cannot play."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest
import sqlalchemy as sa

from gridwise.web.hub import GameHub
from gridwise.web.settings import Settings
from gridwise.web.storage import Store, open_database
from gridwise.web.storage.schema import events, games

from .servers import TIMEOUT, Browse, Browser, ok, receive, refused, running, until_closed
from .test_game_clock import timed_game


@pytest.mark.parametrize("finished", [False, True])
def test_a_game_of_an_unknown_kind_takes_nothing_down(
    database: str, browse: Browse, finished: bool
) -> None:
    """It is on no list, and its own page says what is the matter; others are there as ever."""
    with running(database) as address:
        ann = browse(address)
        strange = ann.create("grid-runner", listed=True)
        ann.create("number-run", listed=True)
    with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE games SET game = 'grid-chess' WHERE id = ?", [strange])
        if finished:
            ending = "UPDATE games SET finished = 1, result = 'p1', reason = 'so' WHERE id = ?"
            connection.execute(ending, [strange])
    connection.close()
    with running(database) as address:
        again = browse(address)
        again.http.cookies = ann.http.cookies
        start = again.http.get("/", headers={"Accept": "text/html"})
        assert (start.status_code, strange in start.text) == (200, False)
        for status in ("open", "playing", "recent"):
            listed = again.http.get(f"/api/games?status={status}").json()["games"]
            assert [each["game"] for each in listed] == ["number-run"] * (status == "open")
        page = again.http.get(f"/g/{strange}", headers={"Accept": "text/html"})
        assert (page.status_code, "newer version" in page.text) == (404, True)
        said = refused(again.http.get(f"/api/games/{strange}"), 404, "not-found")
        assert "newer version" in said
        with again.socket(strange) as socket:
            assert until_closed(socket)[0] == 4404


@pytest.mark.parametrize(
    ("game", "board", "deal", "said"),
    [
        ("number-run", "1221/2112/1221/2112", "own", True),
        ("grid-conquest", "53152/24251/43453/11523/32214", "fair", False),
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
    page = bob.http.get(f"/g/{new_id}", headers={"Accept": "text/html"}).text
    assert ("This rematch is on the same board" in page) == said
    assert ("may know the face-down numbers" in page) is False


def test_an_event_of_a_newer_version_stops_its_own_game_alone(
    postgres: str, browse: Browse
) -> None:
    """While processes of two versions serve a database; the games of others are followed."""
    with running(postgres, poll=0.1) as one, running(postgres, poll=0.1) as other:
        ann, bob = browse(one), browse(other)
        strange = bob.take_seat(ann.create("grid-runner"))
        usual = bob.take_seat(ann.create("grid-runner"))
        with bob.socket(strange["id"]) as broken, bob.socket(usual["id"]) as socket:
            for each in (broken, socket):
                receive(each, "state")
            engine = sa.create_engine(postgres)
            with engine.begin() as connection:
                values = {"game_id": strange["id"], "number": strange["version"] + 1}
                row = {"kind": "sing", "player": 1, "data": {"song": "la"}, "at": 1.0, **values}
                connection.execute(sa.insert(events), row)
            engine.dispose()
            assert until_closed(broken)[0] == 1012
            state = ok(ann.move(usual, usual["legal"][0]))
            receive(socket, "state", version=state["version"])
        said = refused(bob.http.get(f"/api/games/{strange['id']}"), 404, "not-found")
        assert "newer version" in said


def add_strange_event(url: str, game_id: str) -> None:
    """As if a newer version had served this game."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        row = {"game_id": game_id, "number": 99, "kind": "sing", "player": 1, "data": {}, "at": 1.0}
        connection.execute(sa.insert(events), row)
    engine.dispose()


def test_a_game_that_cannot_be_read_stands_in_the_way_of_nothing(
    database: str, browse: Browse
) -> None:
    """Your games are listed, and can be erased: that one with the others."""
    with running(database) as address:
        ann = browse(address)
        strange, usual = (ann.create("grid-runner", opponent="bot") for _ in range(2))
    add_strange_event(database, strange)
    with running(database) as address:
        again = browse(address)
        again.http.cookies = ann.http.cookies
        mine = again.http.get("/games", headers={"Accept": "text/html"})
        assert (mine.status_code, strange in mine.text, usual in mine.text) == (200, True, True)
        cookies = dict(again.http.cookies)
        assert again.http.post("/forget", data={"sure": "yes"}).status_code == 200
        again.http.cookies.update(cookies)
        assert again.state(usual)["status"] == "over"
        mine = again.http.get("/games", headers={"Accept": "text/html"})
        assert (mine.status_code, strange in mine.text, usual in mine.text) == (200, False, False)


def test_a_game_that_cannot_be_read_holds_up_no_clock(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its flag fell first, and it is looked for one at a time; it is logged once, in a line."""
    monkeypatch.setattr("gridwise.web.hub.MOST_LISTED", 1)
    strange, usual = (timed_game(database, 60) for _ in range(2))
    add_strange_event(database, strange)
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        for game_id, at in ((strange, 1.0), (usual, 2.0)):
            row = sa.update(games).where(games.c.id == game_id)
            connection.execute(row.values(flag_falls=at))
    looks: list[int] = []

    async def happens() -> None:
        store = Store(open_database(database))
        look, loop, enough = store.out_of_time, asyncio.get_running_loop(), asyncio.Event()

        def counted(before: float, limit: int) -> list[str]:
            looks.append(limit)
            if len(looks) > 4:
                loop.call_soon_threadsafe(enough.set)
            return look(before, limit)

        monkeypatch.setattr(store, "out_of_time", counted)
        hub = GameHub(store, Settings(database=database, flags=0.01))
        await asyncio.wait_for(enough.wait(), TIMEOUT)
        assert len(hub) == 1  # the usual one
        await hub.close()
        store.close()

    asyncio.run(happens())
    engine.dispose()
    told = [each for each in caplog.records if "Could not resume" in each.message]
    assert [each.exc_info for each in told] == [None]


def test_no_bot_has_agreed_to_stop(database: str, browse: Browse) -> None:
    """An older version wrote so."""
    with running(database) as address:
        ann = browse(address)
        game_id = ann.create("grid-runner", opponent="bot")
        version = {"request": "stop", "sure": "yes", "version": str(ann.state(game_id)["version"])}
        assert ann.http.post(f"/g/{game_id}", data=version).status_code == 303
        seen = [_endings(ann, game_id)]
    with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE games SET reason = 'stopped by agreement'")
        stopped = "UPDATE events SET data = ? WHERE kind = 'stop'"
        assert connection.execute(stopped, ['{"reason": "stopped by agreement"}']).rowcount == 1
    connection.close()
    with running(database) as address:
        again = browse(address)
        again.http.cookies = ann.http.cookies
        seen.append(_endings(again, game_id))
    for pages in seen:
        assert all("by agreement" not in text for text in pages)
        assert all("topped before the end" in text for text in pages)


def _endings(browser: Browser, game_id: str) -> list[str]:
    """Where one reads how a game ended."""
    paths = (f"/g/{game_id}", f"/g/{game_id}/back", "/games", f"/api/games/{game_id}")
    return [browser.http.get(path, headers={"Accept": "text/html"}).text for path in paths]
