"""For what may take long: a line after two seconds, at a terminal, on standard error."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

DELAY = 2.0  # seconds before anything is shown
COMPILING = "(The first time, the engine has to be compiled: up to half a minute.)"
THINKING = f"(Thinking. {COMPILING[1:]}"


@contextmanager
def notify_if_slow(message: str = THINKING, seconds: float = DELAY) -> Iterator[None]:
    """Print the message if the block takes longer than that."""
    if not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(seconds, lambda: print(message, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Progress:
    """A line that counts up, such as `Playing: 12 of 40`.

    With a unit, such as "boards", it says how many of them are done a second. Those that were done
    at the first call do not count for that: they are from an earlier run.
    """

    def __init__(self, what: str, total: int, unit: str = "") -> None:
        self._what = what
        self._total = total
        self._unit = unit
        self._before: int | None = None
        self._began = time.monotonic()
        self._shown = False
        self._visible = sys.stderr.isatty()

    def __call__(self, done: int) -> None:
        """Show how much is done."""
        if self._before is None:
            self._before = done
        if self._visible and (self._shown or time.monotonic() - self._began > DELAY):
            print(f"\r{self._line(done)}", end="", file=sys.stderr, flush=True)
            self._shown = True
            if done >= self._total:
                self.close()

    def _line(self, done: int) -> str:
        if not self._unit:
            return f"{self._what}: {done} of {self._total}"
        rate = (done - (self._before or 0)) / (time.monotonic() - self._began)
        return (
            f"{self._what}: {done:,} of {self._total:,} {self._unit}, {rate:,.0f} a second \x1b[K"
        )

    def close(self) -> None:
        """Erase the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False
