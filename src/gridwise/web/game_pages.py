"""Pages about one game: how to start it, the game itself, and looking back at it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import ValidationError

from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.engine.bots import ABOUT
from gridwise.errors import GridwiseError
from gridwise.show.svg import PAGE, svg
from gridwise.web.answers import validation_message
from gridwise.web.api import GameId
from gridwise.web.cards import example
from gridwise.web.deps import Badge, hall_of, player_of
from gridwise.web.lookback import how_it_ended, position_at, review_for_page, tried_at, under_way
from gridwise.web.messages import NewGame, TakeSeat
from gridwise.web.paper import page
from gridwise.web.rates import spend
from gridwise.web.refusals import Conflict, Refused, kind_and_status
from gridwise.web.table import Table

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=0, le=10_000)]

# A new game

FORM = {
    "opponent": "link",
    "level": "casual",
    "side": "1",
    "deal": "fair",
    "board": "",
    "seed": "",
    "first": "",
    "name": "",
    "listed": "",
    "handicap": "",
}


@router.get("/new/{key}")
async def new(key: Key, request: Request) -> Response:
    """How somebody would like to play."""
    game = game_of(key)
    asked = {name: request.query_params.get(name, usual)[:300] for name, usual in FORM.items()}
    return _new_page(request, game, asked)


@router.post("/new/{key}")
async def create(key: Key, request: Request) -> Response:
    """Start the game, and go to it."""
    game = game_of(key)
    async with request.form(max_files=0, max_fields=40) as sent:
        form = {name: str(sent.get(name, "")) for name in FORM}
    badge = Badge(request)
    try:
        spend(request, "games")
        table = await hall_of(request).create(_wish(game, form), badge.token)
    except GridwiseError as error:
        return _new_page(request, game, form, str(error), kind_and_status(error)[1])
    response = RedirectResponse(f"/g/{table.id}", 303)
    badge.pin(response)
    return response


def _wish(game: Game, form: Mapping[str, str]) -> NewGame:
    own = form["deal"] == "own"
    told: dict[str, Any] = {
        "game": game.key,
        "opponent": form["opponent"] or "link",
        "level": form["level"] or "casual",
        "side": int(form["side"]) if form["side"] in ("1", "2") else form["side"] or 1,
        "deal": form["deal"] or None,
        "board": form["board"] if own else None,
        "first": int(form["first"]) if form["first"] in ("1", "2") else None,
        "name": form["name"],
        "listed": bool(form["listed"]),
        "handicap": bool(form["handicap"]),
    }
    if own and not form["board"].strip():
        raise Refused(f"Write your board, such as {game.example_board}, or let one be dealt.")
    seed = form["seed"].strip()
    if seed and not re.fullmatch(r"[0-9]{1,15}", seed):
        raise Refused("A seed is a whole number of at most 15 digits, such as 7.")
    told["seed"] = int(seed) if seed else None
    try:
        return NewGame.model_validate(told)
    except ValidationError as error:
        raise Refused(validation_message(error.errors())) from None


def _new_page(
    request: Request, game: Game, form: Mapping[str, str], error: str = "", status: int = 200
) -> Response:
    usual = ("deal", "board", "seed", "first", "handicap")
    opened = any(form[name] not in ("", FORM[name]) for name in usual)
    return page(
        request,
        "new.html",
        status,
        game=game,
        form={**form, "open": opened},
        levels=ABOUT,
        error=error,
        picture=svg(example(game).view, PAGE),
    )


# A game


@router.get("/g/{game_id}")
async def game_page(game_id: GameId, request: Request) -> Response:
    """A game, live or over."""
    table = await hall_of(request).table(game_id)
    return _game_page(request, table)


@router.post("/g/{game_id}")
async def act(game_id: GameId, request: Request) -> Response:
    """Take the free seat; and, for browsers without scripts, move and resign."""
    table = await hall_of(request).table(game_id)
    async with request.form(max_files=0, max_fields=10) as sent:
        form = {name: str(value) for name, value in sent.items()}
    badge = Badge(request)
    try:
        await _acted(table, badge.token, form)
    except GridwiseError as error:
        return _game_page(request, table, str(error), kind_and_status(error)[1])
    response = RedirectResponse(f"/g/{table.id}", 303)
    if form.get("wish") == "join":
        badge.pin(response)
    return response


async def _acted(table: Table, token: str, form: Mapping[str, str]) -> None:
    wish, version = form.get("wish"), form.get("version", "")
    if wish == "join":
        try:
            name = TakeSeat.model_validate({"name": form.get("name", "")}).name
        except ValidationError as error:
            raise Refused(validation_message(error.errors())) from None
        await table.take_seat(token, name)
        return
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise Refused("The form has no version of the game. Load the page again.")
    if wish == "move":
        await table.move(token, form.get("move", "")[:40], int(version), None)
    elif wish == "resign":
        await table.wish("resign", token, int(version), None)
    else:
        raise Refused("One can join, move or resign.")


def _game_page(request: Request, table: Table, error: str = "", status: int = 200) -> Response:
    state = table.state_for(player_of(request))
    game = game_of(state["game"])
    mine = state["status"] == "playing" and state["turn"] in state["you"]
    return page(
        request,
        "game.html",
        status,
        state=state,
        slim={name: value for name, value in state.items() if name not in ("svg", "cells")},
        mine=mine,
        headline=_headline(state),
        error=error,
        cyclic=game.cyclic,
        chosen=game.hides and state["deal"] == "own" and len(state["you"]) < 2,
        example=game.example_moves.split(" ", maxsplit=1)[0],
        address=str(request.base_url) + f"g/{table.id}",
        refresh=not mine and state["status"] != "over",
        lines=_lines(state),
    )


def _headline(state: Mapping[str, Any]) -> str:
    """Where things stand, at first sight; the page's script then keeps it up to date."""
    if state["status"] == "waiting":
        return "Waiting for an opponent." if state["you"] else "A seat is free."
    if state["status"] == "playing":
        mine = state["turn"] in state["you"] and len(state["you"]) == 1
        return "Your turn." if mine else f"Player {state['turn']}'s turn."
    won = {"p1": "Player 1 wins!", "p2": "Player 2 wins!", "draw": "A draw."}
    return won.get(state["result"], "The game was stopped.")


def _lines(state: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The moves two by two, the one who began on the left; after a pass a place stays empty."""
    lines: list[list[str]] = []
    left = True
    for move in state["moves"]:
        on_left = move["player"] == state["first"]
        if on_left or not left or not lines:
            lines.append(["", ""])
        lines[-1][0 if on_left else 1] = move["move"] + (" (hint)" if move["hinted"] else "")
        left = on_left
    return [(one, two) for one, two in lines]


# Looking back


@router.get("/g/{game_id}/back")
async def back(
    game_id: GameId, request: Request, at: Annotated[int | None, Query(ge=0, le=10_000)] = None
) -> Response:
    """A game to step through."""
    table = await hall_of(request).table(game_id)
    record = await table.record()
    state = table.state_for(None)
    over = table.told.over
    last = len(record.moves)
    position = position_at(record, last if at is None else min(at, last), over=over)
    return page(
        request,
        "back.html",
        title=record.game.title,
        who=" against ".join(
            player["name"]
            or (f"Bot ({player['level']})" if player["level"] else f"Player {number}")
            for number, player in enumerate(state["players"], 1)
        ),
        how=how_it_ended(record) if over else "The game still goes on.",
        over=over,
        position=position,
        movers=[move["player"] for move in state["moves"]],
        played={
            "id": table.id,
            "game": record.game.key,
            "moves": list(record.moves),
            "at": position["at"],
            "questions": position["questions"],
            "legal": len(position["legal"]),
            "review": over and bool(record.moves),
        },
    )


@router.get("/g/{game_id}/at/{number}")
async def at_move(
    game_id: GameId,
    number: Number,
    request: Request,
    tried: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """A position of a game, or one that other moves lead to, for the page's script."""
    hall = hall_of(request)
    table = await hall.table(game_id)
    record = await table.record()
    if not tried:
        return JSONResponse(position_at(record, number, over=table.told.over))
    if not table.told.over:
        raise Conflict("The game still goes on; other moves can be tried when it is over.")
    spend(request, "thinking")
    return JSONResponse(await hall.engine.ask(tried_at, record, number, tried.split()))


@router.get("/g/{game_id}/review")
async def review(game_id: GameId, request: Request) -> Response:
    """What the engine says of a finished game, or how far it has come."""
    hall = hall_of(request)
    table = await hall.table(game_id)
    if not table.told.over:
        raise Conflict("The game still goes on; it can be looked back at when it is over.")
    if not under_way(table):
        spend(request, "thinking")
    return JSONResponse(await review_for_page(hall, table))
