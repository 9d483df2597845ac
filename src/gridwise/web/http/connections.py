"""Connections: how many there are, and how long each may take.

Uvicorn waits for ever for the first request of a connection and for the rest of a body, and takes
as many connections as come; a thousand silent ones left nothing for anybody else. Here

- a request has `header_time` seconds to arrive and its body `body_time`, however slowly they drip,
  and what was sent has to be read within `unread_time`;
- there are at most `all_connections`, which is kept below the number of files the process may open:
  for one more, the one that has waited longest for its client is closed. Silent ones go, and
  whoever sends a request gets in;
- of all connections from one address, one part of a request is looked at in a turn of the loop.

A reverse proxy does all of this for its visitors; for it alone there are no turns here.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from gridwise.web.http.rate_limit import client_at
from gridwise.web.http.socket_protocol import SocketProtocol, unmapped
from gridwise.web.settings import ServerSettings
from gridwise.web.telemetry import metrics
from gridwise.web.workers.pacing import Pacer

# Bytes that are read at once. A chunk of a body can have 6 bytes, and takes some 15 us: of the
# usual 256 kB one request could keep everybody waiting for half a second.
READ_SIZE = 4_096
# Pieces of a body: chunks, or what was read at once. Beyond that no more of it is read, even if it
# was answered already.
MOST_PIECES = 50
ACCEPTED = 16  # connections accepted at once; some 5 times as many are open before one is seen


class GuardedConfig(uvicorn.Config):
    """How Uvicorn serves the app: with connections that are counted and timed."""

    def __init__(self, app: FastAPI, settings: ServerSettings, **more: Any) -> None:  # noqa: ANN401 - as uvicorn.Config
        self.limits = limits = settings.limits
        self.app_state = app.state
        self._pacer = Pacer(each=True)
        self.waiting: dict[GuardedHttp, None] = {}  # for their clients, the longest first
        # Addresses of proxies, as far as they are written out, have the connections of everybody.
        self._unpaced = {"", *map(client_at, settings.trusted_proxies)}
        super().__init__(
            app,
            http=GuardedHttp,
            ws=SocketProtocol,
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

    def read_in_turn(
        self, protocol: GuardedHttp | SocketProtocol, client: tuple[str, int] | None, data: bytes
    ) -> None:
        """Let a protocol take what has come from a client when it is the client's turn."""
        who = client_at(client[0]) if client else ""
        if who in self._unpaced:
            protocol.take(data)
        elif not self._pacer.take(who, lambda: protocol.take(data)):
            protocol.transport.pause_reading()


class RequestParser(h11.Connection):
    """Takes requests apart; a body in too many pieces, or of two lengths, is a wrong one."""

    _pieces = 0

    def next_event(self) -> Any:  # noqa: ANN401 - as h11's, whose sentinels have no common type
        """The next part of a request."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > MOST_PIECES:
                raise h11.RemoteProtocolError("too many pieces")
        elif isinstance(event, h11.Request):
            self._pieces = 0
            # A proxy may believe the other one, and take half of a body for the next request.
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("two lengths of a body")
        return event


class GuardedHttp(H11Protocol):
    """A connection on which requests come."""

    config: GuardedConfig

    def __init__(self, *args: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn's
        super().__init__(*args, **more)
        self.conn = RequestParser(h11.SERVER)
        # Anybody can send garbage, as often as they like: it is counted, not logged.
        self.logger = logging.getLogger("uvicorn.error.http")
        self.logger.setLevel(logging.ERROR)
        self._stage = ""  # what has to happen in time
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it, and close another if there are too many."""
        super().connection_made(transport)
        self.client = unmapped(self.client)
        if hasattr(transport, "max_size"):  # asyncio's own
            transport.max_size = READ_SIZE
        transport.set_write_buffer_limits(0)  # to hear of all that is not read
        if len(self.connections) > self.config.limits.all_connections:
            metrics.CLOSED.labels("full").inc()
            next(iter(self.config.waiting), self).abort()
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something of a request has come."""
        self.config.read_in_turn(self, self.client, data)

    def take(self, data: bytes) -> bool:
        """Look at something that has come; whether there was still a reason to."""
        if self.transport.is_closing():
            return False
        if not self.flow.read_paused:
            self.transport.resume_reading()
        super().data_received(data)
        self._note()
        return True

    def on_response_complete(self) -> None:
        """A request is answered; another may follow."""
        super().on_response_complete()
        self._note(between=True)

    def pause_writing(self) -> None:
        """Not all that was sent is read."""
        super().pause_writing()
        self._note()

    def resume_writing(self) -> None:
        """All is read."""
        super().resume_writing()
        self._note()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a WebSocket."""
        super().handle_websocket_upgrade(event)
        self._forget()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; after an answer there is no way to say so."""
        metrics.REFUSALS.labels("bad-request").inc()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.abort()

    def _note(self, *, between: bool = False) -> None:
        """Note what has to happen in time; `between` two requests Uvicorn sees to that."""
        if self not in self.connections:  # it is closed, or a WebSocket
            return
        state, limits, stage, seconds = self.conn.their_state, self.config.limits, "", 0.0
        if self.flow.write_paused:
            stage, seconds = "read", limits.unread_time
        elif state is h11.SEND_BODY:
            stage, seconds = "body", limits.body_time
        elif state is h11.IDLE and not between:
            stage, seconds = "headers", limits.header_time
        if stage or state is h11.IDLE:
            self.config.waiting.setdefault(self)
        else:
            self.config.waiting.pop(self, None)
        if stage != self._stage:
            self._stage = stage
            if self._deadline:
                self._deadline.cancel()
            self._deadline = self.loop.call_later(seconds, self._give_up) if stage else None

    def _give_up(self) -> None:
        metrics.CLOSED.labels("slow").inc()
        self.abort()

    def abort(self) -> None:
        """Close it at once."""
        self.transport.abort()
        self._forget()

    def _forget(self) -> None:
        self.config.waiting.pop(self, None)
        if self._deadline:
            self._deadline.cancel()
