"""GameReview: the engine's review of a finished game, worked out once, in the background.

It asks about one move after another, so that others get their turns in between, and stops when
nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from gridwise.core.narration import Names
from gridwise.engine.review import Review, decisions, review_of
from gridwise.play.records import Record, recorded_positions
from gridwise.web.errors import Unavailable
from gridwise.web.workers.engine import Workers
from gridwise.web.workers.questions import judged

Stories: TypeAlias = dict[Names, dict[str, Any]]  # what a page shows of a review, by its viewer

UNWANTED_SECONDS = 30.0  # in which nobody waits for it, after which it stops


class GameReview:
    """The review of one game, as far as it has come; `seconds` is for all of its moves."""

    __slots__ = ("_seconds", "_task", "_waiting", "_wanted", "_workers", "moves_done", "stories")

    def __init__(self, workers: Workers, seconds: float) -> None:
        self._workers, self._seconds = workers, seconds
        self._task: asyncio.Task[Review] | None = None
        self._waiting, self._wanted = 0, 0.0  # how many wait for it, and when the last one left
        self.moves_done = 0
        self.stories: Stories = {}

    @property
    def has_begun(self) -> bool:
        """Whether somebody has asked for it."""
        return self._task is not None

    @property
    def is_going_on(self) -> bool:
        """Whether it is being worked out."""
        return self._task is not None and not self._task.done()

    async def result(
        self, record: Callable[[], Awaitable[Record]], wait: float | None
    ) -> Review | None:
        """The review; None if it takes longer than `wait` seconds."""
        task = self._task = self._task or asyncio.create_task(self._work_out(record))
        self._waiting += 1
        try:
            await asyncio.wait([task], timeout=wait)
        finally:
            self._waiting, self._wanted = self._waiting - 1, time.monotonic()
        if not task.done():
            return None
        if task.exception():
            self._task = None  # the next who asks tries again
        return task.result()

    async def _work_out(self, record: Callable[[], Awaitable[Record]]) -> Review:
        positions = await self._workers.quick(recorded_positions, await record())
        decided, found = decisions(positions), []
        seconds = self._seconds / max(1, len(decided))
        for number, decision in enumerate(decided, 1):
            if not self._waiting and time.monotonic() > self._wanted + UNWANTED_SECONDS:
                raise Unavailable("The review was stopped, since nobody waited for it. Try again.")
            key = decision.position.game.key
            found.append(await self._workers.ask(key, judged, decision, seconds))
            self.moves_done = min(number, len(positions) - 1)
        return review_of(positions, found)
