"""Errors: pages for browsers, JSON for programs."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

from gridwise.core.registry import games
from gridwise.errors import GridwiseError, UnknownGame
from gridwise.web.errors import Stale, TooMany, explain
from gridwise.web.pages.templating import page
from gridwise.web.telemetry import metrics

MESSAGES = {
    404: "There is no page at this address. The link may be incomplete.",
    500: "The error was logged. Your games are safe. Please try again.",
}
TITLES = {
    400: "That did not work",
    403: "Not allowed",
    404: "Page not found",
    405: "That did not work",
    409: "Not possible now",
    413: "Too much data",
    421: "Wrong address",
    429: "Too many requests",
    500: "Server error",
    503: "Temporarily unavailable",
}
# What a sentence puts behind a link: "Play with me at https://…/g/ID."
PUNCTUATION = ".,;:!?)]}>'\"*…»\u2019\u201d"


def install(app: FastAPI) -> None:
    """Answer every error of the app."""
    for kind in (GridwiseError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _respond)


async def _respond(request: Request, error: Exception) -> Response:
    """A page for browsers, JSON for programs."""
    status, kind, message = explain(error)
    metrics.REFUSALS.labels(kind).inc()
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.after)
    if request.url.path.startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        body: dict[str, Any] = {"error": {"kind": kind, "message": message}}
        if isinstance(error, Stale):
            body["state"] = error.state()
        return JSONResponse(body, status, headers)
    if isinstance(error, UnknownGame | RequestValidationError):
        status = 404
    meant = request.url.path.rstrip(PUNCTUATION)
    if status == 404 and request.method == "GET" and meant not in (request.url.path, ""):
        return RedirectResponse(request.url.replace(path=meant))
    if isinstance(error, UnknownGame):  # it lists the keys that programs need
        for game in games():
            key = rf"(?<![\w-]){re.escape(game.key)}(?![\w-])"
            message = re.sub(key, game.title, message)
    if not isinstance(error, GridwiseError):
        message = MESSAGES.get(status, "This page cannot do that.")
    title = TITLES.get(status, "Something went wrong")
    shown = page(request, "error.html", status, title=title, message=message)
    shown.headers.update(headers)
    return shown
