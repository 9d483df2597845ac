"""Two browsers at two services behind nginx: a process is killed, one hangs, and they play on."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.people import SCRIPTS, Person
from tests.web.postgres import Postgres
from tests.web.servers import eventually
from tests.web.test_deploy import NEEDS_NGINX, proxied
from tests.web.test_nginx import Service, serving


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of its own."""
    cluster = Postgres()
    yield cluster
    cluster.remove()


@NEEDS_NGINX
@pytest.mark.long("servers are killed, started again, and waited for: half a minute")
def test_two_browsers_play_on_when_a_process_is_killed_and_when_one_hangs(
    postgres: Postgres, person: Callable[..., Person], tmp_path: Path
) -> None:
    """A move that was made meanwhile is sent again by the page, and counts once."""
    script = SCRIPTS["grid-runner"]
    moves = script.moves.split()
    with (
        Service(tmp_path, postgres.url) as one,
        Service(tmp_path, postgres.url) as other,
        proxied(tmp_path, one.address, other.address) as port,
    ):
        ann, bob = (person(f"https://localhost:{port}", ignore_https_errors=True) for _ in "ab")
        bob.joins(ann.starts("grid-runner", name="Ann", clock="1+1"), "Bob")
        harm = {4: signal.SIGKILL, 9: signal.SIGSTOP}
        for number, move in enumerate(moves):
            if number in harm:
                for each in (ann, bob):
                    each.sees_moves(*moves[:number])
                at = serving((one, other), 2)
                at.program.process.send_signal(harm[number])
            (ann, bob)[number % 2].plays(move)
            for each in (ann, bob):
                each.sees_moves(*moves[: number + 1])
            if number in harm:
                eventually(lambda: at.restarts == 1, "it is not started again")  # noqa: B023 - now
        expect(ann.headline).to_have_text("You won!")
        expect(bob.headline).to_have_text("Ann won.")
        assert [each.restarts for each in (one, other)] == [1, 1]
        for each in (ann, bob):
            each.forgive_the_network()
            each.context.close()
