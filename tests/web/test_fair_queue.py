"""Who may go next: clients take turns. Nothing here depends on how long anything takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gridwise.web.errors import TooMany
from gridwise.web.workers.fair_queue import Asker, FairQueue, Turn


class Line:
    """A queue, and the names of those who got a turn, in that order."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.served: list[str] = []
        self.turns: list[Turn] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, name: str, address: str, browser: str = "") -> asyncio.Task[None]:
        """Stand in line."""

        async def wait() -> None:
            self.turns.append(await self.queue.enter(Asker(address, browser)))
            self.served.append(name)

        self.tasks.append(asyncio.create_task(wait()))
        return self.tasks[-1]

    async def serve(self, turns: int) -> list[str]:
        """End turns, the oldest first; who was served meanwhile."""
        await settled()
        for _ in range(turns):
            self.turns.pop(0).end()
            await settled()
        return self.served


async def settled() -> None:
    """Let every task get as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


def in_line(happens: Callable[[Line], Awaitable[None]], queue: FairQueue | None = None) -> None:
    """Let something happen in a queue that gives one turn at a time."""

    async def run() -> None:
        line = Line(queue or FairQueue(1, 1, 1_000, 1_000))
        await happens(line)
        for task in line.tasks:
            task.cancel()
        await asyncio.gather(*line.tasks, return_exceptions=True)
        assert line.queue.waiting == 0, "nobody is left behind"

    asyncio.run(run())


def test_one_who_asks_for_a_lot_delays_another_by_one_turn() -> None:
    """However many of the first are waiting."""

    async def happens(line: Line) -> None:
        for number in range(60):
            line.ask(f"ann {number}", "10.0.0.1")
        await line.serve(0)
        line.ask("bob", "10.0.0.2")
        assert await line.serve(3) == ["ann 0", "bob", "ann 1", "ann 2"]
        assert line.queue.waiting == 57

    in_line(happens)


def test_browsers_behind_one_address_take_turns() -> None:
    """And together they have one turn where another address has one."""

    async def happens(line: Line) -> None:
        for number in range(3):
            line.ask(f"ann {number}", "school", "ann")
        for number in range(2):
            line.ask(f"bob {number}", "school", "bob")
        line.ask("eve 0", "home", "eve")
        line.ask("eve 1", "home", "eve")
        served = await line.serve(6)
        of_school = [name for name in served if not name.startswith("eve")]
        assert of_school == ["ann 0", "bob 0", "ann 1", "bob 1", "ann 2"]
        assert (served[1], served[3]) == ("eve 0", "eve 1")

    in_line(happens)


def test_who_has_short_questions_gets_as_much_time_as_who_has_long_ones() -> None:
    """Thirty short ones of a class go before the second long one of somebody else."""
    now = 0.0

    async def happens(line: Line) -> None:
        nonlocal now
        for number in range(3):
            line.ask(f"long {number}", "10.0.0.1")
        for number in range(30):
            line.ask(f"short {number}", "school", f"pupil {number}")
        await line.serve(0)
        while line.queue.waiting:
            now += 3.0 if line.served[-1].startswith("long") else 0.05
            await line.serve(1)
        assert line.served[0] == "long 0"
        assert line.served[1:31] == [f"short {number}" for number in range(30)]

    in_line(happens, FairQueue(1, 1, 100, 100, lambda: now))


def test_time_that_was_used_long_ago_does_not_count() -> None:
    """Whoever waits is not overtaken for ever by those who have just come."""
    now = 0.0

    async def happens(line: Line) -> None:
        nonlocal now
        line.ask("long 0", "10.0.0.1")
        line.ask("long 1", "10.0.0.1")
        for number in range(60):
            line.ask(f"new {number}", f"10.1.0.{number}")
            now += 3.0
            await line.serve(1)
        assert line.served.index("long 1") < 30

    in_line(happens, FairQueue(1, 1, 100, 100, lambda: now))


def test_one_client_does_not_get_all_turns_at_once() -> None:
    """The free one is for somebody else."""

    async def happens(line: Line) -> None:
        for number in range(5):
            line.ask(f"ann {number}", "10.0.0.1")
        assert await line.serve(0) == ["ann 0"]
        line.ask("bob", "10.0.0.2")
        assert await line.serve(0) == ["ann 0", "bob"]

    in_line(happens, FairQueue(2, 1, 100, 100))


def test_who_stops_waiting_is_forgotten() -> None:
    """Also one whose turn comes at that very moment."""

    async def happens(line: Line) -> None:
        line.ask("ann", "10.0.0.1")
        bob, eve = line.ask("bob", "10.0.0.2"), line.ask("eve", "10.0.0.3")
        await line.serve(0)
        assert line.queue.waiting == 2
        bob.cancel()
        await settled()
        assert line.queue.waiting == 1
        line.turns.pop().end()  # it is Eve's turn, but she does not know yet
        eve.cancel()
        line.ask("dan", "10.0.0.4")
        assert await line.serve(0) == ["ann", "dan"]
        assert line.queue.waiting == 0

    in_line(happens)


def test_too_many_of_one_client_are_refused_with_the_time_to_wait() -> None:
    """A client has a limit of its own, far below that of all."""

    async def happens(line: Line) -> None:
        for number in range(4):
            line.ask(f"ann {number}", "10.0.0.1")
        await line.serve(0)
        with pytest.raises(TooMany, match=r"Try again in \d+ s\.") as refused:
            await line.ask("one more", "10.0.0.1")
        assert refused.value.after >= 1
        line.ask("bob", "10.0.0.2")
        await line.serve(0)
        assert line.queue.waiting == 4

    in_line(happens, FairQueue(1, 1, 100, 3))


def test_in_a_full_queue_who_has_the_most_gives_way() -> None:
    """A few clients cannot keep all others out."""

    async def happens(line: Line) -> None:
        tasks = [line.ask(f"ann {number}", "10.0.0.1") for number in range(7)]
        await line.serve(0)
        bob = line.ask("bob", "10.0.0.2")
        await line.serve(0)
        with pytest.raises(TooMany):
            await tasks[-1]
        assert not bob.done()
        assert line.queue.waiting == 6
        for each in range(3, 8):
            line.ask("somebody", f"10.0.0.{each}")
        await line.serve(0)
        with pytest.raises(TooMany):  # now everybody has one
            await line.ask("one more", "10.0.0.9")

    in_line(happens, FairQueue(1, 1, 6, 100))


def test_in_a_full_queue_the_networks_of_a_site_give_way_as_one() -> None:
    """Each has one question in it, and together they have them all: others still get in."""

    async def happens(line: Line) -> None:
        site = [line.ask(f"site {each}", f"2001:db8:1:{each:x}::/64") for each in range(1, 8)]
        await line.serve(0)
        bob = [line.ask("bob", "10.0.0.2"), line.ask("bob", "2001:db8:2:1::/64")]
        await line.serve(0)
        assert not any(each.done() for each in bob)
        assert sum(each.done() for each in site) == 3, "one has its turn, two gave way"
        assert line.queue.waiting == 6
        with pytest.raises(TooMany):
            await line.ask("one more of the site", "2001:db8:1:ff::/64")

    in_line(happens, FairQueue(1, 1, 6, 100))


def test_fresh_networks_of_a_site_do_not_go_before_everybody() -> None:
    """What its other networks used counts for them, an eighth of it."""
    now = 0.0

    async def happens(line: Line) -> None:
        nonlocal now
        for each in range(1, 6):
            line.ask("site", f"2001:db8:1:{each:x}::/64")
        await line.serve(0)
        line.ask("bob", "10.0.0.2")
        now = 4.0
        assert await line.serve(1) == ["site", "bob"]

    in_line(happens, FairQueue(1, 1, 100, 100, lambda: now))
