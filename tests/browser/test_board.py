"""A board that moves: whatever is animated, it ends in the picture that the server would draw."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from gridwise import Match
from gridwise.core.view import View
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg, svg_cell
from gridwise.web.game.move_effects import move_event
from gridwise.web.pages.templating import static_url
from tests.browser.people import SCRIPTS, Person

# A board alone, without the rest of the game page; scores for points to fly to.
FRAME = """
    <p id="player-1"><span class="score">0</span></p>
    <p id="player-2"><span class="score">0</span></p>
    <div class="board" id="board" data-game="GAME">SVG</div>
"""
MOUNT = """async ([html, script]) => {
    document.querySelector("main").innerHTML = html;
    document.getElementById("board").style.width = "400px";
    const { Board } = await import(script);
    window.board = new Board(document.getElementById("board"), (move) => (window.played = move));
    await board.ready; // what animates is loaded last
}"""
# Cells as they are, but for what the page itself adds: marks, titles, the Tab key's cell.
LOOKS = """() => [...document.querySelectorAll("#board [data-cell]")].map((cell) => [
    cell.dataset.cell,
    [...cell.classList].filter((each) => !/^(from|to)-|^(last|open)$/.test(each)).join(" "),
    [...cell.children].filter((each) => each.tagName !== "title").map((each) => each.outerHTML),
])"""
STILL = "() => !document.querySelector('.flying, .moment, .points')"
# Play a move to the end of its animation; how many layers there were in between.
PLAY = """async (message) => {
    const over = board.update(message);
    const layers = document.querySelectorAll(".flying").length;
    await over;
    return layers;
}"""
ALL_AT_ONCE = """async (messages) => {
    const all = messages.map((each) => board.update(each));
    await Promise.all(all.slice(0, -1));
    const layers = document.querySelectorAll(".flying").length;
    board.settle();
    await all.at(-1);
    return [layers, document.querySelectorAll(".flying").length];
}"""
HIDE = """async (message) => {
    const over = board.update(message);
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    await over;
    delete document.hidden;
}"""
LAYER = """async (message) => {
    const over = board.update(message);
    const layer = document.querySelector(".flying");
    const found = {
        hidden: layer.getAttribute("aria-hidden"),
        named: layer.querySelectorAll("[data-cell], [role], [tabindex], title").length,
        pointer: getComputedStyle(layer).pointerEvents,
        cells: layer.querySelectorAll(".cell").length,
    };
    await over;
    return found;
}"""
# Play a challenge to its end; what was on the board when its words were there. Noted by the page
# itself: it is there for a second.
MOMENT = """async (message) => {
    const seen = [];
    const text = (selector) => document.querySelector(selector)?.textContent;
    new MutationObserver(() => {
        const moment = document.querySelector(".moment");
        if (!moment) return;
        const stakes = ["one", "two"].map((who) => text(`.flying .piece.${who} text`));
        seen.push([moment.textContent, moment.getAttribute("aria-hidden"), ...stakes]);
    }).observe(document.getElementById("board"), { childList: true, subtree: true });
    await board.update(message);
    return seen[0];
}"""
OPEN = "cells => cells.map((cell) => [cell.dataset.cell, cell.dataset.moves])"
SET = (
    "([yours, legal, targets, questions]) => board.set({yours, legal, targets, questions, turn: 1})"
)
CUT_OFF = "message => { board.update(message); board.settle(); }"
BEGIN = "message => { window.over = board.update(message); }"


class Step:
    """A move: the message that a page gets, and the view that comes of it."""

    def __init__(self, match: Match, move: str) -> None:
        before = match.position
        match.move(move)
        self.after = match.position
        self.view = closed(self.after.view)
        drawing = self.view.drawing
        pairs = zip(closed(before.view).cells, self.view.cells, strict=True)
        self.message: dict[str, Any] = {
            "svg_cells": {now.name: svg_cell(now, drawing) for was, now in pairs if was != now},
            "event": move_event(before, self.after),
            "news": [f"{self.after.last_line()}."],
        }


def closed(view: View) -> View:
    """As a live game is drawn: the page opens the cells."""
    cells = tuple(cell._replace(moves=(), actions=()) for cell in view.cells)
    return replace(view, cells=cells, last=-1)


def steps(game: str) -> tuple[View, list[Step]]:
    """A whole game: how it begins, and its moves."""
    script = SCRIPTS[game]
    match = Match(game, script.board or None, first=1)
    first = closed(match.view)
    return first, [Step(match, move) for move in script.moves.split()]


def mounted(someone: Person, view: View) -> Page:
    """A page with nothing but a board."""
    page = someone.goes_to(f"/rules/{view.game}")
    html = FRAME.replace("GAME", view.game).replace("SVG", svg(view, PAGE, playable=True))
    page.evaluate(MOUNT, [html, static_url("board.js")])
    return page


def looks(page: Page) -> Any:  # noqa: ANN401 - from the page
    """The picture on the page."""
    return page.evaluate(LOOKS)


@pytest.fixture(scope="module")
def moving(residents: Callable[..., Person]) -> Person:
    """Somebody at the usual pace, who is there for all tests; time flies."""
    ann = residents("moving", pace=600, reduced_motion="no-preference")
    flies = ann.context.new_cdp_session(ann.page)
    flies.send("Animation.enable")
    flies.send("Animation.setPlaybackRate", {"playbackRate": 20})
    return ann


@pytest.mark.parametrize("game", SCRIPTS)
def test_every_move_ends_in_the_picture_of_the_server(moving: Person, game: str) -> None:
    """Played out to its end, with every animation, the board is as if drawn anew."""
    first, moves = steps(game)
    page = mounted(moving, first)
    for step in moves:
        assert page.evaluate(PLAY, step.message) == 1
        assert page.locator(".flying").count() == 0
        drawn = looks(page)
        page.evaluate("svg => board.show(svg)", svg(step.view, PAGE, playable=True))
        assert drawn == looks(page), step.after.moves[-1]
    page.wait_for_function(STILL)


def test_a_cut_off_animation_leaves_what_is_true(moving: Person) -> None:
    """By the next move, by a redraw, or by hiding the tab: at once, and the promise is kept."""
    first, moves = steps("number-run")
    page = mounted(moving, first)
    messages = [step.message for step in moves[:8]]  # the seventh is a challenge
    assert page.evaluate(ALL_AT_ONCE, messages) == [1, 0]
    drawn = looks(page)
    # A redraw in the middle of a move.
    page.evaluate(
        "([message, svg]) => { board.update(message); board.show(svg); }",
        [moves[8].message, svg(moves[7].view, PAGE, playable=True)],
    )
    assert page.locator(".flying").count() == 0
    assert looks(page) == drawn
    # A tab that is hidden in the middle of a move.
    page.evaluate(HIDE, moves[8].message)
    assert page.locator(".flying").count() == 0
    drawn = looks(page)
    page.evaluate("svg => board.show(svg)", svg(moves[8].view, PAGE, playable=True))
    assert drawn == looks(page)


@pytest.mark.parametrize(("motion", "pace", "words"), [("reduce", 600, 1), ("no-preference", 0, 0)])
def test_nothing_moves_for_those_who_prefer_that(
    moving: Person, motion: Literal["reduce", "no-preference"], pace: int, words: int
) -> None:
    """With reduced motion, or at pace 0, states jump; who is just calm reads how it went."""
    first, moves = steps("number-run")
    page = mounted(moving, first)
    page.emulate_media(reduced_motion=motion)
    page.evaluate("pace => gridwise.set('pace', pace)", pace)
    for step in moves[:7]:
        page.evaluate(BEGIN, step.message)
        assert page.evaluate("document.getAnimations().length") == 0
        assert page.locator(".flying, .points").count() == 0
        page.evaluate("async () => await over")
    assert page.locator(".moment").count() == words
    drawn = looks(page)
    page.evaluate("svg => board.show(svg)", svg(moves[6].view, PAGE, playable=True))
    assert drawn == looks(page)
    page.emulate_media(reduced_motion="no-preference")


def test_a_challenge_is_a_moment_on_the_board(moving: Person) -> None:
    """What both go into it with stands on the tokens, what came of it over the board."""
    first, moves = steps("number-run")
    page = mounted(moving, first)
    for step in moves[:6]:
        page.evaluate(CUT_OFF, step.message)
    words, hidden, one, two = page.evaluate(MOMENT, moves[6].message)
    assert "12 beats 8" in words
    assert hidden == "true"
    assert (one, two) == ("12", "8")
    assert page.locator(".flying").count() == 0


def test_what_flies_cannot_be_found_or_chosen(moving: Person) -> None:
    """The pictures in the layer have no names and no roles, and the Tab key passes them by."""
    first, moves = steps("grid-conquest")
    page = mounted(moving, first)
    layer = page.evaluate(LAYER, moves[0].message)
    assert layer.pop("cells") > 8  # a claim and its neighbours
    assert layer == {"hidden": "true", "named": 0, "pointer": "none"}


def test_the_focus_stays_where_it_is(moving: Person) -> None:
    """Through moves, redraws and animations the same cell has the focus, and is read out anew."""
    first, moves = steps("number-run")
    page = mounted(moving, first)
    page.evaluate(SET, [True, ["0,1", "1,0"], ["0,1", "1,0"], []])
    page.keyboard.press("Tab")
    page.locator('[data-cell="0,1"]').focus()
    expect(page.locator('[data-cell="0,1"] title')).to_have_text("0,1: 1, open to you")
    page.evaluate("async (message) => await board.update(message)", moves[0].message)
    expect(page.locator('[data-cell="0,1"]')).to_be_focused()
    expect(page.locator('[data-cell="0,1"] title')).to_have_text(re.compile("here, the last move"))
    page.evaluate("svg => board.show(svg)", svg(moves[0].view, PAGE, playable=True))
    expect(page.locator('[data-cell="0,1"]')).to_be_focused()
    assert page.locator('#board [tabindex="0"]').count() == 1


def test_cells_open_and_close_by_what_the_server_says(moving: Person) -> None:
    """The picture of a live game has no moves in it; `legal` and `targets` open cells."""
    first, _ = steps("number-maze")
    page = mounted(moving, first)
    opened, moves = page.locator("#board .open"), (["down", "right"], ["2,1", "1,2"])
    page.evaluate(SET, [True, *moves, []])
    assert opened.evaluate_all(OPEN) == [["1,2", "right"], ["2,1", "down"]]
    expect(page.locator("#board .ray")).to_have_count(2)
    page.locator('[data-cell="2,1"]').click()
    assert page.evaluate("played") == "down"
    page.evaluate(SET, [False, *moves, []])
    expect(opened).to_have_count(0)
    expect(page.locator("#board .ray")).to_have_count(0)
    expect(page.locator('[data-cell="2,1"] title')).to_have_text("2,1: 2")


def test_marks_arrows_and_highlights_come_and_go(moving: Person) -> None:
    """The last move of each, what was best, what a lesson asks for."""
    first, _ = steps("grid-runner")
    page = mounted(moving, first)
    page.evaluate("board.mark({1: {from: 'A1', to: 'B1'}, 2: {from: null, to: 'E5'}}, 2)")
    expect(page.locator(".from-1")).to_have_attribute("data-cell", "A1")
    expect(page.locator(".to-1")).to_have_attribute("data-cell", "B1")
    expect(page.locator(".to-2.last")).to_have_attribute("data-cell", "E5")
    assert page.locator(".from-2").count() == 0
    page.evaluate("board.mark({1: {from: 'B1', to: 'B2'}}, 1)")
    assert page.locator(".to-2").count() == 0
    expect(page.locator(".last")).to_have_attribute("data-cell", "B2")
    page.evaluate("() => { board.arrow('A1', 'B1', 'best'); board.arrow(null, 'E5', 'played'); }")
    expect(page.locator("polygon.arrow.best, circle.arrow.played")).to_have_count(2)
    page.evaluate("board.clearArrows()")
    assert page.locator(".arrow").count() == 0
    page.evaluate("board.highlight(['A2', 'B2'])")
    expect(page.locator(".hinted")).to_have_count(2)
    page.evaluate("board.highlight([])")
    assert page.locator(".hinted").count() == 0


def test_where_a_token_came_from_has_its_colour_also_on_your_goal(moving: Person) -> None:
    """Player 2 leaves the corner that Player 1 wants to reach."""
    first, moves = steps("grid-runner")
    page = mounted(moving, first)
    page.evaluate("board.place.dataset.you = '1'")
    for step in moves[:2]:
        page.evaluate(CUT_OFF, step.message)
    goal = page.locator("#board .from-2")
    expect(goal).to_have_attribute("data-cell", "E5")
    stroke = goal.locator(".box").evaluate("box => getComputedStyle(box).stroke")
    assert stroke == page.locator("#board .piece.two").evaluate("it => getComputedStyle(it).fill")


def test_a_hint_and_the_focus_can_be_seen_where_every_cell_is_open(moving: Person) -> None:
    """In Grid Conquest all cells can be chosen at first; the one in question stands out."""
    first, _ = steps("grid-conquest")
    page = mounted(moving, first)
    names = [cell.name for cell in first.cells]
    page.evaluate(SET, [True, names, names, []])
    page.evaluate("board.highlight(['B2'])")
    page.keyboard.press("Tab")
    page.locator('[data-cell="A1"]').focus()
    page.keyboard.press("ArrowRight")
    widths = page.locator("#board .box").evaluate_all(
        "boxes => boxes.slice(0, 7).map((box) => getComputedStyle(box).strokeWidth)"
    )
    assert (widths[1], widths[6]) == ("4px", "5px")  # A2 has the focus, B2 is the hint
    assert widths[2] not in ("4px", "5px")
