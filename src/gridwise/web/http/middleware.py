"""SecurityMiddleware: checks every request and socket before the app sees it.

It refuses cross-site requests and what is too large or too frequent, and adds the security headers
to every response. The code behind it may rely on that.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridwise.errors import quoted
from gridwise.web.errors import NotYours, Refused, RequestTooLarge, TooMany, Unavailable, WrongHost
from gridwise.web.http.dependencies import token_of
from gridwise.web.http.rate_limit import RateLimiter, client_of
from gridwise.web.settings import ServerSettings
from gridwise.web.telemetry import logs, metrics
from gridwise.web.workers.fair_queue import Asker, asker
from gridwise.web.workers.pacing import Pacer

log = logging.getLogger("gridwise.web")

METHODS = ("GET", "HEAD", "OPTIONS", "POST")
SAFE = ("GET", "HEAD", "OPTIONS")
# Whoever watches the server can ask these, however much others behind the same address ask.
PROBES = ("/health", "/ready", "/metrics")
TRY_LATER = 1013
LONGEST_HOST = 253  # characters; of a name that a computer can have
# Pages with lists of games count as so many requests: that is how much longer they take, measured
# with 50 unfinished games.
COSTS = {"/": 3, "/games": 4}

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
# Scripts and styles: what is about pages says nothing there, and comes with each of ten files.
FILE_HEADERS = {
    name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
}


class SecurityMiddleware:
    """The outermost layer of the app but for compression."""

    def __init__(
        self, app: ASGIApp, settings: ServerSettings, rate_limiter: RateLimiter, pacer: Pacer
    ) -> None:
        self._app = app
        self._limits = settings.limits
        self._hosts = frozenset(host.casefold() for host in settings.allowed_hosts)
        self._rate_limiter = rate_limiter
        self._pacer = pacer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the app, or refuse it."""
        if scope["type"] == "http":
            await self._measured(scope, receive, send)
        elif scope["type"] == "websocket":
            try:
                await self._checked(scope, receive, send)
            except asyncio.CancelledError:
                if not _is_cancelled():
                    raise
        else:
            await self._app(scope, receive, send)

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with an id for the log, and count how long it took."""
        begun, status, made = time.perf_counter(), 499, logs.new_request_id()

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(MutableHeaders(scope=message), scope["path"])
                MutableHeaders(scope=message)["X-Request-ID"] = made
            await send(message)

        try:
            await self._checked(scope, receive, answer)
        except asyncio.CancelledError:
            if not _is_cancelled():
                raise
            if status == 499:  # nothing was sent yet
                stopping = Unavailable("The server is stopping. Try again in a moment.")
                await _answer(stopping, scope, receive, answer)
        except Exception as error:
            if status != 499:
                raise
            # Further out it would be answered without the headers, and the connection closed.
            log.exception("Could not answer a request")  # its address may be a secret
            await _answer(error, scope, receive, answer)
        seconds = time.perf_counter() - begun
        method = scope["method"] if scope["method"] in METHODS else "other"
        route = _route(scope)
        metrics.REQUESTS.labels(method, route, status).observe(seconds)
        fields = {"method": method, "route": route, "status": status, "ms": round(seconds * 1e3, 1)}
        log.info("Request", extra={"fields": fields})

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a socket on to the app if it is in order, or refuse it."""
        connection = HTTPConnection(scope)
        client, path, method = client_of(connection), scope["path"], scope.get("method")
        asker.set(Asker(client, token_of(connection) or ""))
        try:
            what = _counted_as(path) if method else "requests"
            # First: it limits refusals as well.
            self._rate_limiter.spend(what, client, count=COSTS.get(path, 1))
            if path not in ("/health", "/ready"):  # balancers ask by address
                self._check_host(connection)
            if method not in SAFE:
                _check_origin(connection)
                if method:
                    receive = await self._whole_body(connection, receive)
        except Refused as error:
            # Refusing takes time too, half a millisecond: at once, a client that does not care is
            # refused 1,500 times a second, and everybody else waits for that.
            if isinstance(error, TooMany) and await self._leaves_in_pause(receive):
                return
            await self._pacer.turn(client)  # many were paused for as long
            await (_answer(error, scope, receive, send) if method else _close(error, send))
            return
        except ClientDisconnect:  # half a request is none
            return
        await self._pacer.turn(client)
        await self._app(scope, receive, send)

    async def _leaves_in_pause(self, receive: Receive) -> bool:
        """Pause before a refusal; whether the client has gone, so that nobody waits for it.

        The body is dropped, but no more of it is read than a request may have.
        """
        pause, dropped = self._limits.refusal_pause, 0
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):
                while dropped <= self._limits.body:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return True
                    dropped += len(message.get("body", b""))
                await asyncio.sleep(pause)
        return False

    def _check_host(self, connection: HTTPConnection) -> None:
        """Raise WrongHost for a name that is not ours.

        A page of another site can make its own name point here (DNS rebinding); to the browser it
        would be the same site, and could read everything.
        """
        name = connection.headers.get("host", "").casefold()
        name = re.sub(r":[0-9]{0,5}$", "", name)
        known = not self._hosts or name in self._hosts
        below = (each[1:] for each in self._hosts if each.startswith("*"))
        if len(name) <= LONGEST_HOST and (known or name.endswith(tuple(below))):
            return
        raise WrongHost(
            f"This server is not known as {quoted(name)}. "
            f"Its operator can allow that name: gridwise serve --allowed-host NAME"
        )

    async def _whole_body(self, connection: HTTPConnection, receive: Receive) -> Receive:
        """Read the body, which is small or refused; the app then gets it in one piece."""
        most = self._limits.body
        refused = RequestTooLarge(f"A request can have at most {most:,} bytes.")
        length = connection.headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > most:
            raise refused
        body = b""
        async for part in Request(connection.scope, receive).stream():
            body += part
            if len(body) > most:
                raise refused
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        return replay


def _is_cancelled() -> bool:
    """Whether this task is cancelled, and not merely something that it waited for.

    Uvicorn does that when a server that stops has waited long enough, and would log each with a
    traceback of 3 kB.
    """
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _answer(error: Exception, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as the app does: with a page for browsers, and JSON for programs."""
    request = Request(scope)
    response = await request.app.exception_handlers[Exception](request, error)
    await response(scope, receive, send)


async def _close(error: Refused, send: Send) -> None:
    """Refuse a socket; a page can read why only on one that was accepted."""
    if isinstance(error, TooMany):
        await send({"type": "websocket.accept"})
    code = TRY_LATER if isinstance(error, TooMany) else 1008
    await send({"type": "websocket.close", "code": code, "reason": str(error)})


def _counted_as(path: str) -> str:
    """Which rate limit counts a request for a path."""
    if path in PROBES:
        return "probes"
    return "static" if path.startswith("/static/") else "requests"


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


def _route(scope: Scope) -> str:
    """The template of the path: the path itself may have a secret in it."""
    template = getattr(scope.get("route"), "path", None)
    if template is None and scope["path"].startswith("/static/"):
        return "/static"
    return str(template or "none")


def _add_headers(headers: MutableHeaders, path: str) -> None:
    """Add the security headers to an answer, unless it has its own."""
    static = path.startswith("/static/")
    for name, value in (FILE_HEADERS if static else HEADERS).items():
        headers.setdefault(name, value)
    if path.startswith("/api/"):
        headers.setdefault("Cache-Control", "no-store")
