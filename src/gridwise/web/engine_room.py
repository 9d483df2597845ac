"""Engine room: the threads in which bots choose and positions are weighed.

They are few, so that a crowd of questions cannot take the machine; the compiled searches let other
threads run meanwhile. A bot is made anew for each move, seeded by the game and the ply: it plays
the same after a restart.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from gridwise.core.game import Position
from gridwise.engine.bots import bot
from gridwise.web.refusals import TooMany

P = ParamSpec("P")
T = TypeVar("T")


class EngineRoom:
    """A few threads that think. Bots have their own, so that nobody's questions hold them up."""

    def __init__(self, waiting: int) -> None:
        workers = max(2, os.cpu_count() or 1)
        self._bots = ThreadPoolExecutor(workers, thread_name_prefix="bot")
        self._guests = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._free = waiting

    async def choose(self, level: str, seed: str, position: Position) -> int:
        """The action a bot of that level plays."""
        return await self._run(self._bots, _choose, level, seed, position)

    async def ask(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer to a question, unless too many wait already."""
        if self._free <= 0:
            raise TooMany("The engine has too many questions to answer. Try again in a while.")
        self._free -= 1
        try:
            return await self._run(self._guests, work, *args, **kwargs)
        finally:
            self._free += 1

    async def _run(
        self, pool: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool, lambda: work(*args, **kwargs))

    def close(self) -> None:
        """What is being thought about is not waited for."""
        for pool in (self._bots, self._guests):
            pool.shutdown(wait=False, cancel_futures=True)


def _choose(level: str, seed: str, position: Position) -> int:
    return bot(position.game, level, f"{seed} {len(position.actions)}").choose(position)
