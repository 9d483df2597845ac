"""The start page, the settings, and the page about the API."""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from gridwise.core.registry import games
from gridwise.engine.bots import ABOUT
from gridwise.web.game.event_sourced_game import known_games
from gridwise.web.game.stored_game import StoredGame
from gridwise.web.http.api_docs import markdown
from gridwise.web.http.dependencies import hub_of, token_of
from gridwise.web.hub import GameHub
from gridwise.web.pages.puzzles import daily_puzzle
from gridwise.web.pages.templating import STATIC, html_from, page
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
FIRST = 1  # the bot of a ladder that newcomers play; the one below it does not try to win

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
        lobby=await hub.lobby.state(token),
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
    state = await hub_of(request).lobby.state(token_of(request))
    return page(request, "_lobby.html", lobby=state)


# The ladder of bots


class Rung(NamedTuple):
    """A bot of a ladder, and how you have done against it."""

    level: str
    about: str  # how strong it is
    won: int
    lost: int
    drawn: int


class Ladder(NamedTuple):
    """The bots of a game, from the weakest to the strongest, and the one to beat next."""

    rungs: list[Rung]
    next: str


def ladder(record: BotRecord, game: str) -> Ladder:
    """The ladder of a game: next is the bot above the best that you have beaten."""
    rungs = [
        Rung(level, about, *record.get((game, level), (0, 0, 0))) for level, about in ABOUT.items()
    ]
    above = max((place + 1 for place, rung in enumerate(rungs) if rung.won), default=FIRST)
    return Ladder(rungs, rungs[min(above, len(rungs) - 1)].level)


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


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Browsers ask for it whatever the page says."""
    return FileResponse(STATIC / "icon.svg", headers={"Cache-Control": "no-cache"})
