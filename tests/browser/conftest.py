from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.people import Person, chromium, launched
from tests.web.servers import Program

MISSING = "There is no Chromium here: scripts/system_packages.sh installs it, or says why it cannot"


# For this folder only: while Playwright runs, no other event loop can run in the same thread.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for everybody."""
    if chromium() is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        found = launched(playwright)
        yield found
        found.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """`gridwise serve`, for everybody who does not stop it."""
    if chromium() is None:
        pytest.skip(MISSING)
    with Program(tmp_path_factory.mktemp("home")) as program:
        yield program


@pytest.fixture
def person(browser: Browser, server: Program) -> Iterator[Callable[..., Person]]:
    """Gives people their browsers; at the end nobody's page may have complained."""
    people: list[Person] = []

    def someone(address: str = "", **kind: Any) -> Person:  # noqa: ANN401 - Playwright's
        people.append(Person(browser, address or server.address, **kind))
        return people[-1]

    yield someone
    complaints = [complaint for each in people for complaint in each.complaints]
    for each in people:
        each.context.close()
    assert complaints == []


@pytest.fixture
def ann(person: Callable[..., Person]) -> Person:
    """Somebody."""
    return person()


@pytest.fixture
def bob(person: Callable[..., Person]) -> Person:
    """Somebody else."""
    return person()
