"""SocketProtocol: uvicorn's side of a WebSocket, for clients that do not read or send too much.

ASGI cannot end a connection to which nothing can be written: uvicorn closes it once everything is
sent, which is never. Here a client that takes nothing for a while is cut off. What waits for a
client is bounded: the kernel's buffer, one message, and the answers that `game/subscriber.py` holds
back.

What a client sends is read in small parts, one in each turn of the loop however many sockets it
has, but for those of a trusted proxy itself. A proxy passes all of this on: nothing here is done by
it.
"""

from __future__ import annotations

import socket
from asyncio import TimerHandle
from asyncio.transports import BaseTransport
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import OPEN

from gridwise.web.http.rate_limit import TokenBucket, client_at
from gridwise.web.settings import Rate

# Bytes that the kernel holds for a client that does not read; it takes twice as many. By itself it
# would take 4 MB.
SEND_BUFFER = 32_768
# Bytes that are read at once. A frame can have 6 bytes, and takes some 25 us: with 2 kB, 90 sockets
# that sent nothing but pings kept everybody waiting for a second.
READ_SIZE = 512
MOST_PIECES = 100  # of a message
# Pings, and pongs that nobody asked for. Browsers send none, libraries one in 20 s or so.
CONTROL_FRAMES = Rate(20, 2)
QUEUED = 8  # messages that wait for the app before no more are read


class SocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    config: Any  # a GuardedConfig

    def __init__(self, config: Any, **more: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(config=config, **more)
        self._stalled = config.limits.stalled
        self._abort_timer: TimerHandle | None = None
        self._control_frames = TokenBucket(CONTROL_FRAMES)

    def connection_made(self, transport: BaseTransport) -> None:
        """A client asks for a WebSocket."""
        super().connection_made(transport)
        self.client = unmapped(self.client)
        raw_socket = transport.get_extra_info("socket")
        if raw_socket is not None:
            raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(transport, "max_size"):  # asyncio's own
            transport.max_size = READ_SIZE

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._cancel_abort()
        super().connection_lost(exc)
        # It refers to the connection that refers to it: with its compression that is 60 kB, which
        # would stay until garbage is collected.
        self.conn.parser.close()

    # A client that does not read

    def pause_writing(self) -> None:
        """Not all that was sent is taken: it has a while to do so."""
        super().pause_writing()
        self._abort_timer = self.loop.call_later(self._stalled, self.transport.abort)

    def resume_writing(self) -> None:
        """All is taken."""
        self._cancel_abort()
        super().resume_writing()

    def _cancel_abort(self) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()

    async def send(self, message: Any) -> None:  # noqa: ANN401 - as uvicorn's
        """Send a message, or keep it for the next: a write takes a sixth of the time of a move."""
        await self.writable.wait()
        if message.get("more") and self.conn.state is OPEN:
            self.conn.send_text(message["text"].encode())
        else:
            await super().send(message)

    # A client that sends too much

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        client = self.scope["client"] if self.handshake_complete else None
        self.config.read_in_turn(self, client, data)

    def take(self, data: bytes) -> bool:
        """Look at something that has come; whether there was still a reason to."""
        if self.transport.is_closing():
            return False
        if not self.read_paused:
            self.transport.resume_reading()
        super().data_received(data)
        # A handshake that is refused, of which uvicorn is not told: `websockets` takes 128 headers
        # and lines of 8 kB, which is less than h11 lets through.
        if self.conn.handshake_exc is not None and not self.close_sent:
            self.handshake_complete = self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        return True

    def handle_text(self, event: Frame) -> None:
        """A message; of one that is no text uvicorn would log the error."""
        self.handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message; empty ones would never reach the limit of its size."""
        if len(self.frames) < MOST_PIECES:
            super().handle_cont(event)
        else:
            self._fail("A message in too many pieces.")

    def send_receive_event_to_app(self) -> None:
        """Pass a message on to the app; uvicorn would stop reading until it is taken.

        That takes two calls of the system for each: a seventh of the time that a move takes.
        """
        if self.read_paused or self.queue.qsize() >= QUEUED:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that it is not paused
        super().send_receive_event_to_app()
        self.read_paused = False

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
