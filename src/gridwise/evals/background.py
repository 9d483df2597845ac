"""Thinking off the event loop: bots and judges run in a thread, one at a time.

A model's answers are waited for by the hundred; a search that held the loop for a third of a second
would hold up all of them. One thread at a time, because the work is computing, and because the same
order of calls in one game gives the same moves however many games go on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

import anyio.to_thread

P = ParamSpec("P")
T = TypeVar("T")

_thinking = threading.Lock()


def _alone(work: Callable[[], T]) -> T:
    with _thinking:
        return work()


async def think(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a function returns, computed in a thread."""
    # Whoever stops a run does not wait for those in the queue.
    return await anyio.to_thread.run_sync(
        _alone, partial(work, *args, **kwargs), abandon_on_cancel=True
    )
