"""What requests carry: the hub of the app, forms, the cookie that holds seats, who is waiting."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from gridwise.web.errors import Refused
from gridwise.web.game.stored_game import hash_token, new_token
from gridwise.web.hub import GameHub

T = TypeVar("T")

# Under https no other name below the same domain can set it: browsers see to that, by the prefix.
COOKIE, SECURE_COOKIE = "gridwise", "__Host-gridwise"
COOKIE_AGE = 400 * 86_400  # the longest that browsers keep a cookie
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def hub_of(connection: HTTPConnection) -> GameHub:
    """The hub of the app."""
    hub: GameHub = connection.app.state.hub
    return hub


async def form_of(request: Request, most: int) -> dict[str, str]:
    """The fields of the form that was sent, `most` at the most; empty if it is not a POST."""
    if request.method != "POST":  # then nobody has checked how large the body is
        return {}
    async with request.form(max_files=0, max_fields=most) as sent:
        return {name: str(value) for name, value in sent.items()}


def token_of(connection: HTTPConnection) -> str | None:
    """The hash of the token in the cookie, or None for a new visitor."""
    token = raw_token_of(connection)
    return hash_token(token) if token else None


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is cancelled if whoever sent the request disconnects."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refused("You have disconnected.")  # nobody reads this
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _cookie_name(connection: HTTPConnection) -> str:
    return SECURE_COOKIE if connection.scope.get("scheme") in ("https", "wss") else COOKIE


def raw_token_of(connection: HTTPConnection) -> str | None:
    """The token in the cookie itself: only to be handed to another device of its holder."""
    token = connection.cookies.get(_cookie_name(connection), "")
    return token if _TOKEN.fullmatch(token) else None


def set_token(connection: HTTPConnection, response: Response, token: str) -> None:
    """Send a token as a cookie; an empty one removes it."""
    name = _cookie_name(connection)
    response.set_cookie(
        name,
        token,
        max_age=COOKIE_AGE if token else 0,
        httponly=True,
        samesite="lax",
        secure=name == SECURE_COOKIE,
    )


class Visitor:
    """The sender of a request, with a new token if there was none."""

    def __init__(self, connection: HTTPConnection) -> None:
        known = token_of(connection)
        self._new = "" if known else new_token()
        self._connection = connection
        self.token = known or hash_token(self._new)

    def set_cookie(self, response: Response) -> None:
        """Send the token as a cookie, if it is new."""
        if self._new:
            set_token(self._connection, response, self._new)
