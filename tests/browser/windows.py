"""Windows of all sizes, what must fit into them, and games that begin in one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import SCRIPTS, Person, options_for


def _phone(width: int, height: int) -> dict[str, Any]:
    viewport = {"width": width, "height": height}
    return {"viewport": viewport, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


WINDOWS: dict[str, dict[str, Any]] = {
    "phone": _phone(375, 740),
    "320 px": _phone(320, 568),
    "landscape": _phone(740, 360),
    # What is left of a window of 1280 by 800 at 200 %.
    "zoomed": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    "1920 px": {"viewport": {"width": 1920, "height": 1080}},
}

# What is wider than the window: the innermost elements that stick out, if the page can be scrolled
# sideways. What scrolls by itself, such as a table, may be as wide as it likes.
_STICKING_OUT = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  const out = [...document.body.querySelectorAll("*")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && (box.right > wide + 1 || box.left < -1);
  });
  const name = (each) => `${each.localName}#${each.id}.${each.getAttribute("class")}`;
  const inner = (each) => !out.some((other) => other !== each && each.contains(other));
  return ["the page", ...out.filter(inner).map(name)];
}"""
# What is not wholly in the window, without scrolling.
_OUT_OF_SIGHT = """(selectors) => {
  scrollTo(0, 0);
  return selectors.filter((selector) => {
    const shown = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    return !shown.length || shown.some((each) => {
      const { top, left, right, bottom } = each.getBoundingClientRect();
      return top < -1 || left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    });
  });
}"""


def assert_fits(page: Page, where: str) -> None:
    """Nothing sticks out sideways."""
    wide = page.evaluate(_STICKING_OUT)
    assert wide == [], f"{where}: {wide}"


def assert_in_sight(page: Page, *selectors: str) -> None:
    """All of these can be seen without scrolling."""
    hidden = page.evaluate(_OUT_OF_SIGHT, list(selectors))
    assert hidden == [], f"{hidden} cannot be seen"


def begins(someone: Person, game: str, moves: int = 0, **options: Any) -> str:  # noqa: ANN401 - as the API takes
    """Start the game of a script at one screen, without the form, and open it; its address.

    So many of its moves are made already.
    """
    wanted: dict[str, Any] = {"opponent": "same-screen", **options_for(game), **options}
    if "first" in wanted:
        wanted["first"] = int(wanted["first"])
    send = someone.context.request.post
    made = send("/api/games", data={"game": game, **wanted})
    assert made.ok, made.text()
    game_id = made.json()["id"]
    for version, move in enumerate(SCRIPTS[game].moves.split()[:moves]):
        done = send(f"/api/games/{game_id}/moves", data={"move": move, "version": version})
        assert done.ok, done.text()
    someone.goes_to(f"/g/{game_id}")
    return f"/g/{game_id}"


def plays_to_the_end(someone: Person, game: str, play: Callable[[str], None]) -> None:
    """Play the moves of a script, and look at how it ends."""
    script = SCRIPTS[game]
    for move in script.moves.split():
        play(move)
    expect(someone.page.locator(f"#player-{script.winner}.winner")).to_be_visible()
    someone.sees_moves(*script.moves.split())


PAGES = {
    "start": "/",
    "new game": "/new/number-run?opponent=bot&seed=3",
    "learn": "/learn",
    "lesson": "/learn/number-run",
    "rules": "/rules/grid-conquest",
    "puzzles": "/puzzles",
    "puzzle": "/puzzles/number-connect/2",
    "your games": "/games",
    "device": "/device",
    "settings": "/settings",
    "API": "/api/docs",
    "error": "/no-such-page",
}


def tour(someone: Person, host: Person) -> Iterator[str]:
    """Lead somebody to every page and every state that one can be in; where that is.

    `host` invites them to a game.
    """
    page = someone.page
    for where, path in PAGES.items():
        someone.goes_to(path)
        yield where
    someone.forgive_status(404)
    begins(someone, "number-maze", opponent="link", name="Ann", listed=True)
    expect(page.locator("#invite")).to_be_visible()
    yield "waiting for a friend"
    someone.goes_to(begins(host, "grid-conquest", opponent="link", name="Bob", listed=True))
    yield "invited"
    for game in ("grid-conquest", "number-connect"):
        begins(someone, game, moves=4)
        expect(page.locator("#board.yours .open").first).to_be_visible()
        yield f"{game} in play"
    begins(someone, "number-run", moves=6, listed=True)
    someone.target("2,2!").click()
    expect(page.locator("#ask")).to_be_visible()
    yield "asked whether to challenge"
    over = begins(someone, "number-run", moves=99, name="Ann", listed=True)
    expect(page.locator("#over")).to_be_visible()
    yield "end card"
    page.locator("#close-card").click()
    yield "a game that is over"
    someone.goes_to(f"{over}/back")
    expect(page.locator("#reviewed")).to_be_visible()
    yield "look back"
    for where in ("start", "your games"):
        someone.goes_to(PAGES[where])
        yield f"{where} with games"
