"""Rules and guided first games."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from gridwise import Game, games
from gridwise.core.contracts import LessonStep
from tests.browser.people import Person
from tests.browser.windows import assert_fits, assert_in_sight
from tests.sizes import sample

EVERY_GAME = pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
SMALL: ViewportSize = {"width": 320, "height": 568}


def looks_into_the_trap(someone: Person, step: LessonStep) -> None:
    """Where another move leads, and back."""
    assert step.trap
    page = someone.page
    page.get_by_role("link", name=step.trap.say).click()
    coach_says(page, step.trap.because)
    page.get_by_role("link", name="Back to the lesson").click()
    coach_says(page, step.say)


def coach_says(page: Page, text: str) -> None:
    """With Red as it is seen: the page has the name of the other palette, too."""
    expect(page.locator("#coach")).to_contain_text(text, use_inner_text=True)


@EVERY_GAME
def test_a_guided_first_game(game: Game, ann: Person) -> None:
    """Each coached move is pointed out and leads on, another gets a word, the last one wins.

    What goes wrong otherwise can be looked at. On a small phone, the board and what to do are seen
    without scrolling at every step.
    """
    lesson = game.lesson
    assert lesson
    ann.page.set_viewport_size(SMALL)
    page = ann.goes_to("/learn")
    page.get_by_role("link", name=game.title, exact=True).click()
    coach_says(page, lesson.opening)
    for number, step in enumerate(lesson.steps, 1):
        where = f"Move {number} of {len(lesson.steps)}"
        expect(page.get_by_role("list", name=where)).to_be_visible()
        coach_says(page, step.say)
        expect(page.locator("#board .hinted.open")).to_have_attribute(
            "data-moves", re.compile(rf"(^| ){re.escape(step.move)}( |$)")
        )
        assert_fits(page, where)
        assert_in_sight(page, "#board svg", ".task")
        if step.trap:
            looks_into_the_trap(ann, step)
        if number == 1:
            other = page.locator("#board .open:not(.hinted)")
            trap = step.trap.moves.split() if step.trap else []
            moves = [str(each.get_attribute("data-moves")) for each in other.all()]
            ann.plays(next((move for move in moves if move not in trap), step.move))
            if set(moves) - set(trap):
                # A move that loses gets a sentence of the solver besides.
                note = page.locator(".note.bad")
                said = re.compile(rf"^{re.escape(step.otherwise)}( [^.]+\.)?$")
                expect(note).to_have_text(said, use_inner_text=True)
                assert_in_sight(page, "#board svg", ".note.bad", ".task")
                ann.plays(step.move)
        else:
            ann.plays(step.move)
        coach_says(page, step.because)
    coach_says(page, lesson.end)
    expect(page.get_by_role("link", name="Play a real game")).to_be_visible()
    assert_fits(page, "the end")
    assert_in_sight(page, "#board svg", "#next")


@pytest.mark.parametrize("game", sample(games()[:1], long=games()), ids=lambda game: str(game.key))
def test_a_lesson_shows_what_goes_wrong_without_scripts(game: Game, plain: Person) -> None:
    """The trap can be looked at, and then the lesson goes on."""
    assert game.lesson
    number, step = next((n, each) for n, each in enumerate(game.lesson.steps, 1) if each.trap)
    plain.goes_to(f"/learn/{game.key}/{number}")
    looks_into_the_trap(plain, step)
    assert plain.page.url.endswith(f"/learn/{game.key}/{number}")


def test_a_lesson_without_scripts(plain: Person) -> None:
    """There is a button for each move; another one gets a word, the last one wins."""
    page = plain.goes_to("/learn/number-connect")
    page.get_by_role("button", name="0,0").click()
    expect(page.locator(".note.bad")).to_contain_text("For this lesson")
    for move in ("2,2", "2,3", "3,2"):
        page.get_by_role("button", name=move).click()
    expect(page.get_by_role("link", name="Play a real game")).to_be_visible()


def test_back_forward_and_reload_in_a_lesson(ann: Person) -> None:
    """Back leads to the step before, and out of a trap; a finished lesson is marked in the list."""
    page = ann.goes_to("/learn/number-maze/1")
    ann.plays("right")  # the first move of a trap springs it
    expect(page.locator("#coach")).to_contain_text("You are stuck")
    page.goto("/learn/number-maze/1")
    page.get_by_role("link", name="What if you go right?").click()
    expect(page.locator("#coach")).to_contain_text("You are stuck")
    page.reload()
    expect(page.locator("#coach")).to_contain_text("You are stuck")
    page.go_back()
    expect(page.locator("#coach")).to_contain_text("So go down.")
    ann.target("down").focus()
    ann.presses("Enter")
    expect(page.get_by_role("list", name="Move 2 of 3")).to_be_visible()
    assert page.evaluate("() => document.activeElement.closest('#board') !== null")
    page.go_back()
    expect(page.get_by_role("list", name="Move 1 of 3")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("list", name="Move 2 of 3")).to_be_visible()
    page.reload()
    expect(page.locator("#board.yours .open").first).to_be_visible()
    page.goto("/learn")
    expect(page.locator("[data-lesson=number-maze]")).to_be_hidden()
    page.goto("/learn/number-maze/4")
    page.goto("/learn")
    expect(page.locator("[data-lesson=number-maze]")).to_be_visible()
    expect(page.locator("[data-lesson=number-run]")).to_be_hidden()


def test_a_challenge_that_backfires_is_seen_to_happen(person: Callable[..., Person]) -> None:
    """Token by token, in words beside the board; at the end it is the learner who is home."""
    ann = person(reduced_motion="no-preference")
    page = ann.goes_to("/learn/number-run/3")
    page.evaluate("""() => {
        window.told = [];
        window.points = [];
        for (const [told, selector] of [[window.told, "#telling"], [window.points, ".caption"]]) {
            const place = document.querySelector(selector);
            new MutationObserver(() => told.push(place.textContent)).observe(
                place, {childList: true});
        }
    }""")
    page.get_by_role("link", name="What if you challenge when you are behind?").click()
    expect(page.locator("#coach")).to_contain_text("that backfired")
    assert page.evaluate("window.told") == [
        "You go to 1,3 (+3), now 10.",
        "Red goes to 2,2 (+5), now 13.",
        "You go to 2,3. Challenge! 11 loses to 13. You are sent home with 0.",
    ]
    assert page.evaluate("window.points") == [
        "You have 10 points, Red has 8.",
        "You have 10 points, Red has 13.",
        "You have 0 points, Red has 13.",
    ]
    expect(ann.cell("0,0").locator(".piece.one")).to_be_visible()


def test_the_board_of_a_lesson_keeps_its_width_while_moves_are_shown(
    person: Callable[..., Person],
) -> None:
    """On a desktop, in every picture that the browser draws between a move and the next step."""
    ann = person(pace=300, reduced_motion="no-preference", viewport={"width": 1280, "height": 800})
    page = ann.goes_to("/learn/number-run")
    page.wait_for_load_state("load")
    page.evaluate("""() => {
        window.widths = new Set();
        window.hidden = false;
        const look = () => {
            const width = document.querySelector("#board svg").getBoundingClientRect().width;
            window.widths.add(Math.round(width));
            window.hidden ||= !document.querySelector("#coach").checkVisibility();
            requestAnimationFrame(look);
        };
        look();
    }""")
    ann.page.locator("#board .hinted").click()
    expect(page.get_by_role("list", name="Move 2 of")).to_be_visible()
    assert page.evaluate("window.hidden"), "the moves were not shown at all"
    widths = page.evaluate("[...window.widths]")
    assert len(widths) == 1, widths
    assert widths[0] > 400


TERMINAL = re.compile(r"(?i)\btyp(e|ing)\b|prompt|terminal|gridwise |--\w|`|\bply\b|plies")


@EVERY_GAME
def test_rules_pages_begin_with_a_few_lines_and_pictures(game: Game, ann: Person) -> None:
    """The rest is folded away, and whole; nothing in it is about typing."""
    page = ann.goes_to(f"/rules/{game.key}")
    _, short, *others = [
        line[3:] for line in ("## ", *game.rules_text().splitlines()) if line.startswith("## ")
    ]
    assert page.locator(".prose h2").all_inner_texts() == [short, "The idea", *others]
    lines = page.locator(".prose li:visible, .prose p:visible").all_inner_texts()
    assert len(lines) <= 5
    expect(page.locator(".prose .picture svg")).to_have_count(1)
    expect(page.locator("figure svg:visible")).to_have_count(len(game.examples))
    expect(page.locator("figcaption")).to_have_text([each.caption for each in game.examples])
    assert len(game.examples) >= 3
    for heading in ("The idea", *others):
        page.locator("summary", has_text=heading).click()
    text = page.locator(".prose").inner_text()
    assert len(text) > len(game.rules_text()) / 2
    assert "{board}" not in text
    assert "**" not in text
    assert TERMINAL.findall(text) == []
