"""The start page and the settings: play at once, a live lobby, what this browser remembers."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import update

from gridwise.web.storage.schema import games
from tests.browser.people import Person
from tests.browser.tables import begins
from tests.web.servers import transaction


def card(page: Page, game: str) -> Locator:
    """The card of a game."""
    return page.locator(f'.card[data-game="{game}"]')


def ground(page: Page) -> str:
    """The colour of a page."""
    return str(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))


def test_one_click_starts_a_game_against_the_next_bot(ann: Person, database: str) -> None:
    """Under the name given before; one that was beaten makes room for the next, with the record.

    Not one that was beaten on a board of one's own.
    """
    page = ann.goes_to("/settings")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Your name").blur()
    page.goto("/")
    card(page, "number-connect").get_by_role("button", name="Play: Novice bot").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#player-1")).to_contain_text("Ann")
    expect(page.locator("#player-2 .name")).to_have_text("Novice bot")
    # Two sixes beside the nine: the bot can claim only one of them before 9 + 6 wins.
    board = "9661/6371/2845/9162"
    game = begins(ann, "number-connect", opponent="bot", board=board, level="random", side=1)
    ann.plays("0,0")
    page.locator("#moves span:not(.n):not(:empty)").nth(1).wait_for()  # the answer
    ann.plays("0,1" if "1,0" in ann.moves else "1,0")
    expect(page.locator("#over")).to_be_visible()
    expect(page.get_by_role("link", name="Look back")).to_be_visible()
    page.goto("/")
    expect(card(page, "number-connect")).to_contain_text("5 bots to beat")
    with transaction(database) as connection:  # as if it had been dealt
        this = update(games).where(games.c.id == game.removeprefix("/g/"))
        assert connection.execute(this.values(deal="even", ladder="p1")).rowcount == 1
    page.reload()
    expect(card(page, "number-connect")).to_contain_text("1 of 5 bots beaten")
    expect(card(page, "number-run")).to_contain_text("5 bots to beat")
    card(page, "number-connect").get_by_role("link", name="Number Connect", exact=True).click()
    expect(page.get_by_role("radio", name="Novice")).to_be_checked()
    expect(page.locator("form")).to_contain_text("You: 1 won")


def test_play_goes_on_with_a_game_in_which_nothing_has_happened(ann: Person) -> None:
    """Back and another click make no second one; after a move they do."""
    page = ann.goes_to("/")
    play = card(page, "number-maze").get_by_role("button", name="Play: Novice bot")
    play.click()
    page.wait_for_url("**/g/*")
    address = page.url
    ann.goes_to("/")
    play.click()
    page.wait_for_url(address)
    page.locator("#board.yours .open").first.click()
    page.locator("#moves span:not(.n):not(:empty)").first.wait_for()
    ann.goes_to("/")
    play.click()
    page.wait_for_url("**/g/*")
    assert page.url != address


def test_a_game_is_removed_from_the_lists_in_two_steps(ann: Person, plain: Person) -> None:
    """With scripts and without; it is over then, without a winner, and in no list."""
    for each, where in ((ann, "/"), (plain, "/games")):
        address = begins(each, "number-run", opponent="bot", level="casual", side=1)
        page = each.goes_to(where)
        row = page.locator(".turn li").filter(has_text="Number Run")
        expect(row).to_have_count(1)
        row.locator("summary").click()
        row.get_by_role("button", name="End and remove Number Run against the casual bot").click()
        expect(row).to_have_count(0)
        assert page.url == f"{each.address}{where}"
        each.goes_to("/games")
        expect(page.get_by_text("Nothing yet.")).to_be_visible()
        each.goes_to(address)
        expect(page.locator("#over-title")).to_have_text("The game ended without a winner.")


def test_an_opponent_can_be_found_for_any_game(ann: Person, bob: Person) -> None:
    """From the start page in two clicks; whoever looks there sees who waits."""
    page = ann.goes_to("/")
    page.locator("summary", has_text="Find an opponent").click()
    page.locator(".find").get_by_role("button", name="Grid Conquest").click()
    expect(page.locator("#invite")).to_be_visible()
    bob.goes_to("/")
    waiting = bob.page.locator("#open").get_by_role("link", name="Grid Conquest")
    expect(waiting).to_have_attribute("href", page.url.removeprefix(ann.address))


def test_no_card_is_alone_in_its_row(ann: Person) -> None:
    """Of the five games, in windows of every width."""
    page = ann.goes_to("/learn")
    for width in range(320, 1921, 100):
        page.set_viewport_size({"width": width, "height": 800})
        tops = page.locator(".cards > *").evaluate_all(
            "cards => cards.map((each) => Math.round(each.getBoundingClientRect().top))"
        )
        rows = [tops.count(top) for top in sorted(set(tops))]
        assert rows == [1] * 5 or min(rows) > 1, (width, rows)


def test_the_lobby_and_an_invitation(ann: Person, bob: Person) -> None:
    """A listed game appears and disappears without a reload; whatever a name is, it is text."""
    name = "<b>x</b>&\"'{{7*7}}"
    page = bob.goes_to("/")
    address = begins(ann, "number-run", opponent="link", name=name, listed=True, side=1)
    row = page.locator("#open").get_by_role("link").filter(has_text=f"{name} is waiting")
    expect(row).to_have_count(1)
    row.focus()
    expect(row).to_contain_text("Number Run")
    ann.goes_to("/")
    expect(row).to_have_count(0)
    bob.joins(address)
    expect(bob.page.locator("#player-1 .name")).to_have_text(name)
    # The page of the game has the link to send.
    page = ann.page
    card(page, "grid-runner").get_by_role("button", name="Invite").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#link")).to_have_value(page.url)


def test_what_is_chosen_stays_chosen_until_everything_is_erased(ann: Person) -> None:
    """Colours and sounds on this page, the next one and in other tabs; a name is offered again."""
    ann.page.emulate_media(color_scheme="dark")
    page = ann.goes_to("/")
    night = ground(page)
    page.locator("summary", has_text="Settings").click()
    page.get_by_role("radio", name="Light").check()
    day = ground(page)
    assert day != night
    ann.presses("Escape")
    expect(page.get_by_role("radio", name="Light")).to_be_hidden()
    ann.starts("number-run", "bot", name="Ann")
    page.goto("/settings")
    assert ground(page) == day
    expect(page.get_by_role("radio", name="Light", exact=True)).to_be_checked()
    page.get_by_role("radio", name="High contrast").check()
    assert ground(page) == "rgb(0, 0, 0)"

    other = ann.context.new_page()
    other.goto("/new/grid-runner")
    expect(other.get_by_label("Your name")).to_have_value("Ann")
    other.goto("/settings")
    page.get_by_role("checkbox", name="Sounds").last.check()
    page.get_by_role("radio", name="Colour-blind safe").last.check()
    expect(other.get_by_role("checkbox", name="Sounds").last).to_be_checked()
    assert other.evaluate("() => [gridwise.get('sound'), typeof gridwise.get('pace')]") == [
        "on",
        "number",
    ]
    assert other.evaluate("() => document.documentElement.dataset.theme") == "colour-blind"

    page.get_by_role("button", name="Erase everything about me").click()
    expect(page.get_by_role("heading", name="Erased")).to_be_visible()
    assert page.evaluate("() => [gridwise.get('name'), gridwise.get('theme')]") == ["", "system"]
    assert ann.context.cookies() == []
    page.goto("/new/grid-runner")
    expect(page.get_by_label("Your name")).to_have_value("")
    page.emulate_media(color_scheme="light")


def test_nothing_moves_while_the_start_page_loads(person: Callable[..., Person]) -> None:
    """No layout shift, not even when the lobby is asked for the first time."""
    ann = person()
    ann.context.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "each => { window.shift += each.value; }))"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    with ann.page.expect_response("**/lobby"):
        ann.goes_to("/")
    assert ann.page.evaluate("() => window.shift") < 0.01


def test_the_form_shows_what_applies(ann: Person) -> None:
    """What does not apply to the opponent is not shown; the button to start stays in sight."""
    page = ann.goes_to("/new/number-run")
    start, listed = page.get_by_role("button", name="Start the game"), page.locator("[name=listed]")
    expect(listed).to_be_hidden()
    expect(page.get_by_role("radio", name="Even start")).to_be_checked()
    page.get_by_role("radio", name="A friend").check()
    expect(listed).to_be_visible()
    expect(page.get_by_role("radio", name="Standard start")).to_be_checked()
    page.get_by_text("Board and other options").click()
    page.get_by_label("Size").select_option("6x6")
    expect(page.get_by_role("radio", name="Standard start")).to_be_hidden()
    page.get_by_label("Size").select_option("")
    expect(page.get_by_role("radio", name="Blue you")).to_have_accessible_name(
        re.compile("you begin")
    )
    for width, height in ((1280, 800), (375, 667)):
        page.set_viewport_size({"width": width, "height": height})
        expect(start).to_be_in_viewport(ratio=1)
