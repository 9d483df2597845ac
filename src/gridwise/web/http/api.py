"""The HTTP side of the API: JSON in, JSON out. `game/commands.py` decides what a player may do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from gridwise.core.registry import game as game_named
from gridwise.engine.review import review_data
from gridwise.play.records import record_text
from gridwise.show.svg import svg
from gridwise.web.game.event_sourced_game import known_games
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import BOT, StoredGame
from gridwise.web.http.dependencies import Visitor, hub_of, token_of, while_connected
from gridwise.web.http.messages import (
    ErrorResponse,
    GameLink,
    GameList,
    GameState,
    HintOut,
    LobbyOut,
    MoveRequest,
    PlayerRequest,
    PositionRequest,
    RematchLink,
    TakeSeat,
)
from gridwise.web.http.rate_limit import spend, spend_on_review
from gridwise.web.hub import MOST_LISTED
from gridwise.web.storage import Cursor
from gridwise.web.workers.questions import evaluated_position

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse, "description": about}
    for status, about in {
        400: "It cannot be read or done; the message says what can",
        403: "Somebody else's seat, or a cross-site request",
        404: "No such game",
        409: "Not now, or made on an older version: then the response has the current state",
        413: "Too many bytes",
        421: "Sent to a name that the server does not have",
        429: "Too often, or too much at once",
        503: "The database or the engine does not respond",
    }.items()
}

router = APIRouter(prefix="/api", responses=ERRORS)

GameId = Annotated[str, Path(min_length=12, max_length=12, pattern=r"^[A-Za-z0-9_-]{12}$")]
CURSOR = r"^\d{1,12}(\.\d{1,9})?_[A-Za-z0-9_-]{12}$"


@router.post("/games", status_code=201, response_model=GameLink, summary="Start a game")
async def create(body: NewGame, request: Request) -> Response:
    """You get a seat, held by a cookie; `url` is the link for the other player."""
    visitor = Visitor(request)
    spend(request, "games")
    creating = hub_of(request).create(body, visitor.token)
    game = await while_connected(request, creating)
    response = _link(game.id, 201)
    visitor.set_cookie(response)
    return response


@router.get("/games", response_model=GameList, summary="Games that are open to everybody")
async def list_games(
    request: Request,
    status: Annotated[Literal["open", "playing", "recent"], Query()] = "open",
    cursor: Annotated[
        str | None, Query(pattern=CURSOR, description="`next` of the page before.")
    ] = None,
) -> Response:
    """With a free seat, being played, or over; the newest first, 50 to a page."""
    after = Cursor.parse(cursor) if cursor else None
    hub = hub_of(request)
    fresh = hub.settings.limits.fresh
    games = await hub.store.ask(hub.store.listed, status, MOST_LISTED, fresh, after)
    following = None
    if len(games) == MOST_LISTED:
        setup, ending = games[-1].setup, games[-1].ending
        following = str(Cursor(ending.at if ending else setup.created, setup.id))
    shown = [_listed(each) for each in known_games(games)]
    return JSONResponse({"games": shown, "next": following})


@router.get("/lobby", response_model=LobbyOut, summary="Who is here, to play with or to watch")
async def lobby(request: Request) -> Response:
    """Listed games whose players are connected at this moment, without your own."""
    return JSONResponse(await hub_of(request).lobby.state(token_of(request)))


def _listed(stored: StoredGame) -> dict[str, Any]:
    setup, ending = stored.setup, stored.ending
    return {
        "id": setup.id,
        "url": f"/g/{setup.id}",
        "game": setup.game,
        "title": game_named(setup.game).title,
        "players": [seat.public() | {"present": seat.kind == BOT} for seat in stored.seats],
        "created": setup.created,
        "finished": ending.at if ending else None,
        "result": (ending.result or None) if ending else None,
        "reason": ending.reason if ending else None,
    }


@router.get("/games/{game_id}", response_model=GameState, summary="A game as you may see it")
async def state(game_id: GameId, request: Request) -> Response:
    """The current version."""
    game = await hub_of(request).opened(game_id, token_of(request))
    return _state(game, token_of(request))


@router.post("/games/{game_id}/seats", response_model=GameState, summary="Join a game")
async def take_seat(game_id: GameId, body: TakeSeat, request: Request) -> Response:
    """The seat is held by a cookie, which comes with the response."""
    visitor = Visitor(request)
    game = await hub_of(request).game(game_id)
    await game.take_seat(visitor.token, body.name)
    response = _state(game, visitor.token)
    visitor.set_cookie(response)
    return response


@router.post("/games/{game_id}/moves", response_model=GameState, summary="Play a move")
async def move(game_id: GameId, body: MoveRequest, request: Request) -> Response:
    """It counts if it was made on the current version; you get the state after it."""
    game, token = await hub_of(request).game(game_id), token_of(request)
    await game.request("move", token, body.version, body.ref, body.move)
    return _state(game, token)


@router.post(
    "/games/{game_id}/hint", response_model=HintOut, summary="A move to consider; it is marked"
)
async def hint(game_id: GameId, body: PlayerRequest, request: Request) -> Response:
    """For the player to move."""
    game = await hub_of(request).game(game_id)
    spend(request, "thinking")
    hinted = game.hint(token_of(request), body.version, body.ref)
    suggestion = await while_connected(request, hinted)
    return JSONResponse(suggestion.data)


@router.post(
    "/games/{game_id}/rematch", response_model=RematchLink, summary="Play again with sides swapped"
)
async def rematch(game_id: GameId, body: PlayerRequest, request: Request) -> Response:
    """Made when both have asked; both players have their seats in it already.

    At once against a bot, on one screen, and within a match.
    """
    game = await hub_of(request).game(game_id)
    spend(request, "games")
    made = await game.rematch(token_of(request), body.version, body.ref)
    return _link(made) if made else JSONResponse({"id": None, "url": None})


@router.post(
    "/games/{game_id}/{kind}", response_model=GameState, summary="Resign, ask, agree or decline"
)
async def player_request(
    game_id: GameId,
    kind: Literal["resign", "takeback", "stop", "decline"],
    body: PlayerRequest,
    request: Request,
) -> Response:
    """Asking for what the other has asked for means agreeing to it."""
    game, token = await hub_of(request).game(game_id), token_of(request)
    await game.request(kind, token, body.version, body.ref)
    return _state(game, token)


def _text(kind: str) -> dict[str, Any]:
    """The response of a route is a text; its class is no kind of it, since errors are JSON."""
    content = {kind: {"schema": {"type": "string"}}}
    return {"response_class": Response, "responses": {200: {"content": content}}}


@router.get("/games/{game_id}/record", summary="The game as a record (.gwr)", **_text("text/plain"))
async def record(game_id: GameId, request: Request) -> Response:
    """Cells that nobody has seen are `?` in it."""
    game = await hub_of(request).game(game_id)
    headers = {"Content-Disposition": f'attachment; filename="{game.id}.gwr"'}
    return Response(record_text(await game.record()), 200, headers, "text/plain")


@router.get(
    "/games/{game_id}/picture.svg", summary="The board as a picture", **_text("image/svg+xml")
)
async def picture(game_id: GameId, request: Request) -> Response:
    """The current position."""
    game = await hub_of(request).game(game_id)
    return Response(svg(game.snapshot.position.view), media_type="image/svg+xml")


@router.get("/games/{game_id}/review", summary="A finished game, move by move")
async def review(game_id: GameId, request: Request) -> Response:
    """What each move was worth, as in `gridwise review`."""
    spend(request, "thinking")
    game = await hub_of(request).game(game_id)
    spend_on_review(request, game.snapshot.version)
    reviewed = await while_connected(request, game.review())
    assert reviewed, "it was waited for"
    # In a thread: of a thousand moves it takes 30 ms.
    shown = await hub_of(request).workers.quick(review_data, reviewed)
    return JSONResponse(shown | {"turning_points": reviewed.turning_points})


@router.post("/positions", summary="Evaluate a position")
async def position(body: PositionRequest, request: Request) -> Response:
    """The answer of `gridwise analyze`, with the board as SVG.

    On a large board the engine may not get done in time: then `exact` is false, and the values that
    it has not found are null.
    """
    workers, limits = hub_of(request).workers, hub_of(request).settings.limits
    game = game_named(body.game)
    asked = body.model_dump(exclude={"moves", "search"})
    if body.search:
        spend(request, "thinking")
        seconds = limits.position_seconds
        answering = workers.ask(game.key, evaluated_position, asked, body.moves, seconds)
    else:
        answering = workers.quick(evaluated_position, asked, body.moves, None)
    return JSONResponse(await while_connected(request, answering))


def _link(game_id: str, status: int = 200) -> Response:
    return JSONResponse({"id": game_id, "url": f"/g/{game_id}"}, status)


def _state(game: LiveGame, token: str | None) -> Response:
    return Response(game.text_for(token), media_type="application/json")
