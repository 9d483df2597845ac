"""The page of a game: to watch and, for browsers without scripts, to play."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import ValidationError

from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import evaluate
from gridwise.engine.review import what_if_limits
from gridwise.errors import GridwiseError
from gridwise.web.errors import Refused, explain
from gridwise.web.game.commands import COMMANDS
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.viewer import stronger_bot
from gridwise.web.http.api import GameId
from gridwise.web.http.dependencies import Visitor, form_of, hub_of, token_of, while_connected
from gridwise.web.http.messages import TakeSeat
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.positions import choices, move_rows, values_shown
from gridwise.web.pages.templating import page

router = APIRouter(include_in_schema=False)


@router.get("/g/{game_id}")
async def game_page(game_id: GameId, request: Request) -> Response:
    """A game, live or over."""
    return _game_page(request, await hub_of(request).opened(game_id, token_of(request)))


@router.post("/g/{game_id}/values")
async def practice_values(game_id: GameId, request: Request) -> Response:
    """What each move is worth in a game that is played, which is noted in it; for its script.

    Never in a game between two people at two screens.
    """
    hub = hub_of(request)
    live = await hub.game(game_id)
    spend(request, "thinking")
    await live.show_values(token_of(request))
    position = live.snapshot.position
    limits = what_if_limits(position.game)
    asked = hub.workers.ask(position.game.key, evaluate, position, limits)
    return JSONResponse(values_shown(position, await while_connected(request, asked)))


@router.post("/g/{game_id}")
async def player_request(game_id: GameId, request: Request) -> Response:
    """Take the free seat; and, for browsers without scripts, everything that a player can do."""
    live = await hub_of(request).game(game_id)
    form = await form_of(request, 10)
    visitor = Visitor(request)
    try:
        held = live.snapshot.held_by(visitor.token)
        if form.get("request") in live.snapshot.panel(held)["confirm"] and "sure" not in form:
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
    state = live.state_for(token_of(request), picture=True)
    panel = state["panel"]
    return page(
        request,
        "game.html",
        status,
        game=game_named(state["game"]),
        state=state,
        slim={name: value for name, value in state.items() if name != "svg"},
        shown=panel["shown"],
        texts=panel["texts"] | panel["confirm"].get(confirming, {}),
        mine=panel["mine"],
        error=message,
        confirming=confirming,
        address=f"{request.base_url}g/{live.id}",
        choices=choices(state),
        differences=state["outlook"],
        stronger=stronger_bot(live.snapshot.seats),
        rows=move_rows(state),
    )
