"""Rules and guided first games."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from gridwise import Game, games
from tests.browser.people import Person


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_guided_first_game(game: Game, person: Callable[..., Person]) -> None:
    """Each coached move is pointed out and leads on, another gets a word, the last one wins."""
    ann = person(reduced_motion="reduce")
    lesson = game.lesson
    assert lesson
    page = ann.goes_to("/learn")
    page.get_by_role("link", name=game.title, exact=True).click()
    expect(page.locator("#coach")).to_contain_text(lesson.opening)
    for number, step in enumerate(lesson.steps, 1):
        where = f"Move {number} of {len(lesson.steps)}"
        expect(page.get_by_role("list", name=where)).to_be_visible()
        expect(page.locator("#coach")).to_contain_text(step.say)
        expect(page.locator("#board .hinted.open")).to_have_attribute(
            "data-moves", re.compile(rf"(^| ){re.escape(step.move)}( |$)")
        )
        if number == 1:
            other = page.locator("#board .open:not(.hinted)")
            trap = step.trap.moves.split() if step.trap else []
            moves = [str(each.get_attribute("data-moves")) for each in other.all()]
            ann.plays(next((move for move in moves if move not in trap), step.move))
            if set(moves) - set(trap):
                expect(page.locator(".note.bad")).to_have_text(step.otherwise)
                ann.plays(step.move)
        else:
            ann.plays(step.move)
        expect(page.locator("#coach")).to_contain_text(step.because)
    expect(page.locator("#coach")).to_contain_text(lesson.end)
    expect(page.get_by_role("link", name="Play a real game")).to_be_visible()


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_lesson_shows_what_goes_wrong(game: Game, person: Callable[..., Person]) -> None:
    """The trap can be looked at, with and without scripts, and then the lesson goes on."""
    assert game.lesson
    number, step = next((n, each) for n, each in enumerate(game.lesson.steps, 1) if each.trap)
    assert step.trap
    for scripts in (True, False):
        ann = person(reduced_motion="reduce", java_script_enabled=scripts)
        page = ann.goes_to(f"/learn/{game.key}/{number}")
        page.get_by_role("link", name=step.trap.say).click()
        expect(page.locator("#coach")).to_contain_text(step.trap.because)
        page.get_by_role("link", name="Back to the lesson").click()
        expect(page.locator("#coach")).to_contain_text(step.say)
        assert page.url.endswith(f"/learn/{game.key}/{number}")


def test_a_lesson_without_scripts(person: Callable[..., Person]) -> None:
    """There is a button for each move; another one gets a word, the last one wins."""
    ann = person(java_script_enabled=False)
    page = ann.goes_to("/learn/number-connect")
    page.get_by_role("button", name="0,0").click()
    expect(page.locator(".note.bad")).to_contain_text("For this lesson")
    for move in ("2,2", "2,3", "3,2"):
        page.get_by_role("button", name=move).click()
    expect(page.get_by_role("link", name="Play a real game")).to_be_visible()


def test_the_back_button_goes_back_in_a_lesson(person: Callable[..., Person]) -> None:
    """To the step before, and out of a trap; a reload stays where one is."""
    ann = person(reduced_motion="reduce")
    page = ann.goes_to("/learn/number-maze/1")
    page.get_by_role("link", name="What if you go right?").click()
    expect(page.locator("#coach")).to_contain_text("You are stuck")
    page.reload()
    expect(page.locator("#coach")).to_contain_text("You are stuck")
    page.go_back()
    expect(page.locator("#coach")).to_contain_text("So go down.")
    ann.plays("down")
    expect(page.get_by_role("list", name="Move 2 of 3")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("list", name="Move 1 of 3")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("list", name="Move 2 of 3")).to_be_visible()


def test_finished_lessons_are_marked(person: Callable[..., Person]) -> None:
    """In this browser, in the list of lessons."""
    ann = person()
    page = ann.goes_to("/learn")
    expect(page.locator("[data-lesson=number-maze]")).to_be_hidden()
    ann.goes_to("/learn/number-maze/4")
    page = ann.goes_to("/learn")
    expect(page.locator("[data-lesson=number-maze]")).to_be_visible()
    expect(page.locator("[data-lesson=number-run]")).to_be_hidden()


def test_a_challenge_that_backfires_is_seen_to_happen(ann: Person) -> None:
    """Token by token, in words beside the board; at the end it is the learner who is home."""
    page = ann.goes_to("/learn/number-run/3")
    page.evaluate("""() => {
        window.told = [];
        const telling = document.getElementById("telling");
        new MutationObserver(() => window.told.push(telling.textContent)).observe(
            telling, {childList: true});
    }""")
    page.get_by_role("link", name="What if you challenge when you are behind?").click()
    expect(page.locator("#coach")).to_contain_text("that backfired")
    assert page.evaluate("window.told") == [
        "You go to 1,3, a 3: 10 points in total.",
        "Player 2 goes to 2,2, a 5: 13 points in total.",
        "You go to 2,3. You challenged: 11 loses to 13. You are back home with 0 points.",
    ]
    expect(ann.cell("0,0").locator(".piece.one")).to_be_visible()


def test_the_first_move_of_a_trap_springs_it(person: Callable[..., Person]) -> None:
    """Whoever walks into it sees where it leads."""
    ann = person(reduced_motion="reduce")
    page = ann.goes_to("/learn/number-maze/1")
    ann.plays("right")
    expect(page.locator("#coach")).to_contain_text("You are stuck")


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_lesson_fits_a_small_phone(game: Game, person: Callable[..., Person]) -> None:
    """On 320 by 568 pixels, the board and what to do are seen without scrolling, at every step."""
    ann = person(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True)
    assert game.lesson
    steps = len(game.lesson.steps)
    for step in range(1, steps + 2):
        page = ann.goes_to(f"/learn/{game.key}/{step}")
        last = page.locator(".task" if step <= steps else "#next")
        for part in (page.locator("#board svg"), last):
            box = part.bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 568, (game.key, step, box)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_lesson_with_the_keyboard(person: Callable[..., Person]) -> None:
    """The focus stays on the board from move to move."""
    ann = person(reduced_motion="reduce")
    page = ann.goes_to("/learn/number-maze")
    ann.target("down").focus()
    ann.presses("Enter")
    expect(page.get_by_role("list", name="Move 2 of 3")).to_be_visible()
    assert page.evaluate("() => document.activeElement.closest('#board') !== null")


@pytest.mark.parametrize("path", ["/rules/grid-conquest", "/learn/grid-conquest/2"])
def test_the_title_is_seen_on_a_phone_on_its_side(path: str, person: Callable[..., Person]) -> None:
    """Also where cells lie face down: only a game to look back at does without."""
    ann = person(viewport={"width": 740, "height": 360})
    box = ann.goes_to(path).locator("main h1").bounding_box()
    assert box
    assert box["width"] > 100


TERMINAL = re.compile(r"(?i)\btyp(e|ing)\b|prompt|terminal|gridwise |--\w|`|\bply\b|plies")


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_rules_pages_are_whole_and_know_no_terminal(game: Game, ann: Person) -> None:
    """Every heading of the rules, with boards drawn and captions; nothing about typing."""
    page = ann.goes_to(f"/rules/{game.key}")
    headings = [line[3:] for line in game.rules_text().splitlines() if line.startswith("## ")]
    assert page.locator(".prose h2").all_inner_texts() == headings
    expect(page.locator(".prose .picture svg")).to_have_count(1)
    expect(page.locator("figure svg")).to_have_count(len(game.examples))
    expect(page.locator("figcaption")).to_have_text([each.caption for each in game.examples])
    assert len(game.examples) >= 3
    text = page.locator(".prose").inner_text()
    assert "{board}" not in text
    assert "**" not in text
    assert TERMINAL.findall(text) == []
