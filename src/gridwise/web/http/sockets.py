"""The WebSocket of a game: requests in, states out.

One task reads, one writes. Every message is answered, and only too many or too large ones close the
socket. All sockets of a client share one rate. Messages are ASGI's own: Starlette's WebSocket looks
at each on its way, there and back.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from gridwise.errors import GridwiseError, quoted
from gridwise.web.errors import Refused, TooMany, explain
from gridwise.web.game.commands import COMMANDS
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.snapshot import encode
from gridwise.web.game.subscriber import Subscriber
from gridwise.web.http.dependencies import hub_of, token_of
from gridwise.web.http.messages import EmoteRequest, MoveRequest, PlayerRequest
from gridwise.web.http.rate_limit import client_of, spend
from gridwise.web.settings import ServerLimits
from gridwise.web.telemetry import metrics

TOO_BIG, TOO_MANY, TRY_LATER, NO_GAME = 1009, 1008, 1013, 4404
PATIENCE = 2.0  # seconds that a message may have to wait for its client's turn
_PATH = re.compile(r"/api/games/([^/]+)/socket")
KINDS = ("move", *COMMANDS, "hint", "rematch", "emote", "ping")


class OpenSockets:
    """The open sockets. Who holds no seat gives way to somebody who does."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._games: dict[Subscriber, LiveGame] = {}  # of each socket, the longest open first
        self._counts: Counter[str] = Counter()  # by address

    def __len__(self) -> int:
        return len(self._games)

    def add(self, subscriber: Subscriber, game: LiveGame) -> None:
        """Count one, and close another for it if need be; raises TooMany."""
        own_full = self._counts[subscriber.address] >= self._limits.sockets
        if own_full or len(self) >= self._limits.all_sockets:
            has_seat = game.snapshot.held_by(subscriber.token)
            where = subscriber.address if own_full else None
            spare = self._spare((subscriber.token, game), where) if has_seat else []
            if not spare:
                raise TooMany("Too many open sockets. Close one, or try again later.")
            spare[0].close(TRY_LATER, "The server is full: who watches makes room for players.")
            self.remove(spare[0])
        self._games[subscriber] = game
        self._counts[subscriber.address] += 1

    def remove(self, subscriber: Subscriber) -> None:
        """It is closed, or about to be."""
        if self._games.pop(subscriber, None):
            self._counts[subscriber.address] -= 1
            if not self._counts[subscriber.address]:
                del self._counts[subscriber.address]

    def _spare(self, new: tuple[str | None, LiveGame], address: str | None) -> list[Subscriber]:
        """The sockets that can go, of an address or of the one that has the most of them.

        Those without a seat, and those of a browser that has its game open twice, unless the new
        one is such a socket too: else one with a seat could take all sockets of its address.
        """
        opened = Counter((each.token, game) for each, game in self._games.items())
        most = 1 if new not in opened else len(self)
        by_address: dict[str, list[Subscriber]] = {}
        for each, game in self._games.items():
            needed = game.snapshot.held_by(each.token) and opened[each.token, game] <= most
            if address in (None, each.address) and not needed:
                by_address.setdefault(each.address, []).append(each)
        return max(by_address.values(), key=len, default=[])


class GameSockets:
    """The part of the app that takes sockets.

    It takes them before the framework's layers, which are for requests: they wrap each message,
    and hold on to 80 objects for each socket.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the socket of a game, and pass on everything else."""
        match = scope["type"] == "websocket" and _PATH.fullmatch(scope["path"])
        if match:
            await socket(HTTPConnection(scope), receive, send, match[1])
        else:
            await self._app(scope, receive, send)


async def socket(connection: HTTPConnection, receive: Receive, send: Send, game_id: str) -> None:
    """Watch a game, and play in it with a seat."""
    await receive()  # that somebody wants to connect
    await send({"type": "websocket.accept"})
    hub, sockets = hub_of(connection), connection.app.state.sockets
    picture = connection.query_params.get("picture") == "yes"
    unread, address = hub.settings.limits.unread, client_of(connection)
    subscriber = Subscriber(token_of(connection), unread, picture=picture, address=address)
    try:
        game = await hub.opened(game_id, subscriber.token)
        sockets.add(subscriber, game)
    except Refused as error:
        with suppress(OSError):  # gone already
            await _close(send, NO_GAME if error.status == 404 else TRY_LATER, str(error))
        return
    game.join(subscriber)
    writer = asyncio.create_task(_write(send, game, subscriber))
    try:
        await _read(connection, receive, game, subscriber)
    finally:
        sockets.remove(subscriber)
        game.leave(subscriber)
        subscriber.close(1000, "")
        if subscriber.thinking:
            subscriber.thinking.cancel()  # nobody waits for it any more
        await writer


async def _write(send: Send, game: LiveGame, subscriber: Subscriber) -> None:
    closing = None
    # An error that left the task would keep everything here alive: it has the frames in which it
    # was raised, and the one that waits for the task is among them.
    with suppress(OSError, RuntimeError):  # the socket is closed, by the client or by the server
        while closing is None:
            await subscriber.wait()
            closing = subscriber.closing  # what was answered before it is sent before it
            text = _next_text(game, subscriber)
            while text:
                following = _next_text(game, subscriber)
                await send({"type": "websocket.send", "text": text, "more": bool(following)})
                text = following
        await _close(send, *closing)


def _next_text(game: LiveGame, subscriber: Subscriber) -> str:
    """What is to be sent next; the state that a request leads to comes before its answer."""
    snapshot, presence = game.snapshot, game.audience.presence
    state = "" if game.dropped else subscriber.next_state(snapshot, presence)
    return state or subscriber.next_presence(snapshot, presence) or subscriber.next_answer()


async def _close(send: Send, code: int, reason: str) -> None:
    await send({"type": "websocket.close", "code": code, "reason": reason})


async def _read(
    connection: HTTPConnection, receive: Receive, game: LiveGame, subscriber: Subscriber
) -> None:
    limits = hub_of(connection).settings.limits
    limiter, client = connection.app.state.rate_limiter, client_of(connection)
    while subscriber.closing is None:
        received = await receive()
        if received["type"] != "websocket.receive":
            return
        raw = received.get("text") or received.get("bytes") or b""
        if len(raw) > limits.message:
            metrics.REFUSALS.labels("too-large").inc()
            subscriber.close(TOO_BIG, f"A message can have at most {limits.message:,} bytes.")
            return
        try:
            wait = limiter.spend("messages", client, PATIENCE)
        except TooMany:
            metrics.REFUSALS.labels("too-many").inc()
            subscriber.close(TOO_MANY, "Too many messages. Connect again, and send fewer.")
            return
        if wait:  # slower, but not closed: a class behind one address goes on
            await asyncio.sleep(wait)
        await _answer(connection, game, subscriber, raw)


async def _answer(
    connection: HTTPConnection, game: LiveGame, subscriber: Subscriber, raw: str | bytes
) -> None:
    """Do what a message asks for, or answer what is wrong with it."""
    try:
        message = _object(raw)
    except GridwiseError as error:
        subscriber.answer(encode(_refusal(error)))
        return
    work = _respond(connection, game, subscriber, message)
    if message["type"] != "hint":
        await work
        return
    # It may take seconds: what is sent meanwhile is answered, and a socket that closes is noticed.
    if subscriber.thinking:
        await subscriber.thinking  # one at a time
    subscriber.thinking = asyncio.create_task(work)


async def _respond(
    connection: HTTPConnection, game: LiveGame, subscriber: Subscriber, message: dict[str, Any]
) -> None:
    try:
        answer = await _handle(connection, game, subscriber, message)
    except (ValidationError, GridwiseError) as error:
        answer = _refusal(error, message.get("ref"))
    subscriber.answer(encode(answer))


def _refusal(error: Exception, ref: object = None) -> dict[str, Any]:
    _, kind, text = explain(error)
    ref = ref if isinstance(ref, str) else None
    metrics.REFUSALS.labels(kind).inc()
    # Not the state of a stale one: whoever is connected has it, or gets it in a moment.
    return {"type": "refused", "ref": ref, "kind": kind, "message": text}


def _object(raw: str | bytes) -> dict[str, Any]:
    try:
        message = from_json(raw)
    except ValueError:
        raise Refused("The message is not JSON.") from None
    kind = message.get("type") if isinstance(message, dict) else None
    if kind not in KINDS:
        got = f", not {quoted(str(kind))}" if kind is not None else ""
        raise Refused(f"A message is an object whose type is one of {', '.join(KINDS)}{got}.")
    return message  # type: ignore[no-any-return]


async def _handle(
    connection: HTTPConnection, game: LiveGame, subscriber: Subscriber, message: dict[str, Any]
) -> dict[str, Any]:
    """The answer to the sender; everybody else hears of it from the game."""
    kind, token = message.pop("type"), subscriber.token
    if kind == "ping":
        return {"type": "pong"}
    if kind == "emote":
        said = EmoteRequest.model_validate(message)
        game.emote(token, said.emote)
        return {"type": "done", "ref": said.ref, "version": game.snapshot.version}
    request = (MoveRequest if kind == "move" else PlayerRequest).model_validate(message)
    version, ref = request.version, request.ref
    if kind == "hint":
        spend(connection, "thinking")
        suggestion = await game.hint(token, version, ref)
        return {"type": "hint", "ref": ref, **suggestion.data}
    if kind == "rematch":
        spend(connection, "games")
        next_id = await game.rematch(token, version, ref)
        url = f"/g/{next_id}" if next_id else None  # none while the other is asked
        return {"type": "rematch", "ref": ref, "id": next_id or None, "url": url}
    move = request.move if isinstance(request, MoveRequest) else ""
    if not await game.request(kind, token, version, ref, move):
        subscriber.send_state()  # the answer was lost the first time
    return {"type": "done", "ref": ref, "version": game.snapshot.version}
