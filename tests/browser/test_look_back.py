"""Looking back: a game as a story, step by step, and what would have happened otherwise."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.people import SCRIPTS, Person
from tests.browser.tables import made, sends, two_at
from tests.sizes import sample

BLUNDER = (
    "Only down wins, in 3 moves. Right lets Red win in 2 moves, beginning with up. Blue "
    "gets stuck on 4,2 in 1 move: the 4 there leads off the board every way."
)
PRINTED = BLUNDER.replace("Blue", "Player 1").replace("Red", "Player 2")  # by `gridwise review`


def has_played(person: Person, game: str, moves: str = "") -> str:
    """A game on one screen, played by requests; its address."""
    address = made(person, game)
    for version, move in enumerate((moves or SCRIPTS[game].moves).split()):
        sends(person, address, move, version)
    return address


def looks_back(person: Person, address: str, where: str = "") -> Page:
    """Open the page of a game that is over, and wait for its review."""
    page = person.goes_to(f"{address}/back{where}")
    expect(page.locator("#reviewed")).to_be_visible(timeout=60_000)
    return page


@pytest.fixture(scope="module")
def finished(residents: Callable[..., Person]) -> str:
    """A game of Number Maze that Player 1 loses with the first move."""
    return has_played(residents("Ann"), "number-maze")


def test_keys_and_buttons_step_through_the_game(ann: Person, finished: str) -> None:
    """To the start, to the end and one by one, with the board, the list and the graph in step.

    The review comes although too many ask at the moment: the page says so, and asks again.
    """
    refusals = iter([{"error": {"kind": "too-many", "message": "Too many questions."}}])

    def crowded(route: Route) -> None:
        refusal = next(refusals, None)
        if refusal:
            route.fulfill(status=429, json=refusal)
        else:
            route.continue_()

    ann.page.route("**/review", crowded)
    page = ann.goes_to(f"{finished}/back")
    expect(page.locator("#review-status")).to_have_text("Too many questions.")
    expect(page.locator("#reviewed")).to_be_visible(timeout=60_000)
    ann.forgive_status(429)
    page.unroute_all(behavior="wait")
    expect(ann.headline).to_have_text("Red goes 2 steps up to 2,3.", use_inner_text=True)
    expect(page.locator("#note")).to_have_text(
        "Red won: Blue had no move left.", use_inner_text=True
    )
    for key, at, where, token in (
        ("Home", 0, "", "1,1"),
        ("ArrowRight", 1, "Blue's move 1", "1,2"),
        ("ArrowRight", 2, "Red's move 1", "1,2"),
        ("ArrowRight", 3, "Blue's move 2", "4,2"),
        ("ArrowLeft", 2, "Red's move 1", "1,2"),
        ("End", 4, "Red's move 2", "4,2"),
    ):
        ann.presses(key)
        expect(page.locator("#where")).to_have_text(where)
        expect(ann.cell(token).locator(".piece.one")).to_be_visible()
        if at:
            expect(page.locator("#move-table [aria-current=step]")).to_have_attribute(
                "data-at", str(at)
            )
        expect(page.locator(".spot.here")).to_have_attribute("data-at", str(at))
        assert page.url.endswith(f"?at={at}")
    page.get_by_role("link", name="Previous move").click()
    expect(page.locator("#where")).to_have_text("Blue's move 2")
    page.locator(".spot").first.click()
    expect(ann.headline).to_have_text("Start of the game.")

    # The mistake is a button; what was played and what was better are drawn on the board.
    button = page.get_by_role("link", name="Turning point: Blue's move 1")
    button.click()
    expect(page.locator("#verdict")).to_have_text(f"?? Blunder. {BLUNDER}")
    expect(page.locator("#board .arrow.best")).to_have_count(1)
    expect(page.locator("#board .arrow.played")).to_have_count(1)
    expect(page.locator("#board .stamp")).to_have_text("??")
    ann.presses("ArrowRight")
    expect(page.locator("#board .arrow")).to_have_count(0)
    expect(page.locator("#verdict")).to_contain_text("Every move")

    ann.presses("Home")
    expect(ann.headline).to_have_text("Start of the game.")
    page.reload()
    expect(ann.headline).to_have_text("Start of the game.")
    expect(page.get_by_role("link", name="Previous move")).to_be_disabled()


def test_players_have_names_and_whoever_looks_is_you(ann: Person, bob: Person, eve: Person) -> None:
    """Ann reads `your move`, Bob and everybody else read her name."""
    address = two_at(ann, bob, "number-maze", moves=4)
    for reader, whose, says in (
        (ann, "your move 1", "Right lets Bob win in 2 moves, beginning with up. You get"),
        (bob, "Ann's move 1", "Right lets you win in 2 moves, beginning with up. Ann gets"),
        (eve, "Ann's move 1", "Right lets Bob win in 2 moves, beginning with up. Ann gets"),
    ):
        page = looks_back(reader, address, "#why")
        expect(page.get_by_role("link", name=f"Turning point: {whose}")).to_be_visible()
        expect(page.locator("#verdict")).to_contain_text(says)
        expect(page.locator(".side")).not_to_contain_text("Blue")


def test_a_game_that_goes_on_is_not_judged(ann: Person) -> None:
    """One can step back in it, but the engine is silent until it is over; scores have names."""
    game = made(ann, "number-connect", opponent="bot", level="novice", side=1)
    page = ann.goes_to(f"{game}/back?at=0")
    expect(page.locator("#note")).to_have_text("You have 0 points, the novice bot has 0.")
    address = has_played(ann, "number-connect", "0,0")
    page.goto(f"{address}/back")
    expect(page.get_by_text("The engine reviews the game when it is over")).to_be_visible()
    ann.presses("ArrowLeft")
    expect(ann.headline).to_have_text("Start of the game.")
    for path in ("at/0?tried=0,1", "review"):
        assert page.request.get(f"{address}/{path}").status == 409


def test_the_page_tells_the_story_of_gridwise_review(
    ann: Person, finished: str, tmp_path: Path
) -> None:
    """The downloaded record, reviewed on the command line, gives the same verdicts and words.

    The picture can be taken home, too: an SVG that stands for itself.
    """
    page = looks_back(ann, finished)
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
        assert line.replace("Blue", "Player 1").replace("Red", "Player 2") in printed
    table = re.findall(r"^ *\d+ Player \d  ([^\s?]+)([?!]*)", run.stdout, re.MULTILINE)
    links = page.locator("#move-table a").all()
    assert len(links) == len(table) == 4
    for link, (move, mark) in zip(links, table, strict=True):
        assert "".join(link.inner_text().split()) == move + mark
    # The first move gave a win away: that is a fact about this board, found by exhaustive search.
    assert f"Player 1's move 1: {PRINTED}" in printed
    moment = re.compile(re.escape(BLUNDER))
    expect(page.locator("#moments li")).to_have_text([moment], use_inner_text=True)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download picture").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "var(--" not in text


def test_what_if_goes_on_against_best_play(ann: Person, finished: str) -> None:
    """The engine answers each move that is tried, until the game is over; then all of it goes."""
    page = looks_back(ann, finished, "#why")
    page.get_by_role("button", name="Try another move").click()
    expect(ann.headline).to_have_text("Start of the game.")
    ann.plays("down")
    expect(page.locator("#where")).to_have_text("Not played in the game")
    expect(page.locator("#worth")).to_have_text("Blue can force a win in 2 moves.")
    expect(ann.headline).to_contain_text("Red goes")  # the answer
    page.get_by_text("What each move is worth").click()
    expect(page.locator("#options li").first).to_contain_text("win in 2 moves")
    expect(page.locator("#board .arrow.best")).to_have_count(1)
    best = page.locator("#options li", has_text="win in 2 moves").first.inner_text().split(":")[0]
    ann.plays(best)
    expect(page.locator("#worth")).to_have_text("Blue can force a win in 1 move.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#worth")).to_have_text("Blue can force a win in 2 moves.")
    page.get_by_role("button", name="Back to the game").click()
    expect(ann.headline).to_have_text("Start of the game.")
    expect(page.locator("#what-if")).to_be_hidden()
    ann.plays("right")  # the move that was played is just the next step
    expect(page.locator("#where")).to_have_text("Blue's move 1")
    expect(page.locator("#what-if")).to_be_hidden()


def test_what_if_for_both_sides_and_against_a_bot(ann: Person, finished: str) -> None:
    """Whoever wants to move for both sides can; a bot answers at its level."""
    page = looks_back(ann, finished, "?at=0")
    expect(ann.headline).to_have_text("Start of the game.")
    page.evaluate("document.getElementById('what-if').hidden = false")
    page.get_by_label("Who answers?").select_option("")
    ann.plays("down")
    expect(page.locator("#worth")).to_have_text("Red loses in 2 moves.")
    for move in ("left", "down", "up", "right"):
        ann.plays(move)
    expect(page.locator("#worth")).to_have_text("Blue won: Blue reached Red's corner.")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#what-if")).to_be_hidden()
    page.get_by_label("Who answers?", exact=False).evaluate("each => (each.value = 'novice')")
    ann.plays("down")
    expect(page.locator("#tried")).to_have_text(re.compile(r"^Blue down – Red (left|up)$"))  # noqa: RUF001 - as on the page


def test_what_if_takes_two_clicks_for_one_and_survives_a_failure(
    ann: Person, finished: str
) -> None:
    """The second was not meant for the position that the first leads to; none is in the way."""
    page = looks_back(ann, finished, "?at=0")
    page.route("**/at/*", lambda route: route.abort())
    ann.plays("down")
    expect(page.locator("#worth")).to_contain_text("offline")
    page.unroute("**/at/*")
    tried = re.compile(r"^Blue down – Red \w+$")  # noqa: RUF001 - as on the page

    def slowly(route: Route) -> None:
        page.wait_for_timeout(100)
        route.continue_()

    page.route("**/at/*", slowly)
    ann.target("down").dblclick()
    expect(page.locator("#worth")).to_have_text("Blue can force a win in 2 moves.")
    expect(page.locator("#tried")).to_have_text(tried)
    page.get_by_role("button", name="Back to the game").click()
    expect(ann.headline).to_have_text("Start of the game.")
    ann.target("right").dblclick()
    expect(page.locator("#where")).to_have_text("Blue's move 1")
    expect(page.locator("#what-if")).to_be_hidden()
    page.unroute_all(behavior="ignoreErrors")  # the page looks ahead
    ann.complaints = [each for each in ann.complaints if "ERR_FAILED" not in each]


def test_a_position_can_be_shared_and_the_game_plays_by_itself(
    person: Callable[..., Person], finished: str
) -> None:
    """Where there is no dialog, the link is copied; the game goes from the start to its end."""
    ann = person(permissions=["clipboard-read", "clipboard-write"])
    ann.context.add_init_script("Object.defineProperty(navigator, 'share', {value: undefined})")
    page = looks_back(ann, finished, "?at=4")
    page.get_by_role("button", name="Share this position").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{ann.address.rstrip('/')}{finished}/back?at=4"
    # Noted by the page itself: each is there for a third of a second only.
    page.evaluate(
        """() => {
            window.seen = [];
            const note = () => {
                const where = document.getElementById("where").innerText;
                const pressed = document.getElementById("run").getAttribute("aria-pressed");
                const now = `${where}, ${pressed}`;
                if (now !== window.seen.at(-1)) window.seen.push(now);
            };
            const changes = { attributes: true, childList: true, subtree: true };
            for (const id of ["where", "run"]) {
                new MutationObserver(note).observe(document.getElementById(id), changes);
            }
        }"""
    )
    run = page.get_by_role("button", name="Play the game")
    run.click()
    page.wait_for_function("() => window.seen.at(-1)?.endsWith('false')")
    moves = [f"{side}'s move {move}" for move in (1, 2) for side in ("Blue", "Red")]
    assert page.evaluate("() => window.seen") == [
        f"{moves[-1]}, true",
        ", true",
        *(f"{move}, true" for move in moves),
        f"{moves[-1]}, false",
    ]
    expect(run).to_have_attribute("aria-pressed", "false")


def test_without_scripts_it_is_plain_steps_with_the_comments(plain: Person) -> None:
    """Links lead from step to step; the engine's comments come when they are asked for."""
    ann = plain
    page = ann.goes_to(f"{has_played(ann, 'number-maze')}/back?at=0")
    expect(ann.headline).to_have_text("Start of the game.")
    page.get_by_role("link", name="Next move").click()
    expect(page.locator("#where")).to_have_text("Blue's move 1")
    expect(page.locator("#verdict")).to_be_hidden()
    page.get_by_role("link", name="Show the engine's comments").click()
    expect(page.locator("#verdict")).to_contain_text(BLUNDER, use_inner_text=True)
    page.get_by_role("link", name="Next move").click()
    expect(page.locator("#verdict")).to_contain_text("Every move")
    page.get_by_role("link", name="Turning point: Blue's move 1").click()
    expect(page.locator("#where")).to_have_text("Blue's move 1")
    expect(page.locator("#graph svg")).to_be_visible()
    # Nothing is there that only a script could do.
    assert [each for each in page.locator("main button").all() if each.is_visible()] == []


def test_a_long_game_leaves_no_blank_tail(ann: Person) -> None:
    """The page ends with its footer, however many moves the list has; no part scrolls by itself."""
    rounds = sample(15, long=30)
    page = ann.goes_to(f"{has_played(ann, 'grid-runner', 'right up left down ' * rounds)}/back")
    expect(page.locator("#move-table a")).to_have_count(4 * rounds)
    tail = page.evaluate(
        "document.documentElement.scrollHeight - "
        "document.querySelector('footer').getBoundingClientRect().bottom - scrollY"
    )
    assert tail < 2
    scrollers = page.evaluate(
        "[...document.querySelectorAll('main *')].filter((each) => each.scrollHeight > "
        "each.clientHeight + 1 && getComputedStyle(each).overflowY === 'auto').length"
    )
    assert scrollers == 0


def test_a_review_of_a_game_of_chance_comes_in_the_end(ann: Person) -> None:
    """There each move takes a while; the page shows progress, then the story."""
    page = looks_back(ann, has_played(ann, "grid-conquest"))
    expect(page.locator("#summary li").last).to_contain_text("Red: accuracy")
