"""Take the pictures of the web pages that the documents show: `docs/web/*.png`.

Run by `make screenshots`. It starts `gridwise serve` with an empty database, plays in it with
Chromium as people do, and looks. The boards and moves are fixed, so the pictures change only when
the pages do.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parents[1] / "docs" / "web"
DESK = {"viewport": {"width": 1080, "height": 760}}
PHONE = {
    "viewport": {"width": 375, "height": 780},
    "device_scale_factor": 1.5,
    "is_mobile": True,
    "has_touch": True,
}
BOARD = "31425/25134/42513/14252/53142"
MEETING = ("0,1", "3,4", "1,1", "3,3", "1,2", "2,3")
# Player 1 turns back, and the race is lost.
LOST = (*MEETING, "0,2", "1,3", "0,3", "1,4", "0,4")
CLAIMS = ("C3", "D4", "D3", "A1", "B2")
DEALT = "53152/24251/43453/31523/22214"


def main() -> None:
    """Take them all."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, serving(home) as address, browsing() as browser:
        _games(browser, address)
        page = _page(browser, address, **DESK)
        page.goto("/")
        _take(page, "start")


@contextmanager
def serving(home: str) -> Iterator[str]:
    """A server of our own; its address."""
    command = [sys.executable, "-m", "gridwise", "serve", "--port", "0"]
    environment = {**os.environ, "GRIDWISE_HOME": home}
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        if not found:
            sys.exit("The server does not start.")
        try:
            yield found[0]
        finally:
            process.terminate()


@contextmanager
def browsing() -> Iterator[Browser]:
    """Chromium without a window."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        sys.exit("There is no Chromium here: see scripts/system_packages.sh")
    flags = ["--disable-gpu", "--hide-scrollbars"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


def _games(browser: Browser, address: str) -> None:
    day = _page(browser, address, **DESK)
    _start(day, "number-run", BOARD, name="Ann", listed=True)
    friend = _page(browser, address, **DESK)
    friend.goto(day.url)
    friend.locator("[name=name]").fill("Bob")
    friend.get_by_role("button", name="Take the free seat").click()
    for number, move in enumerate(MEETING):
        _play((day, friend)[number % 2], move)
    day.locator("#board.yours").wait_for()
    _take(day, "game-light")

    night = _page(browser, address, color_scheme="dark", **DESK)
    _start(night, "grid-conquest", DEALT, opponent="same-screen", first="1")
    for move in CLAIMS:
        _play(night, move)
    night.get_by_text("plays B2").first.wait_for()
    _take(night, "game-dark")

    phone = _page(browser, address, **PHONE)
    _start(phone, "number-run", BOARD, opponent="same-screen")
    for move in MEETING:
        _play(phone, move)
    phone.locator('#board.yours [data-moves~="2,2!"]').click()
    phone.locator("#ask button").first.wait_for()
    phone.evaluate("() => scrollTo(0, 0)")
    _take(phone, "game-phone")

    back = _page(browser, address, **DESK)
    _start(back, "number-run", BOARD, opponent="same-screen", listed=True, name="Ann")
    for move in LOST:
        _play(back, move)
    back.get_by_role("button", name="Resign").click()
    back.locator("#confirm-resign").click()
    back.get_by_role("link", name="Look back").click()
    back.locator("#reviewed").wait_for()
    back.goto(back.url.split("?")[0] + "?at=7")
    back.locator("#reviewed").wait_for()
    _take(back, "look-back")


def _page(browser: Browser, address: str, **look: Any) -> Page:  # noqa: ANN401 - Playwright's
    return browser.new_context(base_url=address, **look).new_page()


def _start(
    page: Page,
    game: str,
    board: str,
    opponent: str = "link",
    *,
    name: str = "",
    first: str = "",
    listed: bool = False,
) -> None:
    page.goto(f"/new/{game}?deal=own&board={board}&opponent={opponent}&first={first}&name={name}")
    if listed:
        page.locator("[name=listed]").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/g/*")


def _play(page: Page, move: str) -> None:
    """Click on the cell of a move; answer No if there is a question."""
    target = page.locator(f'#board.yours [data-moves~="{move}"]')
    asks = len(str(target.get_attribute("data-moves")).split()) > 1
    target.click()
    if asks:
        page.locator("#ask").get_by_role("button", name="No", exact=True).click()


def _take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)  # until colours have settled
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    print(f"{path.relative_to(PICTURES.parents[1])}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
