"""What requests carry: the hall they come into, and the cookie that holds seats."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection
from starlette.responses import Response

from gridwise.web.hall import Hall
from gridwise.web.kept import hashed, new_token

COOKIE = "gridwise"
FOR_LONG = 400 * 86_400  # as long as browsers keep a cookie
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def hall_of(connection: HTTPConnection) -> Hall:
    """The hall of the app."""
    hall: Hall = connection.app.state.hall
    return hall


def player_of(connection: HTTPConnection) -> str | None:
    """Who asks: the hash of the token in the cookie, or None for somebody new."""
    token = connection.cookies.get(COOKIE, "")
    return hashed(token) if _TOKEN.fullmatch(token) else None


class Badge:
    """Who asks, with a new token if there was none; `pin` puts it on the answer."""

    def __init__(self, connection: HTTPConnection) -> None:
        known = player_of(connection)
        self._new = None if known else new_token()
        self._secure = connection.url.scheme == "https"
        self.token = known or hashed(self._new or "")

    def pin(self, response: Response) -> None:
        """Set the cookie, if it is new."""
        if self._new:
            response.set_cookie(
                COOKIE,
                self._new,
                max_age=FOR_LONG,
                httponly=True,
                samesite="lax",
                secure=self._secure,
            )
