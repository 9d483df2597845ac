"""Who may go next: browsers and addresses take turns. Nothing here depends on how long it takes."""

from __future__ import annotations

import asyncio
import gc
from asyncio import Future, Task
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from gridwise.web.errors import TooMany
from gridwise.web.workers.fair_queue import (
    ADDRESS_QUESTIONS,
    BROWSER_QUESTIONS,
    NO_COOKIE_QUESTIONS,
    Asker,
    FairQueue,
    asker,
)


class Line:
    """A queue, and who has got a turn, in that order."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.served: list[str] = []
        self.turns: dict[Future[None], Asker] = {}
        self.tasks: list[Task[None]] = []

    def ask(self, name: str, address: str, browser: str = "") -> Task[None]:
        """Stand in line."""
        who = Asker(address, browser)

        def begin() -> Future[None]:
            turn = asyncio.get_running_loop().create_future()
            self.served.append(name)
            self.turns[turn] = who
            return turn

        async def wait() -> None:
            asker.set(who)
            await self.queue.run(begin)

        self.tasks.append(asyncio.create_task(wait()))
        return self.tasks[-1]

    def end(self, number: int = 0) -> None:
        """End a turn, the oldest one unless told."""
        turn = list(self.turns)[number]
        del self.turns[turn]
        turn.set_result(None)

    async def serve(self, turns: int) -> list[str]:
        """End turns, the oldest first; who was served meanwhile."""
        await settled()
        for _ in range(turns):
            self.end()
            await settled()
        return self.served


async def settled() -> None:
    """Let every task get as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def refused(asked: Task[None]) -> TooMany:
    """The error of somebody who has asked too much."""
    await settled()
    assert asked.done()
    error = asked.exception()
    assert isinstance(error, TooMany)
    return error


def in_line(happens: Callable[[Line], Awaitable[None]], at_once: int = 1, **more: Any) -> None:  # noqa: ANN401 - as FairQueue
    """Let something happen in a queue; then everybody goes, and nothing of them is left."""

    async def run() -> None:
        queue = FairQueue(at_once, **more)
        await happen(Line(queue))
        await settled()
        gc.collect()  # errors refer to where they were raised
        assert not any((queue.waiting, len(queue._lines), queue.working))
        line = Line(queue)
        for each in range(at_once):
            line.ask("new", f"{each}")
        assert await line.serve(0) == ["new"] * at_once, "all turns are free"
        await line.serve(at_once)

    async def happen(line: Line) -> None:
        await happens(line)
        for task in line.tasks:
            task.cancel()
        await asyncio.gather(*line.tasks, return_exceptions=True)
        while line.turns:
            await line.serve(1)

    gc.freeze()  # whatever else this process has is not looked through at each collection
    try:
        asyncio.run(run())
    finally:
        gc.unfreeze()


def test_one_who_asks_for_a_lot_delays_another_by_one_turn() -> None:
    """However many of the first are waiting."""

    async def happens(line: Line) -> None:
        for number in range(60):
            line.ask(f"ann {number}", "10.0.0.1")
        await line.serve(0)
        line.ask("bob", "10.0.0.2")
        assert await line.serve(3) == ["ann 0", "bob", "ann 1", "ann 2"]
        assert line.queue.waiting == 57

    in_line(happens, refuses=False)


def test_many_who_ask_a_lot_delay_another_by_one_turn_each() -> None:
    """A round of all who wait is the longest that anybody waits."""

    async def happens(line: Line) -> None:
        for number in range(300):
            line.ask("crowd", f"10.0.1.{number % 5}", f"{number % 50}")
        await line.serve(20)
        line.ask("bob", "10.0.0.2")
        assert "bob" in (await line.serve(5))[20:]

    in_line(happens, 2, refuses=False)


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


def test_what_has_begun_keeps_its_turn_when_nobody_waits_for_it() -> None:
    """Otherwise who asks and leaves would get more done at once than who stays."""

    async def happens(line: Line) -> None:
        gone = line.ask("ann 0", "10.0.0.1")
        line.ask("ann 1", "10.0.0.1")
        await line.serve(0)
        gone.cancel()
        assert await line.serve(0) == ["ann 0"]
        assert gone.cancelled()
        assert await line.serve(1) == ["ann 0", "ann 1"]

    in_line(happens, 2)


def test_an_error_is_for_who_asked_and_ends_the_turn() -> None:
    """Also one that comes before anything was begun."""

    async def happens(line: Line) -> None:
        async def fails() -> None:
            raise ZeroDivisionError

        def fails_at_once() -> Awaitable[None]:
            raise ZeroDivisionError

        for work in (fails, fails_at_once):
            with pytest.raises(ZeroDivisionError):
                await line.queue.run(work)
        line.ask("bob", "")
        assert await line.serve(0) == ["bob"]

    in_line(happens)


# Who is refused


def test_a_browser_that_asks_too_much_is_refused_with_the_time_to_wait() -> None:
    """The others behind its address are not, until each of a class of thirty has asked twice."""

    async def happens(line: Line) -> None:
        for _ in range(BROWSER_QUESTIONS):
            line.ask("ann", "school", "ann")
        await line.serve(0)
        error = await refused(line.ask("one more", "school", "ann"))
        assert error.after >= 1
        assert f"Try again in {error.after} s." in str(error)
        pupils = [line.ask(f"{each}", "school", f"{each % 28}") for each in range(2 * 28)]
        await line.serve(0)
        assert not any(each.done() for each in pupils)
        assert line.queue.waiting == ADDRESS_QUESTIONS - 1
        await refused(line.ask("one more", "school", "another"))
        line.ask("bob", "home", "bob")
        await line.serve(1)
        assert line.served == ["ann", "bob"]

    in_line(happens)


def test_who_has_no_cookie_is_no_browser() -> None:
    """A class that has just come can start its games; and leaves room for those who have one."""

    async def happens(line: Line) -> None:
        class_of_30 = [line.ask("new", "school") for _ in range(30)]
        line.ask("ann", "school", "ann")
        assert await line.serve(1) == ["new", "ann"], "they take turns with her"
        for _ in range(NO_COOKIE_QUESTIONS - 29):
            line.ask("more", "school")
        await line.serve(0)
        await refused(line.ask("one more", "school"))
        pupils = [line.ask("pupil", "school", f"{number}") for number in range(30)]
        await line.serve(0)
        assert not any(each.done() for each in [*class_of_30[1:], *pupils])

    in_line(happens)


def test_a_queue_of_bots_refuses_nobody() -> None:
    """A game whose bot was refused would not go on."""

    async def happens(line: Line) -> None:
        asked = [line.ask("bot", "home", "ann") for _ in range(1_000)]
        await line.serve(0)
        assert (line.queue.waiting, any(each.done() for each in asked)) == (999, False)

    in_line(happens, refuses=False)


# Who stops waiting


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_nobody_has_more_than_their_turns(seed: int) -> None:
    """Many come, leave and are served, in any order; in the end all turns are free."""
    rng = Random(seed)
    at_once = rng.randint(1, 3)

    async def happens(line: Line) -> None:
        for _ in range(400):
            if rng.random() < 0.5:
                line.ask("one", rng.choice("ABC"), rng.choice("xyz"))
            if line.tasks and rng.random() < 0.4:
                rng.choice(line.tasks).cancel()
            if line.turns and rng.random() < 0.4:
                line.end(rng.randrange(len(line.turns)))
            for _ in range(rng.randrange(4)):
                await asyncio.sleep(0)
            having = list(line.turns.values())
            assert len(having) <= at_once
            addresses = Counter(who.address for who in having)
            assert all(count == 1 for count in addresses.values())

    in_line(happens, at_once)
