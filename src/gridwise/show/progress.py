"""A line that counts up while something takes long."""

from __future__ import annotations

import sys
import time


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
