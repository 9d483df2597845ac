"""Your games, your record, your seats on another device, and erasing all of it."""

from __future__ import annotations

import re
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.play.ladder import Standing
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import HintGiven, Resigned
from gridwise.web.game.snapshot import Snapshot
from gridwise.web.game.stored_game import (
    EntryAdded,
    GameCreated,
    GameEnding,
    JournalEntry,
    Seat,
    hash_token,
)
from gridwise.web.pages.your_games import own_game
from gridwise.web.settings import Rate
from gridwise.web.storage import GameStore, Visitors, open_database, schema

from .servers import GAMES, HTML, Browse, Browser, eventually, ok, receive, running, transaction
from .stored import dealt_game
from .test_lists import TOKEN, fill

RUNNER_BOARD = "..X../...../X.X.X/...../..X.."


def page(browser: Browser, path: str = "/games") -> str:
    """The page of somebody's games, or another one."""
    return browser.page(path)


def links(text: str) -> list[str]:
    """The games that a page leads to, in order."""
    return re.findall(r'href="/g/([\w-]{12})', text)


def heading(text: str) -> str:
    """What a page is about."""
    return "".join(re.findall(r"<h1>([^<]+)", text))


# The list


def test_your_turn_comes_first(database: str, browse: Browse) -> None:
    """Then your opponents', then invitations, then what is over."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        over = ann.create("grid-runner", opponent="same-screen")
        ok(ann.request("resign", ann.state(over)))
        mine = ann.create("grid-runner", name="Ann")
        bob.take_seat(mine, "Bob")
        theirs = ann.create("grid-runner", name="Ann")
        state = bob.take_seat(theirs, "Bob")
        ok(ann.move(ann.state(theirs), state["legal"][0]))
        invitation = ann.create("grid-runner")
        called_off = ann.create("grid-runner")
        ok(ann.request("resign", ann.state(called_off)))
        shown = page(ann)
        assert links(shown) == [mine, theirs, invitation, over]
        titles = re.findall(r"<h2 id=\"[a-z-]+\">([^<]+)", shown)
        assert [title.strip() for title in titles] == [
            "Your turn", "Your opponent&#39;s turn", "Waiting for an opponent", "Finished",
            "On another device",
        ]  # fmt: skip
        assert [each for each in links(page(bob)) if each == mine] == [mine]
        assert "You lost: you resigned" not in shown  # on one screen it is not said of you
        assert "Nothing yet" in page(browse(address))
    with running(database) as address:  # it does not need the games in memory
        again = browse(address, ann)
        assert links(page(again)) == [mine, theirs, invitation, over]


def test_a_finished_game_says_who_did_what(address: str, browse: Browse) -> None:
    """Ann claims 9 and 9 and has gone over 15: it is not said to her that her opponent has."""
    ann, bob = browse(address), browse(address)
    played = ann.create("number-connect", name="Ann", board="99/99")
    bob.take_seat(played, "Bob")
    for mover, move in ((ann, "0,0"), (bob, "0,1"), (ann, "1,0")):
        ok(mover.move(mover.state(played), move))
    assert "You lost: you went over the target" in page(ann)
    assert "You won: Ann went over the target" in page(bob)
    assert "against Bob · You lost: you went over the target" in page(ann, "/")


def test_what_waits_for_you_comes_before_everything(address: str, browse: Browse) -> None:
    """The offer of a rematch, to whom it was made; the next game of a match, to both."""
    ann, bob = browse(address), browse(address)
    single = ann.create("grid-runner", name="Ann")
    match = ann.create("number-run", name="Ann", best_of=3)
    going_on = ann.create("grid-runner", name="Ann")
    for game_id in (single, match, going_on):
        bob.take_seat(game_id)
    for game_id in (single, match):
        ok(ann.request("resign", ann.state(game_id)))
    ok(ann.request("rematch", ann.state(single)))
    for path in ("/games", "/"):
        assert set(links(page(bob, path))[:2]) == {single, match}
        assert "Ann offers a rematch" in page(bob, path)
        assert "Game 2 of your match with Ann is waiting" in page(bob, path)
        assert links(page(ann, path))[:2] == [match, going_on]
        assert "Game 2 of your match with your opponent is waiting" in page(ann, path)
    ok(bob.request("decline", bob.state(single)))
    ok(bob.request("rematch", bob.state(match)))
    for browser in (ann, bob):
        assert "Waiting for you" not in page(browser)
        assert "Game 2. Best of 3" in page(browser)
    assert "against your opponent · You lost: you resigned" in page(ann, "/")
    assert "against Ann · You won: Ann resigned" in page(bob, "/")


def test_a_stopped_game_of_a_match_is_played_again(ann: Browser, bob: Browser) -> None:
    """The list says what the page of the game says: it counts for nobody."""
    state = bob.take_seat(ann.create("grid-runner", name="Ann", best_of=3, seed=5))
    ok(bob.request("stop", ok(ann.request("stop", state))))
    assert "Game 1 of your match with Ann is waiting" in page(bob)
    assert "0.5" not in page(bob)
    assert "Best of 3<" in page(bob)


def test_all_finished_games_are_there_page_by_page(database: str, browse: Browse) -> None:
    """Each once, also what somebody played against themselves on one screen."""
    store = GameStore(open_database(database))
    fill(store, 120)
    store.close()
    with running(database) as address:
        ann = browse(address)
        ann.http.cookies.set("gridwise", TOKEN)
        listed, path, sizes = [], "/games", []
        while path:
            text = page(ann, path)
            listed += links(text)
            sizes.append(len(links(text)))
            older = re.search(r'href="(/games\?before=[^"]+)"', text)
            path = older[1] if older else ""
        assert sizes == [50, 50, 20]
        assert len(set(listed)) == 120
        for nonsense in ("x", "1_", "nan_AAAAAAAAAAAA"):
            shown = ann.http.get("/games", params={"before": nonsense}, headers=HTML)
            assert shown.status_code == 404


def test_your_record_against_each_bot(database: str, browse: Browse) -> None:
    """Won, lost and drawn by game and level; stopped games and people do not count.

    Nor do boards that somebody knew before: typed, or dealt from a seed that they gave.
    """
    played: list[tuple[str, int, str, dict[str, Any]]] = [
        ("novice", 1, "p1", {}), ("novice", 2, "p2", {"deal": "uniform"}),
        ("novice", 2, "p1", {}), ("novice", 1, "draw", {}),
        ("strong", 1, "p2", {"handicap": True}), ("strong", 2, "", {}),
        ("strong", 1, "p1", {"board": RUNNER_BOARD}), ("strong", 1, "p1", {"seed": 5}),
    ]  # fmt: skip
    store = GameStore(open_database(database))
    for level, side, result, more in played:
        asked = {"game": "grid-runner", "opponent": "bot", "level": level, "side": side, **more}
        setup, seats = dealt_game(asked, hash_token(TOKEN), 1_000)
        store.write([GameCreated(setup, seats, GameEnding(1.0, result, "so"))])
    assert Visitors(store).bot_record(hash_token("B" * 43)) == {}
    assert Visitors(store).bot_record(hash_token(TOKEN)) == {
        ("grid-runner", "novice"): Standing(2, 1, 1),
        ("grid-runner", "strong"): Standing(0, 1, 0),
    }
    store.close()
    with running(database) as address:
        ann = browse(address)
        ann.http.cookies.set("gridwise", TOKEN)
        ok(ann.request("resign", ann.state(ann.create("grid-runner", opponent="same-screen"))))
        assert "against the novice bot" in page(ann)
        ok(ann.request("resign", ann.state(ann.create("grid-runner", opponent="bot"))))
        assert "You lost: you resigned" in page(ann)


@pytest.mark.parametrize(
    ("asked", "helped", "beaten", "said"),
    [
        ({"game": "number-run", "handicap": True}, False, True, "Novice bot beaten."),
        ({"game": "number-run", "handicap": True}, True, False, "You had help (1 hint). Now"),
        (
            {"game": "number-run", "handicap": True, "seed": 5},
            False,
            False,
            "Now beat the novice bot on a new",
        ),
        ({"game": "number-run"}, False, False, "Now beat the"),
        ({"game": "number-run", "side": 2}, False, True, "Novice bot beaten."),
        ({"game": "number-connect", "deal": "even"}, False, True, "Novice bot beaten."),
        ({"game": "number-connect", "best_of": 2}, False, False, ""),
    ],
)
def test_a_bot_is_beaten_on_even_terms_and_without_help(
    empty: str, asked: dict[str, Any], said: str, *, helped: bool, beaten: bool
) -> None:
    """The list of games says what help there was; of both sides, one game decides nothing."""
    request = {"opponent": "bot", "level": "novice"} | asked
    setup, seats = dealt_game(request, hash_token(TOKEN), 1_000)
    session = EventSourcedGame(setup, seats)
    person = next(seat.number for seat in seats if seat.kind == "human")
    with closing(GameStore(open_database(empty))) as store:
        store.write([session.created()])
        happened = [HintGiven(person)] * helped + [Resigned(3 - person)]
        for number, event in enumerate(happened, 1):
            entry = JournalEntry(number, event, None, 2.0)
            session.apply(entry)
            store.write([EntryAdded(setup.id, entry, session.ending(2.0))])
        assert Snapshot(session).panel((person,))["texts"]["counted"].startswith(said)
        (standing,) = Visitors(store).bot_record(hash_token(TOKEN)).values() or [Standing()]
        assert standing == Standing(won=int("seed" not in asked), beaten=int(beaten))
        (stored,) = store.mine(hash_token(TOKEN), 5, over=True)
        assert ("(with 1 hint)" in own_game(stored, hash_token(TOKEN))["result"]) == helped


def fifty_games(url: str) -> None:
    """Fifty unfinished games of one browser, most of them joined."""
    with closing(GameStore(open_database(url))) as store:
        for number in range(50):
            asked = {"game": GAMES[number % 5], "opponent": "link", "name": "Ann"}
            setup, seats = dealt_game(asked, hash_token(TOKEN), 1_000)
            if number % 10:
                seats = (seats[0], Seat(2, "human", "Bob", "", hash_token("B" * 43)))
            store.write([EventSourcedGame(setup, seats).created()])


def test_a_list_of_many_games_costs_as_much_as_a_few_pages(empty: str, browse: Browse) -> None:
    """Of processor time, when it is asked for again; a page of settings is the measure."""
    fifty_games(empty)
    with running(empty) as address:
        ann = browse(address)
        ann.http.cookies.set("gridwise", TOKEN)

        def cost(path: str) -> float:
            began = time.process_time()
            for _ in range(10):
                page(ann, path)
            return time.process_time() - began

        paths = ("/settings", "/", "/games")
        for path in paths:
            assert len(links(page(ann, path))) == {"/": 8, "/games": 50}.get(path, 0)
        # In turns: what else the machine does costs each of them the same.
        turns = [[cost(path) for path in paths] for _ in range(6)]
        settings, start, games = (min(costs) for costs in zip(*turns, strict=True))
        assert start < 7 * settings
        assert games < 7 * settings


# Another device


def device_link(browser: Browser) -> str:
    """The path of a link that takes somebody's seats to another device."""
    shown = browser.http.post("/device", headers=HTML)
    assert shown.status_code == 200, shown.text
    assert "<svg" in shown.text  # the QR code
    match = re.search(r'value="http://[^/]+(/device/[\w-]{22})"', shown.text)
    assert match, shown.text
    return match[1]


def test_seats_go_to_another_device_once(address: str, browse: Browse) -> None:
    """Both devices have them then, and the other device's own games too."""
    desk, phone, thief = browse(address), browse(address), browse(address)
    at_desk, at_phone = desk.create("grid-runner"), phone.create("grid-runner")
    path = device_link(desk)
    with phone.socket(at_phone) as socket:
        assert receive(socket, "state")["you"] == [1]
        assert "Only if you made this link yourself" in page(phone, path)
        assert phone.state(at_desk)["you"] == []  # asking changes nothing
        done = phone.http.post(path, headers=HTML)
        assert (done.status_code, done.headers["location"]) == (303, "/games")
    for browser in (desk, phone):
        assert browser.state(at_desk)["you"] == [1]
        assert browser.state(at_phone)["you"] == [1]
        assert set(links(page(browser))) == {at_desk, at_phone}
    for method in (thief.http.get, thief.http.post):
        answer = method(path, headers=HTML)
        assert (answer.status_code, heading(answer.text)) == (
            404,
            "This link does not work any more",
        )
    assert thief.state(at_desk)["you"] == []


def test_a_browser_that_takes_other_games_on_has_no_link_of_its_own(
    address: str, browse: Browse
) -> None:
    """It would lead to nothing; who shared its games is told how to have them again."""
    desk, phone, tablet = browse(address), browse(address), browse(address)
    desk.create("grid-runner")
    game_id = phone.create("grid-runner")
    tablet.http.post(device_link(phone), headers=HTML)
    unused, path = device_link(phone), device_link(desk)
    assert "another device? That one loses them" in page(phone, path)
    assert "That one loses them" not in page(browse(address), path)  # has none to share
    phone.http.post(path, headers=HTML)
    assert browse(address).http.get(unused, headers=HTML).status_code == 404
    tablet.http.post(device_link(phone), headers=HTML)
    assert tablet.state(game_id)["you"] == [1]


def test_what_is_stored_of_a_link_reveals_nothing(database: str, browse: Browse) -> None:
    """Neither the link nor the token: whoever reads the database cannot take a seat."""
    with running(database) as address:
        ann = browse(address)
        ann.create("grid-runner")
        code = device_link(ann).rpartition("/")[2]
        token = ann.http.cookies["gridwise"]
    for file in Path(database.removeprefix("sqlite:///")).parent.glob("games*"):
        assert code.encode() not in file.read_bytes()
        assert token.encode() not in file.read_bytes()
    with transaction(database) as connection:
        (row,) = connection.execute(sa.select(schema.device_links)).all()
    assert row.token == hash_token(token)
    assert hash_token(code) != row.code


def test_a_link_is_void_after_ten_minutes_or_a_newer_one(database: str, browse: Browse) -> None:
    """And nonsense is no link."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner")
        first, second = device_link(ann), device_link(ann)
        assert bob.http.post(first, headers=HTML).status_code == 404
        with transaction(database) as connection:
            lasts = connection.execute(sa.select(schema.device_links.c.expires)).scalar_one()
            connection.execute(sa.update(schema.device_links).values(expires=lasts - 601))
        for method in (bob.http.get, bob.http.post):
            answer = method(second, headers=HTML)
            assert (answer.status_code, heading(answer.text)) == (
                404,
                "This link does not work any more",
            )
        for nonsense in ("x", "A" * 22, "A" * 500, "%00"):
            assert bob.http.post(f"/device/{nonsense}", headers=HTML).status_code == 404
        assert bob.state(game_id)["you"] == []
        bob.create("grid-runner")
        device_link(bob)  # whoever makes a link removes what is left of older ones
        with transaction(database) as connection:
            (row,) = connection.execute(sa.select(schema.device_links)).all()
        assert row.token == hash_token(bob.http.cookies["gridwise"])


def test_who_has_no_seats_has_nothing_to_take_along_or_to_erase(ann: Browser) -> None:
    """There is no link, no cookie is made for it, and nothing fails."""
    shown = ann.http.post("/device", headers=HTML)
    assert "no games yet" in shown.text
    assert not ann.http.cookies
    erase(ann)


def test_links_and_erasing_are_limited_like_new_games(database: str, browse: Browse) -> None:
    """They write to the database."""
    with running(database, games=Rate(2, 0.001)) as address:
        ann = browse(address)
        ann.create("grid-runner")
        device_link(ann)
        for path in ("/device", "/device/" + "A" * 22, "/forget"):
            answer = ann.http.post(path, data={"sure": "yes"})
            assert answer.status_code == 429, path


# Erasing


def erase(browser: Browser) -> None:
    """Go through the page that asks."""
    asked = browser.http.post("/forget", headers=HTML)
    assert 'name="sure"' in asked.text
    done = browser.http.post("/forget", data={"sure": "yes"}, headers=HTML)
    assert (done.status_code, "Erased" in done.text) == (200, True)
    assert "storage" in done.headers["clear-site-data"]


def rows(url: str) -> list[dict[str, Any]]:
    """All seats in the database."""
    with transaction(url) as connection:
        seats = [dict(row) for row in connection.execute(sa.select(schema.seats)).mappings()]
        reasons = connection.execute(sa.select(schema.games.c.reason)).scalars().all()
    return [*seats, *({"reason": reason} for reason in reasons)]


def test_erasing_leaves_no_name_no_seat_and_no_cookie(database: str, browse: Browse) -> None:
    """Unfinished games end, so that nobody waits; those who play on see no name."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        over = ann.create("grid-runner", name="Annabel")
        bob.take_seat(over, "Bob")
        ok(ann.request("resign", ann.state(over)))
        going_on, invitation = (ann.create("grid-runner", name="Annabel") for _ in range(2))
        bob.take_seat(going_on, "Bob")
        device_link(ann)
        with bob.socket(going_on) as socket:
            receive(socket, "state")
            erase(ann)
            assert receive(socket, "state", status="over")["result"] == "p2"
        assert not ann.http.cookies
        for game_id in (over, going_on, invitation):
            state = bob.state(game_id)
            assert (state["status"], state["players"][0]["name"]) == ("over", "")
            assert "Annabel" not in str(state)
        assert "Annabel" not in page(bob)
        assert links(page(ann)) == []
    assert "Annabel" not in str(rows(database))
    assert {row["token"] for row in rows(database) if row.get("number") == 1} == {""}


def test_erasing_and_taking_along_reach_all_processes(two: tuple[str, str], browse: Browse) -> None:
    """The other one has the games in memory, too."""
    ann, bob, phone = browse(two[0]), browse(two[1]), browse(two[1])
    game_id = ann.create("grid-runner", name="Annabel")
    bob.take_seat(game_id, "Bob")
    other = phone.create("grid-runner")
    bob.state(other)  # in memory there
    phone.http.post(device_link(ann), headers=HTML)
    again = browse(two[0], phone)
    assert again.state(game_id)["you"] == [1]
    erase(ann)
    eventually(lambda: bob.state(game_id)["players"][0]["name"] == "", "the name is still there")
    assert again.state(game_id)["you"] == []


def test_only_who_decides_alone_can_remove_a_game(ann: Browser, bob: Browser) -> None:
    """An invitation or a game against a bot: without a result; nobody else's, and none of two."""
    shared = ann.create("number-maze", opponent="link")
    bob.take_seat(shared)
    alone = ann.create("number-maze", opponent="bot", level="novice", side=1)
    invited = ann.create("number-maze", opponent="link")
    page = ann.page("/games")
    assert f"/games/{shared}/dismiss" not in page
    for game in (alone, invited):
        assert f"/games/{game}/dismiss" in page
        bob.http.post(f"/games/{game}/dismiss", headers=HTML)
        assert ann.state(game)["status"] != "over"
        assert ann.http.post(f"/games/{game}/dismiss", headers=HTML).status_code == 303
        state = ann.state(game)
        assert (state["status"], state["result"]) == ("over", None)
        assert f"/g/{game}" not in ann.page("/games") + ann.page("/")
    assert ann.http.post(f"/games/{shared}/dismiss", headers=HTML).status_code == 409
    assert ann.state(shared)["status"] == "playing"
    assert "5 bots to beat" in ann.page("/")
