"""The form for a new game, and the page of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.errors import GridwiseError
from gridwise.web.errors import Refused
from gridwise.web.game import COMMANDS, LiveGame, NewGame, Snapshot
from gridwise.web.game.announce import OPPONENT, names_for
from gridwise.web.http.api import GameId
from gridwise.web.http.dependencies import Visitor, form_of, hub_of, token_of, while_connected
from gridwise.web.http.error_responses import explain
from gridwise.web.http.messages import TakeSeat
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.positions import choices, move_rows
from gridwise.web.pages.start_page import ladder
from gridwise.web.pages.templating import page

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]

# A new game

DEFAULTS = {"opponent": "bot", "level": "", "side": "1", "deal": "fair", "best_of": "1"}
DEFAULTS |= dict.fromkeys(("clock", "board", "seed", "first", "name", "listed", "handicap"), "")
BOARD_OPTIONS = ("deal", "board", "seed", "first", "handicap")  # folded away on the form
CLOCKS = {  # minutes for the whole game, and seconds that each move adds
    "": "No clock",
    "1+1": "1 minute + 1 s",
    "3+2": "3 minutes + 2 s",
    "5+5": "5 minutes + 5 s",
    "10+0": "10 minutes",
}


@router.get("/new/{key}")
async def new(key: Key, request: Request) -> Response:
    """The form; the address can fill it in."""
    game = game_named(key)
    form = {name: request.query_params.get(name, usual)[:300] for name, usual in DEFAULTS.items()}
    return await _new_page(request, game, form)


@router.post("/new/{key}")
async def create(key: Key, request: Request) -> Response:
    """Start the game, and go to it."""
    game = game_named(key)
    sent = await form_of(request, 40)
    form = {name: sent.get(name, "") for name in DEFAULTS}
    visitor = Visitor(request)
    try:
        spend(request, "games")
        creating = hub_of(request).create(_new_game(game, form), visitor.token)
        live = await while_connected(request, creating)
    except (GridwiseError, ValidationError) as error:
        return await _new_page(request, game, form, error)
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
    numbers = {"side": ("1", "2"), "first": ("1", "2"), "best_of": ("1", "3", "5")}
    filled |= {name: int(form[name]) for name, known in numbers.items() if form[name] in known}
    if not own:
        filled.pop("board", None)
    if form["opponent"] != "link":
        filled.pop("listed", None)  # the form hides it then
    if clock := form["clock"]:
        if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?\+[0-9]{1,3}", clock):
            raise Refused("A clock is minutes and seconds a move, such as 5+3.")
        filled["clock"] = dict(zip(("minutes", "increment"), clock.split("+"), strict=True))
    return NewGame.model_validate(filled | {"game": game.key})


async def _new_page(
    request: Request, game: Game, form: dict[str, str], error: Exception | None = None
) -> Response:
    status, _, message = explain(error) if error else (200, "", "")
    hub, token = hub_of(request), token_of(request)
    record = await hub.store.ask(hub.visitors.bot_record, token) if token else {}
    bots = ladder(record, game.key)
    return page(
        request,
        "new.html",
        status,
        game=game,
        form=form | {"level": form["level"] or bots.next},
        unfolded=any(form[name] not in ("", DEFAULTS[name]) for name in BOARD_OPTIONS),
        ladder=bots,
        clocks=CLOCKS,
        error=message,
    )


# A game


@router.get("/g/{game_id}")
async def game_page(game_id: GameId, request: Request) -> Response:
    """A game, live or over."""
    return _game_page(request, await hub_of(request).opened(game_id, token_of(request)))


@router.post("/g/{game_id}")
async def player_request(game_id: GameId, request: Request) -> Response:
    """Take the free seat; and, for browsers without scripts, everything that a player can do."""
    live = await hub_of(request).game(game_id)
    form = await form_of(request, 10)
    visitor = Visitor(request)
    try:
        if _asks_first(live.snapshot, visitor.token, form):
            return _game_page(request, live, confirming=form["request"])
        if form.get("request") == "rematch":
            spend(request, "games")
        follows = await _handle(live, visitor.token, form)
    except (GridwiseError, ValidationError) as error:
        return _game_page(request, live, error)
    response = RedirectResponse(f"/g/{follows or live.id}", 303)
    if form.get("request") == "join":
        visitor.set_cookie(response)
    return response


def _asks_first(shown: Snapshot, token: str, form: Mapping[str, str]) -> bool:
    """Whether to ask once more: what cannot be undone, and nobody else has to agree to."""
    final = ("resign", "stop") if shown.has_one_decider else ("resign",)
    is_asked = form.get("request") in final and "sure" not in form
    return is_asked and not shown.over and bool(shown.held_by(token))


async def _handle(live: LiveGame, token: str, form: Mapping[str, str]) -> str:
    """Do what the form asks for; the id of the game to go to, if it is another one."""
    kind, version = form.get("request", ""), form.get("version", "")
    if kind == "join":
        await live.take_seat(token, TakeSeat(name=form.get("name", "")).name)
        return ""
    if kind == "keep":  # on second thoughts: neither resign nor stop
        return ""
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise Refused("The form has no version of the game. Reload the page.")
    if kind == "rematch":
        return await live.rematch(token, int(version), None)
    if kind not in ("move", *COMMANDS):
        raise Refused("You can join, move, take back, stop, resign or have a rematch.")
    await live.request(kind, token, int(version), None, form.get("move", "")[:40])
    return ""


def _game_page(
    request: Request, live: LiveGame, error: Exception | None = None, confirming: str = ""
) -> Response:
    status, _, message = explain(error) if error else (200, "", "")
    state = live.state_for(token_of(request))
    you, names = state["you"], names_for(live.snapshot.seats, state["you"])
    return page(
        request,
        "game.html",
        status,
        game=game_named(state["game"]),
        state=state,
        slim={name: value for name, value in state.items() if name not in ("svg", "cells")},
        alone=live.snapshot.has_one_decider,
        opponent=names[2 - you[0]] if len(you) == 1 else OPPONENT,
        error=message,
        confirming=confirming,
        address=f"{request.base_url}g/{live.id}",
        choices=choices(state),
        rows=move_rows(state),
    )
