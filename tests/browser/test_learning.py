"""Rules, guided first games and puzzles."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gridwise import Game, games
from gridwise.engine.puzzles import make_puzzle
from gridwise.web.settings import Rate
from tests.browser.people import Person
from tests.web.servers import NO_LIMITS, running, sqlite


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_guided_first_game(game: Game, ann: Person) -> None:
    """Each coached move leads on, another one gets a word, and the last one wins."""
    lesson = game.lesson
    assert lesson
    page = ann.goes_to("/learn")
    page.get_by_role("link", name=game.title, exact=True).click()
    expect(page.locator("main")).to_contain_text(lesson.opening)
    for number, step in enumerate(lesson.steps, 1):
        expect(page.locator("main")).to_contain_text(f"Move {number} of {len(lesson.steps)}")
        expect(page.locator("main")).to_contain_text(step.say)
        if number == 1:
            other = page.locator("#board .open")
            moves = [str(each.get_attribute("data-moves")) for each in other.all()]
            ann.plays(next(move for move in moves if move != step.move))
            expect(page.locator(".note.bad")).to_have_text(step.otherwise)
        ann.plays(step.move)
        expect(page.locator("main")).to_contain_text(step.because)
    expect(page.locator("main")).to_contain_text(lesson.end)
    expect(page.get_by_role("link", name="Play a real game")).to_be_visible()


def test_a_lesson_with_the_keyboard(ann: Person) -> None:
    """The focus stays on the board from move to move."""
    page = ann.goes_to("/learn/number-maze")
    ann.target("down").focus()
    ann.presses("Enter")
    expect(page.locator("main")).to_contain_text("Move 2 of 3")
    assert page.evaluate("() => document.activeElement.closest('#board') !== null")


def test_puzzles_are_solved_or_explained(ann: Person) -> None:
    """A wrong move is refuted, the right one explained; the next is one click away."""
    page = ann.goes_to("/puzzles/number-maze/2/7")
    game = next(each for each in games() if each.key == "number-maze")
    puzzle = make_puzzle(game, 2, "7")
    legal = puzzle.position.legal_moves
    expect(page.locator(".headline")).to_have_text(
        f"Player {puzzle.position.turn} to move and win."
    )
    ann.plays(next(move for move in legal if move != puzzle.solution.move))
    expect(page.locator(".note.bad")).to_contain_text("Try again.")
    ann.plays(puzzle.solution.move)
    expect(page.locator(".headline")).to_have_text("Right!")
    expect(page.locator(".note.good")).to_contain_text(f"Only {puzzle.solution.move} wins")
    expect(page.locator(".note.good")).to_contain_text("Best play:")
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_url("**/puzzles/number-maze/2/8")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".note.good")).to_contain_text("wins")


def test_an_answer_that_comes_too_fast_is_refused_in_words(
    person: Callable[..., Person], tmp_path: Path
) -> None:
    """The board stays where it was, and what to do is said beside it."""
    with running(sqlite(tmp_path), replace(NO_LIMITS, thinking=Rate(1, 0.01))) as address:
        ann = person(address)
        page = ann.goes_to("/puzzles/number-run/1/7")
        page.locator("#board.yours .open").first.click()
        expect(page.locator("#problem")).to_contain_text("Too many questions to the engine. Try")
        expect(page.locator("#board")).to_be_visible()
        ann.forgive_status(429)


def test_the_puzzle_of_the_day_is_the_same_for_everybody(ann: Person, bob: Person) -> None:
    """It goes by the date."""
    for each in (ann, bob):
        each.goes_to("/")
        each.page.get_by_role("link", name="Today's puzzle").click()
        expect(each.page.locator("h1")).to_contain_text("puzzle of the day")
    assert ann.page.url == bob.page.url
    assert dt.datetime.now(dt.UTC).date().isoformat() in ann.page.url
    assert ann.page.locator("#board").inner_html() == bob.page.locator("#board").inner_html()


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_rules_pages_are_whole(game: Game, ann: Person) -> None:
    """Every heading of the text is there, with a board, and no markup is left over."""
    page = ann.goes_to(f"/rules/{game.key}")
    headings = [line[3:] for line in game.page().splitlines() if line.startswith("## ")]
    assert page.locator(".prose h2").all_inner_texts() == headings
    expect(page.locator(".prose .picture svg")).to_have_count(1)
    text = page.locator(".prose").inner_text()
    assert "{board}" not in text
    assert "**" not in text
