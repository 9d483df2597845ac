"""A search beside the conversation: it can be stopped, and its answer is never late.

`stop`, a time limit or `quit` is answered at once, even when the search itself does not listen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from gridwise.errors import GridwiseError


class SearchResult(NamedTuple):
    """The action that a search has chosen, and the lines to say about it."""

    action: int
    lines: list[str]


class SearchThread:
    """One `go`: one thread searches and answers, another answers for it when time is up.

    `work` is given a function that says whether to stop; `seconds` is its time, None for no limit,
    and `grace` what it may take longer. `answer` is called once, with the result or with the reason
    why there is none.
    """

    def __init__(
        self,
        work: Callable[[Callable[[], bool]], SearchResult],
        answer: Callable[[SearchResult | str], None],
        *,
        seconds: float | None,
        grace: float,
        infinite: bool,
    ) -> None:
        self.bounded = not infinite
        self._work, self._answer = work, answer
        # From now on, however long it takes the threads to begin.
        self._end = None if infinite or seconds is None else time.monotonic() + seconds
        self._grace = grace
        self._stopped = False
        self._result: SearchResult | str | None = None
        self._answered = False
        self._said = threading.Event()
        self._changed = threading.Condition()
        threading.Thread(target=self._search, name="gridwise search", daemon=True).start()
        threading.Thread(target=self._watch, name="gridwise watch", daemon=True).start()

    def stop(self) -> None:
        """Have the answer given now."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait for the answer to be given; whether it is, or is on its way."""
        with self._changed:
            answered = self._changed.wait_for(lambda: self._answered, seconds)
        if answered:
            self._said.wait(1)
        return answered

    def _search(self) -> None:
        result: SearchResult | str
        try:
            result = self._work(lambda: self._stopped)
        except GridwiseError as error:
            result = " ".join(str(error).split())
        except Exception as error:  # noqa: BLE001 - a move is due all the same
            result = (
                f"The search failed ({type(error).__name__}); this move was chosen without one."
            )
        with self._changed:
            self._result = result
            self._changed.notify_all()
        if self.bounded:
            self._give(result)

    def _watch(self) -> None:
        left = None if self._end is None else self._end - time.monotonic()
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or (self.bounded and self._result is not None), left
            )
            self._stopped = True
            self._changed.wait_for(lambda: self._result is not None, self._grace)
            result = (
                self._result or "There was no time to search; this move was chosen without one."
            )
        self._give(result)

    def _give(self, result: SearchResult | str) -> None:
        """Answer, unless the other thread has."""
        with self._changed:
            if self._answered:
                return
            # Before it is said, so that the next `go` can follow at once.
            self._answered = True
            self._changed.notify_all()
        self._answer(result)
        self._said.set()
