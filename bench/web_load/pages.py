"""How large the pages and their messages are, how soon they can be used, how smoothly they move.

In a real Chromium: what comes over the network when a browser opens a page that has never been
here, and when it can be used on a slow network (400 kbit/s, 400 ms). On the socket of a game: how
large the message of a move is.
"""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Browser, Page, sync_playwright
from websockets.sync.client import connect

from bench.web_load.server import from_address
from gridwise import games
from tests.browser.people import chromium, launched

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PAGES = ("/", "/new/number-run", "/learn", "/learn/number-run", "/rules/number-run", "/puzzles")
MORE_PAGES = ("/puzzles/number-connect/2/1", "/games", "/settings", "/api/docs")
BOARD, MEETING = "31425/25134/42513/14252/53142", "0,1 3,4 1,1 3,3 1,2 2,3"
# Notes when everything that a click needs is there.
WATCH = """() => {
  const look = () => {
    const board = document.querySelector("#board");
    const ready = board ? board.querySelector(".open[data-moves]") : window.gridwise;
    if (ready && document.readyState !== "loading") window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  if (location.host) look();
}"""
FRAMES = """() => new Promise((resolve) => {
  const times = [];
  const note = (now) => {
    times.push(now);
    if (now - times[0] < 1500) requestAnimationFrame(note);
    else resolve(times.slice(1).map((each, index) => each - times[index]));
  };
  requestAnimationFrame(note);
  document.querySelector("#ask button").click();
})"""


class Loaded(NamedTuple):
    """What a page took."""

    requests: int
    size: int  # bytes over the network
    usable: float  # seconds on a slow network


def measure(address: str) -> None:
    """Measure, and print."""
    print("Messages of a move, in bytes (largest, middle), and of the whole state (largest)")
    for game in games():
        changes, states = message_sizes(address, game.key)
        middle = statistics.median(changes)
        print(f"  {game.title:16} {max(changes):6,} {middle:6,.0f} {max(states):8,}")
    if chromium() is None:
        print("There is no Chromium here for the sizes of the pages.")
        return
    with sync_playwright() as playwright:
        browser = launched(playwright)
        print("Pages: requests, kB of the first load, seconds until usable (400 kbit/s, 400 ms)")
        for name, target in _targets(browser, address):
            found = load(browser, address, target)
            print(f"  {name:28} {found.requests:3} {found.size / 1e3:6.1f} {found.usable:6.2f}")
        deltas = frames(browser, address)
        rate, worst = 1_000 * len(deltas) / sum(deltas), max(deltas)
        print(f"A challenge: {rate:.0f} frames a second, {worst:.0f} ms between two at the worst")
        browser.close()


def message_sizes(address: str, game: str) -> tuple[list[int], list[int]]:
    """The sizes of the changes, and of the whole states, of games that are played at random."""
    rng, changes, states = random.Random(1), list[int](), list[int]()
    for number in range(5):
        client = from_address(number)
        with httpx.Client(base_url=address, timeout=60, headers=client) as http:
            made = http.post("/api/games", json={"game": game, "opponent": "same-screen"}).json()
            cookie = f"gridwise={http.cookies['gridwise']}"
        url = f"{address.replace('http', 'ws', 1)}/api/games/{made['id']}/socket?picture=yes"
        state: dict[str, Any] = {}
        with connect(url, additional_headers=client | {"Cookie": cookie}) as socket:
            while not state or (state["status"] == "playing" and state["version"] < 100):
                if state:
                    move = {"move": rng.choice(state["legal"]), "version": state["version"]}
                    socket.send(json.dumps({"type": "move", **move}))
                kind = ""
                while kind not in ("state", "change"):
                    text = socket.recv()
                    message = json.loads(text)
                    kind = message["type"]
                (states if kind == "state" else changes).append(len(str(text).encode()))
                state |= message
    return changes, states


def _made(browser: Browser, address: str) -> Page:
    """A game of Number Run in which somebody may challenge."""
    page = browser.new_context(base_url=address).new_page()
    wanted = {"game": "number-run", "opponent": "same-screen", "board": BOARD}
    made = page.context.request.post("/api/games", data=wanted).json()
    for version, move in enumerate(MEETING.split()):
        moved = {"move": move, "version": version}
        page.context.request.post(f"/api/games/{made['id']}/moves", data=moved)
    page.goto(f"/g/{made['id']}")
    return page


def _targets(browser: Browser, address: str) -> Iterator[tuple[str, tuple[str, list[Any]]]]:
    for path in (*PAGES, *MORE_PAGES):
        yield path, (path, [])
    page = _made(browser, address)
    yield "a game", (page.url, page.context.cookies())
    yield "looking back", (f"{page.url}/back", page.context.cookies())
    page.context.close()


def load(browser: Browser, address: str, target: tuple[str, list[Any]]) -> Loaded:
    """Open a page in a browser that has never been here."""
    path, cookies = target
    context = browser.new_context(base_url=address)
    context.add_cookies(cookies)
    context.add_init_script(f"({WATCH})()")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    page.goto(path)
    page.wait_for_load_state("networkidle")
    usable = page.evaluate("() => window.usable ?? NaN") / 1_000
    context.close()
    return Loaded(len(sizes), round(sum(sizes)), usable)


def frames(browser: Browser, address: str) -> list[float]:
    """The milliseconds between the frames of a challenge, the most that ever moves at once."""
    page = _made(browser, address)
    page.wait_for_load_state("networkidle")
    page.locator('#board.yours [data-moves~="2,2!"]').click()
    page.locator("#ask button").first.wait_for()
    found: list[float] = page.evaluate(FRAMES)
    page.context.close()
    return found
