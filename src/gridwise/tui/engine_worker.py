"""EngineWorker: a process that thinks, so that the app answers at once meanwhile.

A key has to be answered within 50 ms. With a process of its own the app's loop was 45 ms late at
most, on two cores with twice as much to do; `bench/terminal.py` measures keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from gridwise.core.position import Player, Position
from gridwise.tui.background import in_background
from gridwise.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")


class EngineWorker:
    """Runs functions of the engine, one at a time, in a process of its own."""

    def __init__(self) -> None:
        self._process = WorkerProcess()
        self._turn = asyncio.Lock()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `function` returns there; what it raises is raised here.

        Cancelling ends the thinking at once.
        """
        async with self._turn:
            try:
                return await in_background(partial(self._process.call, function, *args, **kwargs))
            except asyncio.CancelledError:
                self.stop()
                raise

    def stop(self) -> None:
        """End the process; the next call starts another."""
        self._process.stop()


def ask(player: Player, position: Position) -> tuple[int, Player]:
    """A bot's move, and the bot, whose dice have been thrown."""
    return player.choose(position), player
