"""Looking back: step by step, with the engine's verdict, a graph, and moves that were not made."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import SCRIPTS, Person, options_for


@pytest.fixture
def finished(ann: Person) -> str:
    """A game of Number Maze that Player 1 loses with the first move, looked back at."""
    address = ann.starts("number-maze", "same-screen", **options_for("number-maze"))
    for move in SCRIPTS["number-maze"].moves.split():
        ann.plays(move)
    ann.page.get_by_role("link", name="Look back").click()
    ann.page.wait_for_url("**/back")
    expect(ann.page.locator("#reviewed")).to_be_visible()
    return address


def test_arrow_keys_step_through_the_game(ann: Person, finished: str) -> None:
    """To the start, to the end and one by one, with the board, the list and the graph in step."""
    page = ann.page
    expect(ann.headline).to_have_text("Move 4: Player 2 plays up.")
    expect(page.locator("#note")).to_have_text("Player 2 wins: the opponent has no valid moves.")
    for key, headline, token in (
        ("Home", "Start of the game.", "1,1"),
        ("ArrowRight", "Move 1: Player 1 plays right.", "1,2"),
        ("ArrowRight", "Move 2: Player 2 plays left.", "1,2"),
        ("ArrowRight", "Move 3: Player 1 plays down.", "4,2"),
        ("ArrowLeft", "Move 2: Player 2 plays left.", "1,2"),
        ("End", "Move 4: Player 2 plays up.", "4,2"),
    ):
        ann.presses(key)
        expect(ann.headline).to_have_text(headline)
        expect(ann.cell(token).locator("text").first).to_have_text("P1")
        at = {"Start of the game.": "0"}.get(headline) or headline[5]
        expect(page.locator("tr[aria-current=step]")).to_have_attribute("data-at", at)
        expect(page.locator(".spot.here")).to_have_attribute("data-at", at)
        assert page.url.endswith(f"?at={at}")
    page.get_by_role("button", name="Previous move").click()
    expect(ann.headline).to_have_text("Move 3: Player 1 plays down.")
    page.locator(".spot").first.click()
    expect(ann.headline).to_have_text("Start of the game.")
    page.reload()
    expect(ann.headline).to_have_text("Start of the game.")


def test_the_page_tells_the_story_of_gridwise_review(
    ann: Person, finished: str, tmp_path: Path
) -> None:
    """The downloaded record, reviewed on the command line, gives the same verdicts and words."""
    page = ann.page
    with page.expect_download() as download:
        page.get_by_role("link", name="Download game").click()
    record = tmp_path / "game.gwr"
    download.value.save_as(record)
    run = subprocess.run(
        [sys.executable, "-m", "gridwise", "review", str(record), "--plain"],
        capture_output=True,
        text=True,
        check=True,
    )
    printed = " ".join(run.stdout.split())
    for line in page.locator("#summary li").all_inner_texts():
        assert line in printed
    table = re.findall(
        r"^ *(\d+) Player (\d)  (\S+) +((?:win|loss) in \d+ moves?|\S+)", run.stdout, re.MULTILINE
    )
    rows = page.locator("#move-table tbody tr:not([data-at='0'])").all()
    assert len(rows) == len(table) == 4
    for row, (number, mover, move, worth) in zip(rows, table, strict=True):
        cells = [" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
        assert cells[0] == number
        assert cells[1] == f"Player {mover} {move}"
        assert cells[2] == worth
    # The first move gave a win away: that is a fact about this board, found by exhaustive search.
    assert (
        "Move 1, Player 1: down wins in 3 moves; right loses: Player 2 can win in 2 moves."
        in printed
    )
    assert rows[0].locator(".mark").inner_text() == "??"


def test_what_if(ann: Person, finished: str) -> None:
    """Another move is tried on the board, and the engine says what the position is worth."""
    ann.presses("Home")
    expect(ann.headline).to_have_text("Start of the game.")
    ann.plays("down")
    page = ann.page
    expect(page.locator("#what-if")).to_be_visible()
    expect(page.locator("#worth")).to_have_text("Player 2 loses in 2 moves.")
    expect(page.locator("#options li")).to_have_text(
        ["up: loss in 2 moves", "left: loss in 2 moves"]
    )
    ann.plays("left")
    ann.plays("down")
    ann.plays("up")
    ann.plays("right")
    expect(ann.headline).to_have_text("Player 1 wins: reached the opponent's start.")
    page.get_by_role("button", name="Undo").click()
    expect(ann.headline).to_have_text("Player 1's turn.")
    page.get_by_role("button", name="Back to the game").click()
    expect(ann.headline).to_have_text("Start of the game.")
    expect(page.locator("#what-if")).to_be_hidden()
    ann.plays("right")  # the move that was played is just the next step
    expect(ann.headline).to_have_text("Move 1: Player 1 plays right.")
    expect(page.locator("#what-if")).to_be_hidden()


def test_what_if_takes_two_clicks_for_one(ann: Person, finished: str) -> None:
    """The second was not meant for the position that the first leads to."""
    ann.presses("Home")
    expect(ann.headline).to_have_text("Start of the game.")
    page = ann.page

    def slowly(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/at/*", slowly)
    ann.target("down").dblclick()
    expect(page.locator("#worth")).to_have_text("Player 2 loses in 2 moves.")
    expect(page.locator("#tried")).to_have_text("down")
    page.get_by_role("button", name="Back to the game").click()
    ann.target("right").dblclick()
    expect(ann.headline).to_have_text("Move 1: Player 1 plays right.")
    expect(page.locator("#what-if")).to_be_hidden()
    page.unroute_all(behavior="ignoreErrors")  # the page looks ahead


def test_what_if_goes_on_from_what_is_shown_after_a_failure(ann: Person, finished: str) -> None:
    """A move that could not be tried is not in the way of the next."""
    ann.presses("Home")
    expect(ann.headline).to_have_text("Start of the game.")
    page = ann.page
    page.route("**/at/*", lambda route: route.abort())
    ann.plays("down")
    expect(page.locator("#worth")).to_contain_text("offline")
    page.unroute("**/at/*")
    ann.plays("down")
    expect(page.locator("#worth")).to_have_text("Player 2 loses in 2 moves.")
    expect(page.locator("#tried")).to_have_text("down")
    ann.complaints = [each for each in ann.complaints if "ERR_FAILED" not in each]


def test_the_picture_can_be_taken_home(ann: Person, finished: str) -> None:
    """An SVG that stands for itself."""
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download picture").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "var(--" not in text


def test_a_game_that_goes_on_is_not_judged(ann: Person) -> None:
    """One can step back in it, but the engine is silent until it is over."""
    address = ann.starts("number-connect", "same-screen", **options_for("number-connect"))
    ann.plays("0,0")
    ann.sees_moves("0,0")
    page = ann.goes_to(f"{address}/back")
    expect(page.get_by_text("The engine reviews the game when it is over")).to_be_visible()
    ann.presses("ArrowLeft")
    expect(ann.headline).to_have_text("Start of the game.")
    answer = page.request.get(f"{address}/at/0?tried=0,1")
    assert answer.status == 409
    assert page.request.get(f"{address}/review").status == 409


def test_a_long_review_says_how_far_it_is(ann: Person) -> None:
    """Where there is chance each move takes a while; the page shows progress, then the story."""
    ann.starts("grid-conquest", "same-screen", **options_for("grid-conquest"))
    for move in SCRIPTS["grid-conquest"].moves.split():
        ann.plays(move)
    expect(ann.headline).to_have_text("Player 1 wins!")
    ann.page.get_by_role("link", name="Look back").click()
    expect(ann.page.locator("#reviewed")).to_be_visible(timeout=60_000)
    expect(ann.page.locator("#summary li").last).to_contain_text("Player 2: accuracy")
