"""Workers: the threads in which bots choose and positions are evaluated.

They are few, so that many questions cannot take over the machine; the compiled searches let other
threads run meanwhile. A bot is made anew for each move, seeded by the game and the ply: it plays
the same after a restart.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from gridwise.core.position import Position
from gridwise.engine.bots import bot
from gridwise.web.errors import TooMany

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """A few threads that think. Bots have their own, so that visitors do not hold them up."""

    def __init__(self, waiting: int) -> None:
        workers = max(2, os.cpu_count() or 1)
        self._bots = ThreadPoolExecutor(workers, thread_name_prefix="bot")
        self._visitors = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._free = waiting

    async def choose(self, level: str, seed: str, position: Position) -> int:
        """The action a bot of that level plays."""

        def work() -> int:
            return bot(position.game, level, f"{seed} {len(position.history)}").choose(position)

        return await asyncio.get_running_loop().run_in_executor(self._bots, work)

    async def ask(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer to a question, unless too many are waiting already."""
        if self._free <= 0:
            raise TooMany("The engine is busy. Try again later.")
        self._free -= 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._visitors, partial(work, *args, **kwargs))
        finally:
            self._free += 1

    def close(self) -> None:
        """Stop, without waiting for what is being thought about."""
        for pool in (self._bots, self._visitors):
            pool.shutdown(wait=False, cancel_futures=True)
