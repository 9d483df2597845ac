"""Two people at one screen: their names, on the form and wherever they are spoken of."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.people import SCRIPTS, Person
from tests.browser.tables import sends


@pytest.mark.parametrize("scripts", [True, False])
def test_both_may_have_names(scripts: bool, ann: Person, plain: Person) -> None:
    """The form asks for them only here; cards, sentences, result, lists and look-back have them."""
    someone = ann if scripts else plain
    page = someone.goes_to("/new/number-connect")
    page.locator("[name=opponent][value=same-screen]").check()
    for name, label in (("name1", "Blue's name"), ("name2", "Red's name")):
        field = page.locator(f"label:has([name={name}])")
        expect(field).to_contain_text(label, use_inner_text=True)
    for opponent, both in (("bot", False), ("link", False), ("same-screen", True)):
        page.locator(f"[name=opponent][value={opponent}]").check()
        for name in ("name1", "name2"):
            expect(page.locator(f"[name={name}]")).to_be_visible(visible=both)
        expect(page.get_by_label("Your name")).to_be_visible(visible=not both)
        expect(page.get_by_text("Which side?")).to_be_visible(visible=not both)
    options = {"name1": "Ann", "name2": "Ben", "board": SCRIPTS["number-connect"].board}
    address = someone.starts("number-connect", "same-screen", **options)
    expect(page.locator("#name-1")).to_have_text("Ann")
    expect(page.locator("#name-2")).to_have_text("Ben")
    expect(page.locator(".player .about")).to_have_text(["", ""])
    expect(someone.headline).to_have_text("Ann's turn.")
    first, *moves = SCRIPTS["number-connect"].moves.split()
    sends(someone, address, first, 0)
    page.reload()
    expect(page.locator("#news")).to_have_text("Ann claims 0,0 (+4), now 4.")
    page.goto("/games")
    expect(page.locator(".turn .strip")).to_contain_text("Ann against Ben")
    for version, move in enumerate(moves, 1):
        sends(someone, address, move, version)
    page.goto(address)
    expect(page.locator("#over-title")).to_have_text("Ben won.")
    expect(page.locator("#why")).to_have_text("Ben reached 15 points.")
    page.goto(f"{address}/back")
    expect(page.locator(".pairing")).to_contain_text("Ann against Ben. Ben won:")
    page.goto(address)
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != address)
    expect(page.locator("#name-1")).to_have_text("Ben")
    expect(page.locator("#name-2")).to_have_text("Ann")


def test_one_name_is_enough_and_none_as_well(ann: Person) -> None:
    """Who has none is called by the colour."""
    ann.starts("grid-runner", "same-screen", name2="Ben")
    expect(ann.headline).to_have_text("Blue's turn.")
    expect(ann.page.locator("#name-2")).to_have_text("Ben")
    ann.starts("grid-runner", "same-screen")
    expect(ann.page.locator("#name-2")).to_have_text("Red")
