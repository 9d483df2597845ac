"""Games that begin in one step, without the form, and in the middle if that is wanted."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.people import SCRIPTS, Person, options_for


def made(someone: Person, game: str, **options: Any) -> str:  # noqa: ANN401 - as the API takes
    """Start the game of a script, at one screen unless the options say otherwise; its address."""
    wanted: dict[str, Any] = {"opponent": "same-screen", **options_for(game), **options}
    if "first" in wanted:
        wanted["first"] = int(wanted["first"])
    answer = someone.context.request.post("/api/games", data={"game": game, **wanted})
    assert answer.ok, answer.text()
    return f"/g/{answer.json()['id']}"


def sends(someone: Person, address: str, move: str, version: int) -> None:
    """Play a move without a page."""
    sent = {"move": move, "version": version}
    game = address.rpartition("/")[2]
    answer = someone.context.request.post(f"/api/games/{game}/moves", data=sent)
    assert answer.ok, answer.text()


def begins(someone: Person, game: str, moves: int = 0, **options: Any) -> str:  # noqa: ANN401 - as the API takes
    """Start the game of a script, make so many of its moves, and open it; its address."""
    address = made(someone, game, **options)
    for version, move in enumerate(SCRIPTS[game].moves.split()[:moves]):
        sends(someone, address, move, version)
    someone.goes_to(address)
    return address


def two_at(ann: Person, bob: Person, game: str, moves: int = 0, **options: Any) -> str:  # noqa: ANN401 - as the API takes
    """Ann and Bob at the game of a script, each at a page of their own; its address."""
    address = made(ann, game, **{"opponent": "link", "name": "Ann", "side": 1, **options})
    seat = bob.context.request.post(f"/api/games{address[2:]}/seats", data={"name": "Bob"})
    assert seat.ok, seat.text()
    for number, move in enumerate(SCRIPTS[game].moves.split()[:moves]):
        sends((ann, bob)[number % 2], address, move, seat.json()["version"] + number)
    for each in (ann, bob):
        each.goes_to(address)
        expect(each.page.locator("#player-2 .about")).not_to_be_empty()
    return address
