"""Work that goes on whoever waits for it, and work that is done again and again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from gridwise.web.errors import Refused, Unavailable

T = TypeVar("T")
log = logging.getLogger("gridwise.web")


async def shielded(work: asyncio.Future[T]) -> T:
    """The result of something that goes on even if nobody waits for it any more.

    A refusal is no news then; any other error is logged.
    """
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.add_done_callback(_look_at)
        raise


def _look_at(work: asyncio.Future[Any]) -> None:
    if not work.cancelled() and (error := work.exception()) and not isinstance(error, Refused):
        log.error("What nobody waited for any more has failed", exc_info=error)


async def regularly(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again; what the database did not respond to, the next time."""
    while True:
        await asyncio.sleep(seconds)
        with suppress(Unavailable):  # it is logged
            await work()
