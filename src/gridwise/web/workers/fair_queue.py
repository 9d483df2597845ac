"""FairQueue: who may go next when more is asked than can be done at once.

A question is thought about while it holds three semaphores: of its browser, of its address, and of
all. Each serves who came first, and who waits for one holds those before it. So browsers behind one
address, such as those of a school, take turns, and so do addresses: whoever asks a lot delays
somebody elsewhere by one question for each that can be thought about at once.
"""

from __future__ import annotations

import asyncio
import math
import time
from asyncio import Future, Semaphore
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple, TypeVar

from gridwise.web.errors import TooMany

T = TypeVar("T")

BUSY = "The server is busy. Try again in {} s."
BROWSER_QUESTIONS = 8  # of one browser that wait or are thought about
NO_COOKIE_QUESTIONS = 32  # of all at an address who have no cookie: a class that has just come
ADDRESS_QUESTIONS = 64  # of an address: a class of thirty, two of each
FIRST_GUESS_SECONDS = 0.5  # that a question takes, before one has been measured
LONGEST_WAIT_SECONDS = 600  # that somebody is told to wait


class Asker(NamedTuple):
    """Who asks: an address, and a browser there."""

    address: str = ""  # empty for the server itself
    browser: str = ""  # empty without a cookie


SERVER = Asker()

# Set for each request and socket; tasks that are started meanwhile inherit it.
asker: ContextVar[Asker] = ContextVar("asker", default=SERVER)


class FairQueue:
    """Gives turns: `at_once` of them, `per_address` of them to one address."""

    def __init__(self, at_once: int, per_address: int = 1, *, refuses: bool = True) -> None:
        self.waiting = 0  # for their turn
        self._per_address, self._refuses = per_address, refuses
        self._all = Semaphore(at_once)
        # By address and by browser, for as long as one of its questions waits or has its turn.
        self._semaphores: dict[str | Asker, Semaphore] = {}
        self._questions: Counter[str | Asker] = Counter()
        self.working: set[Future[Any]] = set()  # what has its turn
        self._usual_seconds = FIRST_GUESS_SECONDS

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Wait for a turn of the asker and do some work; raises TooMany if they ask too much.

        One who is cancelled gives up waiting; what has begun is finished.
        """
        with ExitStack() as held:
            await self._wait(asker.get(), held)
            working = asyncio.ensure_future(work())
            self.working.add(working)
            working.add_done_callback(partial(self._end, held.pop_all(), time.monotonic()))
        return await asyncio.shield(working)

    async def _wait(self, who: Asker, held: ExitStack) -> None:
        self._check(who)
        for key, turns in ((who, 1), (who.address, self._per_address)):
            self._questions[key] += 1
            self._semaphores.setdefault(key, Semaphore(turns))
            held.callback(self._forget, key)
        self.waiting += 1
        try:
            for each in (self._semaphores[who], self._semaphores[who.address], self._all):
                await each.acquire()
                held.callback(each.release)
        finally:
            self.waiting -= 1

    def _check(self, who: Asker) -> None:
        of_browser, of_address = self._questions[who], self._questions[who.address]
        most = BROWSER_QUESTIONS if who.browser else NO_COOKIE_QUESTIONS
        if self._refuses and (of_browser >= most or of_address >= ADDRESS_QUESTIONS):
            wait = math.ceil(of_address * self._usual_seconds / self._per_address)
            seconds = max(1, min(wait, LONGEST_WAIT_SECONDS))
            raise TooMany(BUSY.format(seconds), after=seconds)

    def _forget(self, key: str | Asker) -> None:
        self._questions[key] -= 1
        if not self._questions[key]:
            del self._questions[key], self._semaphores[key]

    def _end(self, held: ExitStack, begun: float, working: Future[Any]) -> None:
        held.close()
        self.working.discard(working)
        self._usual_seconds += (time.monotonic() - begun - self._usual_seconds) / 8
        if not working.cancelled():
            working.exception()  # whoever asked may have gone
