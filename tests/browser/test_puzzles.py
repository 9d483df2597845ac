"""Puzzles in a real browser: lines played to their end, explained, counted and shared."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from gridwise import game as game_named
from gridwise import games
from gridwise.engine.puzzles import (
    BOOK_VERSION,
    START_RATING,
    PuzzleAddress,
    PuzzleLine,
    levels,
    puzzle_at,
    puzzle_count,
    start_line,
)
from gridwise.engine.puzzles import puzzle_of_the_day as address_of_day
from gridwise.play.puzzle_progress import PuzzleProgress
from tests.browser.people import Person
from tests.sizes import sample

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
KINDS: dict[str, dict[str, Any]] = {
    "mouse": {"reduced_motion": "no-preference"},
    "phone": PHONE,
    "still": {"pace": 600},
}


def line_at(game: str, level: int, number: int) -> PuzzleLine:
    """A puzzle before its first move."""
    return start_line(puzzle_at(PuzzleAddress(game, level, number)))


def address_in(game: str, number: int) -> PuzzleAddress:
    """A puzzle of the second level that a game has."""
    return PuzzleAddress(game, levels(game_named(game))[1], number)


def solves(person: Person, line: PuzzleLine, *, tap: bool = False) -> None:
    """Play the fastest win on the page."""
    while not line.is_solved:
        person.plays(line.step.solution.move, tap=tap)
        line = line.after(line.step.solution.action).after_answers()
        if not line.is_solved:
            # The words are the same after every move: the list of moves says that it was answered.
            expect(person.page.locator(".log li")).to_have_count(len(line.positions) - 1)
            expect(person.page.locator(".verdict")).to_have_text("Right! And now?")
    expect(person.page.locator(".verdict.solved")).to_contain_text("You won: ")


def kept(person: Person) -> dict[str, Any]:
    """What the browser remembers."""
    text = person.page.evaluate("() => localStorage.getItem('gridwise.puzzles')")
    progress: dict[str, Any] = json.loads(text or "{}")
    return progress


def all_ways() -> list[tuple[str, str]]:
    """Every game in every way."""
    return list(itertools.product([game.key for game in games()], KINDS))


@pytest.mark.parametrize(("game", "kind"), sample(all_ways()[::4], long=all_ways()))
def test_a_line_is_played_to_its_end(
    game: str, kind: str, residents: Callable[..., Person]
) -> None:
    """With a mouse, on a phone, and for those who want nothing to move."""
    ann = residents(f"puzzles, {kind}", **KINDS[kind])
    asked = address_in(game, 4)
    page = ann.goes_to(f"/puzzles/{asked}")
    solves(ann, start_line(puzzle_at(asked)), tap=kind == "phone")
    expect(page.locator(".verdict")).to_contain_text("Solved on the first try!")
    expect(page.locator("[data-standing]")).to_contain_text("1 puzzle solved, 1 on the first try.")
    assert kept(ann)["solved"] == {f"{game}/{asked.difficulty}": {"4": 1}}
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_url(re.compile(rf"/puzzles/{game}/\d/\d+$"))
    assert not page.url.endswith(f"/{asked}")
    assert ann.complaints == []
    ann.goes_home()


def test_a_wrong_move_is_shown_refuted_and_taken_back(person: Callable[..., Person]) -> None:
    """Move by move on the board; the puzzle can be solved then, but not on the first try."""
    ann, line = person(pace=300, reduced_motion="no-preference"), line_at("number-maze", 2, 7)
    page = ann.goes_to("/puzzles/number-maze/2/7")
    # All of the picture, but for the cell that Tab leads to: the last one that was chosen.
    picture = "document.querySelector('#board svg').innerHTML.replace(/ tabindex=\"[^\"]*\"/g, '')"
    before = page.evaluate(f"() => {picture}")
    wrong = next(each for each in line.step.evaluation.moves if each.value == "loss")
    ann.plays(wrong.move)
    expect(page.locator(".verdict.wrong")).to_contain_text("loses: your opponent answers with ")
    expect(page.locator("#board.yours")).to_be_visible()
    page.wait_for_function(f"(before) => {picture} === before", arg=before)
    solves(ann, line)
    expect(page.locator(".verdict")).not_to_contain_text("first try")
    assert kept(ann)["solved"] == {"number-maze/2": {"7": 0}}


def test_the_solution_is_explained_on_the_board(ann: Person) -> None:
    """Step by step, with an arrow; giving up is not solving."""
    page = ann.goes_to("/puzzles/number-run/3/5")
    moves = line_at("number-run", 3, 5).solution()
    page.get_by_role("link", name="Show the solution").click()
    expect(page.locator(".solution li")).to_have_count(len(moves))
    for move in moves:
        page.get_by_role("link", name="Forward").click()
        expect(page.locator(".verdict")).to_contain_text(move.why)
        expect(page.locator(".solution [aria-current]")).not_to_contain_text(move.why)
        expect(page.locator("#board .arrow.best")).to_have_count(1)
    expect(page.locator(".forward")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("link", name="Back").click()
    expect(page.locator(".verdict")).to_contain_text(moves[-2].why)
    page.locator(".solution a").last.click()
    expect(page.locator(".verdict")).to_contain_text(moves[-1].why)
    assert kept(ann)["solved"] == {}
    # As after solving it, the reasons can be had from the first move on.
    page.get_by_role("button", name="Explain the moves").click()
    expect(page.locator(".verdict")).to_contain_text(moves[0].why)
    expect(page.locator(".solution [aria-current]")).to_have_count(1)
    expect(page.get_by_role("button", name="Explain the moves")).to_be_hidden()
    page.get_by_role("link", name="Try it yourself").click()
    solves(ann, line_at("number-run", 3, 5))
    assert kept(ann)["solved"] == {"number-run/3": {"5": 0}}


def test_a_face_down_cell_can_be_chosen_and_the_solution_stepped_through(ann: Person) -> None:
    """Its back is no button of the page, and the page's button Back takes no reload."""
    asked = address_in("grid-conquest", 2)
    page, line = ann.goes_to(f"/puzzles/{asked}"), start_line(puzzle_at(asked))
    page.evaluate("() => { window.stayed = true; }")
    page.locator("#board.yours .open .back").first.click()
    expect(page.locator(".verdict.wrong, .verdict.right")).to_be_visible()
    page.get_by_role("link", name="Show the solution").click()
    page.get_by_role("link", name="Forward").click()
    expect(page.locator(".verdict")).to_contain_text(line.solution()[0].why)
    page.get_by_role("link", name="Back").click()
    expect(page.locator(".verdict")).to_have_text("Here is the solution, move by move.")
    expect(page.get_by_role("link", name="Back")).to_be_disabled()
    assert page.evaluate("() => window.stayed")


def test_hints_do_not_give_it_away_and_count(ann: Person) -> None:
    """Each names a move that does not win."""
    page = ann.goes_to("/puzzles/number-connect/2/5")
    page.get_by_role("link", name="Hint", exact=True).click()
    expect(page.locator(".verdict.hint")).to_contain_text("your opponent answers with ")
    first = page.locator(".verdict").inner_text()
    page.get_by_role("link", name="Another hint").click()
    expect(page.locator(".verdict.hint")).not_to_have_text(first)
    solves(ann, line_at("number-connect", 2, 5))
    expect(page.locator(".verdict")).to_contain_text("Solved!")


def test_a_puzzle_with_the_keyboard(ann: Person) -> None:
    """The focus stays on the board from move to move, and goes to the next puzzle at the end."""
    page, line = ann.goes_to("/puzzles/number-maze/3/4"), line_at("number-maze", 3, 4)
    count = 0
    while not line.is_solved:
        ann.target(line.step.solution.move).focus()
        ann.presses("Enter")
        line = line.after(line.step.solution.action).after_answers()
        if not line.is_solved:
            expect(page.locator(".verdict")).to_have_text("Right! And now?")
            count += 1  # the words are the same after every move: the address says that it is over
            page.wait_for_function(
                "(n) => new URL(location).searchParams.get('line')?.split(' ').length === n",
                arg=count,
            )
            assert page.evaluate("() => document.activeElement.closest('#board') !== null")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()
    ann.presses("Enter")
    page.wait_for_url(re.compile(r"/puzzles/number-maze/\d/\d+$"))


def test_a_reload_goes_on_where_it_was_and_the_list_of_moves_works(ann: Person) -> None:
    """The moves so far are in the address; a move can be chosen from a list."""
    page, line = ann.goes_to("/puzzles/grid-runner/1/6"), line_at("grid-runner", 1, 6)
    first = line.step.solution.action
    page.get_by_text("Choose a move from a list").click()
    page.locator("select[name=move]").select_option(line.step.solution.move)
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".verdict")).to_have_text("Right! And now?")
    page.reload()
    expect(page.locator(".log li")).to_have_count(len(line.step.answers[first]) + 1)
    solves(ann, line.after(line.step.solution.action).after_answers())


def test_offline_nothing_is_lost(ann: Person) -> None:
    """The page says so, and the same move works later."""
    page, line = ann.goes_to("/puzzles/number-maze/2/3"), line_at("number-maze", 2, 3)
    ann.context.set_offline(True)
    ann.plays(line.step.solution.move)
    expect(page.locator(".problem")).to_have_text("You are offline. Try again.")
    ann.context.set_offline(False)
    ann.forgive_the_network()
    solves(ann, line)


def test_the_puzzle_of_the_day_makes_a_streak_and_a_result_to_share(ann: Person) -> None:
    """Played in the list of puzzles; three days in a row are a streak of three."""
    today = dt.datetime.now(dt.UTC).date()
    days = {str(today - dt.timedelta(days=back)): 1 for back in (1, 2)}
    ann.goes_to("/puzzles")
    ann.page.evaluate(
        "(text) => localStorage.setItem('gridwise.puzzles', text)",
        json.dumps({"book": BOOK_VERSION, "days": days}),
    )
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = ann.goes_to("/puzzles")
    address = address_of_day(today)
    solves(ann, start_line(puzzle_at(address)))
    expect(page.locator("[data-of=streak]")).to_have_text("3")
    expect(page.locator("[data-of=first]")).to_have_text("1")
    level = page.locator(f'[data-level="{address.game}/{address.difficulty}"]')
    count = puzzle_count(game_named(address.game), address.difficulty)
    expect(level).to_contain_text(f"1 of {count}")
    assert kept(ann)["days"][str(today)] == 1
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".shared")).to_have_text("Copied.")
    text = page.evaluate("() => navigator.clipboard.readText()")
    assert text.startswith(f"Gridwise puzzle of the day, {today}\n")
    assert "🟩" * 3 in text
    assert "solved on the first try" in text
    assert "Streak: 3 days" in text
    assert text.endswith(f"/puzzles/day/{today}")
    page.reload()
    expect(page.locator(".verdict.solved")).to_contain_text("Solved on the first try!")
    expect(page.locator(".verdict.solved")).to_contain_text("The next one comes in ")
    expect(page.locator("#board.yours")).to_have_count(0)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".shared")).to_have_text("Copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == text
    page.get_by_role("link", name="Solve it again").click()
    page.wait_for_url(f"**/puzzles/day/{today}?again=yes")
    solves(ann, start_line(puzzle_at(address)))


def test_streaks_and_first_tries_are_counted_as_they_were(ann: Person) -> None:
    """Today's may still be open; one of an earlier day adds no day, one solved again no try."""
    today = dt.datetime.now(dt.UTC).date()
    late = today - dt.timedelta(days=30)
    days = {str(today - dt.timedelta(days=back)): 1 for back in (1, 2, 11, 12, 13)}
    address = address_of_day(late)
    level = f"{address.game}/{address.difficulty}"
    solved = {level: {str(address.number): 1}, "number-maze/2": {"1": 1, "2": 0}}
    if level == "number-maze/2":
        solved = {level: {"1": 1, "2": 0} | solved[level]}
    missed = {f"{level}/{address.number}": 1}
    rated = {f"{level}/{address.number}": [0, 1400]}
    before = {"book": BOOK_VERSION, "solved": solved, "missed": missed, "days": days}
    before |= {"rating": 1050.5, "results": 1, "rated": rated}
    ann.goes_to("/puzzles")
    ann.page.evaluate(
        "(text) => localStorage.setItem('gridwise.puzzles', text)", json.dumps(before)
    )
    ann.goes_to(f"/puzzles/day/{late}")
    solves(ann, start_line(puzzle_at(address)))
    assert kept(ann) == before
    page = ann.goes_to("/puzzles")
    expect(page.locator("[data-of=streak]")).to_have_text("2")
    expect(page.locator("[data-of=best]")).to_have_text("3")
    expect(page.locator("[data-of=rating]")).to_have_text("1051")
    following = next(n for n in range(1, 41) if str(n) not in solved["number-maze/2"])
    link = page.locator('[data-level="number-maze/2"]')
    expect(link).to_have_attribute("href", f"/puzzles/number-maze/2/{following}")


def test_the_rating_moves_as_in_the_app_and_once_a_puzzle(ann: Person) -> None:
    """By the same numbers; with a hint it is not solved, and what follows counts for nothing."""
    progress = PuzzleProgress()
    for number, helped in ((3, False), (4, True), (5, False)):
        puzzle = puzzle_at(PuzzleAddress("number-maze", 2, number))
        page = ann.goes_to(f"/puzzles/{puzzle.address}")
        if helped:
            page.get_by_role("link", name="Hint", exact=True).click()
            expect(page.locator(".verdict.hint")).to_be_visible()
        solves(ann, start_line(puzzle))
        progress = progress.with_result(puzzle, solved=not helped)
        rating = round(progress.rating)
        expect(page.locator("[data-standing]")).to_contain_text(f"Rating: {rating} (")
        now = kept(ann)
        assert now["rating"] == pytest.approx(progress.rating)
        assert now["results"] == progress.results
        assert now["rated"][str(puzzle.address)] == list(progress.rated[str(puzzle.address)])
    before = kept(ann)
    ann.goes_to("/puzzles/number-maze/2/3")
    solves(ann, line_at("number-maze", 2, 3))
    assert kept(ann) == before


def test_what_was_solved_in_older_books_is_still_counted(ann: Person) -> None:
    """Their numbers mean other puzzles now; days and sums stay."""
    today = dt.datetime.now(dt.UTC).date()
    old = {
        "solved": {"number-maze/2": {"1": 1, "2": 0}, "number-run/2": {"5": 1}},
        "missed": {"number-maze/2/2": 1},
        "days": {str(today - dt.timedelta(days=1)): 1},
    }
    ann.goes_to("/puzzles")
    ann.page.evaluate("(text) => localStorage.setItem('gridwise.puzzles', text)", json.dumps(old))
    page = ann.goes_to("/puzzles")
    for what, number in (("solved", 3), ("first", 2), ("streak", 1), ("rating", 1100)):
        expect(page.locator(f"[data-of={what}]")).to_have_text(str(number))
    ann.goes_to("/puzzles/number-maze/2/2")
    solves(ann, line_at("number-maze", 2, 2))
    assert kept(ann)["solved"] == {"number-maze/2": {"2": 1}}
    assert kept(ann)["earlier"] == {"solved": 3, "first": 2}
    assert kept(ann)["rating"] > START_RATING


def test_what_is_solved_is_forgotten_with_everything_else(ann: Person) -> None:
    """One click in the settings erases it."""
    page = ann.goes_to("/puzzles/number-maze/2/1")
    solves(ann, line_at("number-maze", 2, 1))
    page.evaluate("() => window.gridwise.forget()")
    assert kept(ann) == {}
    expect(page.locator("[data-standing]")).to_be_hidden()
