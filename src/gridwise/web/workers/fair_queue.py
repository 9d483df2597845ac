"""FairQueue: who may go next when more is asked than can be done at once.

Clients take turns, so that one who asks for a lot delays another by one question at most; and whose
turns took long lately goes after those whose turns were short, so that all get the same time. A
client is an address; browsers behind one address, such as those of a school, take turns among
themselves. The networks of an IPv6 site cannot use up what others may have: the time that all of
them used counts for each, and in a full queue they give way as one. Whoever stops waiting is
forgotten at once.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple

from gridwise.web.errors import TooMany
from gridwise.web.workers.sites import SITE, site_of

BUSY = "The server is busy. Try again in {} s."
FIRST_GUESS = 0.5  # seconds that a turn takes, before one has been measured
HALF_LIFE = 10.0  # seconds in which half of the time that somebody used is forgotten
MOST_USES = 1_000  # clients whose time is remembered, before those who used little are forgotten


class Asker(NamedTuple):
    """Who asks: an address, and a browser there."""

    address: str = ""  # empty for the server itself
    browser: str = ""


SERVER = Asker()

# Set for each request and socket; tasks that are started meanwhile inherit it.
asker: ContextVar[Asker] = ContextVar("asker", default=SERVER)


class _Waiting(NamedTuple):
    """One who waits for a turn."""

    asker: Asker
    granted: asyncio.Future[None]


class FairQueue:
    """Gives turns: `at_once` of them, `per_client` of them to one client."""

    def __init__(
        self,
        at_once: int,
        per_client: int,
        most: int,
        most_per_client: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self._free = at_once
        self._at_once = at_once
        self._per_client = per_client
        self._most = most
        self._most_per_client = most_per_client
        # By address and browser; both in the order in which they get their next turn.
        self._queues: dict[str, dict[str, deque[_Waiting]]] = {}
        self._counts: Counter[str] = Counter()  # waiting, by address
        self._running: Counter[str] = Counter()  # by address
        self._uses: dict[str, tuple[float, float]] = {}  # seconds, and when that was so
        self._usual = FIRST_GUESS

    @property
    def waiting(self) -> int:
        """How many are waiting."""
        return self._counts.total()

    async def enter(self, who: Asker) -> Turn:
        """Wait for a turn, which has to be ended; raises TooMany if too many are waiting."""
        self._make_room(who.address)
        waiting = _Waiting(who, asyncio.get_running_loop().create_future())
        browsers = self._queues.setdefault(who.address, {})
        browsers.setdefault(who.browser, deque()).append(waiting)
        self._counts[who.address] += 1
        self._grant()
        try:
            await waiting.granted
        except asyncio.CancelledError:
            if waiting.granted.cancelled():
                self._remove(waiting)
            elif not waiting.granted.exception():
                Turn(self, who).end()  # it came at the same moment
            raise
        return Turn(self, who)

    def _make_room(self, address: str) -> None:
        """Raise TooMany if the queue is full, unless somebody else has much more in it."""
        mine = self._counts[address]
        if mine >= self._most_per_client:
            raise self._too_many(mine)
        if self.waiting < self._most:
            return
        longest = self._who_gives_way(address)
        if longest is None:
            raise self._too_many(self.waiting)
        browsers = self._queues[longest]
        last = max(browsers.values(), key=len)[-1]
        self._remove(last)
        last.granted.set_exception(self._too_many(self._counts[longest]))

    def _who_gives_way(self, address: str) -> str | None:
        """Who has much more in the queue than somebody: of the largest site, or of their own."""
        counts: Counter[str] = Counter()
        for each, count in self._counts.items():
            counts[_together(each)] += count
        mine = _together(address)
        largest = max(counts, key=counts.__getitem__, default=mine)
        if counts[largest] <= counts[mine] + 1:
            largest = mine
        among = [each for each in self._counts if _together(each) == largest]
        longest = max(among, key=self._counts.__getitem__, default=address)
        if largest == mine and self._counts[longest] <= self._counts[address] + 1:
            return None
        return longest

    def _too_many(self, ahead: int) -> TooMany:
        seconds = min(600, max(1, math.ceil(ahead * self._usual / self._at_once)))
        return TooMany(BUSY.format(seconds), after=seconds)

    def _remove(self, waiting: _Waiting) -> None:
        address, browser = waiting.asker
        self._queues[address][browser].remove(waiting)
        self._forget_empty(address, browser)

    def _forget_empty(self, address: str, browser: str) -> None:
        """Count one less, and keep no empty queues."""
        browsers = self._queues[address]
        if not browsers[browser]:
            del browsers[browser]
        if not browsers:
            del self._queues[address]
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    def _grant(self) -> None:
        """Give away the turns that are free."""
        while self._free:
            ready = [each for each in self._queues if self._running[each] < self._per_client]
            if not ready:
                return
            # In tenths of a second: among those who used as little it is the first.
            address = min(ready, key=lambda each: round(self._share(each), 1))
            self._free -= 1
            self._running[address] += 1
            self._next_of(address).granted.set_result(None)

    def _next_of(self, address: str) -> _Waiting:
        """Who is next at an address."""
        browser, queue = next(iter(self._queues[address].items()))
        waiting = queue.popleft()
        self._forget_empty(address, browser)
        self._go_last(waiting.asker)
        return waiting

    def _go_last(self, who: Asker) -> None:
        """Let everybody else who waits go before them."""
        browsers = self._queues.pop(who.address, None)
        if browsers is None:
            return
        self._queues[who.address] = browsers
        if who.browser in browsers:
            browsers[who.browser] = browsers.pop(who.browser)

    def _share(self, address: str) -> float:
        """The seconds that a client used lately, or its share of those of its site if more."""
        return max(self._used(address), self._used(_together(address)) / SITE)

    def _used(self, address: str) -> float:
        """The seconds that a client or a site used lately."""
        seconds, at = self._uses.get(address, (0.0, 0.0))
        return float(seconds * 0.5 ** ((self.clock() - at) / HALF_LIFE))

    def _note_use(self, address: str, seconds: float) -> None:
        self._uses[address] = (self._used(address) + seconds, self.clock())
        if len(self._uses) > MOST_USES:
            self._uses = {each: use for each, use in self._uses.items() if self._used(each) > 0.05}

    def end(self, who: Asker, seconds: float) -> None:
        """Note the end of a turn, and how long it took."""
        address = who.address
        self._usual += (seconds - self._usual) / 8
        for each in {address, _together(address)}:
            self._note_use(each, seconds)
        self._go_last(who)  # again: some have come since it began
        self._free += 1
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
        self._grant()


def _together(address: str) -> str:
    """The site of an address, or the address itself."""
    return site_of(address) or address


class Turn:
    """A turn that somebody has; `end` gives it to the next one."""

    def __init__(self, queue: FairQueue, who: Asker) -> None:
        self._queue = queue
        self._who = who
        self._began = queue.clock()

    def end(self) -> None:
        """It is somebody else's turn."""
        self._queue.end(self._who, self._queue.clock() - self._began)
