"""Guard: stands before the app, and looks at every request and socket before anybody else does.

It refuses what comes from other sites' pages, what is too large and what comes too often, and puts
the security headers on every answer. What is behind it may rely on that.
"""

from __future__ import annotations

import logging
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridwise.errors import GridwiseError
from gridwise.web.rates import Rates, client_of
from gridwise.web.refusals import NotYours, Refused, TooLarge, TooMany
from gridwise.web.settings import Limits

log = logging.getLogger("gridwise.web")

SAFE = ("GET", "HEAD", "OPTIONS")
TRY_LATER = 1013

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # The address of a game is the key to its free seat: it is told to no other site.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """The first that sees a request, and the last that sees an answer."""

    def __init__(self, app: ASGIApp, limits: Limits, rates: Rates) -> None:
        self._app = app
        self._limits = limits
        self._rates = rates
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it in, or say why not."""
        if scope["type"] == "http":
            await self._request(scope, receive, _with_headers(scope, send))
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        try:
            self._rates.spend("requests", client_of(connection))
            if scope["method"] not in SAFE:
                _check_origin(connection)
                receive = await self._whole_body(connection, receive)
        except Refused as error:
            await _answer(GridwiseError, error, scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if begun:
                raise
            # Further out it would be answered without the headers, and the connection closed.
            log.exception("Could not answer a request")  # whose address may be a seat's key
            await _answer(Exception, error, scope, receive, send)

    async def _whole_body(self, connection: HTTPConnection, receive: Receive) -> Receive:
        """Read the body, which is small or refused; whoever comes next finds it in one piece."""
        most = self._limits.body
        refused = TooLarge(f"A request has at most {most:,} bytes.")
        told = connection.headers.get("content-length", "0")
        if told.isdecimal() and int(told[:20]) > most:
            raise refused
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                raise refused
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        return replay

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        client = client_of(connection)
        try:
            _check_origin(connection)
            self._rates.spend("requests", client)
            self._check_room(client)
        except TooMany as error:
            # A page is told why only on a socket that is open.
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_LATER, "reason": str(error)})
            return
        except Refused:
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # the handshake is refused
            return
        self._sockets[client] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[client] -= 1
            if not self._sockets[client]:
                del self._sockets[client]

    def _check_room(self, client: str) -> None:
        limits = self._limits
        if self._sockets[client] >= limits.sockets or self._sockets.total() >= limits.all_sockets:
            raise TooMany("Too many open sockets. Close one, or try again later.")


async def _answer(
    kind: type[Exception], error: Exception, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer as the app does: with a page for whoever wants one, and JSON for programs."""
    request = Request(scope)
    response = await request.app.exception_handlers[kind](request, error)
    await response(scope, receive, send)


def _check_origin(connection: HTTPConnection) -> None:
    """Browsers say which page sends a request; other programs need not."""
    origin = connection.headers.get("origin")
    if origin is None:
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        host = ""
    if not host or host.casefold() != connection.headers.get("host", "").casefold():
        raise NotYours("This came from a page of another site, and was not done.")


def _with_headers(scope: Scope, send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if scope["path"].startswith("/api/"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
