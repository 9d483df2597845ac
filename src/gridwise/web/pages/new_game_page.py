"""The form for a new game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS
from gridwise.core.registry import game as game_named
from gridwise.errors import GridwiseError
from gridwise.play.ladder import ladder, what_counts
from gridwise.play.setup import (
    CLOCKS,
    EVEN_START,
    STANDARD_START,
    Setup,
    deals,
    setup_fields,
)
from gridwise.web.errors import Refused, explain
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import OWN
from gridwise.web.http.dependencies import Visitor, form_of, hub_of, token_of, while_connected
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.templating import Key, page
from gridwise.web.pages.your_games import untouched

router = APIRouter(include_in_schema=False)

# The usual values; where there is none, the field is left out.
DEFAULTS = {"opponent": "bot", "level": "", "side": "1", "best_of": "1", "deal": ""}
DEFAULTS |= dict.fromkeys(("clock", "name", "name1", "name2", "listed"), "")
DEFAULTS |= {"start": EVEN_START, "people_start": STANDARD_START}
BOARD_OPTIONS = ("board", "size", "target", "seed", "first")  # folded away on the form
DEFAULTS |= dict.fromkeys(BOARD_OPTIONS, "")
STARTS = {name: DEFAULTS[name] for name in ("start", "people_start")}  # where nothing is chosen
NUMBERS = ("side", "first", "best_of")


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
    form = {name: sent.get(name, STARTS.get(name, "")) for name in DEFAULTS}
    visitor = Visitor(request)
    hub = hub_of(request)
    if sent.get("untouched"):  # a click, and not a form that was filled in
        begun = await hub.store.ask(untouched, hub.store, visitor.token, game.key, form["level"])
        if begun:
            return RedirectResponse(f"/g/{begun}", 303)
    try:
        spend(request, "games")
        creating = hub.create(_new_game(game, form), visitor.token)
        live = await while_connected(request, creating)
    except (GridwiseError, ValidationError) as error:
        return await _new_page(request, game, form, error)
    response = RedirectResponse(f"/g/{live.id}", 303)
    visitor.set_cookie(response)
    return response


def _new_game(game: Game, form: Mapping[str, str]) -> NewGame:
    own = form["deal"] == OWN
    if own and not form["board"].strip():
        raise Refused(f"Type your board, for example {game.example_board}, or choose another deal.")
    seed = form["seed"].strip()
    if seed and not re.fullmatch(r"[0-9]{1,15}", seed):
        raise Refused("A seed is a whole number of at most 15 digits, such as 7.")
    filled: dict[str, Any] = {
        name: value for name, value in form.items() if value.strip() and name not in STARTS
    }
    start = form["start" if form["opponent"] == "bot" else "people_start"]
    # As in the app: what it does on other boards is not known.
    if start == EVEN_START and game.handicap and not own and not form["size"].strip():
        filled["handicap"] = True
    filled |= {name: int(form[name]) for name in NUMBERS if form[name] in ("1", "2")}
    # What the form hides is not meant.
    hidden = ["size" if own else "board"]
    hidden += ["name", "side"] if form["opponent"] == "same-screen" else ["name1", "name2"]
    if form["opponent"] != "link":
        hidden.append("listed")
    for name in hidden:
        filled.pop(name, None)
    if clock := form["clock"]:
        if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?\+[0-9]{1,3}", clock):
            raise Refused("A clock is minutes and seconds a move, such as 5+3.")
        filled["clock"] = dict(zip(("minutes", "increment"), clock.split("+"), strict=True))
    usual = deals(game)[0].value or "fair"  # on a board that is always the same it does not matter
    return NewGame.model_validate({"deal": usual, **filled, "game": game.key})


async def _new_page(
    request: Request, game: Game, form: dict[str, str], error: Exception | None = None
) -> Response:
    status, _, message = explain(error) if error else (200, "", "")
    hub, token = hub_of(request), token_of(request)
    record = await hub.store.ask(hub.visitors.bot_record, token) if token else {}
    bots, fields = ladder(record, game.key), setup_fields(game)
    # Where it depends on the start and not on the deal, the choices of that say it.
    kinds = [] if game.handicap else [each.value for each in deals(game)]
    outlooks = {kind: Setup(game=game.key, deal=kind).outlook(COLOURS) for kind in kinds}
    usual = {"level": bots.next, "deal": deals(game)[0].value}
    return page(
        request,
        "new.html",
        status,
        game=game,
        form=form | {name: form[name] or value for name, value in usual.items()},
        fields=fields,
        unfolded=any(form[name] for name in BOARD_OPTIONS)
        or form["deal"] not in ("", usual["deal"]),
        ladder=bots,
        outlooks=outlooks,
        usual_outlook=outlooks.get(usual["deal"], ""),
        what_counts=what_counts(game),
        clocks=CLOCKS,
        error=message,
    )
