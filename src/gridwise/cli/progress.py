"""A line that says what is going on, for what may take more than two seconds."""

from __future__ import annotations

import sys
import threading
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
