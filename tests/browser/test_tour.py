"""A tour through all pages. At each stop: axe, the colours of the themes, windows of all sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.people import Person
from tests.browser.tables import begins, made
from tests.browser.windows import assert_fits, assert_in_sight, resized
from tests.sizes import sample
from tests.web.servers import Browser as Host
from tests.web.servers import Program

PAGES = {
    "start": "/",
    "new game": "/new/grid-conquest?opponent=bot",
    "learn": "/learn",
    "lesson": "/learn/number-run",
    "lesson with hidden cells": "/learn/grid-conquest/2",
    "rules": "/rules/grid-conquest",
    "puzzles": "/puzzles",
    "puzzle": "/puzzles/number-connect/2",
    "your games": "/games",
    "analysis of any game": "/analysis",
    "device": "/device",
    "forget": "/forget",
    "settings": "/settings",
    "API": "/api/docs",
    "error": "/no-such-page",
}


def waits(ann: Person) -> None:
    """Nobody has come yet."""
    begins(ann, "number-maze", opponent="link", name="Ann", listed=True)
    expect(ann.page.locator("#invite")).to_be_visible()


def is_invited(ann: Person) -> None:
    """By somebody who is elsewhere."""
    with Host(ann.address) as host:
        game = host.create("grid-conquest", opponent="link", name="Bob", listed=True)
    ann.goes_to(f"/g/{game}")
    expect(ann.page.locator("#join")).to_be_visible()


def plays(game: str) -> Callable[[Person], None]:
    """Four moves have been made."""

    def in_play(ann: Person) -> None:
        begins(ann, game, moves=4, name="Ann")
        expect(ann.page.locator("#board.yours .open").first).to_be_visible()

    return in_play


def plays_a_bot(ann: Person) -> None:
    """Nobody has moved."""
    begins(ann, "number-run", opponent="bot", level="novice", name="Ann", side=1)
    expect(ann.page.locator("#board.yours .open").first).to_be_visible()


def is_asked(ann: Person) -> None:
    """Whether to challenge."""
    begins(ann, "number-run", moves=6, listed=True)
    ann.target("2,2!").click()
    expect(ann.page.locator("#ask")).to_be_visible()


def ends(ann: Person) -> None:
    """The card says how; the board stays in sight."""
    begins(ann, "number-run", moves=99, name="Ann", listed=True)
    expect(ann.page.locator("#over")).to_be_visible()


def looks_back(ann: Person) -> None:
    """The engine has reviewed the game."""
    begins(ann, "number-maze", moves=99)
    ann.goes_to(f"{ann.page.url}/back")
    expect(ann.page.locator("#reviewed")).to_be_visible()


def analyses(ann: Person) -> None:
    """The board is being edited."""
    ann.goes_to("/analysis/number-run?board=31425/25134/42513/14252/53142&moves=0,1+3,4")
    expect(ann.page.locator(".worth").first).to_be_visible()
    ann.page.locator("#edit").click()
    expect(ann.page.locator("#editor")).to_be_visible()


def opens(path: str) -> Callable[[Person], None]:
    """An address that is always there."""

    def opened(ann: Person) -> None:
        ann.goes_to(path)

    return opened


STOPS: dict[str, Callable[[Person], None]] = {
    **{where: opens(path) for where, path in PAGES.items()},
    "waiting for a friend": waits,
    "invited": is_invited,
    "Grid Conquest in play": plays("grid-conquest"),
    "Number Connect in play": plays("number-connect"),
    "against a bot": plays_a_bot,
    "asked whether to challenge": is_asked,
    "end card": ends,
    "look back": looks_back,
    "analysis": analyses,
    "start with games": opens("/"),
    "your games with games": opens("/games"),
}

# What is seen in every window without scrolling.
_TABLE = ("#board svg", "#headline", "#player-1", "#player-2", "#actions")
IN_SIGHT = {
    "new game": (".start-bar button",),
    "waiting for a friend": ("#link",),
    "invited": ("#join button",),
    "Grid Conquest in play": _TABLE,
    "Number Connect in play": (*_TABLE, "#resign", "#hint"),
    "against a bot": (*_TABLE, "#resign", "#hint"),
    "end card": ("#board svg", "#over-title", "#why", "#rematch"),
    "rules": ("main h1",),
    "lesson with hidden cells": ("main h1",),
}
# Where the header has one line, and all that can be pressed can be hit.
TIDY = ("start", "settings", "new game", "your games", "start with games")
# What is printed, and what is not.
ON_PAPER = {
    "rules": (["main h1"], ["header nav", "footer"]),
    "start with games": (['.card[data-game="number-run"]'], [".lobby", ".ladder", ".daily"]),
    "end card": (["#board svg", "#over-title", "#moves"], ["#over .row", "#over .more", ".links"]),
}

THEMES = ("light", "dark", "contrast", "colour-blind")
_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
FIRST_LOAD = 50_000  # bytes that a page may take, with all that it needs, the first time
# The contrast of every text with the ground that it has by its ancestors: less than axe sees, which
# also knows what lies over what, but in all themes at once.
_FAINT = """(themes) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      if (backgroundImage !== "none") return null;
      if (backgroundColor === "rgba(0, 0, 0, 0)") continue;
      return backgroundColor.startsWith("rgb(") ? backgroundColor : null;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [...document.querySelectorAll("body *:not(svg *)")].filter((each) =>
    [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && each.checkVisibility() && each.getBoundingClientRect().width > 1
    && !each.closest(":disabled, [aria-disabled=true], [aria-hidden=true]"));
  const found = [];
  let seen = 0;
  for (const theme of themes) {
    gridwise.set("theme", theme);
    for (const each of texts) {
      const under = ground(each);
      const { color, fontSize, fontWeight } = getComputedStyle(each);
      if (!under || !color.startsWith("rgb(")) continue;
      const [high, low] = [light(color), light(under)].sort((a, b) => b - a);
      const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
      const enough = (high + 0.05) / (low + 0.05) >= (large ? 3 : 4.5);
      if (!enough) found.push([theme, each.textContent.trim(), color, under]);
      seen += 1;
    }
  }
  gridwise.set("theme", "light");
  return [seen, found];
}"""


class Loaded:
    """The bytes that came over the network for the page on show, by address."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self._urls: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._finished)

    def _asked(self, sent: dict[str, Any]) -> None:
        if sent["type"] == "Document":
            self.sizes.clear()
        self._urls[sent["requestId"]] = sent["request"]["url"]

    def _finished(self, done: dict[str, Any]) -> None:
        url = self._urls.pop(done["requestId"])
        self.sizes[url] = round(done["encodedDataLength"])

    def forget(self) -> None:
        """As if nobody had ever been here."""
        self.session.send("Network.clearBrowserCache")


@pytest.fixture(scope="module")
def visitor(residents: Callable[..., Person]) -> Person:
    """Whoever takes the tour: at a phone, since only there a page must say how wide it is."""
    ann = residents(
        "visitor", is_mobile=True, has_touch=True, viewport={"width": 360, "height": 740}
    )
    ann.context.add_init_script(
        "if (location.host) localStorage.setItem('gridwise.theme', 'light')"
    )
    return ann


@pytest.fixture(scope="module")
def loaded(visitor: Person) -> Loaded:
    """What the visitor's browser fetches."""
    return Loaded(visitor.context.new_cdp_session(visitor.page))


def violations(page: Page, stop: str) -> Iterator[str]:
    """What axe finds: all its rules in one theme, another one at each stop, and colours in others.

    In `make test` there are no others: what does not depend on colours is the same in every theme,
    and each theme is looked at in every fourth place.
    """
    axe = Axe()
    page.evaluate(axe.axe_script)
    turn = list(STOPS).index(stop) % len(THEMES)
    first, *others = THEMES[turn:] + THEMES[:turn]
    for theme in (first, *sample([], long=others)):
        options = {"resultTypes": ["violations"], **({} if theme == first else _COLOURS)}
        page.evaluate("theme => gridwise.set('theme', theme)", theme)
        assert page.evaluate("() => document.documentElement.dataset.theme") == theme
        looked = AxeResults(page.evaluate("options => axe.run(document, options)", options))
        assert looked.response["passes"], "axe has looked at nothing"
        if looked.violations_count:
            yield f"{theme}: {looked.generate_report()}"


@pytest.mark.parametrize("stop", STOPS)
def test_at_every_stop(stop: str, visitor: Person, loaded: Loaded, server: Program) -> None:
    """No violation of a rule, no faint text in any theme, nothing too wide; a small first load."""
    page = visitor.page
    loaded.forget()
    STOPS[stop](visitor)
    assert list(violations(page, stop)) == []
    seen, faint = page.evaluate(_FAINT, list(THEMES))
    assert seen >= len(THEMES)
    assert faint == []
    for window in resized(page):
        assert_fits(page, window)
        assert_in_sight(page, *IN_SIGHT.get(stop, ()))
        if stop in TIDY:
            assert_tidy(page)
    if stop in ON_PAPER:
        assert_prints(page, *ON_PAPER[stop])
    total = sum(loaded.sizes.values())
    assert total < FIRST_LOAD, loaded.sizes
    assert all(url.startswith(server.address) for url in loaded.sizes), loaded.sizes
    visitor.forgive_status(404)
    assert visitor.complaints == []


def assert_tidy(page: Page) -> None:
    """A header of one line, and all targets large enough to hit."""
    height, small = page.evaluate(
        """() => [document.querySelector("header.top").getBoundingClientRect().height,
            [...document.querySelectorAll("main button, main a.button")]
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 36)
            .map((each) => each.textContent)]"""
    )
    assert page.viewport_size
    assert height < (48 if page.viewport_size["width"] < 544 else 72)
    assert small == []


def assert_prints(page: Page, shown: list[str], hidden: list[str]) -> None:
    """Even by night: paper is white, and nothing on it can be pressed or hides the board."""
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("() => gridwise.set('theme', 'system')")
    assert ground(page) == "rgb(255, 255, 255)"
    for each in shown:
        expect(page.locator(each)).to_be_visible()
    for each in hidden:
        expect(page.locator(each).first).to_be_hidden()
    if "#board svg" in shown:
        assert page.locator("#board").evaluate("each => getComputedStyle(each).opacity") == "1"
    page.emulate_media(media="screen", color_scheme="light")


def ground(page: Page) -> str:
    """The colour of a page."""
    return str(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))


def test_the_header_stays_in_its_place(visitor: Person) -> None:
    """From page to page nothing of it moves, in every window."""
    page = visitor.page
    places = "() => [...document.querySelectorAll('header :is(a, summary)')].map((each) => {"
    places += "const { x, y, width } = each.getBoundingClientRect(); return [x, y, width]; })"
    game = made(visitor, "number-run")
    paths = ("/", "/learn", "/learn/number-run", "/puzzles/number-connect/2", "/settings")
    seen = {
        path: [page.evaluate(places) for _ in resized(page)]
        for path in (*paths, game, f"{game}/back")
        if visitor.goes_to(path)
    }
    assert all(each == seen["/"] for each in seen.values())


# What needs no scripts


def test_without_scripts_nothing_is_shown_that_needs_them(plain: Person, visitor: Person) -> None:
    """On every page, what can be pressed sends a form, and there is no setting to choose."""
    ann = plain
    with_buttons = ("start", "new game", "lesson", "puzzle", "your games", "settings")
    pages = sample([PAGES[each] for each in with_buttons], long=list(PAGES.values()))
    addresses = [*pages, made(visitor, "grid-runner", opponent="link")]
    addresses += [begins(visitor, "number-run", moves=moves) for moves in (6, 99)]
    addresses.append(f"{addresses[-1]}/back")
    ann.context.add_cookies(visitor.context.cookies())  # type: ignore[arg-type]
    for path in addresses:
        page = ann.goes_to(path)
        if path in pages:
            page.locator("summary", has_text="Settings").click()
            assert page.get_by_role("link", name="All settings").is_visible(), path
        dead = page.locator("button:visible:not(form button), button[type=button]:visible")
        assert dead.all_inner_texts() == [], path
        assert page.locator("[data-preference]:visible").count() == 0, path
    ann.forgive_status(404)


def test_nothing_in_the_pages_points_elsewhere() -> None:
    """No address of another site is in a template, a script or a style sheet, but namespaces."""
    folder = Path(__file__).parents[2] / "src" / "gridwise" / "web"
    for path in [*folder.glob("templates/*"), *folder.glob("static/*")]:
        if path.suffix in (".woff2", ".png"):
            continue
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import", text), path.name
        assert set(re.findall(r"url\(([^)]*)\)", text)) <= {
            '"nunito.woff2"',
            '"nunito-more.woff2"',
        }, path.name
        assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:", text), path.name
