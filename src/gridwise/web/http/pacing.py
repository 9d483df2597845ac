"""Pacer: one request of a client is begun in each turn of the event loop.

A client may send 200 requests at once. A page takes the loop 3 ms, and 7 after a thousand moves:
begun together they would keep everybody else waiting for a second.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Pacer:
    """Those who wait for their turn, by client."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Callable[[], bool]]] = {}

    async def turn(self, client: str) -> None:
        """Wait until no other request of the client is begun in this turn of the loop."""
        mine = asyncio.get_running_loop().create_future()

        def begin() -> bool:
            if not mine.done():  # not cancelled
                mine.set_result(None)
                return True
            return False

        self.take(client, begin)
        await mine

    def take(self, client: str, work: Callable[[], bool]) -> bool:
        """Do something now, or in a later turn if something was done in this one; whether now.

        It says whether it has done anything.
        """
        waiting = self._waiting.get(client)
        if waiting is not None:
            waiting.append(work)
            return False
        self._waiting[client] = deque()
        asyncio.get_running_loop().call_soon(self._next, client)
        work()
        return True

    def _next(self, client: str) -> None:
        """Let the next one begin who still waits; forget the client after the last."""
        waiting = self._waiting[client]
        while waiting:
            if waiting.popleft()():
                asyncio.get_running_loop().call_soon(self._next, client)
                return
        del self._waiting[client]
