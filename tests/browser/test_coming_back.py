"""Coming back in a real browser: your games, another device, a match with a clock, erasing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.people import Person


@pytest.mark.parametrize("scripts", [True, False])
def test_seats_go_to_a_phone_and_everything_is_erased(
    person: Callable[..., Person], scripts: bool
) -> None:
    """With and without scripts: by the link of the page, which works once; erasing is one click."""
    desk = person(java_script_enabled=scripts)
    phone = person(java_script_enabled=scripts, viewport={"width": 320, "height": 568})
    game = desk.starts("grid-runner", opponent="same-screen").rpartition("/")[2]
    desk.goes_to("/games").get_by_role("link", name="Take my games along").click()
    desk.page.get_by_role("button", name="Show the link").click()
    expect(desk.page.locator(".qr svg")).to_be_visible()
    link = desk.page.get_by_label("The link").input_value()
    page = phone.goes_to(link)
    page.get_by_role("button", name="Continue here").click()
    page.wait_for_url("**/games")
    expect(page.locator(f'a[href="/g/{game}"]')).to_contain_text("Play")
    phone.goes_to(link)
    expect(page.get_by_role("heading", name="This link has been used")).to_be_visible()
    phone.forgive_status(404)
    page = phone.goes_to("/settings")
    assert phone.context.cookies()
    page.get_by_role("button", name="Erase everything about me").click()
    expect(page.get_by_role("heading", name="Erased")).to_be_visible()
    assert phone.context.cookies() == []
    expect(phone.goes_to("/games").locator("body")).to_contain_text("Nothing yet")


def test_a_flag_falls_in_front_of_everybody(ann: Person, bob: Person) -> None:
    """The clock of the one to move runs, and both see who has lost when it has run out."""
    new = {"game": "grid-runner", "seed": 5, "name": "Ann", "clock": {"minutes": 0.25}}
    address = ann.page.request.post("/api/games", data=new).json()["url"]
    ann.goes_to(address)
    bob.joins(address, "Bob")
    for mover in (ann, bob):
        mover.page.locator("#board.yours .cell.open").first.click()
        expect(mover.page.locator("#board.yours")).to_have_count(0)
    for each in (ann, bob):  # a quarter of a minute
        expect(each.page.locator("body")).to_contain_text("ran out of time", timeout=40_000)


@pytest.mark.parametrize("path", ["/games", "/device", "/forget"])
def test_the_pages_are_accessible(ann: Person, path: str) -> None:
    """In the words of axe."""
    ann.starts("number-run", opponent="same-screen")
    page = ann.goes_to(path)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
