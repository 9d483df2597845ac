"""SecurityMiddleware: checks every request and socket before the app sees it.

It refuses cross-site requests and what is too large or too frequent, and adds the security headers
to every response. The code behind it may rely on that.
"""

from __future__ import annotations

import logging
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridwise.web.errors import NotYours, Refused, TooLarge, TooMany
from gridwise.web.http.rate_limit import RateLimiter, client_of
from gridwise.web.settings import ServerLimits

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
    # The address of a game is the key to its free seat: other sites must not learn it.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityMiddleware:
    """The outermost layer of the app but for compression."""

    def __init__(self, app: ASGIApp, limits: ServerLimits, rate_limiter: RateLimiter) -> None:
        self._app = app
        self._limits = limits
        self._rate_limiter = rate_limiter
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the app, or refuse it."""
        if scope["type"] == "http":
            await self._request(scope, receive, _with_headers(scope, send))
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        try:
            self._rate_limiter.spend("requests", client_of(connection))
            if scope["method"] not in SAFE:
                _check_origin(connection)
                receive = await self._whole_body(connection, receive)
        except Refused as error:
            await _answer(error, scope, receive, send)
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
            log.exception("Could not answer a request")  # its address may be a secret
            await _answer(error, scope, receive, send)

    async def _whole_body(self, connection: HTTPConnection, receive: Receive) -> Receive:
        """Read the body, which is small or refused; the app then gets it in one piece."""
        most = self._limits.body
        refused = TooLarge(f"A request can have at most {most:,} bytes.")
        length = connection.headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > most:
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
            self._rate_limiter.spend("requests", client)
            most, all_most = self._limits.sockets, self._limits.all_sockets
            if self._sockets[client] >= most or self._sockets.total() >= all_most:
                raise TooMany("Too many open sockets. Close one, or try again later.")
        except Refused as error:
            await receive()
            code = 1008  # the handshake is refused
            if isinstance(error, TooMany):
                # A page can read the reason only on a socket that was accepted.
                await send({"type": "websocket.accept"})
                code = TRY_LATER
            await send({"type": "websocket.close", "code": code, "reason": str(error)})
            return
        self._sockets[client] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[client] -= 1
            if not self._sockets[client]:
                del self._sockets[client]


async def _answer(error: Exception, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as the app does: with a page for browsers, and JSON for programs."""
    request = Request(scope)
    response = await request.app.exception_handlers[Exception](request, error)
    await response(scope, receive, send)


def _check_origin(connection: HTTPConnection) -> None:
    """Raise NotYours for a cross-site request. Browsers send an Origin; other programs need not."""
    origin = connection.headers.get("origin")
    if origin is None:
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        host = ""
    if not host or host.casefold() != connection.headers.get("host", "").casefold():
        raise NotYours("Refused: cross-site request.")


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
