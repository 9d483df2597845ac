"""Ways to play: with the keyboard alone, by typing, on a phone, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.people import SCRIPTS, Person, options_for

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
ARROWS = {(-1, 0): "ArrowUp", (1, 0): "ArrowDown", (0, -1): "ArrowLeft", (0, 1): "ArrowRight"}


def walks(someone: Person, here: tuple[int, int], there: tuple[int, int]) -> None:
    """Go from one cell to another with the arrow keys."""
    (row, col), (to_row, to_col) = here, there
    while (row, col) != (to_row, to_col):
        step = ((to_row > row) - (to_row < row), 0)
        if step == (0, 0):
            step = (0, (to_col > col) - (to_col < col))
        someone.presses(ARROWS[step])
        row, col = row + step[0], col + step[1]


def test_a_whole_game_with_the_keyboard_alone(ann: Person) -> None:
    """From the start page to the rematch, no pointer: Tab, arrows, Enter, Escape."""
    page = ann.goes_to("/")
    page.get_by_role("link", name="Number Run", exact=True).focus()
    ann.presses("Enter")
    page.wait_for_url("**/new/number-run")
    page.locator("[name=opponent][value=link]").focus()
    ann.presses("ArrowDown")  # two at this screen
    page.get_by_text("Board and other options").focus()
    ann.presses("Enter")
    page.locator("[name=deal][value=fair]").focus()
    ann.presses("ArrowUp")  # round to the last: one of your own
    expect(page.locator("[name=deal][value=own]")).to_be_checked()
    page.locator("[name=board]").focus()
    page.keyboard.type(SCRIPTS["number-run"].board)
    ann.presses("Enter")
    page.wait_for_url("**/g/*")

    # Tab leads to the board, and to one cell of it.
    here = (0, 1)
    for _ in range(12):
        ann.presses("Tab")
        if page.evaluate("() => document.activeElement.closest('#board') !== null"):
            break
    expect(ann.cell("0,1")).to_be_focused()
    for number, move in enumerate(SCRIPTS["number-run"].moves.split(), 1):
        there = tuple(int(part) for part in re.findall(r"\d", move))
        walks(ann, here, there)  # type: ignore[arg-type]
        expect(ann.cell(move.rstrip("!"))).to_be_focused()
        ann.presses("Enter")
        if move.endswith("!"):
            expect(page.locator("#ask button").first).to_be_focused()
            ann.presses("Escape")  # not yet
            expect(ann.cell("2,2")).to_be_focused()
            ann.presses("Enter", "Enter")  # and now: yes
        expect(page.locator("#moves span:not(.n):not(:empty)")).to_have_count(number)
        if number < len(SCRIPTS["number-run"].moves.split()):
            expect(ann.cell(move.rstrip("!"))).to_be_focused()
        here = there  # type: ignore[assignment]
    expect(ann.headline).to_have_text("Player 1 won.")
    # The card covers the board, and the focus is in it.
    expect(page.locator("#over")).to_be_focused()
    ann.presses("Tab", "Tab")
    expect(page.get_by_role("button", name="Rematch")).to_be_focused()
    ann.presses("Enter")
    expect(ann.headline).to_have_text("Player 1's turn.")


def test_focus_can_be_seen(ann: Person) -> None:
    """With the keyboard one can see which cell has the focus."""
    ann.starts("number-connect", "same-screen", **options_for("number-connect"))
    ann.page.locator("footer a").first.focus()
    for _ in range(40):
        ann.presses("Shift+Tab")
        if ann.page.evaluate("() => document.activeElement.closest('#board') !== null"):
            break
    box = ann.cell("0,0").locator(".box")
    assert box.evaluate("box => getComputedStyle(box).strokeWidth") == "4px"


def test_moves_can_be_typed_as_on_the_command_line(ann: Person) -> None:
    """Input is read forgivingly; a bad move gets a message that names the legal ones."""
    ann.starts("number-connect", "same-screen", **options_for("number-connect"))
    ann.page.get_by_text("Type a move").click()
    field = ann.page.get_by_label("Your move, such as")
    field.fill("( 0 , 0 )")
    field.press("Enter")
    ann.sees_moves("0,0")
    field.fill("nonsense")
    field.press("Enter")
    problem = ann.page.locator("#problem")
    expect(problem).to_contain_text('"nonsense"')
    expect(problem).to_contain_text("Possible: 0,1 0,2")
    field.fill("0,0")
    field.press("Enter")
    expect(problem).to_contain_text("Your opponent has already claimed (0,0).")
    ann.sees_moves("0,0")


def test_a_game_on_a_phone(person: Callable[..., Person]) -> None:
    """By tapping; the board fits, nothing sticks out, and cells are large enough for a thumb."""
    ann, bob = person(**PHONE), person(**PHONE)
    address = ann.starts(
        "grid-conquest", name="W" * 30, listed="yes", **options_for("grid-conquest")
    )
    bob.joins(address, "M" * 30)
    for each in (ann, bob):
        expect(each.page.locator("#player-1 .score")).to_have_text("0")
        assert _too_wide(each.page) <= 0
    for number, move in enumerate(SCRIPTS["grid-conquest"].moves.split()):
        (ann, bob)[number % 2].plays(move, tap=True)
    expect(ann.headline).to_have_text("You won!")
    # Waited for: the last position may still be on its way, and takes the place of this one.
    ann.page.wait_for_function(
        """() => {
            const box = document.querySelector("[data-cell='A1'] .box").getBoundingClientRect();
            return Math.min(box.width, box.height) >= 44;
        }"""
    )
    for path in (
        address,
        f"{address}/back",
        "/",
        "/new/number-run",
        "/rules/number-run",
        "/puzzles",
    ):
        page = ann.goes_to(path)
        wide = _too_wide(page)
        assert wide <= 0, f"{path} is {wide} pixels too wide"


def _too_wide(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth - screen.width"))


def test_a_game_without_scripts(person: Callable[..., Person]) -> None:
    """Forms alone: start, join, move, to the end."""
    ann, bob = person(java_script_enabled=False), person(java_script_enabled=False)
    script = SCRIPTS["number-maze"]
    address = ann.starts("number-maze", **options_for("number-maze"))
    bob.joins(address)
    for number, move in enumerate(script.moves.split()):
        mover = (ann, bob)[number % 2]
        mover.goes_to(address)
        mover.page.get_by_text("Type a move").click()
        mover.page.get_by_label("Your move, such as").fill(move)
        mover.page.get_by_role("button", name="Play", exact=True).click()
    bob.goes_to(address)
    assert script.winner == 2
    expect(bob.headline).to_have_text("You won: your opponent had no move left.")
    expect(bob.page.locator("#over")).to_contain_text("your opponent had no move left.")
