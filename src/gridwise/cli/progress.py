"""A line that says how far something has come, for what may take more than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Say what is going on if it takes more than two seconds, at a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(2, lambda: print(what, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


THINKING = "(Thinking. The first time, the engine has to be compiled: up to half a minute.)"


class Progress:
    """Counts up on standard error, at a terminal, once two seconds have passed."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._began = time.monotonic()
        self._shown = False
        self._visible = sys.stderr.isatty()

    def __call__(self, done: int) -> None:
        """Say that so much is done."""
        if self._visible and (self._shown or time.monotonic() - self._began > 2):
            print(f"\r{self._what}: {done} of {self._total}", end="", file=sys.stderr, flush=True)
            self._shown = True
            if done >= self._total:
                self.close()

    def close(self) -> None:
        """Wipe the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False
