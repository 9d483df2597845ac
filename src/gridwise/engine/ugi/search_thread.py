"""A search beside the conversation: it can be stopped, and its answer is never late.

`stop`, a time limit or `quit` is answered at once, even when the search itself does not listen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from gridwise.errors import GridwiseError

LATE = 0.06  # seconds a search has for its answer once its time is up; 0.1 is promised


class SearchResult(NamedTuple):
    """The action that a search has chosen, and the lines to say about it."""

    action: int
    lines: list[str]


class SearchThread:
    """One `go`: one thread searches, another answers when that is done or when time is up.

    `work` is given a function that says whether to stop. `answer` is called once, with the result
    or with the reason why there is none.
    """

    def __init__(
        self,
        work: Callable[[Callable[[], bool]], SearchResult],
        answer: Callable[[SearchResult | str], None],
        *,
        seconds: float | None,
        infinite: bool,
    ) -> None:
        self.bounded = not infinite
        self._work, self._answer = work, answer
        self._seconds = None if infinite else seconds
        self._stopped = False
        self._result: SearchResult | str | None = None
        self._answered = False
        self._changed = threading.Condition()
        self._answering = threading.Thread(target=self._wait_and_answer, name="gridwise answer")
        self._answering.daemon = True
        threading.Thread(target=self._search, name="gridwise search", daemon=True).start()
        self._answering.start()

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
            self._answering.join(1)
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

    def _wait_and_answer(self) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or (self.bounded and self._result is not None), self._seconds
            )
            self._stopped = True
            self._changed.wait_for(lambda: self._result is not None, LATE)
            result = (
                self._result or "There was no time to search; this move was chosen without one."
            )
            # Before it is said, so that the next `go` can follow at once.
            self._answered = True
            self._changed.notify_all()
        self._answer(result)
