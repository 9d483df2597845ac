"""What people say to each other, ask for and decline; what they do without thinking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.people import TIMEOUT, Person
from tests.browser.tables import begins, made, sends, two_at
from tests.sizes import sample


def resigns(someone: Person) -> None:
    """And says so twice."""
    someone.page.get_by_role("button", name="Resign").click()
    someone.page.locator("#sure").click()


def test_a_match_with_a_clock_and_a_name_from_right_to_left(ann: Person, bob: Person) -> None:
    """Best of three: clocks run, sides are swapped, two wins end it; a rematch can be declined."""
    name = "\u05d3\u05e0\u05d9 (1)"  # in Hebrew letters; it turns nothing around
    him = f"\u2068{name}\u2069"
    address = made(
        ann, "number-connect", opponent="link", side=1, name="Ann",
        best_of=3, clock={"minutes": 5, "increment": 5},
    )  # fmt: skip
    ann.goes_to(address)
    bob.joins(address, name)
    expect(ann.page.locator("#player-2 .name bdi")).to_have_text(him)
    clocks = [bob.page.locator(f"#player-{seat} .clock") for seat in (1, 2)]
    for clock in clocks:
        expect(clock).to_be_visible()
    ann.plays("0,0")
    expect(ann.headline).to_have_text(f"{him}'s turn.")
    expect(clocks[1]).to_have_text("5:00")
    bob.plays("0,3")
    # Both have moved: now time runs for the one to move.
    expect(clocks[0]).to_have_class("clock running")
    before = clocks[0].inner_text()
    expect(clocks[0]).not_to_have_text(before)
    expect(clocks[1]).to_have_class("clock")

    ann.page.get_by_role("button", name="Say").click()
    ann.page.get_by_role("button", name="Good luck!").click()
    expect(ann.page.locator("#emotes")).to_be_hidden()
    for each in (ann, bob):
        expect(each.page.locator("#player-1 .said")).to_contain_text("Good luck!")
    expect(bob.page.locator("#live")).to_contain_text("Ann: ")

    bob.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#confirm")).to_be_visible()
    bob.page.get_by_role("button", name="Keep playing").click()
    expect(bob.page.locator("#confirm")).to_be_hidden()
    resigns(bob)
    for each, won, why in (
        (ann, "You won!", f"{him} resigned."),
        (bob, "Ann won.", "You resigned."),
    ):
        expect(each.headline).to_have_text(won)
        expect(each.page.locator("#why")).to_have_text(why)
        expect(each.page.locator("#final")).to_be_empty()  # no points have decided it
    score = ann.page.locator("#match-score")
    expect(score).to_have_text(f"Match: You 1 : 0 {him} (best of 3)")
    ann.page.get_by_role("button", name="Next game").click()
    expect(bob.page).to_have_title("Ann is waiting in game 2 · Number Connect")
    expect(bob.page.locator("#over")).to_contain_text("Ann is waiting for you in game 2.")
    bob.page.get_by_role("link", name="Go to the next game").click()
    for each in (ann, bob):
        each.page.wait_for_url(lambda url: not url.endswith(address))
    expect(ann.page.locator("#player-2 .name")).to_contain_text("Ann")
    expect(ann.page.locator("#player-2 .wins .on")).to_have_count(1)
    resigns(bob)
    expect(score).to_have_text("You win the match 2 : 0")

    ann.page.get_by_role("button", name="Rematch").click()
    expect(bob.page).to_have_title("Rematch? Ann is waiting · Number Connect")
    expect(bob.page.locator("#rematch-offer")).to_contain_text("Ann offers a rematch.")
    bob.page.locator("#rematch-offer").get_by_role("button", name="Decline").click()
    for each in (ann, bob):
        expect(each.page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(ann.page.locator("#over")).to_contain_text(f"{him} declined the rematch.")
    ann.page.reload()
    expect(ann.page.locator("#over")).to_contain_text(f"{him} declined the rematch.")
    expect(ann.page.locator("#see-why")).to_be_hidden()


def test_people_without_names_in_two_tabs(ann: Person, bob: Person) -> None:
    """Each is the other's opponent; whoever has two tabs is one person; two can agree to stop."""
    address = made(ann, "grid-runner", opponent="link", side=1)
    ann.goes_to(address)
    bob.joins(address)
    expect(bob.page.locator("#player-1 .name")).to_have_text("Opponent")
    expect(bob.page.locator("#player-2 .name")).to_have_text("You")
    expect(bob.headline).to_have_text("Your opponent's turn.")
    ann.plays("right")
    expect(bob.page.locator("#move-heads")).to_contain_text("Opponent")
    expect(bob.page.locator("#news")).to_contain_text("Your opponent")
    ann.page.get_by_role("button", name="Take back").click()
    expect(ann.page.locator("#my-offer")).to_contain_text("Waiting for your opponent to answer.")
    bob.page.get_by_role("button", name="Agree").click()
    expect(ann.page.locator("#news")).to_have_text("Your opponent let you take a move back.")

    other = ann.context.new_page()
    other.goto(address)
    ann.plays("right")
    tab = other.locator("#moves span:not(.n):not(:empty)")
    expect(tab).to_have_text(["right"])
    bob.plays("left")
    expect(tab).to_have_text(["right", "left"])
    other.locator('#board.yours [data-moves="down"]').click()
    ann.sees_moves("right", "left", "down")
    expect(bob.page.locator("#watching")).to_be_empty()
    other.close()
    there = bob.page.locator("#player-1 .about")
    expect(there).to_have_text("online")
    ann.goes_to("/learn")
    expect(there).to_have_text("offline")
    ann.goes_to(address)
    expect(there).to_have_text("online")

    ann.page.get_by_role("button", name="Offer to end it").click()
    bob.page.get_by_role("button", name="Agree").click()
    for each in (ann, bob):
        expect(each.headline).to_have_text("The game ended without a winner.")


def test_alone_with_a_bot_and_with_hints(ann: Person) -> None:
    """A bot that is first begins; stopping takes a second word; hints are seen and noted."""
    page = ann.page
    begins(ann, "grid-runner", opponent="bot", level="perfect", side=2)
    expect(ann.headline).to_have_text("Your turn.")
    assert len(ann.moves) == 1
    assert page.get_by_role("button", name="Say").count() == 0  # there is nobody to talk to
    stop = page.get_by_role("button", name="End without a winner")
    stop.click()
    expect(page.locator("#confirm")).to_contain_text("End this game without a winner?")
    ann.presses("Escape")
    expect(stop).to_be_focused()
    ann.presses("Enter", "Enter")
    expect(ann.headline).to_have_text("The game ended without a winner.")

    begins(ann, "number-maze")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#news")).to_contain_text("Only 1 of 2 moves wins.")
    expect(page.locator("#board .hinted")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#news")).to_contain_text("Consider down: you can force a win in 3 moves.")
    expect(page.locator("#board .hinted")).to_have_count(1)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#news")).to_contain_text("leads off the board every way")
    ann.plays("right")
    expect(page.locator("#moves")).to_contain_text("right (hint)")

    # Where nearly every cell is open, the one in question stands out.
    begins(ann, "grid-conquest", moves=1)
    expect(ann.headline).to_have_text("Red's turn.")
    expect(page.locator("#board.yours .open").first).to_be_visible()
    # The page's own view of the moment between the question and the answer.
    waiting = page.evaluate(
        "() => { document.getElementById('hint').click();"
        " return document.getElementById('news').textContent; }"
    )
    assert waiting == "Thinking …"
    # Where nothing has been compiled yet, that comes first.
    expect(page.locator("#news")).to_contain_text("Look ", timeout=120_000)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#board .hinted")).to_have_count(1, timeout=120_000)
    look = "box => [getComputedStyle(box).stroke, getComputedStyle(box).strokeDasharray].join()"
    hinted = page.locator("#board .hinted .box").evaluate(look)
    assert hinted != page.locator("#board .open:not(.hinted) .box").first.evaluate(look)
    expect(page.locator("#news")).to_contain_text("Consider ")


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
    page.goto("/games")
    shown = {str(each.get_attribute("href")) for each in page.locator("a[href^='/g/']").all()}
    games = {href.split("/")[2].split("#")[0] for href in shown}
    assert games == {address.rsplit("/", 1)[1], again.rsplit("/", 1)[1]}


# Reloads


def settled(page: Page) -> tuple[str, list[str], list[str]]:
    """What a page shows once it is connected: the headline, the moves, the visible buttons."""
    expect(page.locator("#offline")).to_be_hidden()
    moves = page.locator("#moves span:not(.n):not(:empty)").all_inner_texts()
    buttons = page.locator("main button:visible").all_inner_texts()
    return page.locator("#headline").inner_text(), moves, sorted({*buttons} - {"Share"})


def test_a_reload_at_every_stage(ann: Person, bob: Person) -> None:
    """What was on the page before is there again, for both; what was half said is asked anew."""

    def reload(*shown: tuple[str, str], often: bool = True) -> None:
        """Reload both pages, once what was done has arrived: a headline, and something to see.

        Where a page has just been opened, or the next stage has the same and more, only
        `make test-long` does so.
        """
        for each, (headline, selector) in zip((ann, bob), shown, strict=True):
            expect(each.headline).to_have_text(headline)
            expect(each.page.locator(selector)).to_be_visible()
        for each in (ann, bob) if sample(often, long=True) else ():
            each.page.mouse.move(0, 0)
            before = settled(each.page)
            each.page.reload()
            for _ in range(TIMEOUT // 50):  # what the page asks for may take a moment
                after = settled(each.page)
                if after == before:
                    break
                each.page.wait_for_timeout(50)
            assert after == before

    address = begins(ann, "grid-runner", opponent="link", name="Ann", side=1)
    bob.goes_to(address)
    # Somebody waits, somebody is invited.
    reload(("Waiting for an opponent.", "#invite"), ("A seat is free.", "#join"), often=False)
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Join the game").click()
    # Nobody has moved.
    reload(("Your turn.", "#resign"), ("Ann's turn.", "#resign"), often=False)
    ann.plays("right")
    # In play.
    reload(("Bob's turn.", "#takeback"), ("Your turn.", "#resign"), often=False)
    ann.page.get_by_role("button", name="Take back").click()
    # An offer waits for its answer.
    reload(("Bob's turn.", "#my-offer"), ("Your turn.", "#offer"))
    bob.page.get_by_role("button", name="Decline").click()
    expect(ann.page.get_by_role("button", name="Take back")).to_be_visible()
    bob.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#sure")).to_be_visible()
    bob.page.reload()
    expect(bob.page.locator("#sure")).to_be_hidden()
    resigns(bob)
    for each in (ann, bob):
        expect(each.page.locator("#over")).to_be_visible()
    # It is over.
    reload(("You won!", "#rematch"), ("Ann won.", "#rematch"), often=False)
    ann.page.get_by_role("button", name="Rematch").click()
    # A rematch is offered.
    reload(("You won!", "#my-rematch"), ("Ann won.", "#rematch-offer"))
    bob.page.get_by_role("button", name="Accept").click()
    for each in (ann, bob):
        each.page.wait_for_url(lambda url: "/g/" in url and not url.endswith(address))
    expect(bob.headline).to_have_text("Your turn.")


# Time to look


def hides(page: Page, *, hidden: bool) -> None:
    """Let a page think that its window is covered, or seen again."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_a_move_can_be_looked_at_before_the_answer_comes(
    bob: Person, person: Callable[..., Person]
) -> None:
    """As long as the pace says, and a challenge longer; nothing waits for who is not looking."""
    ann = person(pace=600)
    ann.page.clock.install(time=0)
    sockets: list[WebSocket] = []
    ann.page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108 - Playwright's
    address = two_at(ann, bob, "number-run", moves=6)
    ann.target("2,2!").wait_for()
    ann.page.clock.pause_at(60_000)
    moves = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "2,2!"]

    def answers(move: str, *, after: int) -> None:
        """Bob moves at once, and Ann sees it after so many milliseconds."""
        ann.sees_moves(*moves)
        with sockets[-1].expect_event("framereceived", lambda text: '"change"' in str(text)):
            sends(bob, address, move, len(moves) + 1)
        if after:
            ann.page.clock.run_for(after - 100)
            ann.sees_moves(*moves)
            ann.page.clock.run_for(200)
        moves.append(move)
        ann.sees_moves(*moves)

    ann.plays("2,2!")
    answers("4,3", after=2_200)
    ann.plays("2,3")
    moves.append("2,3")
    answers("4,2", after=600)
    ann.plays("2,4")
    moves.append("2,4")
    ann.sees_moves(*moves)
    hides(ann.page, hidden=True)
    answers("4,1", after=0)
    expect(ann.page).to_have_title("● Your turn · Number Run")
    hides(ann.page, hidden=False)
    expect(ann.page).to_have_title("Your turn · Number Run")
