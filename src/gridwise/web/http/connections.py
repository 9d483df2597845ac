"""Connections: how many there are, whose they are, and how long each may take.

Uvicorn waits for ever for the first request of a connection and for the rest of a body, and takes
as many connections as come; a thousand silent ones left nothing for anybody else. Here

- a request has `header_time` seconds to arrive and its body `body_time`, however slowly they drip;
- what was sent has to be read within `unread_time`, and a close does not wait for the other side;
- a client has at most `connections`, and all clients have at most `all_connections`, which is kept
  below the number of files the process may open. Beyond that the connection that has been idle for
  longest is closed to make room: silent ones go, and whoever sends a request gets in.

A reverse proxy is one address with the connections of everybody. A connection does not count for
its address once a request on it has an X-Forwarded-For header and comes from a trusted proxy.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from gridwise.web.http.rate_limit import client_at
from gridwise.web.http.socket_protocol import SocketProtocol
from gridwise.web.settings import ServerLimits, Settings
from gridwise.web.telemetry import metrics

SWEEP = 1.0  # seconds between looks at all connections; 5,000 take 4 ms
CLOSING = 5.0  # seconds that a closed connection has to be read to its end
REFUSALS = 50  # connections at once that are told why they are refused
# Bytes that are read at once. A chunk of a body can have 6 bytes, and takes some 5 us: of the usual
# 256 kB one request could keep everybody waiting for a quarter of a second.
READ_SIZE = 4_096
MOST_CHUNKS = 500  # of a body, of which 16 kB are taken
UNWANTED = 65_536  # bytes of a body that are still read after the answer, to keep the connection
LINGER = 1.0  # seconds to read the answer before a connection with an unread body is reset
ACCEPTED = 16  # connections accepted at once; some 5 times as many are open before one is seen

TIMEOUT = "The request did not arrive in time."
FULL = "Too many connections. Close some, or try again later."


class Stage(Enum):
    """What a connection waits for."""

    IDLE = auto()  # another request
    HEADERS = auto()  # the rest of a request, or the first one
    BODY = auto()
    ANSWER = auto()  # nothing from the client
    SOCKET = auto()  # it is a WebSocket


@dataclass(eq=False, slots=True)
class Connection:
    """One connection of a client."""

    transport: asyncio.Transport
    client: str
    since: float  # when its stage began
    stage: Stage = Stage.HEADERS
    counted: bool = True  # for its address
    refused: bool = False
    unread_since: float = 0.0  # when something was first left unsent; 0 if all is sent
    closing_since: float = 0.0

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it."""
        return self.stage in (Stage.IDLE, Stage.HEADERS)


class Connections:
    """The open connections of a process."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._open: dict[asyncio.BaseTransport, Connection] = {}
        self._counts: dict[str, int] = {}
        # By client, in the order in which they became idle.
        self._idle: dict[Connection, None] = {}
        self._idle_of: dict[str, dict[Connection, None]] = {}
        self._refused = 0
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def add(self, transport: asyncio.Transport, host: str) -> Connection:
        """A new connection. It may be `refused`, or another one is closed for it."""
        loop = asyncio.get_running_loop()
        connection = Connection(transport, client_at(host), loop.time())
        count = self._counts.get(connection.client, 0)
        if count >= self._limits.connections:
            connection.refused = not self._close_first(self._idle_of.get(connection.client))
        elif len(self._open) - self._refused >= self._limits.all_connections:
            connection.refused = not self._close_first(self._idle)
        self._open[transport] = connection
        if connection.refused:
            connection.counted = False
            self._refused += 1
        else:
            self._counts[connection.client] = self._counts.get(connection.client, 0) + 1
            self._note_idle(connection)
        if self._timer is None:
            self._timer = loop.call_later(SWEEP, self._sweep)
        return connection

    @property
    def many_refused(self) -> bool:
        """Whether there is no room left for those that are told why they are refused."""
        return self._refused > REFUSALS

    def of(self, transport: asyncio.BaseTransport) -> Connection:
        """The connection of a transport."""
        return self._open[transport]

    def enter(self, connection: Connection, stage: Stage) -> None:
        """Note what a connection waits for now."""
        if stage is connection.stage or connection.refused:
            return
        self._forget_idle(connection)
        connection.stage = stage
        connection.since = asyncio.get_running_loop().time()
        if connection.idle:
            self._note_idle(connection)

    def exempt(self, connection: Connection) -> None:
        """It is a proxy's: it does not count for its address."""
        if connection.counted:
            self._uncount(connection)

    def remove(self, transport: asyncio.BaseTransport) -> None:
        """A connection is closed."""
        connection = self._open.pop(transport, None)
        if connection is None:
            return
        self._refused -= connection.refused
        if connection.counted:
            self._uncount(connection)
        self._forget_idle(connection)

    def _uncount(self, connection: Connection) -> None:
        connection.counted = False
        self._counts[connection.client] -= 1
        if not self._counts[connection.client]:
            del self._counts[connection.client]
        self._idle_of.get(connection.client, {}).pop(connection, None)

    def _note_idle(self, connection: Connection) -> None:
        self._idle[connection] = None
        if connection.counted:
            self._idle_of.setdefault(connection.client, {})[connection] = None

    def _forget_idle(self, connection: Connection) -> None:
        self._idle.pop(connection, None)
        own = self._idle_of.get(connection.client)
        if own is not None:
            own.pop(connection, None)
            if not own:
                del self._idle_of[connection.client]

    def _close_first(self, idle: dict[Connection, None] | None) -> bool:
        """Close the one that has been idle for longest; whether there was one."""
        if not idle:
            return False
        connection = next(iter(idle))
        metrics.CLOSED.labels("full").inc()
        connection.transport.abort()
        self.remove(connection.transport)  # its place is free at once
        return True

    def _sweep(self) -> None:
        """Close what is overdue."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._open.values()):
            self._check(connection, now)
        self._timer = loop.call_later(SWEEP, self._sweep) if self._open else None

    def _check(self, connection: Connection, now: float) -> None:
        transport, limits = connection.transport, self._limits
        if not transport.get_write_buffer_size():
            connection.unread_since = 0.0
        elif not connection.unread_since:
            connection.unread_since = now
        elif now - connection.unread_since > limits.unread_time:
            transport.abort()
            return
        if transport.is_closing():
            connection.closing_since = connection.closing_since or now
            if now - connection.closing_since > CLOSING:
                transport.abort()
        elif connection.refused:
            transport.abort()
        else:
            self._check_stage(connection, now - connection.since)

    def _check_stage(self, connection: Connection, waited: float) -> None:
        transport, stage = connection.transport, connection.stage
        if waited <= (self._limits.body_time if stage is Stage.BODY else self._limits.header_time):
            return
        protocol = transport.get_protocol()
        if stage is Stage.HEADERS:
            _answer(transport, 408, TIMEOUT)
        elif stage is Stage.BODY:
            if isinstance(protocol, GuardedHttp) and protocol.begun:
                transport.abort()
            else:
                _answer(transport, 408, TIMEOUT)
        elif isinstance(protocol, GuardedSocket) and not protocol.handshake_complete:
            transport.abort()


def _answer(transport: asyncio.Transport, status: int, message: str) -> None:
    """Say why a connection is closed, and close it."""
    metrics.CLOSED.labels("slow" if status == 408 else "full").inc()
    phrase = {408: "Request Timeout", 503: "Service Unavailable"}[status]
    head = f"HTTP/1.1 {status} {phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
    length = f"Content-Length: {len(message) + 1}\r\nConnection: close\r\nRetry-After: 10\r\n\r\n"
    transport.write(f"{head}{length}{message}\n".encode())
    transport.close()


class GuardedConfig(uvicorn.Config):
    """How Uvicorn serves the app: with connections that are counted and timed."""

    def __init__(self, app: FastAPI, settings: Settings, **more: Any) -> None:  # noqa: ANN401 - as uvicorn.Config
        limits = settings.limits
        self.open_connections = app.state.connections = Connections(limits)
        self.stalled = limits.stalled
        self._trusted = [ipaddress.ip_network(each) for each in settings.trusted_proxies]
        super().__init__(
            app,
            http=GuardedHttp,
            ws=GuardedSocket,
            ws_max_size=4 * limits.message,
            ws_ping_interval=limits.ping_interval,
            ws_ping_timeout=limits.ping_time,
            timeout_keep_alive=limits.idle_time,
            forwarded_allow_ips=list(settings.trusted_proxies),
            backlog=ACCEPTED,
            access_log=False,
            lifespan="on",
            **more,
        )

    def trusts(self, host: str) -> bool:
        """Whether an address is that of a trusted proxy."""
        address = ipaddress.ip_address(host)
        return any(address in network for network in self._trusted)


class RequestParser(h11.Connection):
    """Takes requests apart; a body in too many chunks, or of two lengths, is a wrong one."""

    _chunks = 0

    def next_event(self) -> Any:  # noqa: ANN401 - as h11's, whose sentinels have no common type
        """The next part of a request."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._chunks += 1
            if self._chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("too many chunks")
        elif isinstance(event, h11.Request):
            self._chunks = 0
            # A proxy may believe the other one, and take half of a body for the next request.
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("two lengths of a body")
        return event


class GuardedHttp(H11Protocol):
    """A connection on which requests come."""

    config: GuardedConfig
    connection: Connection

    def __init__(self, *args: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn's
        super().__init__(*args, **more)
        self.conn = RequestParser(h11.SERVER)
        # Anybody can send garbage, as often as they like: it is counted, not logged.
        self.logger = logging.getLogger("uvicorn.error.http")
        self.logger.setLevel(logging.ERROR)
        self._unwanted = 0  # bytes of a body that came after the answer

    @property
    def begun(self) -> bool:
        """Whether the response to the present request has begun."""
        return self.cycle is not None and self.cycle.response_started

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, and refuse it if there is no room."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):  # asyncio's own
            transport.max_size = READ_SIZE
        self.client = _unmapped(self.client)
        connections = self.config.open_connections
        self.connection = connections.add(transport, self.client[0] if self.client else "")
        if self.connection.refused and connections.many_refused:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        self.config.open_connections.remove(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something of a request has come."""
        if self.connection.refused:  # its request is read, or the system would drop the answer
            _answer(self.transport, 503, FULL)
            return
        super().data_received(data)
        if self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            self._unwanted += len(data)
            if self._unwanted > UNWANTED:
                self._hang_up()
        else:
            self._unwanted = 0
        self._note(Stage.HEADERS)

    def _hang_up(self) -> None:
        """Read no more; what was answered can still be read."""
        self.flow.pause_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; after an answer there is no way to say so."""
        metrics.REFUSALS.labels("bad-request").inc()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """A request is answered; another may follow."""
        super().on_response_complete()
        self._note(Stage.IDLE)

    def _note(self, between: Stage) -> None:
        """Note what is waited for; `between` two requests it is for the caller to say."""
        if self.connection.stage is Stage.SOCKET:
            return
        state = self.conn.their_state
        if state is h11.IDLE:
            stage = between
        else:
            stage = Stage.BODY if state is h11.SEND_BODY else Stage.ANSWER
            self._check_proxy()
        self.config.open_connections.enter(self.connection, stage)

    def _check_proxy(self) -> None:
        if (
            self.connection.counted
            and any(name == b"x-forwarded-for" for name, _ in self.headers or ())
            and self.client
            and self.config.trusts(self.client[0])
        ):
            self.config.open_connections.exempt(self.connection)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a WebSocket."""
        self._check_proxy()
        self.config.open_connections.enter(self.connection, Stage.SOCKET)
        super().handle_websocket_upgrade(event)


class GuardedSocket(SocketProtocol):
    """A connection that has become a WebSocket."""

    config: GuardedConfig

    def __init__(self, config: GuardedConfig, **more: Any) -> None:  # noqa: ANN401 - as uvicorn's
        super().__init__(config=config, stalled=config.stalled, **more)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It was counted when it was opened."""
        super().connection_made(transport)
        self.client = _unmapped(self.client)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        self.config.open_connections.remove(self.transport)
        super().connection_lost(exc)


def _unmapped(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """An IPv4 client of a socket that takes both families, by its IPv4 address."""
    if client is None or not client[0].startswith("::ffff:"):
        return client
    return client_at(client[0]), client[1]
