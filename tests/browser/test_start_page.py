"""The start page and the settings: play at once, a live lobby, what this browser remembers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.people import Person
from tests.browser.windows import begins


def card(page: Page, game: str) -> Locator:
    """The card of a game."""
    return page.locator(f'.card[data-game="{game}"]')


def test_one_click_starts_a_game_against_the_next_bot(ann: Person) -> None:
    """Under the name given before; the bot is one that a beginner can beat."""
    page = ann.goes_to("/settings")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Your name").blur()
    page.goto("/")
    card(page, "number-connect").get_by_role("button", name="Play: Novice bot").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#player-1")).to_contain_text("Ann")
    expect(page.locator("#player-2")).to_contain_text("ovice")


def test_a_bot_that_was_beaten_makes_room_for_the_next(ann: Person) -> None:
    """On the card and on the form, with the record."""
    # Two sixes beside the nine: the bot can claim only one of them before 9 + 6 wins.
    ann.starts("number-connect", "bot", board="9661/6371/2845/9162", level="random", side="1")
    ann.plays("0,0")
    ann.page.locator("#moves span:not(.n):not(:empty)").nth(1).wait_for()
    ann.plays("0,1" if "1,0" in ann.moves else "1,0")
    expect(ann.page.locator("#over")).to_be_visible()
    page = ann.goes_to("/")
    expect(card(page, "number-connect")).to_contain_text("1 of 5 bots beaten")
    expect(card(page, "number-run")).to_contain_text("5 bots to beat")
    card(page, "number-connect").get_by_role("link", name="Number Connect", exact=True).click()
    expect(page.get_by_role("radio", name="Novice")).to_be_checked()
    expect(page.locator("form")).to_contain_text("You: 1 won")


def test_an_invitation_is_one_click_away(ann: Person) -> None:
    """The page of the game has the link to send."""
    page = ann.goes_to("/")
    card(page, "grid-runner").get_by_role("button", name="Invite").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#link")).to_have_value(page.url)


def test_the_lobby_shows_who_is_there_now(ann: Person, bob: Person) -> None:
    """A listed game appears and disappears without a reload; a name is text."""
    page = bob.goes_to("/")
    lobby = page.locator("#open")
    name = "<i>Ann</i>"
    ann.starts("number-run", name=name, listed="yes")
    row = lobby.get_by_role("link").filter(has_text=f"{name} is waiting")
    expect(row).to_have_count(1)
    row.focus()
    expect(row).to_contain_text("Number Run")
    ann.page.close()
    expect(row).to_have_count(0)


def test_your_turn_comes_first(ann: Person, bob: Person) -> None:
    """Before anything else on the page, with one link into the game."""
    address = ann.starts("number-maze", name="Ann")
    bob.joins(address, "Bob")
    page = ann.goes_to("/")
    first = page.get_by_role("main").get_by_role("link").first
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(first).to_contain_text("against Bob")
    first.click()
    page.wait_for_url(address)


def test_a_name_is_offered_again_and_everything_can_be_erased(ann: Person) -> None:
    """One click in the settings, and this browser and the server know nothing of you."""
    ann.starts("number-run", "same-screen", name="Ann")
    page = ann.goes_to("/new/grid-runner")
    expect(page.get_by_label("Your name")).to_have_value("Ann")
    page.goto("/settings")
    page.get_by_role("radio", name="Dark", exact=True).first.check()
    page.get_by_role("button", name="Erase everything about me").click()
    expect(page.get_by_role("heading", name="Erased")).to_be_visible()
    assert page.evaluate("() => [gridwise.get('name'), gridwise.get('theme')]") == ["", "system"]
    assert ann.context.cookies() == []
    page.goto("/new/grid-runner")
    expect(page.get_by_label("Your name")).to_have_value("")
    page.goto("/games")
    expect(page.locator("main")).to_contain_text("Nothing yet")


def test_preferences_reach_the_other_tabs(ann: Person) -> None:
    """What is chosen in one is shown in all; scripts are told which it was."""
    page = ann.goes_to("/settings")
    other = ann.context.new_page()
    other.goto("/settings")
    page.get_by_role("checkbox", name="Sounds").last.check()
    page.get_by_role("radio", name="Colour-blind safe").last.check()
    expect(other.get_by_role("checkbox", name="Sounds").last).to_be_checked()
    assert other.evaluate("() => gridwise.get('sound')") == "on"
    assert other.evaluate("() => typeof gridwise.get('pace')") == "number"
    assert other.evaluate("() => document.documentElement.dataset.theme") == "colour-blind"


def test_without_scripts_nothing_is_shown_that_needs_them(person: Callable[..., Person]) -> None:
    """Every button on the page belongs to a form; playing at once works all the same."""
    ann = person(java_script_enabled=False)
    for path in ("/", "/settings", "/new/number-run", "/games"):
        page = ann.goes_to(path)
        page.locator("summary", has_text="Settings").click()
        loose = page.locator("button:visible").evaluate_all(
            "all => all.filter(each => !each.form).map(each => each.textContent)"
        )
        assert loose == []
        assert page.locator("[data-preference]:visible").count() == 0
        expect(page.get_by_role("link", name="All settings")).to_be_visible()
    page = ann.goes_to("/")
    card(page, "grid-conquest").get_by_role("button", name="Play: Novice bot").click()
    page.wait_for_url("**/g/*")


@pytest.mark.parametrize("width", [320, 375, 640, 1280, 1920])
def test_the_start_page_fits_every_window(width: int, person: Callable[..., Person]) -> None:
    """No sideways scrolling, a header of one line, and all targets large enough to hit."""
    ann = person(viewport={"width": width, "height": 700})
    for path in ("/", "/settings", "/new/grid-conquest", "/games"):
        page = ann.goes_to(path)
        assert page.evaluate(
            "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), path
        top = page.locator("header.top").bounding_box()
        assert top is not None
        assert top["height"] < (48 if width < 544 else 72), path
        small = page.locator("main button:visible, main a.button:visible").evaluate_all(
            "all => all.filter(each => each.getBoundingClientRect().height < 36).length"
        )
        assert small == 0, path


def test_nothing_moves_while_the_start_page_loads(ann: Person) -> None:
    """No layout shift, not even when the lobby is asked for the first time."""
    ann.context.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "each => { window.shift += each.value; }))"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    page = ann.goes_to("/")
    with page.expect_response("**/api/lobby"):
        pass
    assert page.evaluate("() => window.shift") < 0.01


def test_pages_print_in_light_colours_without_controls(person: Callable[..., Person]) -> None:
    """Even by night: paper is white, and nothing on it can be pressed."""
    ann = person(color_scheme="dark")
    page = ann.goes_to("/rules/number-run")
    page.emulate_media(media="print")
    ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    expect(page.locator("header nav")).to_be_hidden()
    expect(page.locator("footer")).to_be_hidden()
    expect(page.locator("main h1")).to_be_visible()


def test_a_finished_game_prints_its_board_and_not_the_card_over_it(ann: Person) -> None:
    """With who has won and the moves; what can be pressed and today's lists stay off the paper."""
    begins(ann, "number-run", moves=99)
    expect(ann.page.locator("#over")).to_be_visible()
    ann.page.emulate_media(media="print")
    expect(ann.page.locator("#over")).to_be_hidden()
    for shown in ("#board svg", "#headline", "#moves"):
        expect(ann.page.locator(shown)).to_be_visible()
    assert ann.page.locator("#board").evaluate("each => getComputedStyle(each).opacity") == "1"
    expect(ann.page.locator(".links")).to_be_hidden()
    page = ann.goes_to("/")
    for hidden in (".lobby", ".ladder", ".daily"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(card(page, "number-run")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (375, 667)])
def test_the_button_that_starts_a_game_is_in_sight(
    width: int, height: int, person: Callable[..., Person]
) -> None:
    """However long the form is; what does not apply to the opponent is not shown."""
    page = person(viewport={"width": width, "height": height}).goes_to("/new/number-run")
    start, listed = page.get_by_role("button", name="Start the game"), page.locator("[name=listed]")
    expect(start).to_be_in_viewport(ratio=1)
    expect(listed).to_be_hidden()
    page.get_by_role("radio", name="A friend").check()
    expect(listed).to_be_visible()
    expect(page.get_by_role("radio", name="Blue")).to_have_accessible_name(re.compile("goes first"))
    expect(start).to_be_in_viewport(ratio=1)


def test_a_link_to_another_device_can_be_copied(ann: Person) -> None:
    """With one click, as an invitation can."""
    ann.starts("number-run", "bot", level="novice")
    page = ann.goes_to("/device")
    page.get_by_role("button", name="Show the link").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("Copied.")
