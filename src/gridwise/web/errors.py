"""Errors of the web app, with kind and HTTP status; and work that goes on in spite of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from gridwise.errors import GridwiseError

T = TypeVar("T")
log = logging.getLogger("gridwise.web")


class Refused(GridwiseError):
    """A request that cannot be fulfilled."""

    status = 400


class NotFound(Refused):
    """No such game, or no such page."""

    kind, status = "not-found", 404


class NotYours(Refused):
    """The request needs a seat that this browser does not hold."""

    kind, status = "not-yours", 403


class Conflict(Refused):
    """The request does not fit the current state of the game."""

    kind, status = "conflict", 409


class Stale(Conflict):
    """The request was made on an older version of the game; `state` gives the current one."""

    kind = "stale"

    def __init__(self, message: str, state: Callable[[], dict[str, Any]]) -> None:
        super().__init__(message)
        self.state = state


class TooLarge(Refused):
    """The request has too many bytes."""

    kind, status = "too-large", 413


class WrongHost(Refused):
    """The request was sent to a name that this server does not have."""

    kind, status = "wrong-host", 421


class TooMany(Refused):
    """More often, or more at once, than the limits allow."""

    kind, status = "too-many", 429

    def __init__(self, message: str, after: int = 10) -> None:
        super().__init__(message)
        self.after = after  # seconds until it is worth trying again


class Unavailable(Refused):
    """The database, or the engine, does not respond."""

    kind, status = "unavailable", 503


class WriteConflict(Unavailable):
    """Another process has written that event, ref or seat, or removed the game."""


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
