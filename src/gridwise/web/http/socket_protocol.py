"""SocketProtocol: uvicorn's side of a WebSocket, for clients that do not read or send too much.

ASGI cannot end a connection to which nothing can be written: uvicorn closes it once everything is
sent, which is never. Here a client that takes nothing for a while is cut off. What waits for a
client is bounded: the kernel's buffer, the transport's (64 kB and one message), and the answers
that `game/listener.py` holds back.

Two things are here for speed. What is sent in one go is written in one go: the change and the
answer to the mover. And reading is not paused for every message, which takes two calls of the
system, but when several are waiting.
"""

from __future__ import annotations

import socket
from asyncio import TimerHandle
from asyncio.transports import BaseTransport
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from gridwise.web.http.rate_limit import TokenBucket, client_at
from gridwise.web.settings import Rate

# Bytes that the kernel holds for a client that does not read; it takes twice as many. By itself it
# would take 4 MB.
SEND_BUFFER = 32_768
# Bytes that are read at once. A frame can have 6 bytes, and takes some 10 us: of the usual 256 kB
# one client could keep everybody waiting for half a second.
READ_SIZE = 2_048
MOST_PIECES = 100  # of a message
# Pings, and pongs that nobody asked for. Browsers send none, libraries one in 20 s or so.
CONTROL_FRAMES = Rate(20, 2)
QUEUED = 8  # messages that wait for the app before no more are read


class SocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def __init__(self, config: Any, **more: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(config=config, **more)
        self._stalled = config.limits.stalled
        self._abort_timer: TimerHandle | None = None
        self._unsent: list[bytes] = []
        self._control_frames = TokenBucket(CONTROL_FRAMES)

    def connection_made(self, transport: BaseTransport) -> None:
        """A client asks for a WebSocket."""
        super().connection_made(transport)
        self.client = unmapped(self.client)
        self.transport.set_write_buffer_limits()
        found = transport.get_extra_info("socket")
        if found is not None:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(transport, "max_size"):  # asyncio's own
            transport.max_size = READ_SIZE

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._cancel_abort()
        self._unsent.clear()
        super().connection_lost(exc)
        # It refers to the connection that refers to it: with its compression that is 60 kB, which
        # would stay until garbage is collected.
        self.conn.parser.close()

    # A client that does not read

    def pause_writing(self) -> None:
        """Nothing more can be sent for now: it has a while to read."""
        super().pause_writing()
        self._abort_later()

    def resume_writing(self) -> None:
        """It has read."""
        if not self.close_sent:
            self._cancel_abort()
        super().resume_writing()

    def keepalive_timeout(self) -> None:
        """It does not answer pings."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops."""
        self._flush()
        try:
            super().shutdown()
        except Exception:  # noqa: BLE001 - one socket must not keep the server from stopping
            self.transport.abort()
        self._abort_later()

    def _abort_later(self) -> None:
        if self._abort_timer is None:
            self._abort_timer = self.loop.call_later(self._stalled, self.transport.abort)

    def _cancel_abort(self) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()
            self._abort_timer = None

    # Sending and receiving

    def data_received(self, data: bytes) -> None:
        """Something has come; answer a handshake that is refused, of which uvicorn is not told.

        `websockets` takes 128 headers and lines of 8 kB, which is less than h11 lets through.
        """
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.close_sent:
            self.handshake_complete = self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    async def send(self, message: Any) -> None:  # noqa: ANN401 - an ASGI message
        """Send what the app sends; at the end of the turn, together with what else it sends."""
        text = message.get("text")
        if text is None or not self._can_send:
            self._flush()
            await super().send(message)
            if message["type"] == "websocket.close":
                self._abort_later()
            elif message["type"] == "websocket.accept":
                # 30 of the 120 objects that a socket keeps alive.
                self.request = self.response = None  # type: ignore[assignment]
            return
        self.conn.send_text(text.encode())
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent += self.conn.data_to_send()

    @property
    def _can_send(self) -> bool:
        is_open = self.handshake_complete and not (self.close_sent or self.disconnected)
        return is_open and self.conn.state is State.OPEN and self.writable.is_set()

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if unsent and not self.transport.is_closing():
            self.transport.write(b"".join(unsent))

    def send_receive_event_to_app(self) -> None:
        """Pass a message on to the app; uvicorn would stop reading until it is taken."""
        if self.read_paused or self.queue.qsize() >= QUEUED:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that it is not paused
        super().send_receive_event_to_app()
        self.read_paused = False

    # A client that sends too much

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message; empty ones would never reach the limit of its size."""
        if len(self.frames) < MOST_PIECES:
            super().handle_cont(event)
        else:
            self._fail("A message in too many pieces.")

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._control_frames.spend():
            self._fail("Too many pings.")
        elif not self.close_sent:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take the answer to a ping, or one that nobody asked for."""
        asked_for = event.data == self.pending_ping_payload
        if not asked_for and self._control_frames.spend():
            self._fail("Too many pongs.")
        else:
            super().handle_pong(event)

    def _fail(self, reason: str) -> None:
        """Close it and say why."""
        if not self.close_sent:
            self.frames = []
            self.conn.fail(1008, reason)
            self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Say what was wrong; before the handshake there is no way to."""
        if self.conn.close_sent is None:
            self.disconnected = True  # the app can send nothing more
            self.transport.abort()
        else:
            super().handle_parser_exception()


def unmapped(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """An IPv4 client of a socket that takes both families, by its IPv4 address."""
    if client is None or not client[0].startswith("::ffff:"):
        return client
    return client_at(client[0]), client[1]
