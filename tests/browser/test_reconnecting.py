"""Nothing is lost: a network that goes away, a server that is busy, or stopped and started."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import SCRIPTS, Person
from tests.browser.tables import begins, made, sends, two_at
from tests.web.servers import NO_LIMITS, Program, running, sqlite


def test_offline_and_back(ann: Person, bob: Person) -> None:
    """A question stays open, a move is sent later, what happened meanwhile is there."""
    moves = SCRIPTS["number-run"].moves.split()
    address = two_at(ann, bob, "number-run", moves=6)
    offline = ann.page.locator("#offline")
    ann.target("2,2!").click()
    answer = ann.page.locator("#ask [data-answer=yes]")
    expect(answer).to_be_visible()
    ann.context.set_offline(True)
    expect(offline).to_contain_text("You are offline. Reconnecting…")
    expect(answer).to_be_visible()
    ann.context.set_offline(False)
    expect(offline).to_be_hidden()
    expect(answer).to_be_visible()  # although the same state has come again
    ann.context.set_offline(True)
    expect(offline).to_be_visible()
    answer.click()
    expect(offline).to_contain_text("Your move 2,2! will be sent when you are back online.")
    bob.sees_moves(*moves[:6])
    ann.context.set_offline(False)
    expect(offline).to_be_hidden()
    for each in (ann, bob):
        each.sees_moves(*moves[:7])

    ann.context.set_offline(True)
    expect(offline).to_be_visible()
    bob.plays(moves[7])
    bob.sees_moves(*moves[:8])
    ann.context.set_offline(False)
    ann.sees_moves(*moves[:8])

    # A move that comes too late is refused in words: the same seat has moved elsewhere.
    ann.context.set_offline(True)
    expect(offline).to_be_visible()
    ann.plays("3,2")
    sends(ann, address, moves[8], 9)
    ann.context.set_offline(False)
    expect(ann.page.locator("#problem")).to_contain_text("The game has changed")
    for each in (ann, bob):
        each.sees_moves(*moves[:9])
    ann.forgive_the_network()


# How many sockets a page has opened, and how many of them are closed.
NOTE_SOCKETS = """
window.opened = window.shut = 0;
window.WebSocket = class extends WebSocket {
    constructor(address) {
        super(address);
        window.opened += 1;
        this.addEventListener("close", () => { window.shut += 1; });
    }
};
"""


def test_a_server_that_is_too_busy_says_so(person: Callable[..., Person], tmp_path: Path) -> None:
    """The page says why there is no connection, and retries less and less often."""
    with running(sqlite(tmp_path), replace(NO_LIMITS, sockets=0)) as address:
        ann = person(address)
        clock = ann.page.clock
        clock.install(time=0)
        clock.pause_at(1_000)
        ann.context.add_init_script(NOTE_SOCKETS)
        begins(ann, "grid-runner")
        opened = "() => window.opened"
        # Half a second, one, two, four, then always eight; more or less a fifth by chance.
        for tries, wait in enumerate((500, 1_000, 2_000, 4_000, 8_000, 8_000), 1):
            ann.page.wait_for_function("tries => window.shut === tries", arg=tries)
            expect(ann.page.locator("#offline")).to_contain_text("Too many open sockets.")
            clock.run_for(wait * 8 // 10 - 1)
            assert ann.page.evaluate(opened) == tries
            clock.run_for(wait * 4 // 10 + 2)
            assert ann.page.evaluate(opened) == tries + 1


def test_the_server_is_killed_and_started_again_in_mid_game(
    person: Callable[..., Person], tmp_path: Path
) -> None:
    """Both pages find back by themselves; seats and moves are as they were, and a move is sent."""
    with Program(tmp_path) as first:
        ann, bob = person(first.address), person(first.address)
        two_at(ann, bob, "number-connect")
        ann.plays("0,0")
        bob.target("0,3").wait_for()
        first.end(signal.SIGKILL)
    expect(bob.page.locator("#offline")).to_be_visible()
    bob.plays("0,3")
    with Program(tmp_path, "--port", first.address.rsplit(":", 1)[1]):
        # The longer it was away, the less often the pages try.
        expect(bob.page.locator("#offline")).to_be_hidden(timeout=60_000)
        expect(ann.page.locator("#offline")).to_be_hidden(timeout=60_000)
        for each in (ann, bob):
            each.sees_moves("0,0", "0,3")
        ann.plays("0,1")
        bob.sees_moves("0,0", "0,3", "0,1")
        for each in (ann, bob):
            each.forgive_the_network()
            each.context.close()


def test_where_no_page_can_be_fetched_one_says_so(
    person: Callable[..., Person], tmp_path: Path
) -> None:
    """Under the address that was asked for, in its colours; no page is ever an old one."""
    with Program(tmp_path) as first:
        ann = person(first.address)
        game = made(ann, "number-run")
        ann.goes_to("/")
        ann.page.evaluate("async () => (await navigator.serviceWorker.ready).active.state")
        ann.goes_to(game)  # as the worker has it
        ann.plays("0,1")
        ann.sees_moves("0,1")
        ann.goes_to("/settings").get_by_role("radio", name="High contrast").last.check()
        first.end(signal.SIGKILL)
        page = ann.goes_to(f"{game}/back")
        expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
        assert page.url.endswith(f"{game}/back")
        assert (
            page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        )
        ann.goes_to(game)  # which has been on show before
        expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    with Program(tmp_path, "--port", first.address.rsplit(":", 1)[1]):
        page.get_by_role("link", name="Try again").click()
        ann.sees_moves("0,1")
        ann.forgive_the_network()
        ann.context.close()
