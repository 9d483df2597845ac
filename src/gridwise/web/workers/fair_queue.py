"""FairQueue: who may go next when more is asked than can be done at once.

A question is thought about while it holds three semaphores: of its browser, of its address, and of
all. Each serves who came first, and who waits for one holds those before it. So browsers behind one
address, such as those of a school, take turns, and so do addresses: whoever asks a lot delays
somebody elsewhere by one question for each that can be thought about at once.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from gridwise.web.async_tasks import shielded
from gridwise.web.errors import TooMany

T = TypeVar("T")

BUSY_MESSAGE = "The server is busy. Try again in {} s."
BROWSER_QUESTIONS = 8  # of one browser that wait or are thought about
NO_COOKIE_QUESTIONS = 32  # of all at an address who have no cookie: a class that has just come
ADDRESS_QUESTIONS = 64  # of an address: a class of thirty, two of each
USUAL_SECONDS = 0.5  # that a question takes


class Asker(NamedTuple):
    """Who asks: an address, and a browser there."""

    address: str = ""  # empty for the server itself
    browser: str = ""  # empty without a cookie


SERVER = Asker()

# Set for each request and socket; tasks that are started meanwhile inherit it.
asker: ContextVar[Asker] = ContextVar("asker", default=SERVER)


class _Line(asyncio.Semaphore):
    """The questions of a browser or of an address: one has its turn, the others wait."""

    questions = 0

    def leave(self) -> None:
        """One of them is done, or given up."""
        self.questions -= 1


class FairQueue:
    """Gives turns, `at_once` of them."""

    def __init__(self, at_once: int, *, refuses: bool = True) -> None:
        self.waiting = 0  # for their turn
        self._all, self._refuses = asyncio.Semaphore(at_once), refuses
        # By browser and by address, for as long as one of its questions waits or has its turn.
        self._lines: WeakValueDictionary[str | Asker, _Line] = WeakValueDictionary()
        self.working: set[asyncio.Future[Any]] = set()

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Wait for a turn of the asker and do some work; raises TooMany if they ask too much.

        One who is cancelled gives up waiting; what has begun is finished.
        """
        with ExitStack() as held:
            await self._wait(asker.get(), held)
            working = asyncio.ensure_future(work())
            self.working.add(working)
            held.callback(self.working.discard, working)
            end = held.pop_all().close
            working.add_done_callback(lambda _: end())
        return await shielded(working)

    async def _wait(self, who: Asker, held: ExitStack) -> None:
        lines = [self._lines.setdefault(key, _Line()) for key in (who, who.address)]
        of_browser, of_address = (each.questions for each in lines)
        most = BROWSER_QUESTIONS if who.browser else NO_COOKIE_QUESTIONS
        if self._refuses and (of_browser >= most or of_address >= ADDRESS_QUESTIONS):
            seconds = math.ceil(of_address * USUAL_SECONDS)
            raise TooMany(BUSY_MESSAGE.format(seconds), after=seconds)
        for line in lines:
            line.questions += 1
            held.callback(line.leave)
        self.waiting += 1
        try:
            for each in (*lines, self._all):
                await each.acquire()
                held.callback(each.release)
        finally:
            self.waiting -= 1
