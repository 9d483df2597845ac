"""Two people, two browsers, every game to the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import SCRIPTS, Person, options_for

# How the games of the scripts end, to the winner and to the loser.
ENDINGS = {
    "number-run": ("You reached Bob's corner.", "Ann reached your corner."),
    "number-maze": ("Ann had no move left.", "You had no move left."),
    "grid-runner": ("You reached Bob's corner.", "Ann reached your corner."),
    "grid-conquest": ("You reached 16 points.", "Ann reached 16 points."),
    "number-connect": ("You reached 15 points.", "Bob reached 15 points."),
}


@pytest.mark.parametrize("game", SCRIPTS)
def test_two_browsers_play_a_game_to_the_end(game: str, ann: Person, bob: Person) -> None:
    """By link, move by move, until both see the same result with its reason."""
    script = SCRIPTS[game]
    address = ann.starts(game, name="Ann", **options_for(game))
    expect(ann.headline).to_have_text("Waiting for an opponent.")
    expect(ann.page.locator("#link")).to_have_value(address)
    bob.joins(address, "Bob")
    for number, move in enumerate(script.moves.split()):
        mover = ann if number % 2 == 0 else bob
        mover.plays(move)
    winner, loser = (ann, bob) if script.winner == 1 else (bob, ann)
    expect(winner.headline).to_have_text("You won!")
    expect(loser.headline).to_have_text(f"{'Ann' if script.winner == 1 else 'Bob'} won.")
    for each, why in zip((winner, loser), ENDINGS[game], strict=True):
        expect(each.page.locator("#over")).to_contain_text(why)
        expect(each.page.locator("#news")).to_have_text(why)
        each.sees_moves(*script.moves.split())
        if script.scores:
            assert each.scores() == script.scores
        assert each.page.locator("#board .open").count() == 0


def test_the_link_for_a_friend_can_be_copied(ann: Person) -> None:
    """One press, and it is on the clipboard."""
    address = ann.starts("grid-runner")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.get_by_role("button", name="Copy").click()
    expect(ann.page.locator("#copied")).to_have_text("Copied.")
    assert ann.page.evaluate("() => navigator.clipboard.readText()") == address


def test_whose_turn_it_is_can_be_seen_and_heard(ann: Person, bob: Person) -> None:
    """In the window's title, in words, and in a live region for who cannot see the board."""
    address = ann.starts("number-connect", name="Ann", board="4152/6371/2845/9162")
    bob.joins(address, "Bob")
    expect(ann.page).to_have_title("Your turn · Number Connect")
    expect(bob.page).to_have_title("Ann's turn · Number Connect")
    ann.plays("0,0")
    expect(bob.page).to_have_title("Your turn · Number Connect")
    live = bob.page.locator("#live")
    expect(live).to_contain_text("Ann claims 0,0")
    expect(live).to_contain_text("Your turn.")
    assert live.get_attribute("aria-live") == "polite"
    last = bob.page.get_by_role("gridcell", name="0,0: 4, Player 1's, the last move", exact=True)
    expect(last).to_have_count(1)


def test_a_challenge_is_asked_for_in_place_and_can_be_declined(ann: Person) -> None:
    """A cell that stands for two moves asks; Escape takes the question back."""
    ann.starts("number-run", "same-screen", **options_for("number-run"))
    opening = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3"]
    for move in opening:
        ann.plays(move)
    target = ann.target("2,2!")
    target.click()
    ask = ann.page.locator("#ask")
    expect(ask.get_by_role("button", name="Challenge, 12 against 8")).to_be_focused()
    expect(ask.get_by_role("button", name="Just step")).to_be_visible()
    assert "Moved" not in ask.inner_text()
    ann.presses("Escape")
    expect(ask).to_be_hidden()
    assert len(ann.moves) == 6
    ann.plays("2,2")
    ann.sees_moves(*opening, "2,2")
    assert ann.scores() == (12, 8)


def test_a_pass_is_announced(ann: Person) -> None:
    """A player with nothing to claim passes, and the page says so."""
    ann.starts("number-connect", "same-screen", board="12345")
    ann.plays("0,1")
    ann.plays("0,0")  # Player 2 sits in the corner now, behind Player 1
    ann.plays("0,2")
    expect(ann.page.locator("#news")).to_contain_text("Player 2 has no cell to claim and passes.")
    expect(ann.headline).to_have_text("Player 1's turn.")
    ann.plays("0,3")
    ann.sees_moves("0,1", "0,0", "0,2", "0,3")
    assert ann.scores() == (9, 1)


def test_a_bot_answers_at_once(ann: Person) -> None:
    """A bot is an ordinary seat: it answers every move, to the end of the game."""
    ann.starts("number-run", "bot", level="novice", seed="5")
    expect(ann.page.locator("#player-2 .name")).to_have_text("Novice bot")
    for _ in range(30):
        ann.page.locator("#board.yours, #over:not([hidden])").first.wait_for()
        if _over(ann):
            break
        ann.plays(
            str(ann.page.locator("#board .open").first.get_attribute("data-moves")).split()[0]
        )
    assert _over(ann)
    assert ann.page.get_by_role("link", name="Look back").is_visible()


def _over(someone: Person) -> bool:
    return someone.page.locator("#over").is_visible()


def test_a_bot_that_is_first_begins(ann: Person) -> None:
    """A person who takes the other side finds the bot's move on the board."""
    ann.starts("grid-runner", "bot", level="perfect", side="2")
    expect(ann.headline).to_have_text("Your turn.")
    assert len(ann.moves) == 1


def test_hint_takeback_resignation_and_rematch(ann: Person, bob: Person) -> None:
    """What players can ask for: some of it takes the other's word."""
    ann.starts("number-maze", "same-screen", **options_for("number-maze"))
    ann.page.get_by_role("button", name="Hint").click()
    expect(ann.page.locator("#news")).to_contain_text(
        "Consider down: you can force a win in 3 moves."
    )
    ann.plays("right")
    expect(ann.page.locator("#moves")).to_contain_text("right (hint)")

    address = ann.starts("number-maze", name="Ann", **options_for("number-maze"))
    bob.joins(address, "Bob")
    ann.plays("right")
    expect(bob.headline).to_have_text("Your turn.")

    ann.page.get_by_role("button", name="Take back").click()
    expect(bob.page.locator("#offer-text")).to_have_text("Ann asks to take the last move back.")
    bob.page.get_by_role("button", name="Decline").click()
    expect(bob.page.locator("#offer")).to_be_hidden()
    assert len(ann.moves) == 1
    ann.page.get_by_role("button", name="Take back").click()
    bob.page.get_by_role("button", name="Agree").click()
    expect(ann.headline).to_have_text("Your turn.")
    assert ann.moves == []

    ann.page.get_by_role("button", name="Offer to stop").click()
    bob.page.get_by_role("button", name="Decline").click()
    expect(ann.page.get_by_role("button", name="Offer to stop")).to_be_visible()
    expect(ann.page.locator("#news")).to_have_text("Bob declined to stop the game.")

    bob.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#confirm")).to_be_visible()
    bob.page.get_by_role("button", name="Keep playing").click()
    expect(bob.page.locator("#confirm")).to_be_hidden()
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.locator("#sure").click()
    expect(ann.headline).to_have_text("You won!")
    expect(ann.page.locator("#why")).to_have_text("Bob resigned.")
    expect(bob.headline).to_have_text("Ann won.")
    expect(bob.page.locator("#why")).to_have_text("You resigned.")

    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator("#my-rematch")).to_contain_text("You offered a rematch.")
    expect(bob.page.locator("#rematch-offer")).to_contain_text("Ann offers a rematch.")
    bob.page.get_by_role("button", name="Accept").click()
    for each in (ann, bob):  # who offered it is taken along
        each.page.wait_for_url(lambda url: url != address)
    assert ann.page.url == bob.page.url
    expect(bob.page.locator("#player-1")).to_contain_text("Bob")
    expect(bob.headline).to_have_text("Your turn.")


def test_a_hint_can_be_seen_where_nearly_every_cell_is_open(ann: Person) -> None:
    """Its cell stands out from the others, and until it is there the page says that it thinks."""
    ann.starts("grid-conquest", "same-screen", **options_for("grid-conquest"))
    ann.plays("C3")
    expect(ann.headline).to_have_text("Player 2's turn.")
    # The page's own view of the moment between the question and the answer.
    waiting = ann.page.evaluate(
        "() => { document.getElementById('hint').click();"
        " return document.getElementById('news').textContent; }"
    )
    assert waiting == "Thinking …"
    expect(ann.page.locator("#board .hinted")).to_have_count(1)
    look = "box => [getComputedStyle(box).stroke, getComputedStyle(box).strokeDasharray].join()"
    hinted = ann.page.locator("#board .hinted .box").evaluate(look)
    assert hinted != ann.page.locator("#board .open:not(.hinted) .box").first.evaluate(look)
    expect(ann.page.locator("#news")).to_contain_text("Consider ")


def test_a_game_that_nobody_has_joined_can_be_called_off(ann: Person, bob: Person) -> None:
    """It takes a second word, and then the link leads to nothing that could be joined."""
    address = ann.starts("number-run", name="Ann")
    ann.page.get_by_role("button", name="Cancel invitation").click()
    expect(ann.page.locator("#confirm")).to_contain_text("Cancel the invitation?")
    ann.page.locator("#sure").click()
    expect(ann.headline).to_have_text("The invitation was cancelled.")
    bob.goes_to(address)
    expect(bob.headline).to_have_text("The invitation was cancelled.")
    assert bob.page.get_by_role("button", name="Take the free seat").count() == 0
    for each in (ann, bob):
        assert each.page.get_by_role("button", name="Rematch").count() == 0


def test_two_can_agree_to_stop_a_game_that_may_go_on_for_ever(ann: Person, bob: Person) -> None:
    """Then nobody has won; games that always end do not offer it."""
    address = ann.starts("grid-runner", name="Ann")
    bob.joins(address)
    ann.plays("right")
    ann.page.get_by_role("button", name="Offer to stop").click()
    bob.page.get_by_role("button", name="Agree").click()
    for each in (ann, bob):
        expect(each.headline).to_have_text("The game was stopped.")
    ann.starts("number-run", "same-screen")
    assert ann.page.get_by_role("button", name="Stop").count() == 0


def test_spectators_see_everything_and_can_do_nothing(
    ann: Person, bob: Person, person: Callable[..., Person]
) -> None:
    """The same board and moves, no way to change them, and the players know they are there."""
    address = ann.starts("grid-conquest", listed="yes", name="Ann", **options_for("grid-conquest"))
    bob.joins(address, "Bob")
    ann.plays("C3")
    eve = person()
    eve.goes_to(address)
    expect(eve.page.locator("#spectator")).to_have_text("You are watching.")
    expect(eve.page.locator("#watching")).to_be_empty()  # nobody counts oneself
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    eve.sees_moves("C3")
    bob.plays("D4")
    eve.sees_moves("C3", "D4")
    expect(eve.headline).to_have_text("Ann's turn.")
    eve.cell("A1").click()
    for name in ("Hint", "Take back", "Resign"):
        assert eve.page.get_by_role("button", name=name).count() == 0
    assert eve.page.locator("#move").is_hidden()
    ann.sees_moves("C3", "D4")
