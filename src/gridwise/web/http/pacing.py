"""Pacer: one request of a client is begun in each turn of the event loop.

A client may send 200 requests at once. A page takes the loop 3 ms, and 7 after a thousand moves:
begun together they would keep everybody else waiting for a second.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Pacer:
    """Those who wait for their turn, by client."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def turn(self, client: str) -> None:
        """Wait until no other request of the client is begun in this turn of the loop."""
        loop = asyncio.get_running_loop()
        waiting = self._waiting.get(client)
        if waiting is None:
            self._waiting[client] = deque()
            loop.call_soon(self._next, client)
        else:
            mine = loop.create_future()
            waiting.append(mine)
            await mine

    def _next(self, client: str) -> None:
        """Let the next one begin who still waits; forget the client after the last."""
        waiting = self._waiting[client]
        while waiting:
            first = waiting.popleft()
            if not first.done():  # not cancelled
                first.set_result(None)
                asyncio.get_running_loop().call_soon(self._next, client)
                return
        del self._waiting[client]
