"""What players without a name are called: Blue and Red, or Orange where Red is seen as that."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.people import SCRIPTS, Person
from tests.browser.tables import begins, made, sends

NUMBERED = re.compile(r"Player [12]")
# What is read or heard of a page: titles of cells and the words for screen readers as well.
_READ = """() => {
  const texts = (kind) => [...document.querySelectorAll(kind)].map((each) => each.textContent);
  return [document.title, document.body.innerText, ...texts("svg title, .visually-hidden, option"),
    ...[...document.querySelectorAll("[title]")].map((each) => each.title)].join("\\n");
}"""


def read(page: Page) -> str:
    """All that is read or heard of a page."""
    return str(page.evaluate(_READ))


def sees_orange(someone: Person) -> None:
    """They have chosen the colour-blind palette."""
    someone.goes_to("/settings")
    someone.page.evaluate("gridwise.set('theme', 'colour-blind')")


def test_players_without_a_name_have_a_colour_on_every_page(ann: Person, bob: Person) -> None:
    """Never a number; neither in titles nor in what only a screen reader says."""
    page = ann.page
    playing = begins(ann, "number-run", moves=3)
    expect(ann.headline).to_have_text("Red's turn.")
    expect(page.locator("#name-1")).to_have_text("Blue")
    expect(page.locator("#head-2")).to_have_text("Red")
    expect(page).to_have_title("Red's turn · Number Run")
    expect(page.locator("#board .last title")).to_have_text("1,1: 5, Blue is here, the last move")
    pages = [playing, f"{playing}/back?at=2"]
    over = begins(ann, "number-connect", moves=99)
    expect(page.locator("#over-title")).to_have_text("Red won.")
    expect(page.locator("#why")).to_have_text("Red reached 15 points.")
    pages += [over, f"{over}/back", "/games"]
    analysis = "/analysis/grid-conquest?board=53152/24251/43453/31523/22214&moves=C3+D4"
    pages += [analysis, "/analysis/number-run", "/puzzles/number-run/2", "/learn/number-run/2"]
    for path in pages:
        ann.goes_to(path)
        page.wait_for_load_state("networkidle")
        assert not NUMBERED.search(read(page)), path
        assert re.search(r"\b(Blue|Red)\b", read(page)), path
    ann.goes_to(analysis)
    page.locator("#edit").click()
    expect(page.locator("#begins option")).to_have_text(["Blue", "Red"])
    # Somebody who waits, to whom else is here.
    ann.goes_to(made(ann, "grid-runner", opponent="link", listed=True, side=2))
    bob.goes_to("/")
    expect(bob.page.locator("#open")).to_contain_text("Red is waiting", use_inner_text=True)


def test_red_is_orange_where_it_is_seen_so(ann: Person) -> None:
    """In what the page comes with, in what a script puts there, and in the titles of cells."""
    sees_orange(ann)
    page = ann.page
    game = begins(ann, "number-run", moves=3)
    expect(ann.headline).to_have_text("Orange's turn.")
    expect(page.locator("#name-2")).to_have_text("Orange")
    expect(page).to_have_title("Orange's turn · Number Run")
    assert "Red" not in read(page)
    ann.plays("3,3")
    expect(page.locator("#news")).to_have_text("Orange goes to 3,3 (+5), now 7.")
    expect(page.locator("#live")).to_have_text("Orange goes to 3,3 (+5), now 7. Blue's turn.")
    expect(ann.cell("3,3").locator("title")).to_contain_text("Orange is here")
    assert "Red" not in read(page)
    # Another palette is chosen while the page is open.
    page.evaluate("gridwise.set('theme', 'light')")
    expect(page.locator("#news")).to_have_text("Red goes to 3,3 (+5), now 7.")
    page.evaluate("gridwise.set('theme', 'colour-blind')")
    for version, move in enumerate(SCRIPTS["number-run"].moves.split()[4:], 4):
        sends(ann, game, move, version)
    ann.goes_to(f"{game}/back")
    expect(page.locator("#reviewed")).to_be_visible()
    expect(page.locator("#summary li").first).to_contain_text("Orange was lost from the start")
    ann.presses("ArrowLeft")
    expect(ann.headline).to_have_text("Orange goes to 4,0 (+5), now 13.")
    assert "Red" not in read(page)
    ann.goes_to("/analysis/number-run?moves=0,1")
    expect(ann.headline).to_have_text("Orange to move.")
    expect(page.locator("#worth")).to_have_text(re.compile("^(Blue|Orange) "))
    ann.goes_to("/learn/number-run")
    expect(page.locator("#coach")).to_contain_text("where Orange starts", use_inner_text=True)


def test_somebody_who_is_called_red_keeps_the_name(ann: Person, bob: Person) -> None:
    """Also to whoever sees Red as Orange."""
    sees_orange(bob)
    address = made(ann, "number-run", opponent="link", name="Eric the Red", side=1)
    bob.joins(address)
    expect(bob.headline).to_have_text("\u2068Eric the Red\u2069's turn.")
    expect(bob.page.locator("#name-1")).to_have_text("\u2068Eric the Red\u2069")
