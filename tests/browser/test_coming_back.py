"""Coming back in a real browser: your games on another device, a flag that falls, erasing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.browser.tables import made
from tests.sizes import sample


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
