"""Two people at two server processes, which share a database: neither notices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.people import SCRIPTS, Person
from tests.web.postgres import Postgres
from tests.web.servers import Program


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of its own."""
    cluster = Postgres()
    yield cluster
    cluster.remove()


@pytest.mark.long("a PostgreSQL and two servers of its own; tests/web plays without pages")
def test_two_browsers_at_two_processes_play_to_the_end(
    postgres: Postgres, person: Callable[..., Person], tmp_path: Path
) -> None:
    """Move by move, until both see the same result."""
    script = SCRIPTS["grid-runner"]
    options = ("--database", postgres.url)
    with Program(tmp_path, *options) as one, Program(tmp_path, *options) as two:
        ann, bob = person(one.address), person(two.address)
        link = ann.starts("grid-runner", name="Ann")
        bob.joins(link.replace(one.address, two.address), "Bob")
        for number, move in enumerate(script.moves.split()):
            (ann, bob)[number % 2].plays(move)
        winner, loser = (ann, bob) if script.winner == 1 else (bob, ann)
        expect(winner.headline).to_have_text("You won!")
        expect(loser.headline).to_have_text(f"{'Ann' if script.winner == 1 else 'Bob'} won.")
        for each in (ann, bob):
            each.sees_moves(*script.moves.split())
            each.context.close()
