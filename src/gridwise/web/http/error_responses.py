"""What is said of an error: its HTTP status, a kind for programs, a sentence for people."""

from __future__ import annotations

from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from gridwise.errors import GridwiseError, OutOfTurn, quoted

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
