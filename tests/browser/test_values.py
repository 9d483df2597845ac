"""What each move is worth, on its cell, and best play to step through, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from gridwise import Position
from gridwise.engine.evaluation import evaluate
from gridwise.play.values import cell_values
from tests.browser.people import Person
from tests.browser.tables import made, two_at
from tests.browser.test_look_back import has_played, looks_back

MAZE = "1324/2132/4213/3421"  # the board of the text of Number Maze
BLUNDER = 1  # the first move, after which Red wins


@pytest.fixture(scope="module")
def finished(residents: Callable[..., Person]) -> str:
    """A game of Number Maze that Player 1 loses with the first move."""
    return has_played(residents("Ann"), "number-maze")


def shown(page: Page) -> dict[str, str]:
    """What stands on the cells, by their names."""
    cells = page.locator("#board .valued")
    return {
        str(cell.get_attribute("data-cell")): cell.locator(".worth text").first.text_content() or ""
        for cell in cells.all()
    }


def worths(*moves: str) -> dict[str, str]:
    """The same, worked out here."""
    position = Position("number-maze", MAZE, moves=moves)
    values = cell_values(position, evaluate(position)).values()
    return {each.name: each.text for each in values}


def test_a_switch_shows_what_each_move_is_worth_on_its_cell(ann: Person, finished: str) -> None:
    """In every position of the game, with the best starred, in words too; and it stays on."""
    page = looks_back(ann, finished, "?at=0")
    switch = page.get_by_role("button", name="What each move is worth, on its cell")
    expect(page.locator(".worth")).to_have_count(0)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".worth")).to_have_count(len(worths()))
    assert shown(page) == worths()
    expect(page.locator(".worth.top .star")).to_have_count(1)
    expect(page.locator("#legend")).to_have_text(
        "W3 wins in 3 moves · L2 loses in 2 moves · ★ best"
    )
    # Whoever cannot see the board is told the same of each cell.
    expect(page.get_by_role("gridcell", name="(down: wins in 3 moves)")).to_have_count(1)
    ann.presses("ArrowRight")
    expect(page.locator("#where")).to_have_text("Blue's move 1")
    expect(page.locator(".worth")).to_have_count(len(worths("right")))
    assert shown(page) == worths("right")
    page.reload()
    expect(page.locator(".worth")).to_have_count(len(worths("right")))
    ann.presses("v")
    expect(page.locator(".worth")).to_have_count(0)
    expect(page.locator("#board title", has_text="loses in")).to_have_count(0)


def test_what_is_tried_has_values_too(ann: Person, finished: str) -> None:
    """They come with the answer, without another question."""
    page = looks_back(ann, finished, "?at=0")
    page.locator("#values").click()
    expect(page.locator(".worth")).to_have_count(2)
    page.locator("#reply").evaluate("each => { each.value = '' }")
    ann.target("down").click()
    expect(page.locator("#where")).to_have_text("Not played in the game")
    expect(page.locator(".worth")).to_have_count(len(worths("down")))
    assert shown(page) == worths("down")


def test_best_play_is_stepped_through_with_the_arrows(ann: Person, finished: str) -> None:
    """From the start Player 1 wins in three moves; back at its beginning it still lies ahead."""
    page = looks_back(ann, finished, "?at=0")
    page.locator("#line").click()
    line = page.locator("#line-shown")
    expect(line).to_have_text("Best play: ▸ down up down left up")
    for number in range(1, 6):
        ann.presses("ArrowRight")
        moves = ["down", "up", "down", "left", "up"]
        moves.insert(number, "▸")
        expect(line).to_have_text(f"Best play: {' '.join(moves)}")
        expect(page.locator("#worth")).not_to_have_text("Thinking …")
    expect(page.locator("#worth")).to_contain_text("Blue won")
    expect(page.get_by_role("link", name="Next move")).to_be_enabled()  # the game goes on
    for _ in range(5):
        page.get_by_role("link", name="Previous move").click()
        expect(page.locator("#worth")).not_to_have_text("Thinking …")
    expect(line).to_have_text("Best play: ▸ down up down left up")
    expect(ann.headline).to_have_text("Start of the game.")
    ann.presses("End")
    expect(line).to_have_text("")


def test_a_mistake_shows_what_would_have_been_better_and_how_it_is_refuted(
    ann: Person, finished: str
) -> None:
    """Best play after it is the refutation; a button lays each ahead."""
    page = looks_back(ann, finished, f"?at={BLUNDER}")
    page.get_by_role("button", name="Show what follows").click()
    line = page.locator("#line-shown")
    expect(line).to_contain_text("Best play: ▸ ")
    refuted = line.inner_text().partition("▸")[2].split()
    assert len(refuted) == 3  # Player 2 can win in 2 moves, as the review says
    over = Position("number-maze", MAZE, moves=["right", *refuted]).outcome
    assert over
    assert over.winner == 2
    page.get_by_role("button", name="Show best play").click()
    expect(page.locator("#line-shown")).to_have_text("Best play: ▸ down up down left up")
    assert page.url.endswith("?at=0")


def test_nothing_is_valued_while_a_game_goes_on(ann: Person) -> None:
    """Neither is there a switch, nor does the server answer."""
    game = made(ann, "number-maze")
    page = ann.goes_to(f"{game}/back")
    expect(page.locator("#share")).to_be_visible()
    expect(page.locator("#values, #line")).to_have_count(0)
    for what in ("values", "line"):
        assert ann.page.request.get(f"{game}/at/0/{what}").status == 409


def test_practice_shows_values_in_a_game_against_a_bot_and_is_noted(
    ann: Person, eve: Person
) -> None:
    """After a question; from then on at each of one's turns, and gone while the bot moves."""
    game = made(ann, "number-maze", opponent="bot", level="novice", side=1, board=MAZE)
    page = ann.goes_to(game)
    values = page.get_by_role("button", name="What each move is worth")
    values.click()
    expect(page.locator("#confirm")).to_contain_text("a win does not count")
    ann.presses("Escape")
    expect(values).to_be_focused()
    expect(values).to_have_attribute("aria-pressed", "false")
    assert "Help" not in page.request.get(record_of(game)).text()
    assert not eve.context.request.post(f"{game}/values").ok  # she only watches
    assert "Help" not in page.request.get(record_of(game)).text()
    values.click()
    page.get_by_role("button", name="Show values").click()
    expect(values).to_be_focused()
    expect(values).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".worth")).to_have_count(len(worths()))
    assert shown(page) == worths()
    expect(page.locator("#legend")).to_contain_text("W3 wins in 3 moves")
    ann.plays("down")
    expect(page.locator("#moves span:not(.n):not(:empty)")).to_have_count(2)
    moves = ann.moves
    expect(page.locator(".worth")).to_have_count(len(worths(*moves)))
    assert shown(page) == worths(*moves)
    values.click()
    expect(page.locator(".worth")).to_have_count(0)
    assert '[Help "values"]' in page.request.get(record_of(game)).text()


def test_two_people_at_two_screens_never_see_values(ann: Person, bob: Person) -> None:
    """There is no button, and the server refuses."""
    address = two_at(ann, bob, "number-maze", moves=1)
    page = ann.goes_to(address)
    expect(ann.headline).to_be_visible()
    expect(page.get_by_role("button", name="What each move is worth")).to_be_hidden()
    for person in (ann, bob):
        person.goes_to(address)
        answer = person.page.evaluate(
            "async (to) => (await fetch(to, { method: 'POST' })).status", f"{address}/values"
        )
        assert answer == 409
        person.forgive_status(409)


def record_of(game: str) -> str:
    """Where the record of a game is."""
    return f"{game.replace('/g/', '/api/games/')}/record"
