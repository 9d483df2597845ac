"""Pages over plain HTTP: their content, their caching, and their errors."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files

import pytest
from tic_tac_toe import GAME as TIC_TAC_TOE

from gridwise import games
from gridwise.core.registry import register, unregister
from gridwise.engine.bots import ABOUT, LEVELS
from gridwise.engine.puzzles import puzzle_of_the_day
from gridwise.show.svg import DARK, LIGHT
from gridwise.web.hub import GameHub
from gridwise.web.pages.templating import static_hash
from gridwise.web.settings import Rate

from .servers import GAMES, NO_LIMITS, Browse, Browser, ok, refused, running

HTML = {"Accept": "text/html"}
STYLE = files("gridwise.web").joinpath("static", "style.css").read_text(encoding="utf-8")


def colours(block: str) -> dict[str, str]:
    """The variables that a part of the style sheet sets."""
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def test_the_style_sheet_has_the_colours_of_the_boards() -> None:
    """By day, by night, and by night because somebody said so: the themes of `show.svg`."""
    day, by_system, by_choice = (
        colours(STYLE[STYLE.index(mark) :].split("}", 1)[0])
        for mark in (":root {", ':root:not([data-theme="light"]) {', ':root[data-theme="dark"] {')
    )
    for theme, block in ((LIGHT, day), (DARK, by_system), (DARK, by_choice)):
        for name, colour in theme._asdict().items():
            assert block[name.replace("_", "-")] == colour
    assert by_system == by_choice


def test_every_level_of_bot_has_a_word_on_how_strong_it_is() -> None:
    """A visitor who chooses a bot can read how strong it is."""
    assert list(ABOUT) == list(LEVELS)


def test_pages_are_asked_for_again_and_files_are_kept(ann: Browser) -> None:
    """A page shows what is now; a file has its version in its address."""
    page = ann.http.get("/", headers=HTML)
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["content-encoding"] == "gzip"
    names = set(re.findall(r"/static/[0-9a-f]+/[\w.]+", page.text))
    assert len(names) == 3
    for name in names:
        file = ann.http.get(name)
        assert file.status_code == 200
        assert "immutable" in file.headers["cache-control"]
    old = ann.http.get(f"/static/{'0' * 12}/style.css")
    assert old.headers["cache-control"] == "no-cache"
    assert ann.http.get(f"/static/{static_hash()}/../../settings.py").status_code == 404
    assert ann.http.get(f"/static/{static_hash()}/%2e%2e").status_code == 404


def test_errors_are_pages_for_people_and_json_for_programs(ann: Browser) -> None:
    """The same address, asked for by a browser and by a program."""
    for path in ("/nowhere", "/rules/chess", "/g/AAAAAAAAAAAA", "/puzzles/number-run/9/1"):
        page = ann.http.get(path, headers=HTML)
        assert page.status_code == 404
        assert page.text.startswith("<!doctype html>")
        assert "Go to the start page" in page.text
    for path in ("/api/nowhere", "/g/AAAAAAAAAAAA"):
        api = ann.http.get(path)
        assert api.status_code == 404
        assert api.json()["error"]["message"]


def test_what_the_middleware_refuses_is_a_page_for_people_too(
    database: str, browse: Browse
) -> None:
    """Another site's form, too many bytes, too many requests: each is said in words."""
    with running(database, replace(NO_LIMITS, requests=Rate(20, 0.01))) as address:
        ann = browse(address)
        foreign = HTML | {"Origin": "http://elsewhere.example"}
        answers = [
            (403, ann.http.post("/new/number-run", headers=foreign)),
            (413, ann.http.post("/new/number-run", content=b"x" * 20_000, headers=HTML)),
        ]
        while (last := ann.http.get("/", headers=HTML)).status_code == 200:
            pass
        answers.append((429, last))
        assert int(last.headers["retry-after"]) > 0
        for status, page in answers:
            assert page.status_code == status
            assert page.text.startswith("<!doctype html>")
            assert "Go to the start page" in page.text
        refused(ann.http.get("/"), 429, "too-many")
        refused(ann.http.get("/api/games", headers=HTML), 429, "too-many")


def test_a_server_error_is_answered_with_the_security_headers_and_without_details(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page for people, JSON for programs."""

    async def fail(*_: object) -> None:
        raise RuntimeError("the board is 12345")

    monkeypatch.setattr(GameHub, "listed", fail)
    with running(database) as address:
        ann = browse(address)
        page, api = ann.http.get("/", headers=HTML), ann.http.get("/api/games")
    assert page.text.startswith("<!doctype html>")
    refused(api, 500, "internal")
    for answer in (page, api):
        assert answer.status_code == 500
        assert "12345" not in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/new/number-run", "/learn/number-maze/1", "/g/{}"])
def test_forms_of_other_sites_are_refused(path: str, ann: Browser) -> None:
    """A page elsewhere cannot start games or move for its visitors."""
    game = ann.create("number-run")
    sent = ann.http.post(
        path.format(game), data={"move": "down"}, headers={"Origin": "http://elsewhere.example"}
    )
    assert sent.status_code == 403


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"deal": "own", "board": ""}, "Type your board, for example"),
        ({"deal": "own", "board": "19"}, "Row 1 of the board has"),
        ({"seed": "seven"}, "A seed is a whole number"),
        ({"seed": "9" * 16}, "at most 15 digits"),
        ({"side": "3"}, "side"),
        ({"opponent": "bot", "level": "godlike"}, "There is no bot"),
        ({"name": "x" * 31}, "at most 30 characters"),
        ({"deal": "crooked"}, "deal"),
    ],
)
def test_what_is_wrong_with_a_form_is_said_above_it(
    form: dict[str, str], message: str, ann: Browser
) -> None:
    """The form comes back with what was typed, and no game is started."""
    answer = ann.http.post("/new/number-run", data=form)
    assert answer.status_code == 400
    assert re.search(rf'role="alert"><p>[^<]*{message}', answer.text)
    assert "Start the game" in answer.text


def test_the_start_page_lists_games_to_go_on_with_to_join_to_watch_and_to_look_back_at(
    address: str, browse: Callable[[str], Browser]
) -> None:
    """Each in its place, and none that was not meant for everybody."""
    ann, bob, eve = browse(address), browse(address), browse(address)
    waiting = ann.create("number-run", listed=True, name="Waiting Ann")
    secret = ann.create("number-run", name="Secret Ann")
    live = ann.create("number-connect", listed=True, name="Busy Ann")
    bob.take_seat(live, "Busy Bob")
    over = ann.create("number-maze", listed=True, opponent="same-screen", name="Late Ann")
    ok(ann.request("resign", ann.state(over)))
    seen = eve.http.get("/", headers=HTML).text
    for game, link in ((waiting, "Join"), (live, "Watch")):
        assert f'href="/g/{game}">{link}' in seen
    assert f'href="/g/{over}/back">Look back' in seen
    alone = ann.create("number-maze", opponent="same-screen", name="Private Ann")
    ok(ann.request("resign", ann.state(alone)))
    look_back = f'href="/g/{alone}/back">Look back'
    assert look_back in ann.http.get("/", headers=HTML).text
    assert alone not in eve.http.get("/", headers=HTML).text
    assert alone not in ann.http.get("/api/games?status=recent").text
    assert secret not in seen
    mine = ann.http.get("/", headers=HTML).text
    for game in (waiting, secret, live):
        assert f'href="/g/{game}">Continue' in mine
    assert f'href="/g/{waiting}">Join' not in mine
    assert f'href="/g/{live}">Continue' in bob.http.get("/", headers=HTML).text
    assert "Late Ann against Player 2: Player 2 won, Late Ann resigned" in seen


@pytest.mark.parametrize(
    ("side", "players"), [(1, "Ann against the novice bot"), (2, "The novice bot against Ann")]
)
def test_a_bot_is_called_one_within_a_sentence_and_at_its_start(
    side: int, players: str, ann: Browser
) -> None:
    """By its level; people go by their names."""
    game = ann.create("number-run", opponent="bot", level="novice", side=side, name="Ann")
    assert players in ann.http.get("/", headers=HTML).text
    state = ann.state(game)
    while state["turn"] != side:  # the bot begins
        state = ann.state(game)
    assert state["status_text"] == "Ann's turn."
    state = ok(ann.request("resign", state))
    assert state["status_text"] == "The novice bot wins: Ann resigned."
    assert f"{players}. The novice bot wins" in ann.http.get(f"/g/{game}/back", headers=HTML).text


def test_positions_of_an_unfinished_game_hide_what_is_hidden(ann: Browser) -> None:
    """Stepping back in a game that goes on shows what could be seen then, and no more."""
    board = "53152/24251/43453/31523/22214"
    game = ann.create("grid-conquest", board=board, first=1, opponent="same-screen")
    state = ok(ann.move(ann.state(game), "A1"))
    ok(ann.move(state, "E5"))
    start = ok(ann.http.get(f"/g/{game}/at/0"))
    assert start["svg"].count("face down") == 25
    one = ok(ann.http.get(f"/g/{game}/at/1"))
    assert one["svg"].count("face down") == 25 - 4
    assert ann.http.get(f"/g/{game}/at/3").status_code == 400


def test_what_if_never_looks_under_cells(ann: Browser) -> None:
    """A finished game is open; its values are still judged by what could be seen."""
    board = "53152/24251/43453/31523/22214"
    game = ann.create("grid-conquest", board=board, first=1, opponent="same-screen")
    for move in ("C3", "D4", "D3", "A1", "B2", "B4", "C5"):
        ok(ann.move(ann.state(game), move))
    tried = ok(ann.http.get(f"/g/{game}/at/0", params={"tried": "A1"}))
    assert tried["svg"].count("face down") == 25 - 4
    assert len(tried["options"]) == 24
    assert re.fullmatch(r"Player 2 has a \d+% chance to win\.", tried["worth"])


def test_only_one_puzzle_is_the_puzzle_of_the_day(ann: Browser) -> None:
    """Another difficulty with the day in its address is another puzzle."""
    address = ann.http.get("/puzzles/today").headers["location"]
    assert "puzzle of the day</h1>" in ann.http.get(address).text
    _, _, game, difficulty, day = address.split("/")
    other = f"/puzzles/{game}/{1 + int(difficulty) % 2}/{day}"
    assert "puzzle of the day</h1>" not in ann.http.get(other).text


def test_a_daily_puzzle_for_every_game_and_every_difficulty() -> None:
    """Over five weeks each game has each day of the week once; everybody gets the same."""
    monday = dt.date(2026, 11, 16)
    days = [monday + dt.timedelta(days=number) for number in range(35)]
    found = [puzzle_of_the_day(day) for day in days]
    assert {each.game for each in found} == set(GAMES)
    assert len({(each.game, day.weekday()) for each, day in zip(found, days, strict=True)}) == 35
    assert [each.difficulty for each in found[:7]] == [1, 2, 2, 3, 3, 4, 5]
    assert len({each.seed for each in found}) == 35


@pytest.fixture
def toy() -> Iterator[str]:
    """A game that nobody has prepared a page for."""
    register(TIC_TAC_TOE.key, TIC_TAC_TOE)
    yield TIC_TAC_TOE.key
    unregister(TIC_TAC_TOE.key)


def test_a_new_game_gets_its_pages_with_no_other_change(toy: str, ann: Browser) -> None:
    """A card, a form, rules, a game, a look back and puzzles; a lesson only if it has one."""
    assert len(games()) == 6
    assert f'href="/new/{toy}"' in ann.http.get("/", headers=HTML).text
    for path in (f"/new/{toy}", f"/rules/{toy}", "/learn", "/puzzles", f"/puzzles/{toy}/1/1"):
        assert ann.http.get(path, headers=HTML, follow_redirects=True).status_code == 200
    assert ann.http.get(f"/learn/{toy}", headers=HTML).status_code == 404
    made = ann.http.post(f"/new/{toy}", data={"opponent": "same-screen"})
    assert made.status_code == 303
    game = made.headers["location"]
    assert 'role="grid"' in ann.http.get(game, headers=HTML).text
    state = ann.state(game.removeprefix("/g/"))
    moved = ann.http.post(
        game, data={"request": "move", "move": state["legal"][0], "version": state["version"]}
    )
    assert moved.status_code == 303
    assert ann.http.get(f"{game}/back", headers=HTML).status_code == 200


def test_forms_of_a_game_are_checked(ann: Browser, bob: Browser) -> None:
    """Without scripts the rules are the same: whose turn, which version, what is legal."""
    game = ann.create("number-connect", opponent="link")
    joined = bob.http.post(f"/g/{game}", data={"request": "join", "name": "Bob"})
    assert joined.status_code == 303
    version = str(bob.state(game)["version"])
    for sent, status, message in (
        ({"request": "move", "move": "0,0", "version": version}, 409, "It is Player 1"),
        ({"request": "move", "move": "0,0", "version": "x"}, 400, "no version"),
        ({"request": "dance", "version": version}, 400, "You can join, move or resign"),
        ({"request": "join", "name": "Bob"}, 409, "You already have a seat in this game"),
    ):
        answer = bob.http.post(f"/g/{game}", data=sent)
        assert answer.status_code == status, answer.text
        assert message in answer.text
    assert bob.state(game)["moves"] == []


NASTY = (
    "",
    " ",
    "\x00",
    "-1",
    "9" * 5_000,
    "<script>",
    "\u00e9" * 300,
    "%00",
    "..",
    "\u202e",
    "1e9",
)


@pytest.mark.parametrize("field", ["opponent", "level", "side", "deal", "board", "seed", "name"])
def test_no_form_can_make_the_server_stumble(field: str, ann: Browser) -> None:
    """Whatever is typed or sent, it is taken or refused in words."""
    for text in NASTY:
        sent = {"opponent": "same-screen", "deal": "own" if field == "board" else "fair"}
        answer = ann.http.post("/new/number-run", data={**sent, field: text})
        assert answer.status_code in (303, 400), (field, text)


def test_no_address_can_make_the_server_stumble(ann: Browser) -> None:
    """Numbers that are none, keys that are none, moves that are none."""
    game = ann.create("number-run", opponent="same-screen")
    for text in ("-1", "9" * 30, "x", "%00", "%ff", "1.5", "%3Cscript%3E"):
        for path in (
            f"/new/{text}",
            f"/rules/{text}",
            f"/learn/number-run/{text}",
            f"/puzzles/number-run/{text}",
            f"/puzzles/number-run/{text}/1",
            f"/puzzles/number-run/1/{text}",
            f"/g/{game}/at/{text}",
            f"/g/{game}/back?at={text}",
            f"/g/{text}",
            f"/static/{text}/{text}",
        ):
            answer = ann.http.get(path, headers=HTML, follow_redirects=True)
            assert answer.status_code < 500, path
            assert "<script>" not in answer.text
    for text in NASTY:
        for path in ("/learn/number-run/1", "/puzzles/number-maze/1/1", f"/g/{game}"):
            answer = ann.http.post(path, data={"move": text, "request": text, "version": text})
            assert answer.status_code < 500, (path, text)
