"""The start page, the settings, and the page about the API."""

from __future__ import annotations

import json
from operator import itemgetter

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, JSONResponse

from gridwise.core.narration import COLOURS
from gridwise.core.registry import games
from gridwise.play.ladder import ladder
from gridwise.web.game.event_sourced_game import known_games
from gridwise.web.game.stored_game import StoredGame
from gridwise.web.http.api_docs import markdown
from gridwise.web.http.dependencies import hub_of, token_of
from gridwise.web.hub import GameHub
from gridwise.web.pages.puzzles import daily_puzzle
from gridwise.web.pages.templating import (
    STATIC,
    html_from,
    page,
    static_hash,
    static_texts,
    static_url,
)
from gridwise.web.pages.your_games import (
    MOST_NEXT,
    NOTHING,
    OwnGames,
    is_turn_of,
    own_game,
    own_games,
)
from gridwise.web.storage.visitors import BotRecord

MOST_SHOWN = 8  # games in a list of the start page

router = APIRouter(include_in_schema=False)


@router.get("/")
async def start(request: Request) -> Response:
    """The games, each to be played at once; your games, the lobby, what was played lately."""
    hub, token = hub_of(request), token_of(request)
    record, mine, recent = await hub.store.ask(_read_lists, hub, token)
    turns = [each for each in mine.unfinished if is_turn_of(each, token)]
    shown = (turns or mine.unfinished)[:MOST_SHOWN]
    over = {each.setup.id: each for each in known_games([*recent, *mine.over])}
    finished = [own_game(each, token) for each in over.values()]
    return page(
        request,
        "start.html",
        cards=[(game, ladder(record, game.key)) for game in games()],
        next_games=mine.next_games,
        my_games=[own_game(each, token) for each in shown],
        is_turn=bool(turns),
        has_more=len(mine.unfinished) > len(shown),
        daily=daily_puzzle(),
        lobby=await hub.lobby.state(token, COLOURS),
        recent_games=sorted(finished, key=itemgetter("at"), reverse=True)[:MOST_SHOWN],
    )


def _read_lists(hub: GameHub, token: str | None) -> tuple[BotRecord, OwnGames, list[StoredGame]]:
    """Your record, your games, and games of everybody that are over.

    No more than is shown, and in one thread: five reads cost 2 ms more in five of them.
    """
    recent = hub.store.listed("recent", MOST_NEXT, hub.settings.limits.fresh)
    if not token:
        return {}, NOTHING, recent
    mine = own_games(hub.store, token, MOST_SHOWN + 1, MOST_NEXT)
    return hub.visitors.bot_record(token), mine, recent


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    """The rows of the lobby as they are now, for the start page's script."""
    state = await hub_of(request).lobby.state(token_of(request), COLOURS)
    return page(request, "_lobby.html", lobby=state)


# Other pages


@router.get("/settings")
async def settings(request: Request) -> Response:
    """Preferences, which the browser keeps; and how to erase everything."""
    return page(request, "settings.html")


@router.get("/api/docs")
async def docs(request: Request) -> Response:
    """The API, for people who write programs."""
    # In a thread: it takes 80 ms the first time.
    made = hub_of(request).workers.quick(lambda: html_from(markdown(request.app.openapi())))
    return page(request, "api.html", text=await made)


@router.get("/offline")
async def offline(request: Request) -> Response:
    """What is shown where a page cannot be fetched: a browser keeps it."""
    return page(request, "offline.html")


@router.get("/worker.js")
async def worker() -> Response:
    """The service worker, which has to be here to be asked for every page.

    For an hour browsers do not look for another one, which they would with each page.
    """
    files = [static_url(name) for name in ("style+site+board.css", "preferences.js")]
    kept = json.dumps([static_hash(), "/offline", *files])
    text = static_texts()["worker.js"].replace('["KEPT"]', kept)
    headers = {"Cache-Control": "max-age=3600"}
    return Response(text, media_type="text/javascript", headers=headers)


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """What the site is when it is put on the home screen of a phone."""
    icons = [
        {"src": static_url("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": static_url(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ),
    ]
    about = {
        "name": "Gridwise",
        "short_name": "Gridwise",
        "description": "Five small games for two players",
        "start_url": "/",
        "display": "minimal-ui",
        "background_color": "#f4f1e9",
        "theme_color": "#f4f1e9",
        "icons": icons,
    }
    headers = {"Cache-Control": "max-age=3600"}
    return JSONResponse(about, media_type="application/manifest+json", headers=headers)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Browsers ask for it whatever the page says."""
    return FileResponse(STATIC / "icon.svg", headers={"Cache-Control": "no-cache"})


@router.get("/apple-touch-icon.png")
async def touch_icon() -> Response:
    """Phones of one maker ask for it, and read no manifest."""
    return FileResponse(STATIC / "icon-192.png", headers={"Cache-Control": "no-cache"})
