"""What people do without thinking: double clicks, two tabs, back, reload at every moment."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import SCRIPTS, TIMEOUT, Person
from tests.browser.windows import begins


def test_a_double_click_makes_one_move(ann: Person) -> None:
    """The second click finds a board that waits, or a cell that is taken; nobody is told off."""
    begins(ann, "number-connect")
    for number, move in enumerate(SCRIPTS["number-connect"].moves.split()[:4], 1):
        ann.target(move).dblclick()
        expect(ann.page.locator("#moves span:not(.n):not(:empty)")).to_have_count(number)
        expect(ann.page.locator("#problem")).to_be_hidden()
    ann.sees_moves(*SCRIPTS["number-connect"].moves.split()[:4])


def test_a_double_click_makes_one_move_also_if_the_server_is_faster(ann: Person) -> None:
    """The first was answered before the second: both sides are at this screen, and it is open."""
    begins(ann, "number-connect")
    first, second = SCRIPTS["number-connect"].moves.split()[:2]
    ann.target(first).hover()
    mouse = ann.page.mouse
    mouse.down(click_count=1)
    mouse.up(click_count=1)
    ann.sees_moves(first)
    ann.target(second).wait_for()
    mouse.down(click_count=2)
    mouse.up(click_count=2)
    expect(ann.page.locator("#problem")).to_be_hidden()
    ann.plays(second)
    ann.sees_moves(first, second)


def test_a_question_stays_open_until_it_is_answered(ann: Person) -> None:
    """Whatever arrives meanwhile, such as the same state again after a reconnection."""
    begins(ann, "number-run", moves=6)
    ann.target("2,2!").click()
    answer = ann.page.locator("#ask [data-answer=yes]")
    expect(answer).to_be_visible()
    ann.context.set_offline(True)
    expect(ann.page.locator("#offline")).to_be_visible()
    expect(answer).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.page.locator("#offline")).to_be_hidden()
    answer.click()
    ann.sees_moves(*SCRIPTS["number-run"].moves.split()[:7])
    ann.forgive_the_network()


def test_a_double_click_starts_one_game(ann: Person) -> None:
    """On the form; and one rematch at its end."""
    page = ann.goes_to("/new/number-connect?opponent=same-screen")
    page.get_by_role("button", name="Start the game").dblclick()
    page.wait_for_url("**/g/*")
    address = page.url
    ann.target("0,0").click()
    page.get_by_role("button", name="Resign").dblclick()
    page.locator("#sure").dblclick()
    expect(page.locator("#over")).to_be_visible()
    page.get_by_role("button", name="Rematch").dblclick()
    page.wait_for_url(lambda url: url != address and "/g/" in url)
    again = page.url
    page.goto(address)
    expect(page.locator("#to-rematch")).to_have_attribute("href", again.removeprefix(ann.address))
    page.goto("/games")
    shown = {str(each.get_attribute("href")) for each in page.locator("a[href^='/g/']").all()}
    games = {href.split("/")[2].split("#")[0] for href in shown}
    assert games == {address.rsplit("/", 1)[1], again.rsplit("/", 1)[1]}


def test_the_same_game_in_two_tabs(ann: Person, bob: Person) -> None:
    """Both follow, in both one can move, and the opponent sees one person."""
    address = begins(ann, "number-connect", opponent="link", name="Ann")
    bob.joins(address, "Bob")
    other = ann.context.new_page()
    other.goto(address)
    ann.plays("0,0")
    tab = other.locator("#moves span:not(.n):not(:empty)")
    expect(tab).to_have_text(["0,0"])
    bob.plays("0,3")
    expect(tab).to_have_text(["0,0", "0,3"])
    other.locator('#board.yours [data-moves="0,1"]').click()
    ann.sees_moves("0,0", "0,3", "0,1")
    expect(bob.page.locator("#watching")).to_be_empty()
    other.close()
    expect(bob.page.locator("#player-1 .about")).to_have_text("here")
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.locator("#sure").click()
    expect(ann.headline).to_have_text("You won!")


def test_back_and_forward(ann: Person) -> None:
    """From the start page into a game, to the rules and back: the board is alive each time."""
    page = ann.goes_to("/")
    page.goto("/new/grid-runner?opponent=same-screen")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/g/*")
    address = page.url
    ann.plays("right")
    ann.sees_moves("right")
    page.get_by_role("link", name="Rules").first.click()
    page.wait_for_url("**/rules/grid-runner")
    page.go_back()
    page.wait_for_url(address)
    ann.sees_moves("right")
    ann.plays("left")
    ann.sees_moves("right", "left")
    page.go_back()
    page.wait_for_url("**/new/grid-runner**")
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    page.go_forward()
    page.wait_for_url(address)
    ann.sees_moves("right", "left")
    ann.plays("down")
    ann.sees_moves("right", "left", "down")


def settled(page: Page) -> tuple[str, list[str], list[str]]:
    """What a page shows once it is connected: the headline, the moves, the visible buttons."""
    expect(page.locator("#offline")).to_be_hidden()
    moves = page.locator("#moves span:not(.n):not(:empty)").all_inner_texts()
    buttons = page.locator("main button:visible:not(#close-card)").all_inner_texts()
    return page.locator("#headline").inner_text(), moves, sorted({*buttons} - {"Share"})


def test_a_reload_at_every_stage(ann: Person, bob: Person) -> None:
    """What was on the page before is there again, for both; what was half said is asked anew."""

    def reload(*shown: tuple[str, str]) -> None:
        """Reload both pages, once what was done has arrived: a headline, and something to see."""
        for each, (headline, selector) in zip((ann, bob), shown, strict=True):
            expect(each.headline).to_have_text(headline)
            expect(each.page.locator(selector)).to_be_visible()
        for each in (ann, bob):
            each.page.mouse.move(0, 0)
            before = settled(each.page)
            each.page.reload()
            for _ in range(TIMEOUT // 50):  # what the page asks for may take a moment
                after = settled(each.page)
                if after == before:
                    break
                each.page.wait_for_timeout(50)
            assert after == before

    address = begins(ann, "grid-runner", opponent="link", name="Ann")
    bob.goes_to(address)
    # Somebody waits, somebody is invited.
    reload(("Waiting for an opponent.", "#invite"), ("A seat is free.", "#join"))
    bob.joins(address, "Bob")
    expect(ann.headline).to_have_text("Your turn.")
    # Nobody has moved.
    reload(("Your turn.", "#resign"), ("Ann's turn.", "#resign"))
    ann.plays("right")
    expect(bob.headline).to_have_text("Your turn.")
    # In play.
    reload(("Bob's turn.", "#takeback"), ("Your turn.", "#resign"))
    ann.page.get_by_role("button", name="Take back").click()
    expect(bob.page.get_by_role("button", name="Agree")).to_be_visible()
    # An offer waits for its answer.
    reload(("Bob's turn.", "#my-offer"), ("Your turn.", "#offer"))
    bob.page.get_by_role("button", name="Decline").click()
    expect(ann.page.get_by_role("button", name="Take back")).to_be_visible()
    bob.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#sure")).to_be_visible()
    bob.page.reload()
    expect(bob.page.locator("#sure")).to_be_hidden()
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.locator("#sure").click()
    for each in (ann, bob):
        expect(each.page.locator("#over")).to_be_visible()
    # It is over.
    reload(("You won!", "#rematch"), ("Ann won.", "#rematch"))
    ann.page.get_by_role("button", name="Rematch").click()
    expect(bob.page.get_by_role("button", name="Accept")).to_be_visible()
    # A rematch is offered.
    reload(("You won!", "#my-rematch"), ("Ann won.", "#rematch-offer"))
    bob.page.get_by_role("button", name="Accept").click()
    for each in (ann, bob):
        each.page.wait_for_url(lambda url: "/g/" in url and not url.endswith(address))
    expect(bob.headline).to_have_text("Your turn.")


@pytest.mark.parametrize("path", ["/learn/number-run", "/puzzles"])
def test_a_lesson_and_a_puzzle_survive_a_reload(path: str, ann: Person) -> None:
    """In the middle of them; the board can be played afterwards."""
    page = ann.goes_to(path)
    if path == "/puzzles":  # one that takes three moves, whatever day it is
        page.locator('[data-level="number-run/3"]').click()
        page.wait_for_url("**/puzzles/number-run/3/1")
    board = page.locator("#board.yours .open")
    board.first.click()
    page.reload()
    expect(board.first).to_be_visible()


def test_offline_for_a_while_and_back(ann: Person, bob: Person) -> None:
    """What happened meanwhile is there, at once and without a word about it."""
    address = begins(ann, "number-connect", opponent="link", name="Ann")
    bob.joins(address, "Bob")
    ann.plays("0,0")
    bob.sees_moves("0,0")
    ann.context.set_offline(True)
    expect(ann.page.locator("#offline")).to_be_visible()
    bob.plays("0,3")
    ann.context.set_offline(False)
    expect(ann.page.locator("#offline")).to_be_hidden()
    ann.sees_moves("0,0", "0,3")
    ann.plays("0,1")
    bob.sees_moves("0,0", "0,3", "0,1")
    ann.forgive_the_network()


STILL = """() => {
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.motions.push(`${this.localName}.${this.getAttribute("class")}`);
    return animate.call(this, frames, options);
  };
  for (const kind of ["transitionrun", "animationstart"]) {
    document.addEventListener(kind, ({ target, propertyName, animationName }) => {
      window.motions.push(`${target.localName}#${target.id} ${propertyName ?? animationName}`);
    }, true);
  }
}"""


@pytest.mark.parametrize("reduced", [True, False], ids=["reduced", "usual"])
def test_motion_is_for_those_who_want_it(reduced: bool, person: Callable[..., Person]) -> None:
    """A game with a challenge moves the board, and with reduced motion nothing at all moves."""
    ann = person(pace=300, reduced_motion="reduce" if reduced else "no-preference")
    ann.context.add_init_script(f"({STILL})()")
    begins(ann, "number-run")
    for number, move in enumerate(SCRIPTS["number-run"].moves.split()[:8], 1):
        ann.plays(move)
        expect(ann.page.locator("#moves span:not(.n):not(:empty)")).to_have_count(number)
    expect(ann.page.locator("#board.yours")).to_be_visible()
    motions = ann.page.evaluate("() => window.motions")
    assert motions == [] if reduced else motions
