"""All pages: nobody is shut out, nothing comes from elsewhere, and little has to be fetched."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Response, expect

from tests.browser.people import SCRIPTS, Person, options_for
from tests.web.servers import Program

PAGES = (
    "/",
    "/new/number-run?opponent=bot&seed=3",
    "/rules/grid-runner",
    "/learn",
    "/learn/number-run",
    "/puzzles",
    "/puzzles/grid-runner/2/5",
    "/api/docs",
    "/no-such-page",
)


# What does not depend on colours is the same by night; there only they are looked at.
ALL = {"resultTypes": ["violations"]}
COLOURS = {**ALL, "runOnly": ["color-contrast", "link-in-text-block"]}


class Looked:
    """axe-core, with the rules it is to apply."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self._axe = Axe()
        self._rules = rules

    def finds_nothing(self, someone: Person, where: str) -> None:
        """Let it look at a page."""
        found = self._axe.run(someone.page, options=self._rules)
        assert found.response["passes"], "axe has looked at nothing"
        assert found.violations_count == 0, f"{where}: {found.generate_report()}"


@pytest.mark.parametrize(
    ("scheme", "width", "rules"),
    [("light", 360, ALL), ("dark", 1100, COLOURS)],
    ids=["light", "dark"],
)
def test_axe_finds_nothing_on_any_page(
    scheme: str, width: int, rules: dict[str, Any], person: Callable[..., Person]
) -> None:
    """By day on a phone and by night on a desk: no violation of any rule it knows."""
    axe = Looked(rules)
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    ann = person(**look)
    for path in PAGES:
        ann.goes_to(path)
        axe.finds_nothing(ann, path)
    ann.forgive_status(404)
    address = ann.starts("number-run", listed="yes", name="Ann")
    axe.finds_nothing(ann, "waiting for a friend")
    bob = person(**look)
    bob.goes_to(address)
    axe.finds_nothing(bob, "asked to sit down")
    bob.joins(address)
    bob.goes_to("/")
    axe.finds_nothing(bob, "start page with games")
    ann.starts("number-run", "same-screen", **options_for("number-run"))
    for move in SCRIPTS["number-run"].moves.split()[:6]:
        ann.plays(move)
    ann.target("2,2!").click()
    expect(ann.page.locator("#ask")).to_be_visible()
    axe.finds_nothing(ann, "asked whether to challenge")
    ann.presses("Escape")
    for move in SCRIPTS["number-run"].moves.split()[6:]:
        ann.plays(move)
    expect(ann.page.locator("#over")).to_be_visible()
    axe.finds_nothing(ann, "a game that is over")
    ann.page.get_by_role("link", name="Look back").click()
    expect(ann.page.locator("#reviewed")).to_be_visible()
    axe.finds_nothing(ann, "looking back")


def test_the_first_page_is_small_and_everything_is_ours(ann: Person, server: Program) -> None:
    """Under 100 kB in total, not counting on compression; no request leaves the server."""
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    ann.context.on("response", note)
    ann.goes_to("/")
    ann.page.wait_for_load_state("networkidle")
    assert all(answer.url.startswith(server.address) for answer in answers)
    assert len(answers) >= 3
    assert sum(len(answer.body()) for answer in answers) < 100_000


def test_nothing_in_the_pages_points_elsewhere() -> None:
    """No address of another site is in a template, a script or the style sheet, but namespaces."""
    folder = Path(__file__).parents[2] / "src" / "gridwise" / "web"
    for path in [*folder.glob("templates/*"), *folder.glob("static/*")]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import|url\(", text), path.name
        assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:", text), path.name


def test_colours_can_be_chosen_and_stay_chosen(person: Callable[..., Person]) -> None:
    """The button turns night into day, on this page and the next."""
    ann = person(color_scheme="dark")
    page = ann.goes_to("/")
    night = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light colours").click()
    page.goto("/learn")
    day = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert day != night
    expect(page.get_by_role("button", name="Dark colours")).to_be_visible()


def test_what_goes_wrong_is_said_in_words(ann: Person) -> None:
    """A page that is not there, a game that is not there, a board that cannot be."""
    page = ann.goes_to("/g/AAAAAAAAAAAA")
    expect(page.locator("main")).to_contain_text("There is no such game.")
    page.goto("/rules/number-ran")
    expect(page.locator("main")).to_contain_text("Did you mean number-run?")
    ann.forgive_status(404)
    page.goto("/new/number-run?opponent=same-screen&deal=own&board=12/3")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "The rows of the board have different lengths: 2, 1."
    )
    expect(page.locator("[name=board]")).to_have_value("12/3")
    ann.forgive_status(400)


def test_names_are_text_and_nothing_else(ann: Person, bob: Person) -> None:
    """Whatever somebody calls themselves, it is shown as it is."""
    name = "<b>x</b>&\"'{{7*7}}"
    address = ann.starts("grid-runner", name=name, listed="yes")
    bob.goes_to("/")
    expect(bob.page.locator("main")).to_contain_text(f"{name} is waiting")
    bob.joins(address)
    expect(bob.page.locator("#player-1 .name")).to_have_text(name)
