"""Time limits on a machine that others use too: the quickest of a few tries counts."""

from __future__ import annotations

import time
from collections.abc import Callable

# Seconds for what takes one at most, where the alternative is a minute, or for ever.
SOON = 10.0


def quickest(attempt: Callable[[], object], enough: float, tries: int = 5) -> float:
    """The fewest seconds that something has taken; it is not tried again when that is enough.

    What waits for something waits every time. Another program that has the processor can spoil a
    try, and hardly all of them.
    """
    took = float("inf")
    for _ in range(tries):
        begun = time.monotonic()
        attempt()
        took = min(took, time.monotonic() - begun)
        if took < enough:
            break
    return took
