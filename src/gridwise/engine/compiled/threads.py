"""Threads: the same work on several threads, which divide its rows among themselves.

Kernels let go of the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count as counter
from typing import Any

from gridwise.errors import BadRequest


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads:
    """A number of threads, this one included, that are kept from one task to the next."""

    def __init__(self, count: int = 1) -> None:
        if count < 1:
            raise BadRequest(f"threads must be a whole number from 1 on, not {count}.")
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # that has the pool: a fork leaves its threads behind

    def run(self, task: Callable[[slice], object], rows: int, chunk: int) -> None:
        """Call the task with every chunk of so many rows, wherever a thread is free."""
        chunks = -(-rows // chunk)
        if min(self.count, chunks) <= 1:
            task(slice(0, rows))
            return
        numbers = counter()  # taking the next one is atomic

        def work() -> None:
            while (number := next(numbers)) < chunks:
                task(slice(number * chunk, min((number + 1) * chunk, rows)))

        # A thread that sleeps takes 50 µs to wake up, in which another steps a thousand games. So
        # each takes the next rows when it comes for them, and nobody waits for one that has not.
        pool = self._ready()
        helpers = [pool.submit(work) for _ in range(min(self.count, chunks) - 1)]
        try:
            work()
        finally:
            for helper in helpers:
                if not helper.cancel():
                    helper.result()

    def _ready(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():
            self._process = os.getpid()
            self._pool = ThreadPoolExecutor(self.count - 1, "gridwise")
        return self._pool

    # Copies and pickles get threads of their own.

    def __getstate__(self) -> dict[str, Any]:
        return {"count": self.count, "_pool": None, "_process": 0}
