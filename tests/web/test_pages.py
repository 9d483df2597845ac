"""Pages over plain HTTP: their content, their caching, and their errors."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from PIL import Image
from tic_tac_toe import GAME as TIC_TAC_TOE

from gridwise import games
from gridwise.core.registry import register, unregister
from gridwise.play.look_back import NO_LINE
from gridwise.play.setup import setup_fields
from gridwise.web.pages.templating import STATIC, static_hash, static_url
from gridwise.web.settings import Rate
from gridwise.web.storage import GameStore
from tests.show.contrast import contrast, variables

from .servers import HIDDEN_BOARD, HTML, Browse, Browser, eventually, ok, refused, running


@pytest.mark.parametrize(
    ("theme", "least"), [(":root", 4.5), ("colour-blind", 4.5), ("contrast", 7)]
)
@pytest.mark.parametrize("time_of_day", [0, 1], ids=["day", "night"])
def test_whatever_is_written_can_be_read_by_night_too(
    theme: str, least: float, time_of_day: int
) -> None:
    """Text has a contrast of at least 4.5 in every theme, and of 7 in the theme for it."""
    colours: dict[str, str] = {}
    for place in (":root", f'[data-theme="{theme}"]')[: 1 + (theme != ":root")]:
        colours |= {name: both[time_of_day] for name, both in variables(place).items()}
    for ink in ("ink", "faint", "one", "two", "good", "bad"):
        for ground in ("paper", "ground", "card", "soft"):
            assert contrast(colours[ink], colours[ground]) >= least, (ink, ground)


def test_the_font_has_the_letters_of_european_names() -> None:
    """Latin with Extended-A, and figures of one width: no name mixes two fonts.

    The rarer letters are a file of their own, and the style sheet sends for it where it has them.
    """
    tools = pytest.importorskip("fontTools.ttLib", reason="nothing else needs it")
    shipped, more = (tools.TTFont(STATIC / f"nunito{name}.woff2") for name in ("", "-more"))
    ranges = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", (STATIC / "style.css").read_text())
    sent_for = {at for one, end in ranges for at in range(int(one, 16), int(end or one, 16) + 1)}
    assert set(more.getBestCmap()) <= sent_for
    assert not sent_for & set(shipped.getBestCmap())
    letters = shipped.getBestCmap() | more.getBestCmap()
    missing = [each for each in map(chr, range(0xC0, 0x180)) if ord(each) not in letters]
    assert missing == ["\u0133", "\u017f"]  # ij as one letter and the long s, which nobody types
    assert len({shipped["hmtx"][letters[ord(figure)]][0] for figure in "0123456789"}) == 1
    assert "SIL OPEN FONT LICENSE" in (STATIC / "nunito-OFL.txt").read_text(encoding="utf-8")


def links(page: str) -> dict[str, str]:
    """The text of every link of a page, by its address."""
    pairs = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', page, re.DOTALL)
    return {address: text_of(inner) for address, inner in pairs}


def text_of(html: str) -> str:
    """What a reader sees of it."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html.replace("<small>", " "))).split())


def test_pages_are_asked_for_again_and_files_are_kept(ann: Browser) -> None:
    """A page shows what is now; a file has its version in its address."""
    page = ann.http.get("/", headers=HTML)
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["content-encoding"] == "gzip"
    names = set(re.findall(r"/static/[0-9a-f]+/[\w.+]+", page.text))
    used = {name.rpartition("/")[2] for name in names}
    assert used >= {"style+site+board.css", "nunito.woff2", "preferences.js", "lobby.js"}
    for name in names:
        file = ann.http.get(name)
        assert file.status_code == 200
        assert "immutable" in file.headers["cache-control"]
    old = ann.http.get(f"/static/{'0' * 12}/style.css")
    assert old.headers["cache-control"] == "no-cache"
    assert ann.http.get(f"/static/{static_hash()}/../../settings.py").status_code == 404
    assert ann.http.get(f"/static/{static_hash()}/%2e%2e").status_code == 404
    for wrong in ("style+nothing.css", "style+style.css", "style+.css", "game+style.css"):
        assert ann.http.get(f"/static/{static_hash()}/{wrong}").status_code == 404, wrong


def test_the_site_can_be_put_on_a_home_screen_and_has_a_preview(ann: Browser) -> None:
    """What manifest and pages name is there, and as large as they say."""
    start = ann.page("/")
    manifest = ann.http.get(re.findall(r'rel="manifest" href="([^"]*)"', start)[0])
    assert manifest.headers["content-type"] == "application/manifest+json"
    assert (manifest.json()["name"], manifest.json()["start_url"]) == ("Gridwise", "/")
    for icon in manifest.json()["icons"]:
        answer = ann.http.get(icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = Image.open(io.BytesIO(answer.content)).size
            assert icon["sizes"] == f"{width}x{height}"
    preview = re.findall(r'property="og:image" content="([^"]*)"', start)[0]
    assert preview.startswith(f"{ann.address}/static/")  # others do not know where it is
    assert Image.open(io.BytesIO(ann.http.get(preview).content)).size == (1200, 630)


def test_the_service_worker_keeps_the_page_for_when_there_is_no_network(ann: Browser) -> None:
    """And what that needs; browsers may ask for a newer one after an hour."""
    worker = ann.http.get("/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "max-age=3600"
    kept = json.loads(re.findall(r'\(\["[^)]*\)', worker.text)[0][1:-1])
    assert kept[:2] == [static_hash(), "/offline"]
    offline = ann.page("/offline")
    needed = re.findall(r'(?:src|rel="stylesheet" href)="([^"]*)"', offline)
    assert sorted(needed) == sorted(kept[2:])
    assert all(ann.http.get(each).status_code == 200 for each in needed)


def test_style_sheets_come_as_one_and_files_without_comments(ann: Browser) -> None:
    """In the order of their names in the address; nothing but comments and spaces is missing."""
    whole = ann.http.get(static_url("style+board+game.css")).text
    parts = [ann.http.get(static_url(f"{name}.css")).text for name in ("style", "board", "game")]
    assert whole == "".join(parts)
    assert "/*" not in whole
    written = (STATIC / "board.css").read_text(encoding="utf-8")
    bare = re.sub(r"/\*.*?\*/", "", written, flags=re.DOTALL)
    assert "".join(parts[1].split()) == "".join(bare.split())
    for path in STATIC.glob("*.js"):
        served = ann.http.get(static_url(path.name))
        assert served.headers["content-type"].startswith("text/javascript")
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        code = [line for line in lines if line and not line.startswith("//")]
        assert served.text.splitlines() == code


def test_errors_are_pages_for_people_and_json_for_programs(ann: Browser) -> None:
    """One address answers a browser and a program, each in its form."""
    for path in ("/nowhere", "/rules/chess", "/g/AAAAAAAAAAAA", "/puzzles/number-run/9/1"):
        page = ann.http.get(path, headers=HTML)
        assert page.status_code == 404
        assert page.text.startswith("<!doctype html>")
        assert "Go to the start page" in page.text
    misspelt = ann.http.get("/rules/number-ran", headers=HTML).text
    assert "Did you mean Number Run?" in misspelt  # its title, not what programs call it
    for path in ("/api/nowhere", "/g/AAAAAAAAAAAA"):
        api = ann.http.get(path)
        assert api.status_code == 404
        assert api.json()["error"]["message"]


def test_a_link_copied_with_the_end_of_its_sentence_leads_to_the_page(ann: Browser) -> None:
    """The punctuation behind it was not meant."""
    game = ann.create("number-run")
    for end in (".", ",", "!)", "%E2%80%9D."):
        for path in (f"/g/{game}", "/rules/number-run", f"/g/{game}/back"):
            answer = ann.http.get(path + end, headers=HTML)
            assert answer.status_code == 307
            assert answer.headers["location"].endswith(path)
        lost = ann.http.get("/nowhere" + end, headers=HTML, follow_redirects=True)
        assert lost.status_code == 404


def test_what_the_middleware_refuses_is_a_page_for_people_too(
    database: str, browse: Browse
) -> None:
    """Another site's form, too many bytes, too many requests: each is said in words."""
    with running(database, requests=Rate(20, 0.01)) as address:
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

    def fail(*_: object) -> None:
        raise RuntimeError("the board is 12345")

    monkeypatch.setattr(GameStore, "listed", fail)
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


def test_what_is_wrong_with_a_form_is_said_above_it(ann: Browser) -> None:
    """The form comes back with what was typed, and no game is started."""
    for form, message in (
        ({"deal": "own", "board": ""}, "Type your board, for example"),
        ({"deal": "own", "board": "19"}, "Row 1 of the board has"),
        ({"seed": "seven"}, "A seed is a whole number"),
        ({"seed": "9" * 16}, "at most 15 digits"),
        ({"side": "3"}, "side"),
        ({"opponent": "bot", "level": "godlike"}, "There is no bot"),
        ({"name": "x" * 31}, "at most 30 characters"),
        ({"deal": "crooked"}, "dealt even, fair or uniform"),
        ({"size": "5 by 5"}, "A size is rows by columns"),
        ({"best_of": "4"}, "A series is best of 1, 3, 5, 7"),
        ({"clock": "long"}, "A clock is minutes and seconds a move"),
    ):
        answer = ann.http.post("/new/number-run", data=form)
        assert answer.status_code == 400
        assert re.search(rf'role="alert"><p>[^<]*{message}', answer.text), message
        assert "Start the game" in answer.text
        assert all(f'value="{typed}"' in answer.text for typed in form.values() if typed == "19")


def test_a_new_game_is_what_it_can_be_everywhere(ann: Browser) -> None:
    """The form has the choices and the words of `play.setup`; a rematch is on a board as large."""
    for game in games():
        page = unescape(ann.page(f"/new/{game.key}"))
        fields, ours = setup_fields(game), ("deal", "size", "best_of")
        for each in [choice for name in ours for choice in fields[name].choices]:
            assert each.label in page
            assert each.about in page or each in fields["best_of"].choices
        assert all(bot.about in page for bot in fields["opponent"].choices if "bot:" in bot.value)
    sent = {"opponent": "same-screen", "size": "4x6", "target": "21", "best_of": "7"}
    made = ann.http.post("/new/number-connect", data=sent)
    game_id = made.headers["location"].removeprefix("/g/")
    for _ in range(2):
        state = ann.state(game_id)
        assert (state["deal"], state["rows"], state["cols"], state["target"]) == ("even", 4, 6, 21)
        assert state["series"]["best_of"] == 7
        game_id = ok(ann.request("rematch", ok(ann.request("resign", state))))["id"]


@pytest.mark.parametrize(
    ("sent", "scores"),
    [
        ({"opponent": "bot"}, [0, 7]),
        ({"opponent": "bot", "start": "standard"}, [0, 0]),
        ({"opponent": "bot", "size": "6x6"}, [0, 0]),
        ({"opponent": "same-screen"}, [0, 0]),
        ({"opponent": "link"}, [0, 0]),
        ({"opponent": "same-screen", "people_start": "even"}, [0, 7]),
    ],
)
def test_people_against_bots_get_the_even_start(
    ann: Browser, sent: dict[str, str], scores: list[int]
) -> None:
    """A click on the start page, too; other people, and other boards, the standard one."""
    made = ann.http.post("/new/number-run", data={"level": "novice"} | sent)
    assert ann.state(made.headers["location"].removeprefix("/g/"))["scores"] == scores


def test_the_form_says_who_is_better_off(ann: Browser) -> None:
    """With either start, or on the board that is usual; in the words for both palettes."""
    page = unescape(ann.page("/new/number-run"))
    assert "Blue can always win with perfect play." in page
    assert "Orange</span> starts at 3,3 with 7 points: about even." in page
    assert "Whoever begins wins 67 %" in unescape(ann.page("/new/grid-conquest"))


def test_the_start_page_lists_games_to_go_on_with_to_join_to_watch_and_to_look_back_at(
    address: str, browse: Browse
) -> None:
    """Each in its place, and none that was not meant for everybody; a colour for both palettes."""
    ann, bob, eve = browse(address), browse(address), browse(address)
    waiting = ann.create("number-run", listed=True, name="Waiting Ann")
    secret = ann.create("number-run", name="Secret Ann")
    live = ann.create("number-connect", listed=True, name="Busy Ann")
    bob.take_seat(live, "Busy Bob")
    over = ann.create("number-maze", listed=True, opponent="same-screen", name="Late Ann")
    ok(ann.request("resign", ann.state(over)))
    assert f"/g/{waiting}" not in eve.page("/")  # she has left the page
    with ann.socket(waiting), ann.socket(live), ann.socket(secret):
        eventually(lambda: f"/g/{live}" in eve.page("/"))
        seen = links(eve.page("/"))
    assert seen[f"/g/{waiting}"] == "Number Run Waiting Ann is waiting Join"
    assert seen[f"/g/{live}"] == "Number Connect Busy Ann against Busy Bob Watch"
    assert seen[f"/g/{over}/back"] == (
        "Number Maze Late Ann against RedOrange · RedOrange won: Late Ann resigned Look back"
    )
    alone = ann.create("number-maze", opponent="same-screen", name="Private Ann")
    ok(ann.request("resign", ann.state(alone)))
    assert f"/g/{alone}/back" in links(ann.page("/"))
    assert alone not in eve.page("/")
    assert alone not in ann.http.get("/api/games?status=recent").text
    assert f"/g/{secret}" not in seen
    mine = links(ann.page("/"))
    assert mine[f"/g/{live}"] == "Number Connect against Busy Bob Play"
    assert f"/g/{waiting}" not in mine  # nobody's turn: it is on the page of her games
    assert f"/g/{waiting}" in links(ann.page("/games"))
    assert links(bob.page("/"))[f"/g/{live}"].endswith("Open")


@pytest.mark.parametrize("side", [1, 2])
def test_a_bot_is_called_one_within_a_sentence_and_at_its_start(side: int, ann: Browser) -> None:
    """By its level; people go by their names."""
    game = ann.create("number-run", opponent="bot", level="novice", side=side, name="Ann")
    assert "against the novice bot" in links(ann.page("/games"))[f"/g/{game}"]
    state = ann.state(game)
    while state["turn"] != side:  # the bot begins
        state = ann.state(game)
    assert state["status_text"] == "Your turn."
    state = ok(ann.request("resign", state))
    assert state["status_text"] == "You lost: you resigned."
    with Browser(ann.address) as eve:
        assert eve.state(game)["status_text"] == "The novice bot won: Ann resigned."
    row = links(ann.page("/"))[f"/g/{game}/back"]
    assert "against the novice bot · You lost: you resigned" in row


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("number-run", {"handicap": True}, r"starts at \(?3,3\)? with 7 points"),
        ("grid-runner", {"handicap": True}, r"a row shorter"),
        ("number-connect", {"target": 21}, r"played to 21"),
    ],
)
def test_what_is_different_in_a_game_is_said_wherever_it_is_shown(
    game: str, options: dict[str, Any], said: str, ann: Browser, bob: Browser
) -> None:
    """To who plays, to who is invited, and in looking back; of a usual game nothing is."""
    for extra in (options, {}):
        made = ann.create(game, opponent="link", **extra)
        for page in (ann.page(f"/g/{made}"), bob.page(f"/g/{made}"), ann.page(f"/g/{made}/back")):
            assert bool(re.search(said, text_of(page))) == bool(extra)


def test_positions_of_an_unfinished_game_hide_what_is_hidden(ann: Browser) -> None:
    """Stepping back in a game that goes on shows what could be seen then, and no more."""
    game = ann.create("grid-conquest", board=HIDDEN_BOARD, first=1, opponent="same-screen")
    state = ok(ann.move(ann.state(game), "A1"))
    ok(ann.move(state, "E5"))
    start = ok(ann.http.get(f"/g/{game}/at/0"))
    assert start["svg"].count("face down") == 25
    one = ok(ann.http.get(f"/g/{game}/at/1"))
    assert one["svg"].count("face down") == 25 - 4
    assert ann.http.get(f"/g/{game}/at/3").status_code == 400


def test_what_if_never_looks_under_cells(ann: Browser) -> None:
    """A finished game is open; its values are still judged by what could be seen."""
    game = ann.create("grid-conquest", board=HIDDEN_BOARD, first=1, opponent="same-screen")
    for move in ("C3", "D4", "D3", "A1", "B2", "B4", "C5"):
        ok(ann.move(ann.state(game), move))
    tried = ok(ann.http.get(f"/g/{game}/at/0", params={"tried": "A1"}))
    assert tried["svg"].count("face down") == 25 - 4
    assert len(tried["options"]) == 24
    assert re.fullmatch(r"Red has a \d+ % chance to win\.", tried["worth"])


def test_values_and_lines_never_look_under_cells(ann: Browser) -> None:
    """Every move has a chance, worked out from what could be seen; a line turns nothing up."""
    game = ann.create("grid-conquest", board=HIDDEN_BOARD, first=1, opponent="same-screen")
    for move in ("C3", "D4", "D3", "A1", "B2", "B4", "C5"):
        assert ann.http.get(f"/g/{game}/at/0/values").status_code == 409
        ok(ann.move(ann.state(game), move))
    values = ok(ann.http.get(f"/g/{game}/at/0/values"))
    assert len(values["values"]) == 25
    assert {each["kind"] for each in values["values"].values()} == {"chance"}
    # Before anything is seen one cell is like the other, but for where it lies.
    assert all(re.fullmatch(r"\d+%", each["text"]) for each in values["values"].values())
    line = ok(ann.http.get(f"/g/{game}/at/0/line"))
    assert (line["moves"], line["note"]) == ([], NO_LINE)
    (move,) = ok(ann.http.get(f"/g/{game}/at/6/line"))["moves"]
    shown = ok(ann.http.get(f"/g/{game}/at/6"))["svg"]
    assert "face down" not in shown.partition(f"<title>{move}")[2].partition("</title>")[0]


@pytest.fixture
def toy() -> Iterator[str]:
    """A game that nobody has prepared a page for."""
    register(TIC_TAC_TOE.key, TIC_TAC_TOE)
    yield TIC_TAC_TOE.key
    unregister(TIC_TAC_TOE.key)


def test_a_new_game_gets_its_pages_with_no_other_change(toy: str, ann: Browser) -> None:
    """A card, a form, rules, a game and a look back; a lesson and puzzles only if it has them."""
    assert len(games()) == 6
    assert f'href="/new/{toy}"' in ann.page("/")
    for path in (f"/new/{toy}", f"/rules/{toy}", "/learn", "/puzzles", "/puzzles/today"):
        assert ann.http.get(path, headers=HTML, follow_redirects=True).status_code == 200
    for path in (f"/learn/{toy}", f"/puzzles/{toy}/1", f"/puzzles/{toy}/1/1"):
        assert ann.http.get(path, headers=HTML).status_code == 404
    assert f"/puzzles/{toy}/" not in ann.page("/puzzles")
    made = ann.http.post(f"/new/{toy}", data={"opponent": "same-screen"})
    assert made.status_code == 303
    game = made.headers["location"]
    assert 'role="grid"' in ann.page(game)
    state = ann.state(game.removeprefix("/g/"))
    moved = ann.http.post(
        game, data={"request": "move", "move": state["legal"][0], "version": state["version"]}
    )
    assert moved.status_code == 303
    assert ann.page(f"{game}/back")


def test_forms_of_a_game_are_checked(ann: Browser, bob: Browser) -> None:
    """Without scripts the rules are the same: whose turn, which version, what is legal."""
    game = ann.create("number-connect", opponent="link")
    joined = bob.http.post(f"/g/{game}", data={"request": "join", "name": "Bob"})
    assert joined.status_code == 303
    version = str(bob.state(game)["version"])
    for sent, status, message in (
        ({"request": "move", "move": "0,0", "version": version}, 409, "It is Player 1"),
        ({"request": "move", "move": "0,0", "version": "x"}, 400, "no version"),
        ({"request": "dance", "version": version}, 400, "You can join, move, take back"),
        ({"request": "join", "name": "Bob"}, 409, "You already have a seat in this game"),
    ):
        answer = bob.http.post(f"/g/{game}", data=sent)
        assert answer.status_code == status, answer.text
        assert message in answer.text
    assert bob.state(game)["moves"] == []


NASTY = ("", " ", "\x00", "-1", "9" * 5_000, "<script>", "é" * 300, "%00", "..", "\u202e", "1e9")


def test_no_form_can_make_the_server_stumble(ann: Browser) -> None:
    """Whatever is typed or sent, it is taken or refused in words."""
    for field in ("opponent", "level", "side", "deal", "board", "seed", "name"):
        sent = {"opponent": "same-screen", "deal": "own" if field == "board" else "fair"}
        for text in NASTY:
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
            f"/g/{game}/at/{text}/values",
            f"/analysis/{text}",
            f"/analysis/number-run?board={text}&moves={text}&at={text}&target={text}",
            f"/analysis/number-run/position?rows={text}&cols={text}&at={text}",
            f"/analysis/grid-conquest/worth?first={text}&board={text}",
            f"/g/{text}",
            f"/static/{text}/{text}",
        ):
            answer = ann.http.get(path, headers=HTML, follow_redirects=True)
            assert answer.status_code < 500, path
            assert "<script>" not in answer.text
    for text in NASTY:
        for path in (
            "/learn/number-run/1",
            "/puzzles/number-maze/1/1",
            f"/g/{game}",
            "/analysis/number-run",
        ):
            sent = {"move": text, "request": text, "version": text, "text": text}
            answer = ann.http.post(path, data=sent)
            assert answer.status_code < 500, (path, text)
