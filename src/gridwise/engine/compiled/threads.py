"""Threads: the same work on several threads, which divide it among themselves.

Kernels let go of the interpreter's lock. How they divide rows is in `shared_rows`.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from itertools import count as counter
from typing import Any

from gridwise.errors import BadRequest

Work = Callable[[], object]


class Threads:
    """A number of threads, this one included, that are kept from one task to the next."""

    def __init__(self, count: int = 1) -> None:
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise BadRequest(f"threads must be a whole number from 1 on, not {count!r}.")
        self.count = count
        self._helpers: list[_Helper] = []
        self._process = 0  # that has the helpers: a fork leaves them behind

    def share(self, work: Work, finished: Callable[[], bool], helpers: int | None = None) -> None:
        """Do some work here and on other threads, all of them or so many, until it is finished.

        Each call of `work` does what nobody has begun, and returns when nothing is left to begin. A
        thread that wakes up too late may still call it after this has returned.
        """
        asked = self._ready()[:helpers]
        errors: list[BaseException] = []

        def help_out() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - raised below
                errors.append(error)

        for helper in asked:
            helper.ask(help_out)
        try:
            work()
        finally:
            if not finished():
                for helper in asked:
                    helper.wait()
        for error in errors:
            raise error

    def run(self, task: Callable[[slice], object], rows: int, chunk: int) -> None:
        """Call the task with every chunk of so many rows, wherever a thread is free."""
        chunks = -(-rows // chunk)
        if min(self.count, chunks) <= 1:
            task(slice(0, rows))
            return
        numbers = counter()  # taking the next one is atomic
        done: list[int] = []

        def work() -> None:
            while (number := next(numbers)) < chunks:
                task(slice(number * chunk, min((number + 1) * chunk, rows)))
                done.append(number)

        self.share(work, lambda: len(done) == chunks, chunks - 1)

    def _ready(self) -> list[_Helper]:
        if self._process != os.getpid():
            self._process = os.getpid()
            self._helpers = [_Helper() for _ in range(self.count - 1)]
            weakref.finalize(self, _dismiss, self._helpers)
        return self._helpers

    # Copies and pickles get threads of their own.

    def __getstate__(self) -> dict[str, Any]:
        return {"count": self.count, "_helpers": [], "_process": 0}


class _Helper:
    """A thread that waits for work. Bare locks: an executor takes 22 µs for a task, this 8."""

    def __init__(self) -> None:
        self._work: Work | None = None
        self._dismissed = False
        self._asked = threading.Lock()  # held while there is nothing to do
        self._working = threading.Lock()
        self._asked.acquire()
        threading.Thread(target=self._serve, name="gridwise", daemon=True).start()

    def ask(self, work: Work | None) -> None:
        """Hand over some work, in place of what has not been begun; None to end the thread."""
        self._work, self._dismissed = work, work is None
        if self._asked.locked():
            self._asked.release()

    def wait(self) -> None:
        """Wait until the work is done that has been begun."""
        with self._working:
            pass

    def _serve(self) -> None:
        while not self._dismissed:
            self._asked.acquire()
            with self._working:
                work, self._work = self._work, None
                if work is not None:
                    work()
                work = None  # or the arrays it is about would live on


def _dismiss(helpers: list[_Helper]) -> None:
    for helper in helpers:
        helper.ask(None)
