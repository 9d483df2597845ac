"""The analysis board in a real browser: played, edited, pasted, shared, and without scripts."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from gridwise import Match
from gridwise.play.records import record_text
from tests.browser.people import Person
from tests.browser.test_look_back import has_played

RUN = "/analysis/number-run?board=31425/25134/42513/14252/53142"
# Player 1 to move: 2,2 wins in three moves, the others lose.
HERE = f"{RUN}&moves=0,1+3,4+1,1+3,3+1,2+2,3"
CONQUEST = "/analysis/grid-conquest?board=53152/24251/43453/%3F1523/%3F2214&moves=C3"


def test_both_sides_are_played_with_values_on_the_board(ann: Person) -> None:
    """A move is made by a click, taken back, gone through with the keys; the link has it all."""
    page = ann.goes_to(HERE)
    expect(page.locator(".worth.top")).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^2,2.*wins in 3 moves"))).to_be_visible()
    expect(page.locator("#worth")).to_have_text("Blue can force a win in 3 moves.")
    ann.plays("2,2")
    expect(ann.headline).to_have_text("Red to move.")
    made = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "2,2"]
    expect(page.locator("#moves li")).to_have_text(made)
    expect(page.locator(".worth").first).to_be_visible()
    expect(page.locator("#because")).to_have_text(re.compile("^2,2: It wins in 3 moves"))
    ann.presses(",")
    expect(ann.headline).to_have_text("Blue to move.")
    assert "at=6" in page.url
    page.reload()
    expect(page.locator("#moves [aria-current]")).to_have_text("2,3")
    expect(page.locator("#moves li")).to_have_count(7)
    page.get_by_role("button", name="Last move", exact=True).click()
    expect(page.locator("#moves [aria-current]")).to_have_text("2,2")
    ann.presses("u")
    expect(page.locator("#moves li")).to_have_count(6)
    page.locator("#values").click()
    expect(page.locator(".worth")).to_have_count(0)


def test_best_play_lies_ahead_and_is_stepped_through(ann: Person) -> None:
    """To its end, where Player 1 has won."""
    page = ann.goes_to(HERE)
    page.get_by_role("button", name="Best play from here").click()
    expect(page.locator("#moves li")).to_have_count(6 + 5)
    expect(ann.headline).to_have_text("Blue to move.")
    page.locator("body").press("End")
    expect(ann.headline).to_contain_text("Blue won")


def test_cells_and_the_size_are_edited(ann: Person) -> None:
    """What is chosen is put into cells with mouse and keyboard; moves stay while they can be."""
    page = ann.goes_to(f"{RUN}&moves=0,1+3,4")
    page.get_by_role("button", name="Edit the board").click()
    page.get_by_label("5", exact=True).check()
    ann.cell("4,4").click()
    expect(ann.cell("4,4").locator("title")).to_have_text(re.compile("^4,4: 5"))
    ann.cell("4,3").focus()
    ann.presses("Enter")
    expect(ann.cell("4,3").locator("title")).to_have_text(re.compile("^4,3: 5"))
    expect(page.locator("#moves li")).to_have_text(["0,1", "3,4"])
    assert "53155" in page.url
    page.get_by_label("Columns").fill("4")
    page.get_by_label("Columns").press("Enter")
    expect(page.locator("[data-cell]")).to_have_count(20)
    # On the smaller board the second move does not exist.
    expect(page.locator("#moves li")).to_have_text(["0,1"])
    page.get_by_label("Head start").fill("7")
    page.get_by_label("Head start").press("Enter")
    expect(ann.cell("3,2").locator(".piece.two")).to_be_visible()
    expect(page.locator("#note")).to_contain_text("Red has 7")
    page.get_by_label("Rows").fill("60")
    page.get_by_label("Rows").press("Enter")
    expect(page.locator("#problem")).to_contain_text("at most 63 cells")
    ann.forgive_status(400)
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".worth").first).to_be_visible()


def test_a_move_that_would_turn_up_the_unknown_says_what_to_enter(ann: Person) -> None:
    """Hidden cells have chances; the board stays, and goes on once the numbers are there."""
    page = ann.goes_to(CONQUEST)
    expect(page.locator(".worth.chance")).to_have_count(24)
    expect(page.locator(".cell.hidden")).to_have_count(16)
    ann.plays("D1")
    expect(page.locator("#problem")).to_contain_text("D1 and E1 would be turned up")
    ann.forgive_status(400)
    page.get_by_role("button", name="Edit the board").click()
    expect(page.locator(".cell.hidden")).to_have_count(2)
    for cell in ("D1", "E1"):
        ann.cell(cell).click()
        expect(ann.cell(cell)).not_to_have_class(re.compile("hidden"))
    page.get_by_role("button", name="Done").click()
    ann.plays("D1")
    expect(page.locator("#moves li")).to_have_text(["C3", "D1"])


def test_a_record_is_pasted_and_nonsense_is_refused(ann: Person) -> None:
    """It brings its game along; what cannot be read is answered with what could be."""
    page = ann.goes_to(RUN)
    match = Match("number-maze", "1324/2132/4213/3421", moves=["right", "left"])
    page.get_by_text("Paste a board or a game").click()
    page.locator("textarea").fill(record_text(match.record()))
    page.get_by_role("button", name="Open").click()
    page.wait_for_url(re.compile("/analysis/number-maze[?]"))
    expect(page.locator("#moves li")).to_have_text(["right", "left"])
    page.get_by_text("Paste a board or a game").click()
    page.locator("textarea").fill("hello")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert").first).to_contain_text("A board looks like")
    # What was pasted is still there, to be put right.
    box = page.locator("textarea").bounding_box()
    assert box
    assert box["width"] > 300
    expect(page.locator("textarea")).to_have_value("hello")
    lines = record_text(match.record()).splitlines()
    text = "\n".join(line for line in lines if not line.startswith("[Board"))
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert").first).to_have_text(
        "The tag Board is missing: a record has a line such as "
        f'[Board "{match.game.example_board}"].'
    )
    expect(page.locator("textarea")).to_have_value(text)
    ann.forgive_status(400)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("ab", 'Rows must be a whole number, not "ab".'),
        (
            "0",
            "A board of 0 rows and 5 columns cannot be used: it needs at least one of each, "
            "and at most 63 cells.",
        ),
        ("40", "A board has at most 63 cells, not 40 x 5."),
    ],
)
def test_a_size_that_cannot_be_is_refused_in_a_sentence(ann: Person, rows: str, says: str) -> None:
    """The board stays as it is."""
    page = ann.goes_to(RUN)
    page.locator("#edit").click()
    page.locator("#rows").fill(rows)
    page.locator("#rows").blur()
    expect(page.locator("#problem")).to_have_text(says)
    expect(page.locator("#board .cell")).to_have_count(25)
    ann.forgive_status(400)


def test_look_back_leads_to_the_analysis_of_a_position(ann: Person) -> None:
    """At the step that is on show, with the rest of the game ahead."""
    address = has_played(ann, "number-maze")
    page = ann.goes_to(f"{address}/back?at=1")
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_url(re.compile("/analysis/number-maze[?]"))
    expect(page.locator("#moves [aria-current]")).to_have_text("right")
    expect(page.locator("#moves li")).to_have_text(["right", "left", "down", "up"])


def test_without_scripts_moves_are_links_and_values_come_when_asked_for(plain: Person) -> None:
    """The same position, in words."""
    page = plain.goes_to(f"{RUN}&moves={quote('0,1 3,4')}")
    page.get_by_role("link", name="1,1", exact=True).click()
    expect(page.locator("#moves li")).to_have_text(["0,1", "3,4", "1,1"])
    page.get_by_role("link", name="What each move is worth").click()
    expect(page.locator("#because")).to_have_text(re.compile("^1,1: "))
    expect(page.get_by_text(re.compile("^3,3: loses in 4 moves"))).to_be_visible()
