"""Links as QR codes, taking your seats to another device, and erasing what is known of you.

A link to another device holds a code that can be used once, within ten minutes. Opening it changes
nothing, so that a preview of the link does not use it up: the page asks first. What has been solved
of the puzzles is not known here: browsers hand it over in the link (static/device.js).
"""

from __future__ import annotations

import io
import re
from functools import lru_cache
from typing import Annotated

import segno
from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse

from gridwise.web.game.stored_game import new_token
from gridwise.web.http.api import GameId
from gridwise.web.http.dependencies import form_of, hub_of, raw_token_of, set_token, token_of
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.templating import page

router = APIRouter(include_in_schema=False)

Code = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{22}$")]
PROGRESS = re.compile(r"[A-Za-z0-9_-]{1,600}")  # as long as device.js makes it
DEAD_LINK = {
    "title": "This link does not work any more",
    "message": "Such a link works once, within ten minutes. Make a new one on the other device.",
}


@lru_cache(256)
def qr_code(address: str) -> str:
    """A link as a QR code, in SVG; dark on light in every theme, as cameras expect.

    For a thread: it takes 4 ms, and 13 ms with a long name of the server.
    """
    drawn = io.BytesIO()
    made = segno.make(address, error="m", micro=False)
    made.save(drawn, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return drawn.getvalue().decode()


@router.get("/g/{game_id}/qr.svg")
async def invitation(game_id: GameId, request: Request) -> Response:
    """The link of a game as a picture."""
    hub = hub_of(request)
    address = f"{request.base_url}g/{(await hub.game(game_id)).id}"
    drawn = await hub.workers.quick(qr_code, address)
    return Response(drawn, media_type="image/svg+xml")


# Another device


@router.api_route("/device", methods=["GET", "POST"])
async def make_link(request: Request) -> Response:
    """What it is, and a button; then a link that another device can open, also as a QR code."""
    hub, known, address, code, token = hub_of(request), raw_token_of(request), "", "", ""
    if request.method == "POST":
        spend(request, "games")
        progress = (await form_of(request, 5)).get("progress", "")
        progress = f"#progress={progress}" if PROGRESS.fullmatch(progress) else ""
        # Who has solved puzzles alone gets a cookie for the seats to come.
        if token := known or (new_token() if progress else ""):
            made = await hub.store.ask(hub.visitors.new_link, token)
            address = f"{request.base_url}device/{made}{progress}"
            code = await hub.workers.quick(qr_code, address)
    has_seats = known is not None
    response = page(request, "device.html", address=address, code=code, has_seats=has_seats)
    if token and not known:
        set_token(request, response, token)
    return response


@router.get("/device/{code}")
async def confirm_link(code: Code, request: Request) -> Response:
    """Ask on the other device; nothing happens yet."""
    hub, token = hub_of(request), token_of(request)
    if not await hub.store.ask(hub.visitors.is_valid_link, code):
        return page(request, "error.html", 404, **DEAD_LINK)
    own, has_seats = await hub.count_mine(token), token is not None
    return page(request, "device_confirm.html", code=code, own=own, has_seats=has_seats)


@router.post("/device/{code}")
async def use_link(code: Code, request: Request) -> Response:
    """Take the seats: from now on this browser has the same ones, and its own."""
    spend(request, "games")
    hub = hub_of(request)
    token = await hub.use_link(code, token_of(request))
    if token is None:
        return page(request, "error.html", 404, **DEAD_LINK)
    response = RedirectResponse("/games", 303)
    set_token(request, response, token)
    return response


# Erasing


@router.api_route("/forget", methods=["GET", "POST"])
async def forget(request: Request) -> Response:
    """Erase names, seats and links; whoever does not send `sure` is asked first."""
    hub, token = hub_of(request), token_of(request)
    if not (await form_of(request, 5)).get("sure"):
        return page(request, "forget.html", unfinished=await hub.count_mine(token))
    spend(request, "games")
    if token:
        await hub.forget(token)
    response = page(request, "forgotten.html")
    set_token(request, response, "")
    # What the pages' scripts have stored, if no script does it.
    response.headers["Clear-Site-Data"] = '"storage"'
    return response
