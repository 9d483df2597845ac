"""Time limits on a machine that others use too: the quickest of a few tries counts.

What waits for something waits every time. Another program that has the processor can spoil a try,
and hardly all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable

# Seconds for what takes one at most, where the alternative is a minute, or for ever.
SOON = 10.0


def fewest(attempt: Callable[[], float], enough: float, tries: int = 5) -> float:
    """The fewest that an attempt says it took; none follows one that took few enough."""
    took = float("inf")
    for _ in range(tries):
        took = min(took, attempt())
        if took < enough:
            break
    return took


def quickest(attempt: Callable[[], object], enough: float) -> float:
    """The same for something that is timed as a whole."""

    def timed() -> float:
        begun = time.monotonic()
        attempt()
        return time.monotonic() - begun

    return fewest(timed, enough)
