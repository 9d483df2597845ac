"""Getting ready to think, beside the conversation: loading the search, or compiling it once."""

from __future__ import annotations

import threading
from collections.abc import Callable

SILENT_SECONDS = 2.0  # without a word about what takes so long


class Preparation:
    """Work that has to be done before the first search, in a thread of its own.

    `slow` is called if it takes long, then `done`, with what went wrong or nothing.
    """

    def __init__(
        self,
        work: Callable[[], object],
        slow: Callable[[], object],
        done: Callable[[Exception | None], object],
    ) -> None:
        self._work, self._slow, self._done = work, slow, done
        self._finished = threading.Event()
        for target in (self._prepare, self._watch):
            threading.Thread(target=target, name="gridwise prepares", daemon=True).start()

    @property
    def finished(self) -> bool:
        """Whether it is done, and has been told."""
        return self._finished.is_set()

    def wait(self) -> None:
        """Wait until it is."""
        self._finished.wait()

    def _prepare(self) -> None:
        wrong = None
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - whoever waits for an answer has to get one
            wrong = error
        self._done(wrong)
        self._finished.set()

    def _watch(self) -> None:
        if not self._finished.wait(SILENT_SECONDS):
            self._slow()
