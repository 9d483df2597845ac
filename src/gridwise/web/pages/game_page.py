"""The form for a new game, and the page of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.engine.bots import ABOUT
from gridwise.errors import GridwiseError
from gridwise.web.errors import Refused
from gridwise.web.game import COMMANDS, LiveGame, NewGame
from gridwise.web.http.api import GameId
from gridwise.web.http.dependencies import (
    Visitor,
    form_of,
    hub_of,
    token_of,
    while_connected,
)
from gridwise.web.http.error_responses import explain
from gridwise.web.http.messages import TakeSeat
from gridwise.web.http.rate_limit import client_of, spend
from gridwise.web.pages.templating import page

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]

# A new game

DEFAULTS = {"opponent": "link", "level": "casual", "side": "1", "deal": "fair"}
DEFAULTS |= dict.fromkeys(("board", "seed", "first", "name", "listed", "handicap"), "")
BOARD_OPTIONS = ("deal", "board", "seed", "first", "handicap")  # folded away on the form


@router.get("/new/{key}")
async def new(key: Key, request: Request) -> Response:
    """The form; the address can fill it in."""
    game = game_named(key)
    form = {name: request.query_params.get(name, usual)[:300] for name, usual in DEFAULTS.items()}
    return _new_page(request, game, form)


@router.post("/new/{key}")
async def create(key: Key, request: Request) -> Response:
    """Start the game, and go to it."""
    game = game_named(key)
    sent = await form_of(request, 40)
    form = {name: sent.get(name, "") for name in DEFAULTS}
    visitor = Visitor(request)
    try:
        spend(request, "games")
        creating = hub_of(request).create(_new_game(game, form), visitor.token, client_of(request))
        live = await while_connected(request, creating)
    except (GridwiseError, ValidationError) as error:
        return _new_page(request, game, form, error)
    response = RedirectResponse(f"/g/{live.id}", 303)
    visitor.set_cookie(response)
    return response


def _new_game(game: Game, form: Mapping[str, str]) -> NewGame:
    own = form["deal"] == "own"
    if own and not form["board"].strip():
        raise Refused(f"Type your board, for example {game.example_board}, or choose another deal.")
    seed = form["seed"].strip()
    if seed and not re.fullmatch(r"[0-9]{1,15}", seed):
        raise Refused("A seed is a whole number of at most 15 digits, such as 7.")
    filled: dict[str, object] = {name: value for name, value in form.items() if value.strip()}
    filled |= {name: int(form[name]) for name in ("side", "first") if form[name] in ("1", "2")}
    if not own:
        filled.pop("board", None)
    return NewGame.model_validate(filled | {"game": game.key})


def _new_page(
    request: Request, game: Game, form: Mapping[str, str], error: Exception | None = None
) -> Response:
    status, _, message = explain(error) if error else (200, "", "")
    return page(
        request,
        "new.html",
        status,
        game=game,
        form=form,
        unfolded=any(form[name] not in ("", DEFAULTS[name]) for name in BOARD_OPTIONS),
        levels=ABOUT,
        error=message,
    )


# A game


@router.get("/g/{game_id}")
async def game_page(game_id: GameId, request: Request) -> Response:
    """A game, live or over."""
    return _game_page(request, await hub_of(request).game(game_id))


@router.post("/g/{game_id}")
async def player_request(game_id: GameId, request: Request) -> Response:
    """Take the free seat; and, for browsers without scripts, move and resign."""
    live = await hub_of(request).game(game_id)
    form = await form_of(request, 10)
    visitor = Visitor(request)
    try:
        await _handle(live, visitor.token, form)
    except (GridwiseError, ValidationError) as error:
        return _game_page(request, live, error)
    response = RedirectResponse(f"/g/{live.id}", 303)
    if form.get("request") == "join":
        visitor.set_cookie(response)
    return response


async def _handle(live: LiveGame, token: str, form: Mapping[str, str]) -> None:
    kind, version = form.get("request"), form.get("version", "")
    if kind == "join":
        await live.take_seat(token, TakeSeat(name=form.get("name", "")).name)
        return
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise Refused("The form has no version of the game. Reload the page.")
    if kind == "move":
        await live.move(token, form.get("move", "")[:40], int(version), None)
    elif kind == "resign":
        await live.request(COMMANDS["resign"], token, int(version), None)
    else:
        raise Refused("You can join, move or resign.")


def _game_page(request: Request, live: LiveGame, error: Exception | None = None) -> Response:
    status, _, message = explain(error) if error else (200, "", "")
    state = live.state_for(token_of(request))
    mine = state["status"] == "playing" and state["turn"] in state["you"]
    return page(
        request,
        "game.html",
        status,
        game=game_named(state["game"]),
        state=state,
        slim={name: value for name, value in state.items() if name not in ("svg", "cells")},
        mine=mine,
        headline=_headline(state),
        error=message,
        address=str(request.base_url) + f"g/{live.id}",
        rows=_move_rows(state),
    )


def _headline(state: Mapping[str, Any]) -> str:
    """The headline before the page's script takes over."""
    if state["status"] == "waiting" and not state["you"]:
        return "A seat is free."
    return "Your turn." if state["you"] == [state["turn"]] else str(state["status_text"])


def _move_rows(state: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The moves in rows of two, the one who began on the left; after a pass a place is empty."""
    rows: list[list[str]] = []
    left = True
    for move in state["moves"]:
        on_left = move["player"] == state["first"]
        if on_left or not left or not rows:
            rows.append(["", ""])
        rows[-1][0 if on_left else 1] = move["move"] + (" (hint)" if move["hinted"] else "")
        left = on_left
    return [(one, two) for one, two in rows]
