"""How long a search may go on: a number of nodes, a time, a word from outside.

Searches work in slices of about 10 ms and ask here in between, so stopping takes effect at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

STOPPED, TOO_LARGE = "stopped", "too large"


class Halted(Exception):
    """A search has to give what it has. It is no error, and it never leaves the engine.

    `why` is STOPPED or TOO_LARGE.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Watch:
    """Counts nodes, looks at the clock, and listens.

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
        self._end = None if seconds is None else time.monotonic() + seconds
        self._stop = stop

    def slice(self, usual: int) -> int:
        """How many nodes may be searched before asking again. Raises Halted if none."""
        self.check()
        if self._nodes is None:
            return usual
        if self.used >= self._nodes:
            raise Halted(TOO_LARGE)
        return min(usual, self._nodes - self.used)

    def spend(self, nodes: int) -> None:
        """Count nodes."""
        self.used += nodes

    @property
    def nodes_left(self) -> bool:
        """Whether the limit of nodes has not been reached."""
        return self._nodes is None or self.used < self._nodes

    def check(self) -> None:
        """Raise Halted if it is time to stop."""
        if self._stop is not None and self._stop():
            raise Halted(STOPPED)
        if self._end is not None and time.monotonic() >= self._end:
            raise Halted(STOPPED)


def wait_for(work: Callable[[], object], watch: Watch) -> None:
    """Do some work that cannot be interrupted, such as compiling, in a thread of its own.

    When it is time to stop, Halted is raised at once and the work goes on by itself.
    """
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
            failures.append(error)

    thread = threading.Thread(target=run, name="gridwise compiles")
    thread.start()
    while thread.is_alive():
        watch.check()
        thread.join(0.02)
    if failures:
        raise failures[0]
