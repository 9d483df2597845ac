"""Five games to their end, one of each: by keys, words, mouse and touch, in windows that change."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import ViewportSize, expect

from tests.browser.people import SCRIPTS, Person, options_for
from tests.browser.tables import begins, made, sends, two_at
from tests.browser.windows import assert_fits, assert_fits_everywhere, assert_in_sight, resized

TABLE = ("#board svg", "#headline", "#player-1", "#player-2", "#actions")
CARD = ("#board svg", "#over-title", "#why", "#rematch")
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
# The tokens, and the cell in question, that the box of a question lies over.
COVERED = """() => {
    const box = document.getElementById("ask").getBoundingClientRect();
    return [...document.querySelectorAll("#board .piece, #board .asked")].filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < box.right && box.left < right && top < box.bottom && box.top < bottom;
    }).length;
}"""


def moves_of(game: str) -> list[str]:
    """The moves of a script."""
    return SCRIPTS[game].moves.split()


def assert_ended(ann: Person, bob: Person, game: str, winner_reads: str, loser_reads: str) -> None:
    """Both see the same result, each in their own words, and the game can no longer be played."""
    script = SCRIPTS[game]
    winner, loser = (ann, bob) if script.winner == 1 else (bob, ann)
    expect(winner.headline).to_have_text("You won!")
    expect(loser.headline).to_have_text(f"{'Ann' if script.winner == 1 else 'Bob'} won.")
    for each, why in ((winner, winner_reads), (loser, loser_reads)):
        expect(each.page.locator("#over")).to_contain_text(why)
        expect(each.page.locator("#news")).to_have_text(why)
        each.sees_moves(*moves_of(game))
        if script.scores:
            assert each.scores() == script.scores
        assert each.page.locator("#board .open").count() == 0


# Number Run


def with_keys(someone: Person, move: str) -> None:
    """Walk to the cell of a move with the arrow keys, and press Enter."""
    target = someone.target(move)
    expect(target).to_have_count(1)
    rows, columns = target.evaluate(
        """({ dataset: { row, col } }) => {
            const at = document.activeElement.dataset;
            return [row - at.row, col - at.col];
        }"""
    )
    someone.presses(*["ArrowDown" if rows > 0 else "ArrowUp"] * abs(rows))
    someone.presses(*["ArrowRight" if columns > 0 else "ArrowLeft"] * abs(columns))
    expect(target).to_be_focused()
    someone.presses("Enter")


def tabs_to_the_board(someone: Person, key: str = "Tab") -> None:
    """Press Tab until the board has the focus."""
    for _ in range(40):
        someone.presses(key)
        if someone.page.evaluate("() => document.activeElement.closest('#board') !== null"):
            return
    raise AssertionError("the board cannot be reached")


# Whatever moves on the page, from now on.
NOTE_MOTION = """() => {
    window.motions = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        window.motions.push(`${this.localName}.${this.getAttribute("class")}`);
        return animate.call(this, frames, options);
    };
    for (const kind of ["transitionrun", "animationstart"]) {
        document.addEventListener(kind, ({ target, propertyName, animationName }) => {
            window.motions.push(`${target.localName} ${propertyName ?? animationName}`);
        }, true);
    }
}"""


def test_number_run_with_the_keyboard_alone(ann: Person) -> None:
    """From the start page to the rematch, no pointer: Tab, arrows, Enter, Escape.

    With reduced motion nothing at all moves, and something does otherwise.
    """
    page = ann.goes_to("/")
    page.locator(".shelf").get_by_role("link", name="Number Run", exact=True).focus()
    ann.presses("Enter")
    page.wait_for_url("**/new/number-run")
    page.locator("[name=opponent][value=link]").focus()
    ann.presses("ArrowDown")  # two at this screen
    page.get_by_text("Board and other options").focus()
    ann.presses("Enter")
    page.locator("[name=deal][value=even]").focus()
    ann.presses("ArrowUp")  # round to the last: one of your own
    expect(page.locator("[name=deal][value=own]")).to_be_checked()
    page.locator("[name=board]").focus()
    page.keyboard.type(SCRIPTS["number-run"].board)
    ann.presses("Enter")
    page.wait_for_url("**/g/*")
    # This game always ends.
    assert page.get_by_role("button", name="End without a winner").count() == 0
    page.evaluate("() => gridwise.set('pace', '300')")
    page.evaluate(NOTE_MOTION)

    tabs_to_the_board(ann)
    expect(ann.cell("0,1")).to_be_focused()
    box = ann.cell("0,1").locator(".box")
    assert box.evaluate("box => getComputedStyle(box).strokeWidth") == "4px"  # as one can see
    moves = moves_of("number-run")
    for number, move in enumerate(moves, 1):
        with_keys(ann, move)
        if move == "2,2!":
            decides_to_challenge(ann)
        if number == len(moves) - 1:
            ann.target(moves[-1]).wait_for()
            assert page.evaluate("() => window.motions") == []
            page.emulate_media(reduced_motion="no-preference")
    ann.sees_moves(*moves)
    assert page.evaluate("() => window.motions")
    page.emulate_media(reduced_motion="reduce")
    expect(ann.headline).to_have_text("Blue won.")
    # Beside the board, and the focus is in it.
    expect(page.locator("#over")).to_be_focused()
    ann.presses("Tab")
    expect(page.get_by_role("button", name="Rematch")).to_be_focused()
    ann.presses("Enter")
    expect(ann.headline).to_have_text("Blue's turn.")


def decides_to_challenge(ann: Person) -> None:
    """The question is asked in every window, with the stakes; at first it is not answered."""
    page, ask = ann.page, ann.page.locator("#ask")
    for window in resized(page):
        ann.presses("Escape")
        expect(ask).to_be_hidden()
        expect(ann.cell("2,2")).to_be_focused()
        ann.presses("Enter")
        expect(ask.locator("[data-answer=yes].main")).to_be_focused()
        assert_fits(page, window)
        expect(ask).to_be_in_viewport(ratio=1)
        if window in ("small phone", "phone", "laptop"):
            assert page.evaluate(COVERED) == 0, window
    expect(ask.locator("button")).to_have_text(
        ["Challenge (12 : 8, you win)", "Move without challenging", "Choose another move"]
    )
    expect(ask).to_contain_text("You would win: your opponent goes home")
    assert "Moved" not in ask.inner_text()
    ann.presses("Enter")


def test_a_challenge_is_told_to_everybody(ann: Person, bob: Person, eve: Person) -> None:
    """Who challenged, what was compared, what became of the loser; one can also just step."""
    address = two_at(ann, bob, "number-run", moves=6)
    eve.goes_to(address)
    expect(eve.page.locator("#spectator")).to_have_text("You are watching.")
    expect(eve.page.locator("#watching")).to_be_empty()  # nobody counts oneself
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    ann.plays("2,2!")
    went = "Challenge! 12 beats 8."
    for who, said in (
        (ann, f"{went} Bob is sent home with 0."),
        (bob, f"{went} You are sent home with 0."),
        (eve, f"{went} Bob is sent home with 0."),
    ):
        expect(who.page.locator("#news")).to_contain_text(said)
        expect(who.page.locator("#live")).to_contain_text(said)
        expect(who.cell("2,2").locator(".piece.one")).to_be_visible()
        expect(who.cell("4,4").locator(".piece.two")).to_be_visible()
        expect(who.cell("2,3").locator(".piece")).to_have_count(0)
        assert who.scores() == (12, 0)
    # Nothing that a spectator does has an effect.
    eve.cell("4,3").click()
    for name in ("Hint", "Take back", "Resign"):
        assert eve.page.get_by_role("button", name=name).count() == 0
    assert eve.page.locator("#move").is_hidden()
    expect(ann.headline).to_have_text("Bob's turn.")
    version = 8  # Bob's sitting down was the first
    for number, move in enumerate(moves_of("number-run")[7:]):
        sends((bob, ann)[number % 2], address, move, version + number)
    assert_ended(ann, bob, "number-run", "You reached Bob's corner.", "Ann reached your corner.")
    eve.sees_moves(*moves_of("number-run"))
    begins(ann, "number-run", moves=6)
    ann.plays("2,2")
    ann.sees_moves(*moves_of("number-run")[:6], "2,2")
    assert ann.scores() == (12, 8)


# Number Maze


def test_an_invitation_is_a_link_and_a_code(ann: Person, bob: Person) -> None:
    """Whoever has it joins, and both see each other."""
    begins(ann, "number-maze", opponent="link", name="Ann", side=1)
    address = ann.page.url
    expect(ann.headline).to_have_text("Waiting for an opponent.")
    expect(ann.page.locator("#link")).to_have_value(address)
    code = ann.page.locator("#invite .qr").bounding_box()
    assert code
    assert code["width"] >= 100
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.get_by_role("button", name="Copy").click()
    expect(ann.page.locator("#copied")).to_have_text("Copied.")
    assert ann.page.evaluate("() => navigator.clipboard.readText()") == address
    bob.goes_to(address)
    expect(bob.page.locator("#join")).to_contain_text("Ann invites you")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Join the game").click()
    expect(ann.page.locator("#invite")).to_be_hidden()
    expect(ann.page.locator("#hint")).to_be_hidden()  # nobody gets a hint against a person


def test_a_phone_shows_no_code_for_phones(person: Callable[..., Person]) -> None:
    """Upright and on its side, it sends the link; a narrow window is taken for one."""
    phone: ViewportSize = {"width": 390, "height": 844}
    side: ViewportSize = {"width": 844, "height": 390}
    window: ViewportSize = {"width": 500, "height": 700}
    for shape, touch in ((phone, True), (side, True), (window, False)):
        ann = person(viewport=shape, has_touch=touch, is_mobile=touch)
        begins(ann, "number-maze", opponent="link")
        expect(ann.page.locator("#copy")).to_be_visible()
        expect(ann.page.locator(".qr-code")).to_be_hidden()


def test_a_listed_game_says_that_anybody_can_join(ann: Person) -> None:
    """And not that it waits for a friend; the link is there all the same."""
    page = ann.goes_to("/")
    page.get_by_text("Find an opponent").click()
    page.get_by_role("button", name="Grid Runner", exact=True).click()
    invite = page.locator("#invite")
    expect(invite.get_by_role("heading")).to_have_text("Waiting for an opponent")
    expect(invite).to_contain_text("Anybody can join; or send this link to somebody.")
    expect(invite).not_to_contain_text("friend")
    expect(page.locator("#link")).to_have_value(page.url)
    begins(ann, "grid-runner", opponent="link")
    expect(invite).to_contain_text("Send this link. The game starts when your friend joins.")


def test_number_maze_to_the_rematch(ann: Person, bob: Person) -> None:
    """Move by move; the card says all, beside the board; whoever offered a rematch is led on."""
    two_at(ann, bob, "number-maze")
    address = ann.page.url
    assert_fits_everywhere(ann.page, *TABLE)
    for number, move in enumerate(moves_of("number-maze")):
        (ann, bob)[number % 2].plays(move)
    assert_ended(ann, bob, "number-maze", "Ann had no move left.", "You had no move left.")
    for _ in resized(bob.page):
        card, board = (bob.page.locator(each).bounding_box() for each in ("#over", "#board > svg"))
        assert card
        assert board
        assert card["y"] >= board["y"] + board["height"] or card["x"] >= board["x"] + board["width"]
    for each, shared in ((ann, "Number Maze: I lost to Bob."), (bob, "I won against Ann.")):
        each.context.grant_permissions(["clipboard-read", "clipboard-write"])
        each.page.bring_to_front()
        each.page.get_by_role("button", name="Share").click()
        expect(each.page.locator("#shared")).to_have_text("Copied.")
        assert shared in each.page.evaluate("() => navigator.clipboard.readText()")
    see_why = bob.page.get_by_role("link", name="See why")
    expect(see_why).to_have_attribute("href", re.compile("/back#why$"))

    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator("#my-rematch")).to_contain_text("You offered a rematch.")
    expect(bob.page.locator("#rematch-offer")).to_contain_text("Ann offers a rematch.")
    bob.page.get_by_role("button", name="Accept").click()
    for each in (ann, bob):  # who offered it is taken along
        each.page.wait_for_url(lambda url: url != address)
    assert ann.page.url == bob.page.url
    expect(bob.page.locator("#player-1")).to_contain_text("Bob")
    expect(bob.headline).to_have_text("Your turn.")


def test_words_points_and_the_result_come_when_the_move_has_been_seen(
    person: Callable[..., Person],
) -> None:
    """As long as anything moves on the board, everything beside it stands as before."""
    ann = person(pace=300, reduced_motion="no-preference")
    begins(ann, "number-run", moves=14)
    page = ann.page
    ann.target("4,4").wait_for()
    page.evaluate("""async () => {
        await import(performance.getEntriesByType("resource")
            .find(({ name }) => name.endsWith("/animate.js")).name);
        window.seen = new Set();
        const beside = [".players", "#headline", "#news", "#moves"];
        const look = () => {
            const texts = beside.map((each) => document.querySelector(each).innerText);
            texts.push(document.getElementById("over").hidden);
            if (document.querySelector(".flying")) window.seen.add(texts.join());
            requestAnimationFrame(look);
        };
        window.before = beside.map((each) => document.querySelector(each).innerText).join();
        look();
    }""")
    ann.plays("4,4")
    expect(page.locator("#over")).to_be_visible()
    assert page.evaluate("[...window.seen]") == [page.evaluate("`${window.before},true`")]
    assert ann.scores() == SCRIPTS["number-run"].scores


def test_who_has_beaten_a_bot_is_offered_the_next_one_first(ann: Person) -> None:
    """And a rematch, with the side that it gives; nobody else is offered another bot."""
    begins(ann, "number-connect", opponent="bot", level="novice", side=1, target=4)
    ann.plays("0,0")  # a 4
    expect(ann.page.locator("#over-title")).to_have_text("You won!")
    buttons = ann.page.locator("#over .row :is(button, a):visible")
    expect(buttons.first).to_contain_text("Next: Casual bot")
    rematch = ann.page.get_by_role("button", name="Rematch as Red")
    expect(rematch).to_be_visible()
    buttons.first.click()
    expect(ann.page.locator("#player-2 .name")).to_have_text("Casual bot")
    ann.page.go_back()
    rematch.click()
    expect(ann.page.locator("#player-1 .name")).to_have_text("Novice bot")
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.locator("#sure").click()
    expect(ann.page.get_by_role("button", name="Rematch as Blue")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Next")).to_be_hidden()


# Grid Runner


def test_grid_runner_back_and_forward(ann: Person) -> None:
    """From a page to the rules and back the board is alive each time; there is no other end."""
    page = ann.goes_to("/new/grid-runner?opponent=same-screen")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/g/*")
    address, moves = page.url, moves_of("grid-runner")
    expect(page.locator("#player-1 .bar")).to_be_hidden()  # no points
    ann.plays(moves[0])
    page.get_by_role("link", name="Rules").first.click()
    page.wait_for_url("**/rules/grid-runner")
    page.go_back()
    page.wait_for_url(address)
    ann.sees_moves(*moves[:1])
    ann.plays(moves[1])
    ann.sees_moves(*moves[:2])
    page.go_back()
    page.wait_for_url("**/new/grid-runner**")
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    page.go_forward()
    page.wait_for_url(address)
    for number, move in enumerate(moves[2:], 3):
        ann.plays(move)
        if number == 6:
            ann.sees_moves(*moves[:6])
            assert_fits_everywhere(page, *TABLE)
    ann.sees_moves(*moves)
    expect(page.locator("#player-1.winner")).to_be_visible()
    expect(page.locator("#over")).to_contain_text("Blue reached Red's corner.")


# Grid Conquest


def test_grid_conquest_on_two_phones(person: Callable[..., Person]) -> None:
    """By tapping, with the longest names; cells are large enough for a thumb."""
    ann, bob = person(**PHONE), person(**PHONE)
    address = made(ann, "grid-conquest", opponent="link", name="W" * 30, side=1)
    ann.goes_to(address)
    bob.joins(address, "M" * 30)
    expect(bob.page.locator("#player-1 .bar i")).to_have_count(15)
    moves = moves_of("grid-conquest")
    for number, move in enumerate(moves, 1):
        (bob, ann)[number % 2].plays(move, tap=True)
        if number == 4:
            ann.sees_moves(*moves[:4])
            expect(ann.page.locator("#board.yours .open").first).to_be_visible()
            assert_fits_everywhere(ann.page, "#board svg", "#player-1", "#player-2")
            cell = ann.cell("A1").locator(".box").bounding_box()
            assert cell
            assert min(cell["width"], cell["height"]) >= 44
    expect(ann.headline).to_have_text("You won!")
    expect(ann.page.locator("#over")).to_contain_text("You reached 16 points.")
    expect(bob.headline).to_have_text(f"{'W' * 30} won.")
    expect(bob.page.locator("#over")).to_contain_text(f"{'W' * 30} reached 16 points.")
    for each in (ann, bob):
        each.sees_moves(*moves)
        assert each.scores() == SCRIPTS["grid-conquest"].scores
    expect(ann.page.locator("#over")).to_be_visible()
    assert_in_sight(ann.page, *CARD)


# Number Connect


def test_number_connect_with_a_mouse_that_clicks_twice(ann: Person, bob: Person) -> None:
    """A double click is one move; whose turn it is can be seen and heard; the bar counts."""
    two_at(ann, bob, "number-connect")
    expect(bob.page.locator("#player-2 .about")).to_have_text("you")
    expect(ann.page).to_have_title("Your turn · Number Connect")
    expect(bob.page).to_have_title("Ann's turn · Number Connect")
    moves = moves_of("number-connect")
    ann.target(moves[0]).dblclick()
    expect(bob.page).to_have_title("Your turn · Number Connect")
    live = bob.page.locator("#live")
    expect(live).to_contain_text("Ann claims 0,0")
    expect(live).to_contain_text("Your turn.")
    assert live.get_attribute("aria-live") == "polite"
    last = bob.page.get_by_role("gridcell", name="0,0: 4, Blue's, the last move", exact=True)
    expect(last).to_have_count(1)
    bar = bob.page.locator("#player-1 .bar")
    expect(bar.locator("i.on")).to_have_count(4)
    expect(bar.locator("i:not(.over)")).to_have_count(15)
    assert "target" in str(bar.locator("i").nth(14).get_attribute("class"))
    assert bar.locator("i.over").count() > 0  # beyond the target one has lost
    expect(bob.page.locator("#player-1 .aim")).to_have_text("Exactly 11 more to win")
    assert_fits_everywhere(bob.page, *TABLE)
    for number, move in enumerate(moves[1:]):
        (bob, ann)[number % 2].target(move).dblclick()
    assert_ended(ann, bob, "number-connect", "You reached 15 points.", "Bob reached 15 points.")
    for each in (ann, bob):
        expect(each.page.locator("#problem")).to_be_hidden()


def test_number_connect_with_two_at_one_screen(ann: Person) -> None:
    """Also if the server is faster than a double click; by typing; a pass is announced."""
    begins(ann, "number-connect")
    first, second = moves_of("number-connect")[:2]
    ann.target(first).hover()
    mouse, page = ann.page.mouse, ann.page
    mouse.down(click_count=1)
    mouse.up(click_count=1)
    ann.sees_moves(first)
    ann.target(second).wait_for()
    mouse.down(click_count=2)
    mouse.up(click_count=2)
    expect(page.locator("#problem")).to_be_hidden()
    page.get_by_text("Type a move").click()
    field, problem = page.get_by_label("Your move, such as"), page.locator("#problem")
    field.fill("nonsense")
    field.press("Enter")
    expect(problem).to_contain_text('"nonsense"')
    expect(problem).to_contain_text("Possible: 0,1 0,2")
    field.fill("0,0")
    field.press("Enter")
    expect(problem).to_contain_text("Your opponent has already claimed (0,0).")
    ann.sees_moves(first)
    field.fill("( 0 , 3 )")  # read forgivingly
    field.press("Enter")
    ann.sees_moves(first, second)

    begins(ann, "number-connect", board="12345")
    for move in ("0,1", "0,0", "0,2"):  # Player 2 sits in the corner then, behind Player 1
        ann.plays(move)
    expect(page.locator("#news")).to_contain_text("Red has no cell to claim and passes.")
    expect(ann.headline).to_have_text("Blue's turn.")
    ann.plays("0,3")
    ann.sees_moves("0,1", "0,0", "0,2", "0,3")
    assert ann.scores() == (9, 1)


# Without scripts


def test_number_maze_without_scripts(plain: Person, other_plain: Person) -> None:
    """Forms alone: start, join, move, resign on a second page; whoever waits gets a fresh page."""
    ann, bob = plain, other_plain
    address = ann.starts("number-maze", name="Ann", **options_for("number-maze"))
    refresh = "noscript meta[http-equiv=refresh]"
    expect(ann.page.locator(refresh)).to_have_count(1)
    assert_in_sight(ann.page, "#link")
    bob.goes_to(address)
    expect(bob.page.locator(refresh)).to_have_count(0)  # a name is being typed
    assert_in_sight(bob.page, "#join button")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Join the game").click()
    expect(bob.page.locator(refresh)).to_have_count(1)
    ann.goes_to(address)
    expect(ann.page.locator(refresh)).to_have_count(0)
    ann.page.get_by_role("button", name="right", exact=True).click()
    expect(ann.page.locator("#moves")).to_contain_text("right")
    ann.page.get_by_role("button", name="Resign").click()
    expect(ann.page.locator("#confirm")).to_contain_text("Resign this game?")
    ann.page.get_by_role("button", name="Keep playing").click()
    expect(ann.page.locator("#confirm")).to_be_hidden()
    _, second, third, fourth = moves_of("number-maze")
    sends(bob, address, second, 2)
    sends(ann, address, third, 3)
    bob.goes_to(address)
    bob.page.get_by_text("Type a move").click()
    bob.page.get_by_label("Your move, such as").fill(fourth)
    bob.page.get_by_role("button", name="Play", exact=True).click()
    expect(bob.page.locator("#over-title")).to_have_text("You won!")
    expect(bob.page.locator("#why")).to_have_text("Ann had no move left.")
    expect(bob.headline).to_be_hidden()  # the card says it, beside the board
    card, board = (bob.page.locator(each).bounding_box() for each in ("#over", "#board > svg"))
    assert card
    assert board
    assert card["x"] >= board["x"] + board["width"]
    assert_in_sight(bob.page, "#over-title", "#rematch")
    bob.page.get_by_role("button", name="Rematch").click()
    ann.goes_to(address)
    ann.page.get_by_role("button", name="Accept").click()
    ann.page.wait_for_url(lambda url: url != address)
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.locator("#sure").click()
    expect(ann.page.locator("#why")).to_have_text("You resigned.")
