"""People at browsers: a real Chromium that talks to a real `gridwise serve`.

Everything is done the way people do it: clicks, taps, keys. Whatever a page complains about on its
console is remembered, and a test that leaves complaints behind fails.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import Any, NamedTuple

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Response,
    ViewportSize,
    expect,
)

TIMEOUT = 15_000  # milliseconds, for a busy machine
WINDOW: ViewportSize = {"width": 1280, "height": 720}
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-site-isolation-trials",
    "--disable-quic",
    "--disable-sync",
    "--in-process-gpu",
    "--no-first-run",
    "--num-raster-threads=1",
    "--renderer-process-limit=1",
)
# What Chromium itself says when the network, or the server, is not there.
NETWORK = re.compile(
    r"WebSocket connection to|ERR_(INTERNET_DISCONNECTED|CONNECTION_|CONTENT_LENGTH_MISMATCH)"
)

expect.set_options(timeout=TIMEOUT)


def chromium() -> str | None:
    """Where the browser is, if it is there."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def launched(playwright: Playwright) -> Browser:
    """A browser without a window."""
    flags = list(FLAGS)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    return playwright.chromium.launch(executable_path=chromium(), args=flags)


class Person:
    """Somebody with a browser of their own: cookies, a window, and a page in it.

    People in tests are in a hurry: nothing moves and nothing waits, unless `pace` (in milliseconds)
    and `reduced_motion` say otherwise.
    """

    def __init__(self, browser: Browser, address: str, pace: int = 0, **kind: Any) -> None:  # noqa: ANN401 - Playwright's
        self.address = address
        kind = {"reduced_motion": "reduce", **kind}
        self.context: BrowserContext = browser.new_context(base_url=address, **kind)
        # An empty page has no storage.
        script = f"if (location.host) localStorage.setItem('gridwise.pace', '{pace}')"
        self.context.add_init_script(script)
        self.context.set_default_timeout(TIMEOUT)
        self.complaints: list[str] = []
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("response", self._answered)
        self.page: Page = self.context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.complaints.append(f"{response.status} {response.url}")

    def forgive_the_network(self) -> None:
        """Forget complaints about a connection that the test itself has cut."""
        self.complaints = [each for each in self.complaints if not NETWORK.search(each)]

    def forgive_status(self, status: int) -> None:
        """Forget that a page had a status that the test has asked for."""
        self.complaints = [each for each in self.complaints if f"status of {status}" not in each]

    def goes_home(self) -> None:
        """Leave everything: whoever has this browser next is somebody else."""
        self.context.set_offline(False)
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        if self.page.url.startswith(self.address):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.page.goto("about:blank")
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.page.set_viewport_size(WINDOW)

    # What people do

    def goes_to(self, path: str) -> Page:
        """Open an address."""
        self.page.goto(path)
        return self.page

    def starts(self, game: str, opponent: str = "link", **options: str) -> str:
        """Start a game with the form; its address."""
        page = self.goes_to(f"/new/{game}")
        page.locator(f'[name=opponent][value="{opponent}"]').check()
        if options.keys() & {"board", "seed", "first"}:
            page.get_by_text("Board and other options").click()
        if "board" in options:
            page.locator("[name=deal][value=own]").check()
        for name in ("board", "seed", "name", "name1", "name2"):
            if name in options:
                page.locator(f"[name={name}]").fill(options[name])
        for name in ("level", "side", "first", "best_of", "clock"):
            if name in options:
                page.locator(f'[name={name}][value="{options[name]}"]').check()
        if "listed" in options:
            page.locator("[name=listed]").check()
        page.get_by_role("button", name="Start the game").click()
        page.wait_for_url("**/g/*")
        return page.url

    def joins(self, address: str, name: str = "") -> None:
        """Open a friend's link and sit down."""
        self.goes_to(address)
        if name:
            self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Join the game").click()
        expect(self.page.locator("#join")).to_be_hidden()

    def cell(self, name: str) -> Locator:
        """A cell of the board."""
        return self.page.locator(f'#board [data-cell="{name}"]')

    def target(self, move: str) -> Locator:
        """The cell that a move goes to, as soon as it can be chosen."""
        return self.page.locator(f'#board.yours [data-moves~="{move}"]')

    def plays(self, move: str, *, tap: bool = False) -> None:
        """Click or tap a move, and answer what is asked."""
        target = self.target(move)
        asks = len((target.get_attribute("data-moves") or "").split()) > 1
        if tap:
            target.tap()
        else:
            target.click()
        if asks:
            answer = "yes" if move.endswith("!") else "no"
            self.page.locator(f"#ask [data-answer={answer}]").click()

    def presses(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def headline(self) -> Locator:
        """Whose turn it is, or who has won."""
        return self.page.locator("#headline")

    @property
    def moves(self) -> list[str]:
        """The moves in the list, in order."""
        cells = self.page.locator("#moves span:not(.n)").all_inner_texts()
        return [text for text in cells if text]

    def sees_moves(self, *moves: str) -> None:
        """Wait until the list has exactly these moves."""
        texts = self.page.locator("#moves span:not(.n):not(:empty)")
        expect(texts).to_have_text(list(moves))

    def scores(self) -> tuple[int, int]:
        """The two scores on show."""
        one, two = self.page.locator(".player .score").all_inner_texts()
        return int(one), int(two)


class Script(NamedTuple):
    """A game from the texts, or counted by hand: how it goes, and how it must end."""

    board: str
    moves: str
    winner: int
    reason: str
    scores: tuple[int, int] | None


SCRIPTS = {
    # Counted by hand: 1+5+1+5 = 12 beats 2+5+1 = 8; then 1+3+2+2 and 4+1+3+5.
    "number-run": Script(
        "31425/25134/42513/14252/53142",
        "0,1 3,4 1,1 3,3 1,2 2,3 2,2! 4,3 2,3 4,2 2,4 4,1 3,4 4,0 4,4",
        1,
        "Reached the opponent's start.",
        (20, 13),
    ),
    "number-maze": Script(
        "1324/2132/4213/3421",
        "right left down up",
        2,
        "The opponent has no valid moves.",
        None,
    ),
    "grid-runner": Script(
        "",
        "right left down up right up right down down left down left right up down",
        1,
        "Reached the opponent's start.",
        None,
    ),
    "grid-conquest": Script(
        "53152/24251/43453/?1523/?2214",
        "C3 D4 D3 A1 B2 B4 C5",
        1,
        "Reached 15 points.",
        (16, 12),
    ),
    "number-connect": Script(
        "4152/6371/2845/9162",
        "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2",
        2,
        "Reached exactly 15.",
        (14, 15),
    ),
}


def options_for(game: str) -> dict[str, str]:
    """What to enter into the form for the game of a script."""
    options = {"board": SCRIPTS[game].board} if SCRIPTS[game].board else {}
    return options | ({"first": "1"} if game == "grid-conquest" else {})
