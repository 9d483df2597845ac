"""Coming back in a real browser: your games on another device, a flag that falls, erasing."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.browser.tables import made
from tests.sizes import sample


def test_a_puzzle_streak_goes_to_a_phone_in_the_link(ann: Person, bob: Person) -> None:
    """Also of who plays no games; both keep what they had, and the better of both."""
    today = dt.datetime.now(dt.UTC).date()
    days = [str(today - dt.timedelta(days=back)) for back in range(300)]
    desk: dict[str, Any] = {
        "solved": {"number-maze/1": {"1": 1, "2": 0}},
        "days": dict.fromkeys(days[:3], 1),
    }
    phone = {"solved": {"number-maze/1": {"2": 1}, "number-run/2": {"7": 1}}, "missed": {"x": 1}}
    both: dict[str, Any] = {"solved": {"number-maze/1": {"1": 1, "2": 1}, "number-run/2": {"7": 1}}}
    both |= {"days": dict.fromkeys(days[:3], 1), "missed": {"x": 1}}
    long: dict[str, Any] = {"solved": {"number-run/2": {str(n): n % 2 for n in range(999)}}}
    long |= {"days": dict.fromkeys(days, 1)}
    for progress, expected in ((desk, both), (long, None)):
        for each, has in ((ann, progress), (bob, phone)):
            each.goes_to("/puzzles").evaluate(
                "(has) => localStorage.setItem('gridwise.puzzles', JSON.stringify(has))", has
            )
        page = ann.goes_to("/device")
        expect(page.locator("[name=progress]")).not_to_have_value("")
        page.get_by_role("button", name="Show the link").click()
        expect(page.locator(".qr svg")).to_be_visible()
        link = page.get_by_label("The link").input_value()
        assert len(link) < 700
        bob.goes_to(link)
        bob.page.get_by_role("button", name="Continue here").click()
        bob.page.wait_for_url("**/games")
        kept = bob.page.evaluate("JSON.parse(localStorage.getItem('gridwise.puzzles'))")
        if expected:
            assert kept == expected
        # Of a very long streak the newest days, and all that there was.
        assert kept["solved"]["number-run/2"] == {"7": 1}
        assert list(kept["days"])[:50] == days[: len(kept["days"])][:50]
    assert len(kept["days"]) >= 60


@pytest.mark.parametrize("desk_has_scripts", sample([True], long=[True, False]))
def test_seats_go_to_a_phone_and_everything_is_erased(
    ann: Person, plain: Person, desk_has_scripts: bool
) -> None:
    """With and without scripts: by the link of the page, which works once; erasing is one click."""
    desk, phone = (ann, plain) if desk_has_scripts else (plain, ann)
    phone.page.set_viewport_size({"width": 320, "height": 568})
    game = made(desk, "grid-runner")
    desk.goes_to("/games").get_by_role("link", name="Play on another device").click()
    desk.page.get_by_role("button", name="Show the link").click()
    expect(desk.page.locator(".qr svg")).to_be_visible()
    if desk_has_scripts:
        desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
        desk.page.get_by_role("button", name="Copy").click()
        expect(desk.page.get_by_role("status")).to_have_text("Copied.")
    link = desk.page.get_by_label("The link").input_value()
    page = phone.goes_to(link)
    page.get_by_role("button", name="Continue here").click()
    page.wait_for_url("**/games")
    expect(page.locator(f'a[href="{game}"]')).to_contain_text("Play")
    phone.goes_to(link)
    expect(page.get_by_role("heading", name="This link does not work any more")).to_be_visible()
    phone.forgive_status(404)
    page = phone.goes_to("/settings")
    assert phone.context.cookies()
    page.get_by_role("button", name="Erase everything about me").click()
    expect(page.get_by_role("heading", name="Erased")).to_be_visible()
    assert phone.context.cookies() == []
    expect(phone.goes_to("/games").locator("body")).to_contain_text("Nothing yet")
