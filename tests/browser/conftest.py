from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.people import Person, chromium, launched
from tests.web.servers import Program, sqlite

MISSING = "There is no Chromium here: scripts/system_packages.sh installs it, or says why it cannot"


# For this folder only: while Playwright runs, no other event loop can run in the same thread.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for everybody."""
    if chromium() is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        program = launched(playwright)
        yield program
        program.close()


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the games of the server are."""
    return sqlite(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="package")
def server(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A server as a process of its own, for everybody who does not stop it."""
    if chromium() is None:
        pytest.skip(MISSING)
    with Program(tmp_path_factory.mktemp("home"), database=database) as program:
        yield program


@pytest.fixture(scope="package")
def residents(browser: Browser, server: Program) -> Iterator[Callable[..., Person]]:
    """Gives people whose browsers are used by one test after the other: a new one is expensive."""
    people: dict[str, Person] = {}

    def resident(name: str, **kind: Any) -> Person:  # noqa: ANN401 - Playwright's
        if name not in people:
            people[name] = Person(browser, server.address, **kind)
        return people[name]

    yield resident
    for each in people.values():
        each.context.close()


def _resident(name: str, **kind: Any) -> Any:  # noqa: ANN401 - a fixture, and Playwright's
    """Somebody who goes home after each test; the next one who has the browser is a stranger."""

    @pytest.fixture
    def visiting(residents: Callable[..., Person]) -> Iterator[Person]:
        someone = residents(name, **kind)
        yield someone
        complaints, someone.complaints = someone.complaints, []
        someone.goes_home()
        assert complaints == []

    return visiting


ann, bob, eve = (_resident(name) for name in ("Ann", "Bob", "Eve"))
# Two people without scripts.
plain, other_plain = (
    _resident(name, java_script_enabled=False) for name in ("plain", "other plain")
)


@pytest.fixture
def person(browser: Browser, server: Program) -> Iterator[Callable[..., Person]]:
    """Gives people browsers of their own; at the end nobody's page may have complained."""
    people: list[Person] = []

    def someone(address: str = "", **kind: Any) -> Person:  # noqa: ANN401 - Playwright's
        people.append(Person(browser, address or server.address, **kind))
        return people[-1]

    yield someone
    complaints = [complaint for each in people for complaint in each.complaints]
    for each in people:
        each.context.close()
    assert complaints == []
