"""The pages: what people see.

Each is made on the server and works without scripts, as far as that can be; scripts make it
quicker. Whoever asks for a page gets a page, also when something is wrong; programs ask under
`/api`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from gridwise.errors import GridwiseError, UnknownGame
from gridwise.web import game_pages, learn_pages
from gridwise.web.cards import cards
from gridwise.web.deps import hall_of, player_of
from gridwise.web.hall import title_of
from gridwise.web.paper import page, static_file
from gridwise.web.refusals import TooMany, kind_and_status
from gridwise.web.store import Listed

MOST_SHOWN = 8  # games in a list of the start page

router = APIRouter(include_in_schema=False)


def install(app: FastAPI) -> None:
    """Add the pages to the app, and errors in words for whoever asked for a page."""
    for part in (router, game_pages.router, learn_pages.router):
        app.include_router(part)
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    for kind in (GridwiseError, RequestValidationError, HTTPException, Exception):
        _in_words(app, kind)


@router.get("/")
async def start(request: Request) -> Response:
    """Five games to choose from, and what others are playing."""
    hall, player = hall_of(request), player_of(request)
    mine = await hall.mine(player)
    return page(
        request,
        "start.html",
        cards=cards(),
        my_games=_shown(mine),
        open_games=_shown(await hall.listed("open"), without=mine),
        live_games=_shown(await hall.listed("playing"), without=mine),
        recent_games=_shown(await hall.listed("recent", player)),
    )


def _shown(listed: list[Listed], without: Sequence[Listed] = ()) -> list[dict[str, str]]:
    left_out = {each.deal.id for each in without}
    shown = [each for each in listed if each.deal.id not in left_out]
    return [
        {
            "id": each.deal.id,
            "title": title_of(each),
            "who": _who(each),
            "how": _how(each.result, each.reason),
        }
        for each in shown[:MOST_SHOWN]
    ]


def _who(listed: Listed) -> str:
    names = [
        seat.name or (f"Bot ({seat.level})" if seat.level else f"Player {seat.number}")
        for seat in listed.seats
        if seat.kind != "open"
    ]
    return " against ".join(names)


def _how(result: str | None, reason: str | None) -> str:
    winner = {"p1": "Player 1 won", "p2": "Player 2 won", "draw": "a draw"}.get(result or "")
    return f"{winner or 'stopped'}, {reason}" if reason else winner or "stopped"


# Files and errors


@router.get("/static/{version}/{name}")
async def file(version: str, name: str) -> Response:
    """A file that goes with the pages."""
    return static_file(version, name)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Browsers ask for it whatever the page says."""
    return static_file("", "icon.svg")


TITLES = {
    400: "That cannot be done",
    403: "Not yours to do",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "Not now",
    413: "That is too much",
    429: "A little slower, please",
    500: "Something went wrong on our side",
    503: "Out of order for a moment",
}


def _in_words(app: FastAPI, kind: type[Exception]) -> None:
    """Errors as pages, but for programs as before."""
    for_programs: Any = app.exception_handlers[kind]

    async def handle(request: Request, error: Exception) -> Response:
        wants_page = "text/html" in request.headers.get("accept", "")
        if request.url.path.startswith("/api") or not wants_page:
            answer: Response = await for_programs(request, error)
            return answer
        status, message = _told(error)
        response = page(
            request,
            "error.html",
            status,
            title=TITLES.get(status, "Something went wrong"),
            message=message,
        )
        if isinstance(error, TooMany):
            response.headers["Retry-After"] = str(error.after)
        return response

    app.add_exception_handler(kind, handle)


def _told(error: Exception) -> tuple[int, str]:
    if isinstance(error, UnknownGame):
        return 404, str(error)
    if isinstance(error, GridwiseError):
        return kind_and_status(error)[1], str(error)
    if isinstance(error, RequestValidationError):
        return 404, "This address is not one of ours. It may have been cut short."
    if not isinstance(error, HTTPException):
        return 500, "It has been noted down. What was played is kept; please try again."
    if error.status_code == 404:
        return 404, "This address is not one of ours. It may have been cut short."
    return error.status_code, "This address does not take that kind of request."
