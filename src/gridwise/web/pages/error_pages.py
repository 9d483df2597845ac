"""Errors: pages for browsers, JSON for programs."""

from __future__ import annotations

import re

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from gridwise.core.registry import games
from gridwise.errors import GridwiseError, UnknownGame
from gridwise.web.http.error_responses import error_response, explain
from gridwise.web.pages.templating import page

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
    response: Response = await error_response(request, error)
    if request.url.path.startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        return response
    status, _, message = explain(error)
    if isinstance(error, UnknownGame | RequestValidationError):
        status = 404
    meant = request.url.path.rstrip(PUNCTUATION)
    if status == 404 and request.method == "GET" and meant not in (request.url.path, ""):
        return RedirectResponse(request.url.replace(path=meant))
    if isinstance(error, UnknownGame):
        message = _titled(message)
    if not isinstance(error, GridwiseError):
        message = MESSAGES.get(status, "This page cannot do that.")
    title = TITLES.get(status, "Something went wrong")
    shown = page(request, "error.html", status, title=title, message=message)
    if "Retry-After" in response.headers:
        shown.headers["Retry-After"] = response.headers["Retry-After"]
    return shown


def _titled(message: str) -> str:
    """A message that lists games by the keys which programs need, with their titles instead."""
    for game in games():
        message = re.sub(rf"(?<![\w-]){re.escape(game.key)}(?![\w-])", game.title, message)
    return message
