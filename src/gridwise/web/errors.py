"""Errors of the web app, and what is said of any error: HTTP status, kind, sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from gridwise.errors import GridwiseError, OutOfTurn, quoted


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


class RequestTooLarge(Refused):
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


_KINDS = {404: "not-found", 405: "bad-request", 413: "too-large"}


def explain(error: Exception) -> tuple[int, str, str]:
    """The HTTP status, the kind and the message of any error."""
    if isinstance(error, OutOfTurn):
        return 409, "out-of-turn", str(error)
    if isinstance(error, GridwiseError):
        return getattr(error, "status", 400), error.kind, str(error)
    if isinstance(error, RequestValidationError | ValidationError):
        return 400, "bad-request", _validation_message(error.errors())
    if isinstance(error, HTTPException):
        kind = _KINDS.get(error.status_code, "bad-request")
        return error.status_code, kind, str(error.detail)
    # It is in the server's log; visitors get no details.
    return 500, "internal", "Something went wrong on the server. Try again."


def _validation_message(errors: Any) -> str:  # noqa: ANN401 - pydantic's list of dictionaries
    """The first validation error of a request, in a sentence."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "path", "query"))
    where = f"{quoted(place)}: " if place else ""
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}{message}{more}."
