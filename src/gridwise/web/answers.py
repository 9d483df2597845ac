"""Errors as the API tells them: one shape for all, whatever went wrong."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from gridwise.errors import GridwiseError, quoted
from gridwise.web.refusals import TooMany, kind_and_status

_KINDS = {404: "not-found", 405: "bad-request", 413: "too-large"}


def error_body(kind: str, message: str) -> dict[str, Any]:
    """The shape of every error."""
    return {"error": {"kind": kind, "message": message}}


def error_response(error: GridwiseError, state: dict[str, Any] | None = None) -> JSONResponse:
    """An error, with the present state where that helps."""
    kind, status = kind_and_status(error)
    body = error_body(kind, str(error))
    headers = {"Retry-After": str(error.after)} if isinstance(error, TooMany) else None
    return JSONResponse(
        body if state is None else body | {"state": state}, status_code=status, headers=headers
    )


def validation_message(errors: Any) -> str:  # noqa: ANN401 - pydantic's list of dictionaries
    """The first thing that is wrong with a request, in a sentence."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "path", "query"))
    where = f"{quoted(place)}: " if place else ""
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}{message}{more}."


def install(app: FastAPI) -> None:
    """Let the app answer everything that goes wrong in this shape."""

    async def on_refusal(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, GridwiseError)
        return error_response(error)

    async def on_invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return JSONResponse(
            error_body("bad-request", validation_message(error.errors())), status_code=400
        )

    async def on_http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        kind = _KINDS.get(error.status_code, "bad-request")
        return JSONResponse(
            error_body(kind, str(error.detail)),
            status_code=error.status_code,
            headers=error.headers,
        )

    async def on_failure(_: Request, _error: Exception) -> JSONResponse:
        # The server has logged it; what it was is nobody else's affair.
        return JSONResponse(
            error_body("internal", "Something went wrong here. It is not your fault."), 500
        )

    app.add_exception_handler(Exception, on_failure)
    app.add_exception_handler(GridwiseError, on_refusal)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
