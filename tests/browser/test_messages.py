"""What reaches a real page over its socket: small messages, from which the page shows the board."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocket, expect

from tests.browser.people import Person

RUN_BOARD = "31425/25134/42513/14252/53142"
TO_THE_CHALLENGE = ("0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "2,2!")


def test_a_page_shows_a_challenge_from_messages_of_less_than_2_kb(
    person: Callable[..., Person],
) -> None:
    """Both players and a spectator; each reads it in the words of their side."""
    ann, bob, eve = (person() for _ in range(3))
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: sent.append(str(frame)))

    for each in (ann, bob, eve):
        each.page.on("websocket", listen)
    address = ann.starts("number-run", board=RUN_BOARD, name="Ann")
    bob.joins(address, "Bob")
    eve.goes_to(address)
    for ply, move in enumerate(TO_THE_CHALLENGE):
        (ann, bob)[ply % 2].plays(move)
        expect((bob, ann)[ply % 2].page.locator("#board.yours")).to_be_visible()
    went = "challenged: 12 beats 8."
    for who, said in (
        (ann, f"You {went} Bob is back home with 0 points."),
        (bob, f"Ann {went} You are back home with 0 points."),
        (eve, f"Ann {went} Bob is back home with 0 points."),
    ):
        expect(who.page.locator("#news")).to_contain_text(said)
        expect(who.cell("2,2").locator(".piece.one")).to_be_visible()
        expect(who.cell("4,4").locator(".piece.two")).to_be_visible()
        expect(who.cell("2,3").locator(".piece")).to_have_count(0)
    changes: list[dict[str, Any]] = [
        json.loads(text) | {"size": len(text.encode())}
        for text in sent
        if text.startswith('{"type":"change"')
    ]
    moves = [each for each in changes if each["event"]]
    assert len(moves) == 3 * len(TO_THE_CHALLENGE)
    assert max(each["size"] for each in moves) < 2_000
    assert not any("cells" in each for each in moves)
    expect(eve.page.locator("#watching")).to_be_empty()  # nobody but herself
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
