"""The start page, and the page about the API."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse

from gridwise.core.registry import game as game_named
from gridwise.web.game.model import StoredGame, pairing
from gridwise.web.http.api_docs import markdown
from gridwise.web.http.dependencies import hub_of, token_of
from gridwise.web.hub import known_games
from gridwise.web.pages.templating import STATIC, html_from, page

MOST_SHOWN = 8  # games in a list of the start page

router = APIRouter(include_in_schema=False)


@router.get("/")
async def start(request: Request) -> Response:
    """The games to choose from, and what others are playing."""
    hub, token = hub_of(request), token_of(request)
    mine = await hub.mine(token)
    return page(
        request,
        "start.html",
        my_games=_shown(mine),
        open_games=_shown(await hub.listed("open"), without=mine),
        live_games=_shown(await hub.listed("playing"), without=mine),
        recent_games=_shown(_newest(await hub.listed("recent"), await hub.mine(token, over=True))),
    )


def _newest(*lists: list[StoredGame]) -> list[StoredGame]:
    """Finished games of several lists, each once, the newest first."""
    found = {each.setup.id: each for games in lists for each in games}
    return sorted(
        found.values(), key=lambda each: each.ending.at if each.ending else 0, reverse=True
    )


def _shown(games: list[StoredGame], without: Sequence[StoredGame] = ()) -> list[dict[str, str]]:
    left_out = {each.setup.id for each in without}
    shown = [each for each in known_games(games) if each.setup.id not in left_out]
    return [
        {
            "id": each.setup.id,
            "title": game_named(each.setup.game).title,
            "players": pairing(each.seats),
            "result": _result(each),
        }
        for each in shown[:MOST_SHOWN]
    ]


def _result(stored: StoredGame) -> str:
    if not stored.ending:
        return ""
    one, two = (f"{seat.label} won" for seat in stored.seats)
    result = {"p1": one, "p2": two, "draw": "a draw"}.get(stored.ending.result, "stopped")
    return f"{result}, {stored.ending.reason}"


@router.get("/api/docs")
async def docs(request: Request) -> Response:
    """The API, for people who write programs."""
    text = await hub_of(request).workers.quick(_docs, request.app)
    return page(request, "api.html", text=text)


def _docs(app: FastAPI) -> str:
    """The API as HTML: 80 ms the first time."""
    return html_from(markdown(app.openapi()))


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Browsers ask for it whatever the page says."""
    return FileResponse(STATIC / "icon.svg", headers={"Cache-Control": "no-cache"})
