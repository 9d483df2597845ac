"""The game page: moves as events, the end card, matches, emotes, alerts, and one screen of room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import SCRIPTS, Person, options_for
from tests.browser.windows import assert_in_sight

OPENING = SCRIPTS["number-run"].moves.split()[:6]  # then "2,2!" is a challenge, 12 against 8


def two_at_a_game(ann: Person, bob: Person, game: str, **more: str) -> str:
    """Ann and Bob at the board of a script; its address."""
    address = ann.starts(game, name="Ann", **options_for(game), **more)
    bob.joins(address, "Bob")
    return address


def hides(page: Page, *, hidden: bool) -> None:
    """Let a page think that its window is covered, or seen again."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


# Moves as events


# When the list of moves on the page has got longer.
NOTE_MOVES = """() => {
    window.shown = [];
    const list = document.getElementById("moves");
    const length = () => list.querySelectorAll("span:not(:empty)").length;
    let before = length();
    new MutationObserver(() => {
        if (length() === before) return;
        before = length();
        window.shown.push([before, performance.now()]);
    }).observe(list, { childList: true, subtree: true });
}"""


def test_a_bot_takes_its_time(person: Callable[..., Person]) -> None:
    """One's own move is on the board for a while before the answer comes."""
    ann = person(pace=1000)
    ann.starts("number-connect", "bot", level="novice", **options_for("number-connect"))
    ann.target("0,0").wait_for()
    expect(ann.headline).to_have_text("Your turn.")
    ann.page.evaluate(NOTE_MOVES)
    ann.plays("0,0")
    ann.page.wait_for_function("() => window.shown.length === 2")
    (first, mine), (second, answer) = ann.page.evaluate("() => window.shown")
    assert (first, second) == (1, 2)
    # A second from when the page knew of the move, which it may take a while to draw.
    assert answer - mine >= 500


def test_how_a_challenge_went_can_be_read_before_the_answer(person: Callable[..., Person]) -> None:
    """Two seconds at the usual pace; also where nothing moves that would take some of them."""
    ann, bob = person(pace=600, reduced_motion="reduce"), person()
    two_at_a_game(ann, bob, "number-run")
    for number, move in enumerate(OPENING):
        (ann, bob)[number % 2].plays(move)
    ann.target("2,2!").wait_for()
    ann.page.evaluate(NOTE_MOVES)
    ann.plays("2,2!")
    bob.plays("4,3")
    ann.page.wait_for_function("() => window.shown.length === 2")
    (first, mine), (second, answer) = ann.page.evaluate("() => window.shown")
    assert (first, second) == (7, 8)
    assert answer - mine >= 1_500  # what it takes to draw is not counted


def test_nothing_waits_for_somebody_who_is_not_looking(person: Callable[..., Person]) -> None:
    """A window in the background shows the newest state, and its title calls."""
    ann, bob = person(pace=1000), person()
    two_at_a_game(ann, bob, "number-connect")
    ann.plays("0,0")
    hides(ann.page, hidden=True)
    bob.plays("0,3")
    ann.sees_moves("0,0", "0,3")
    expect(ann.page).to_have_title("● Your turn · Number Connect")
    hides(ann.page, hidden=False)
    expect(ann.page).to_have_title("Your turn · Number Connect")


def test_a_challenge_is_told_to_both_sides(ann: Person, bob: Person) -> None:
    """Who challenged, what was compared, and what became of the loser."""
    two_at_a_game(ann, bob, "number-run")
    for number, move in enumerate(OPENING):
        (ann, bob)[number % 2].plays(move)
    ann.plays("2,2!")
    expect(ann.page.locator("#news")).to_contain_text("You challenged: 12 beats 8.")
    expect(bob.page.locator("#news")).to_contain_text("Ann challenged: 12 beats 8.")
    expect(bob.page.locator("#news")).to_contain_text("You are back home with 0 points.")
    expect(bob.page.locator("#live")).to_contain_text("You are back home with 0 points.")
    assert bob.scores() == (12, 0)


def test_a_question_hides_no_token_and_says_what_is_at_stake(
    person: Callable[..., Person],
) -> None:
    """On a phone, too; the answer that costs nothing at once is the main one."""
    ann = person(viewport={"width": 375, "height": 667})
    ann.starts("number-run", "same-screen", **options_for("number-run"))
    for move in OPENING:
        ann.plays(move)
    ann.target("2,2!").click()
    expect(ann.page.locator("#ask")).to_contain_text("You would win: your opponent goes home")
    expect(ann.page.locator("#ask .main")).to_have_attribute("data-answer", "yes")
    ask = ann.page.locator("#ask").bounding_box()
    assert ask
    for token in ann.page.locator("#board .piece").all():
        box = token.bounding_box()
        assert box
        apart = (
            ask["x"] >= box["x"] + box["width"],
            box["x"] >= ask["x"] + ask["width"],
            ask["y"] >= box["y"] + box["height"],
            box["y"] >= ask["y"] + ask["height"],
        )
        assert any(apart)


def test_a_double_click_is_one_move(ann: Person) -> None:
    """The second click falls on a board that is no longer open."""
    ann.starts("number-connect", "same-screen", **options_for("number-connect"))
    ann.target("0,0").dblclick()
    ann.sees_moves("0,0")
    expect(ann.page.locator("#problem")).to_be_hidden()


# The goal


def test_the_bar_shows_how_far_the_target_is(ann: Person) -> None:
    """A segment for each point, the last one marked; beyond it is red where that loses."""
    ann.starts("number-connect", "same-screen", **options_for("number-connect"))
    ann.plays("0,0")
    bar = ann.page.locator("#player-1 .bar")
    expect(bar.locator("i.on")).to_have_count(4)
    expect(bar.locator("i:not(.over)")).to_have_count(15)
    assert "target" in str(bar.locator("i").nth(14).get_attribute("class"))
    assert bar.locator("i.over").count() > 0
    expect(ann.page.locator("#player-1 .aim")).to_have_text("Exactly 11 more to win")
    ann.starts("grid-conquest", "same-screen", **options_for("grid-conquest"))
    expect(bar.locator("i")).to_have_count(15)
    ann.starts("grid-runner", "same-screen")
    expect(bar).to_be_hidden()


# The end


def test_the_end_card_says_all_and_can_be_put_away(ann: Person, bob: Person) -> None:
    """It covers the board; the board can be seen again, and the card too, also after a reload."""
    two_at_a_game(ann, bob, "number-maze")
    for number, move in enumerate(SCRIPTS["number-maze"].moves.split()):
        (ann, bob)[number % 2].plays(move)
    for each, title in ((ann, "Bob won."), (bob, "You won!")):
        card = each.page.locator("#over")
        expect(card).to_contain_text(title)
        expect(card.get_by_role("link", name="Turning point")).to_be_visible()
    bob.page.get_by_role("button", name="Show the board").click()
    expect(bob.page.locator("#over")).to_be_hidden()
    expect(bob.page.locator("#show-card")).to_be_focused()
    bob.presses("Enter")
    expect(bob.page.locator("#over")).to_be_focused()
    bob.presses("Escape")
    expect(bob.page.locator("#over")).to_be_hidden()
    bob.page.reload()
    expect(bob.page.locator("#over")).to_contain_text("You won!")
    bob.page.get_by_role("link", name="Turning point").click()
    bob.page.wait_for_url("**/back#turning-point")
    bob.page.go_back()
    expect(bob.page.locator("#over")).to_contain_text("You won!")


def test_a_rematch_can_be_declined(ann: Person, bob: Person) -> None:
    """The offer calls, both see it, and whoever made it reads the answer."""
    two_at_a_game(ann, bob, "grid-runner")
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.locator("#sure").click()
    ann.page.get_by_role("button", name="Rematch").click()
    expect(bob.page).to_have_title("Rematch? Ann is waiting · Grid Runner")
    expect(bob.page.locator("#rematch-offer")).to_contain_text("Ann offers a rematch.")
    bob.page.locator("#rematch-offer").get_by_role("button", name="Decline").click()
    for each in (ann, bob):
        expect(each.page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(ann.page.locator("#over")).to_contain_text("Bob declined the rematch.")
    ann.page.reload()
    expect(ann.page.locator("#over")).to_contain_text("Bob declined the rematch.")
    expect(ann.page.locator("#turning-point")).to_be_hidden()


def test_an_invitation_can_be_cancelled(ann: Person, bob: Person) -> None:
    """The friend is told who did it, and can start a game; there is no rematch of it."""
    bob.goes_to(ann.starts("grid-runner", name="Ann"))
    ann.page.get_by_role("button", name="Cancel invitation").click()
    expect(ann.page.get_by_role("button", name="Keep waiting")).to_be_visible()
    ann.page.locator("#sure").click()
    expect(ann.page.locator("#over")).to_contain_text("You cancelled the invitation.")
    expect(bob.page.locator("#over")).to_contain_text("Ann cancelled the invitation.")
    expect(bob.page.get_by_role("link", name="Start your own game")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Rematch")).to_be_hidden()


def test_people_without_names_are_you_and_the_opponent(ann: Person, bob: Person) -> None:
    """To each other; and nobody gets a hint against a person."""
    bob.joins(ann.starts("number-connect", **options_for("number-connect")))
    expect(bob.page.locator("#player-1 .name")).to_have_text("Opponent")
    expect(bob.page.locator("#player-2 .name")).to_have_text("You")
    expect(bob.headline).to_have_text("Your opponent's turn.")
    expect(ann.page.locator("#hint")).to_be_hidden()
    ann.plays("0,0")
    expect(bob.page.locator("#move-heads")).to_contain_text("Opponent")
    expect(bob.page.locator("#news")).to_contain_text("Your opponent")
    ann.page.get_by_role("button", name="Take back").click()
    expect(ann.page.locator("#my-offer")).to_contain_text("Waiting for your opponent to answer.")
    bob.page.get_by_role("button", name="Agree").click()
    expect(ann.page.locator("#news")).to_have_text("Your opponent let you take a move back.")


def test_stopping_against_a_bot_takes_a_second_word(ann: Person) -> None:
    """Nobody else is asked, so the page asks."""
    ann.starts("grid-runner", "bot", level="novice")
    ann.page.get_by_role("button", name="Stop", exact=True).click()
    expect(ann.page.locator("#confirm")).to_contain_text("Stop this game? Nobody wins.")
    ann.presses("Escape")
    expect(ann.page.get_by_role("button", name="Stop", exact=True)).to_be_focused()
    ann.presses("Enter", "Enter")
    expect(ann.headline).to_have_text("The game was stopped.")


def test_a_match_carries_its_score_over(ann: Person, bob: Person) -> None:
    """Best of three: the next game has the sides swapped, and two wins end it."""
    address = two_at_a_game(ann, bob, "number-connect", best_of="3")
    for winner in ("You won the match: You 2 : 0 Bob", "Match: You 1 : 0 Bob (best of 3)")[::-1]:
        bob.page.get_by_role("button", name="Resign").click()
        bob.page.locator("#sure").click()
        expect(ann.page.locator("#match-score")).to_have_text(winner)
        expect(ann.page.locator("#final")).to_be_empty()  # no points have decided it
        if winner.startswith("Match"):
            ann.page.get_by_role("button", name="Next game").click()
            expect(bob.page).to_have_title("Ann is waiting in game 2 · Number Connect")
            expect(bob.page.locator("#over")).to_contain_text("Ann is waiting for you in game 2.")
            bob.page.get_by_role("link", name="Go to the next game").click()
            for each in (ann, bob):
                each.page.wait_for_url(lambda url: url != address)
            expect(ann.page.locator("#player-2 .name")).to_contain_text("Ann")
            expect(ann.page.locator("#player-2 .wins .on")).to_have_count(1)
    expect(ann.page.get_by_role("button", name="Rematch")).to_be_visible()


# People


def test_emotes_are_seen_and_heard_by_the_other(ann: Person, bob: Person) -> None:
    """A few words beside the name, and in the live region."""
    two_at_a_game(ann, bob, "grid-runner")
    ann.page.get_by_role("button", name="Say").click()
    ann.page.get_by_role("button", name="Good luck!").click()
    expect(ann.page.locator("#emotes")).to_be_hidden()
    for each in (ann, bob):
        expect(each.page.locator("#player-1 .said")).to_contain_text("Good luck!")
    expect(bob.page.locator("#live")).to_contain_text("Ann: ")
    # With a bot there is nobody to talk to.
    ann.starts("grid-runner", "bot", level="novice")
    assert ann.page.get_by_role("button", name="Say").count() == 0


def test_a_name_from_right_to_left_turns_nothing_around(ann: Person, bob: Person) -> None:
    """On its card it stands alone; in a sentence it is set apart from the words beside it."""
    name = "\u05d3\u05e0\u05d9 (1)"  # in Hebrew letters
    address = ann.starts("grid-runner", name=name, best_of="3")
    bob.joins(address, "Bob")
    expect(bob.page.locator("#player-1 .name bdi")).to_have_text(name)
    expect(bob.headline).to_have_text(f"\u2068{name}\u2069's turn.")
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.locator("#sure").click()
    score = f"Match: You 0 : 1 \u2068{name}\u2069 (best of 3)"
    expect(bob.page.locator("#match-score")).to_have_text(score)


def test_an_invitation_is_a_link_and_a_code(ann: Person, bob: Person) -> None:
    """The code is a picture in the page; whoever opens the link is told who invites."""
    address = ann.starts("grid-runner", name="Ann")
    expect(ann.page.locator("#link")).to_have_value(address)
    box = ann.page.locator("#invite .qr").bounding_box()
    assert box
    assert box["width"] >= 100
    bob.goes_to(address)
    expect(bob.page.locator("#join")).to_contain_text("Ann invites you")
    bob.joins(address, "Bob")
    expect(ann.page.locator("#invite")).to_be_hidden()


def test_a_clock_runs_for_the_one_to_move(ann: Person, bob: Person) -> None:
    """Both clocks are shown; after a player's first move, theirs runs on their turn."""
    two_at_a_game(ann, bob, "number-connect", clock="5+5")
    clocks = [bob.page.locator(f"#player-{seat} .clock") for seat in (1, 2)]
    for each in clocks:
        expect(each).to_be_visible()
    ann.plays("0,0")
    expect(clocks[1]).to_have_text("5:00")
    bob.plays("0,3")
    expect(clocks[0]).to_have_class("clock running")
    before = clocks[0].inner_text()
    expect(clocks[0]).not_to_have_text(before)
    expect(clocks[1]).to_have_class("clock")


# One screen

SCREENS = {"phone": (375, 667), "small": (320, 568), "landscape": (667, 375), "desk": (1280, 800)}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", ["number-connect", "number-run"])
def test_everything_needed_is_in_one_screen(
    game: str, screen: str, person: Callable[..., Person]
) -> None:
    """The board, both players, whose turn it is and the buttons, without scrolling."""
    width, height = SCREENS[screen]
    ann = person(viewport={"width": width, "height": height}, is_mobile=width < 700)
    ann.starts(game, "bot", level="novice", name="Ann")
    ann.page.locator("#board.yours").wait_for()
    ann.page.evaluate("() => scrollTo(0, 0)")
    parts = ("#player-1", "#player-2", "#board > svg", "#headline", "#hint", "#resign")
    for part in parts:
        box = ann.page.locator(part).bounding_box()
        assert box, part
        assert box["y"] + box["height"] <= height, f"{part} ends below the screen: {box}"
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= width, f"{part} is too wide: {box}"


# Without scripts


def test_a_page_without_scripts_has_no_dead_buttons(person: Callable[..., Person]) -> None:
    """Moves are buttons, resigning takes a second page, and whoever waits gets a fresh page."""
    ann, bob = person(java_script_enabled=False), person(java_script_enabled=False)
    address = ann.starts("number-maze", name="Ann", **options_for("number-maze"))
    refresh = "noscript meta[http-equiv=refresh]"
    expect(ann.page.locator(refresh)).to_have_count(1)
    assert_in_sight(ann.page, "#link")
    bob.goes_to(address)
    expect(bob.page.locator(refresh)).to_have_count(0)  # a name is being typed
    assert_in_sight(bob.page, "#join button")
    bob.joins(address, "Bob")
    expect(bob.page.locator(refresh)).to_have_count(1)
    ann.goes_to(address)
    expect(ann.page.locator(refresh)).to_have_count(0)
    for button in ann.page.locator("main button:visible").all():
        assert button.get_attribute("type") in (None, "submit")
        assert button.evaluate("button => button.form !== null")
    ann.page.get_by_role("button", name="right", exact=True).click()
    expect(ann.page.locator("#moves")).to_contain_text("right")
    ann.page.get_by_role("button", name="Resign").click()
    expect(ann.page.locator("#confirm")).to_contain_text("Resign this game?")
    ann.page.get_by_role("button", name="Keep playing").click()
    expect(ann.page.locator("#confirm")).to_be_hidden()
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.locator("#sure").click()
    expect(ann.page.locator("#over")).to_contain_text("You lost: you resigned.")
    expect(ann.headline).to_be_hidden()  # the card says it, below the board
    card, board = (ann.page.locator(each).bounding_box() for each in ("#over", "#board > svg"))
    assert card
    assert board
    assert card["y"] >= board["y"] + board["height"]
    assert_in_sight(ann.page, "#over-title", "#rematch")
    bob.goes_to(address)
    bob.page.get_by_role("button", name="Rematch").click()
    ann.goes_to(address)
    ann.page.get_by_role("button", name="Accept").click()
    ann.page.wait_for_url(lambda url: url != address)
