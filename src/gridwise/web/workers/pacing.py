"""Pacer: what clients ask for is begun, or goes on, one thing in each turn of the event loop.

A client may send 200 requests at once, and a page takes the loop 2 to 4 ms: begun together, or
going on together when the database has answered, they would keep everybody waiting for a second.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial


class Pacer:
    """Those who wait for their turn, by client; clients take turns.

    With `each`, one thing of each client is done in a turn of the loop, else one thing in all.
    """

    def __init__(self, *, each: bool = False) -> None:
        self._each = each
        # By what is done one at a time, and by client in the order of their turns.
        self._waiting: dict[str, dict[str, deque[Callable[[], bool]]]] = {}

    async def turn(self, client: str) -> None:
        """Wait until nothing else is begun in this turn of the loop."""
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
        lane = client if self._each else ""
        if lane in self._waiting:
            self._waiting[lane].setdefault(client, deque()).append(work)
            return False
        self._waiting[lane] = {}
        asyncio.get_running_loop().call_soon(self._next, lane)
        work()
        return True

    def _next(self, lane: str, *, has_let: bool = False) -> None:
        """Let the next one begin who still waits, of the client whose turn it is."""
        waiting, lets = self._waiting[lane], False
        while waiting and not lets:
            client, works = next(iter(waiting.items()))
            work = works.popleft()
            del waiting[client]
            if works:
                waiting[client] = works  # after the others
            lets = work()
        if lets or has_let:  # who is let begin does so in the next turn, which is nobody else's
            asyncio.get_running_loop().call_soon(partial(self._next, lane, has_let=lets))
        else:
            del self._waiting[lane]
