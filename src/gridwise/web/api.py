"""The HTTP side of the API: JSON in, JSON out. What things mean is decided at the table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from gridwise.errors import GridwiseError
from gridwise.play.records import record_text
from gridwise.show.svg import svg
from gridwise.web.answers import error_response
from gridwise.web.deps import Badge, hall_of, player_of
from gridwise.web.hall import Hall, title_of
from gridwise.web.looking import looked_at, reviewed
from gridwise.web.messages import (
    ErrorOut,
    HintOut,
    ListOut,
    Made,
    Move,
    NewGame,
    Question,
    Rematch,
    State,
    TakeSeat,
    Wish,
)
from gridwise.web.rates import spend
from gridwise.web.refusals import Stale
from gridwise.web.store import Listed
from gridwise.web.table import Table

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorOut, "description": about}
    for status, about in {
        400: "It cannot be read, or cannot be done; the message says what can",
        403: "Somebody else's seat, or another site's page",
        404: "No such game",
        409: "Not now, or made on an older version: then the present state is in the answer",
        413: "Too many bytes",
        429: "Too often, or too much at once",
        503: "The database does not answer",
    }.items()
}

router = APIRouter(prefix="/api", responses=ERRORS)

GameId = Annotated[str, Path(min_length=12, max_length=12, pattern=r"^[A-Za-z0-9_-]{12}$")]


@router.post("/games", status_code=201, response_model=Made, summary="Start a game")
async def create(wish: NewGame, request: Request) -> Response:
    """You get a seat, held by a cookie; `url` is the link for the other player."""
    badge = Badge(request)
    spend(request, "games")
    table = await hall_of(request).create(wish, badge.token)
    response = JSONResponse({"id": table.id, "url": f"/g/{table.id}"}, status_code=201)
    badge.pin(response)
    return response


@router.get("/games", response_model=ListOut, summary="Games that are open to everybody")
async def listing(
    request: Request, status: Annotated[Literal["open", "playing", "recent"], Query()] = "open"
) -> Response:
    """With a free seat, being played, or over; the newest first."""
    games = await hall_of(request).listed(status)
    return JSONResponse({"games": [listed_out(each) for each in games]})


def listed_out(listed: Listed) -> dict[str, Any]:
    """A game in a list, as it is told."""
    return {
        "id": listed.deal.id,
        "url": f"/g/{listed.deal.id}",
        "game": listed.deal.game,
        "title": title_of(listed),
        "players": [
            {
                "seat": seat.number,
                "kind": seat.kind,
                "name": seat.name,
                "level": seat.level or None,
                "present": seat.kind == "bot",
            }
            for seat in listed.seats
        ],
        "created": listed.deal.created,
        "finished": listed.finished,
        "result": listed.result or None,
        "reason": listed.reason,
    }


@router.get("/games/{game_id}", response_model=State, summary="A game as you may see it")
async def state(game_id: GameId, request: Request) -> Response:
    """The present version."""
    table = await hall_of(request).table(game_id)
    return _state(table, player_of(request))


@router.post("/games/{game_id}/seats", response_model=State, summary="Take the free seat")
async def take_seat(game_id: GameId, wish: TakeSeat, request: Request) -> Response:
    """The seat is held by a cookie, which comes with the answer."""
    badge = Badge(request)
    table = await hall_of(request).table(game_id)
    await table.take_seat(badge.token, wish.name)
    response = _state(table, badge.token)
    badge.pin(response)
    return response


@router.post("/games/{game_id}/moves", response_model=State, summary="Play a move")
async def move(game_id: GameId, wish: Move, request: Request) -> Response:
    """It counts if it was made on the present version; the answer is the state after it."""
    table, token = await hall_of(request).table(game_id), player_of(request)
    try:
        await table.move(token, wish.move, wish.version, wish.ref)
    except GridwiseError as error:
        return _refused(error, table, token)
    return _state(table, token)


@router.post(
    "/games/{game_id}/hint", response_model=HintOut, summary="A move to consider; it is marked"
)
async def hint(game_id: GameId, wish: Wish, request: Request) -> Response:
    """For the player to move."""
    table, token = await hall_of(request).table(game_id), player_of(request)
    try:
        spend(request, "thinking")
        found = await table.hint(token, wish.version, wish.ref)
    except GridwiseError as error:
        return _refused(error, table, token)
    return JSONResponse({"move": found.move, "text": found.text})


@router.post(
    "/games/{game_id}/rematch", response_model=Rematch, summary="Once more, with sides swapped"
)
async def rematch(game_id: GameId, wish: Wish, request: Request) -> Response:
    """Made when first asked for; both players have their seats in it already."""
    table, token = await hall_of(request).table(game_id), player_of(request)
    try:
        spend(request, "games")
        new = await table.rematch(token, wish.version, wish.ref)
    except GridwiseError as error:
        return _refused(error, table, token)
    return JSONResponse({"id": new, "url": f"/g/{new}"})


@router.post(
    "/games/{game_id}/{kind}", response_model=State, summary="Resign, ask, agree or decline"
)
async def wish(
    game_id: GameId,
    kind: Literal["resign", "takeback", "stop", "decline"],
    wish: Wish,
    request: Request,
) -> Response:
    """Asking for what the other has asked for is agreeing to it."""
    table, token = await hall_of(request).table(game_id), player_of(request)
    try:
        await table.wish(kind, token, wish.version, wish.ref)
    except GridwiseError as error:
        return _refused(error, table, token)
    return _state(table, token)


@router.get(
    "/games/{game_id}/record",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    summary="The game as a record (.gwr)",
)
async def record(game_id: GameId, request: Request) -> Response:
    """Cells that nobody has seen are `?` in it."""
    table = await hall_of(request).table(game_id)
    text = record_text(await table.record())
    headers = {"Content-Disposition": f'attachment; filename="{table.id}.gwr"'}
    return Response(text, media_type="text/plain", headers=headers)


@router.get(
    "/games/{game_id}/picture.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
    summary="The board as a picture",
)
async def picture(game_id: GameId, request: Request) -> Response:
    """As it stands."""
    table = await hall_of(request).table(game_id)
    return Response(svg(table.told.view), media_type="image/svg+xml")


@router.get("/games/{game_id}/review", summary="A finished game, move by move")
async def review(game_id: GameId, request: Request) -> Response:
    """What each move was worth, as `gridwise review` tells it."""
    spend(request, "thinking")
    hall: Hall = hall_of(request)
    return JSONResponse(await reviewed(hall, await hall.table(game_id)))


@router.post("/positions", summary="A position, and what its moves are worth")
async def position(question: Question, request: Request) -> Response:
    """The answer of `gridwise analyze`, with the board as SVG."""
    if question.search:
        spend(request, "thinking")
    return JSONResponse(await hall_of(request).engine.ask(looked_at, question))


def _state(table: Table, token: str | None) -> Response:
    return Response(table.text_for(token), media_type="application/json")


def _refused(error: GridwiseError, table: Table, token: str | None) -> Response:
    if isinstance(error, Stale):
        return error_response(error, table.state_for(token))
    return error_response(error)
