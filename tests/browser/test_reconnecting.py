"""Nothing is lost: reloads, a network that goes away, a server that is stopped and started."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import Person, options_for
from tests.web.servers import NO_LIMITS, Program, running, sqlite

# When a page has opened its sockets.
NOTE_SOCKETS = """
window.opened = [];
window.WebSocket = class extends WebSocket {
    constructor(address) {
        window.opened.push(performance.now());
        super(address);
    }
};
"""


def test_a_reload_in_mid_game_changes_nothing(ann: Person, bob: Person) -> None:
    """The seat, the board and the moves are where they were, and the game goes on."""
    address = ann.starts("number-connect", name="Ann", **options_for("number-connect"))
    bob.joins(address, "Bob")
    ann.plays("0,0")
    bob.plays("0,3")
    ann.page.reload()
    expect(ann.headline).to_have_text("Your turn.")
    ann.sees_moves("0,0", "0,3")
    ann.plays("0,1")
    bob.sees_moves("0,0", "0,3", "0,1")


def test_leaving_and_coming_back_is_seen_by_the_other(ann: Person, bob: Person) -> None:
    """Presence is shown, and a player who returns still has the seat."""
    address = ann.starts("grid-runner", name="Ann")
    bob.joins(address, "Bob")
    about = ann.page.locator("#player-2 .about")
    expect(about).to_have_text("here")
    bob.goes_to("/learn")
    expect(about).to_have_text("away")
    bob.goes_to(address)
    expect(about).to_have_text("here")
    expect(bob.page.locator("#player-2 .about")).to_have_text("you")


def test_offline_and_back(ann: Person, bob: Person) -> None:
    """A move made while offline is announced as pending, and sent when the network is back."""
    address = ann.starts("number-connect", name="Ann", **options_for("number-connect"))
    bob.joins(address, "Bob")
    expect(ann.headline).to_have_text("Your turn.")
    ann.context.set_offline(True)
    offline = ann.page.locator("#offline")
    expect(offline).to_contain_text("You are offline. Reconnecting…")
    ann.plays("0,0")
    expect(offline).to_contain_text("Your move 0,0 will be sent when you are back online.")
    assert bob.moves == []
    ann.context.set_offline(False)
    expect(offline).to_be_hidden()
    for each in (ann, bob):
        each.sees_moves("0,0")
    bob.plays("0,3")
    ann.sees_moves("0,0", "0,3")
    ann.forgive_the_network()


def test_a_server_that_is_too_busy_says_so(person: Callable[..., Person], tmp_path: Path) -> None:
    """The page says why there is no connection, and retries less and less often."""
    with running(sqlite(tmp_path), replace(NO_LIMITS, sockets=0)) as address:
        ann = person(address)
        ann.context.add_init_script(NOTE_SOCKETS)
        ann.starts("grid-runner")
        expect(ann.page.locator("#offline")).to_contain_text("Too many open sockets.")
        ann.page.wait_for_function("() => window.opened.length === 4")
        times = ann.page.evaluate("() => window.opened")
        # Half a second, one, two, each less a fifth by chance; a busy machine makes them longer.
        for (sooner, later), wait in zip(pairwise(times), (500, 1_000, 2_000), strict=True):
            assert later - sooner >= 0.8 * wait - 1, times  # Chromium's timers may be 1 ms early
        expect(ann.page.locator("#offline")).to_contain_text("Too many open sockets.")


def test_a_move_that_comes_too_late_is_refused_in_words(
    ann: Person, bob: Person, person: Callable[..., Person]
) -> None:
    """The same seat in two windows: what one did while the other was offline counts."""
    address = ann.starts("number-connect", **options_for("number-connect"))
    bob.joins(address)
    other = ann.context.new_page()
    other.goto(address)
    ann.context.set_offline(True)
    expect(ann.page.locator("#offline")).to_be_visible()
    ann.plays("0,0")
    # The server hears of another move for the same turn first.
    again = person()
    again.context.add_cookies(ann.context.cookies())  # type: ignore[arg-type]
    again.goes_to(address)
    again.plays("1,1")
    ann.context.set_offline(False)
    ann.sees_moves("1,1")
    expect(ann.page.locator("#problem")).to_contain_text("The game has changed")
    bob.sees_moves("1,1")
    ann.forgive_the_network()


def test_the_server_is_killed_and_started_again_in_mid_game(
    person: Callable[..., Person], tmp_path: Path
) -> None:
    """Both pages find back by themselves; seats and moves are as they were."""
    with Program(tmp_path) as first:
        ann, bob = person(first.address), person(first.address)
        address = ann.starts("number-connect", name="Ann", **options_for("number-connect"))
        bob.joins(address, "Bob")
        ann.plays("0,0")
        bob.sees_moves("0,0")
        first.end(signal.SIGKILL)
    expect(bob.page.locator("#offline")).to_be_visible()
    bob.plays("0,3")
    port = first.address.rsplit(":", 1)[1]
    with Program(tmp_path, "--port", port):
        # The longer it was away, the less often the page tries.
        expect(bob.page.locator("#offline")).to_be_hidden(timeout=60_000)
        for each in (ann, bob):
            each.sees_moves("0,0", "0,3")
        ann.plays("0,1")
        bob.sees_moves("0,0", "0,3", "0,1")
        for each in (ann, bob):
            each.forgive_the_network()
            each.context.close()
