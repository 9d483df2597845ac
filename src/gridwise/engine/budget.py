"""Budget: how long a search may go on, by nodes, by the clock, or until it is stopped from outside.

Long searches work in slices of about 10 ms and check their budget in between, so stopping takes
effect at once. Where time is limited the budget measures how fast they are: the first slice is
small, and towards the end each takes half of the time that is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

STOPPED, TOO_LARGE = "stopped", "too large"

# The first slice is a 16th of the usual one: nobody knows yet how long that takes.
FIRST_SLICE_DIVISOR = 16
SMALLEST_SLICE_DIVISOR = 64  # for less the call would take longer than the work


class SearchStopped(Exception):
    """A search has to return what it has. This is not an error, and it never leaves the engine.

    `why` is STOPPED or TOO_LARGE.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Budget:
    """Checks the limits of a search, which adds the nodes it has searched to `used`.

    `nodes` and `seconds` are limits, None for none; `stop` is asked whether to stop. Reaching
    `nodes` is TOO_LARGE, the other two are STOPPED.
    """

    def __init__(
        self,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.used = 0
        self._nodes = nodes
        self._looked = time.monotonic()  # at the last slice; and what was used by then
        self._counted = 0
        self._rate = 0.0  # nodes a second, in the last slice
        self._end = None if seconds is None else self._looked + seconds
        self._stop = stop

    def slice(self, usual: int) -> int:
        """How many nodes may be searched before the next check. Raises SearchStopped if none."""
        self.check()
        return self.room(usual if self._end is None else self._affordable(usual, self._end))

    def room(self, size: int) -> int:
        """So many nodes, or those that are left. Raises SearchStopped if none are."""
        if self._nodes is None:
            return size
        if self.used >= self._nodes:
            raise SearchStopped(TOO_LARGE)
        return min(size, self._nodes - self.used)

    def _affordable(self, usual: int, end: float) -> int:
        """How many nodes take half of the time that is left, if they take as long as the last."""
        now, used = time.monotonic(), self.used - self._counted
        if used and now > self._looked:
            self._rate = used / (now - self._looked)
        self._looked, self._counted = now, self.used
        size = int(self._rate * (end - now) / 2) if self._rate else usual // FIRST_SLICE_DIVISOR
        return max(1, usual // SMALLEST_SLICE_DIVISOR, min(usual, size))

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing but the limit of nodes can stop the search."""
        return self._end is None and self._stop is None

    @property
    def nodes_left(self) -> bool:
        """Whether the limit of nodes has not been reached."""
        return self._nodes is None or self.used < self._nodes

    def check(self) -> None:
        """Raise SearchStopped if it is time to stop."""
        if self._stop is not None and self._stop():
            raise SearchStopped(STOPPED)
        if self._end is not None and time.monotonic() >= self._end:
            raise SearchStopped(STOPPED)


def run_interruptibly(work: Callable[[], object], budget: Budget) -> None:
    """Do work that cannot be interrupted, such as compiling, in a thread of its own.

    When it is time to stop, SearchStopped is raised at once and the work goes on by itself.
    """
    if budget.is_unlimited:
        work()
        return
    pool = ThreadPoolExecutor(1, "gridwise compiles")
    doing = pool.submit(work)
    pool.shutdown(wait=False)  # nothing else will be asked of it
    while not doing.done():
        budget.check()
        wait([doing], 0.02)
    doing.result()
