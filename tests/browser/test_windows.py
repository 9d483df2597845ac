"""Every game to its end in every window: by mouse, by touch, by keyboard."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.people import SCRIPTS, Person
from tests.browser.windows import (
    WINDOWS,
    assert_fits,
    assert_in_sight,
    begins,
    plays_to_the_end,
)

LARGEST_MESSAGE = 2_000  # bytes of a move's message
NEEDED = ("#board svg", "#headline", "#player-1", "#player-2", "#actions")
WAYS = {
    "phone": "touch",
    "320 px": "touch",
    "landscape": "touch",
    "zoomed": "keyboard",
    "1920 px": "mouse",
}


def messages_of(someone: Person) -> list[str]:
    """What the sockets of somebody's pages are sent, from now on."""
    heard: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    someone.page.on("websocket", listen)
    return heard


def with_keys(someone: Person, move: str) -> None:
    """Walk to the cell of a move with the arrow keys and press Enter; answer what is asked."""
    target = someone.target(move)
    expect(target).to_have_count(1)
    page = someone.page
    if not page.evaluate("() => document.activeElement.closest('#board [data-cell]') !== null"):
        page.locator('#board [tabindex="0"]').focus()
    row, col, asks = target.evaluate(
        """target => {
            const { row, col, moves } = target.dataset;
            const at = document.activeElement.dataset;
            return [row - at.row, col - at.col, moves.includes(" ")];
        }"""
    )
    someone.presses(*["ArrowDown" if row > 0 else "ArrowUp"] * abs(row))
    someone.presses(*["ArrowRight" if col > 0 else "ArrowLeft"] * abs(col))
    someone.presses("Enter")
    if asks:
        expect(page.locator("#ask button").first).to_be_focused()
        someone.presses(*([] if move.endswith("!") else ["Tab"]), "Enter")


def ways(someone: Person) -> dict[str, Callable[[str], None]]:
    """How somebody may make a move."""
    return {
        "mouse": someone.plays,
        "touch": lambda move: someone.plays(move, tap=True),
        "keyboard": lambda move: with_keys(someone, move),
    }


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("game", SCRIPTS)
def test_every_game_in_every_window(game: str, window: str, person: Callable[..., Person]) -> None:
    """Nothing sticks out, all that is needed is in sight, and what comes with a move is small."""
    ann = person(**WINDOWS[window])
    page, heard = ann.page, messages_of(ann)
    begins(ann, game)
    expect(page.locator("#board.yours .open").first).to_be_visible()
    assert_fits(page, "at the start")
    assert_in_sight(page, *NEEDED)
    play = ways(ann)[WAYS[window]]
    in_play = iter(range(100))

    def look_and_play(move: str) -> None:
        play(move)
        if next(in_play) == 5:
            expect(page.locator("#board.yours .open").first).to_be_visible()
            assert_fits(page, "in play")
            assert_in_sight(page, *NEEDED)

    plays_to_the_end(ann, game, look_and_play)
    expect(page.locator("#over")).to_be_visible()
    assert_fits(page, "at the end")
    assert_in_sight(page, "#over-title", "#why", "#rematch")
    page.locator("#close-card").click()
    expect(page.locator("#over")).to_be_hidden()
    assert_in_sight(page, "#board svg", "#headline", "#show-card")
    changes = [text for text in heard if json.loads(text)["type"] == "change"]
    assert len(changes) == len(SCRIPTS[game].moves.split())
    longest = max(changes, key=lambda text: len(text.encode()))
    assert len(longest.encode()) < LARGEST_MESSAGE, longest


@pytest.mark.parametrize("window", WINDOWS)
def test_the_question_of_a_challenge_fits(window: str, person: Callable[..., Person]) -> None:
    """It is beside the cell, wholly in sight, and hides neither the cell nor the opponent."""
    ann = person(**WINDOWS[window])
    begins(ann, "number-run")
    for move in SCRIPTS["number-run"].moves.split()[:6]:
        ann.plays(move)
    ann.target("2,2!").click()
    ask = ann.page.locator("#ask")
    expect(ask.locator("button").first).to_be_visible()
    assert_fits(ann.page, "a question")
    box = ask.bounding_box()
    assert box
    size = WINDOWS[window]["viewport"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size["height"]
