"""ProcessPool: a few processes that think, one question each, in fair turns and with a time limit.

Most questions end by themselves, for searches have limits. One that does not is ended with its
process, and the next question starts another. A process that has had nothing to do for a while is
ended as well: it takes some 200 MB.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import ParamSpec, TypeVar

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluate import prepare
from gridwise.errors import EngineFailed
from gridwise.web.errors import EngineTimeout, Unavailable
from gridwise.web.workers.fair_queue import FairQueue
from gridwise.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

# Loading compiled searches takes a second or two in a new process; compiling them, once on a
# machine, up to half a minute where it is slow. It does not count as thinking.
PREPARE_SECONDS = 120.0

IDLE_SECONDS = 45.0  # after which a process is ended


@dataclass
class _Worker:
    """One process, and the games whose searches it has loaded."""

    process: WorkerProcess
    prepared: set[str] = field(default_factory=set)
    resting: asyncio.TimerHandle | None = None  # when it ends, if nothing is asked before
    stopping: asyncio.Future[None] | None = None  # while it is ended, as nothing was asked


class ProcessPool:
    """Runs functions in processes, which are started when they are needed."""

    def __init__(self, processes: int, seconds: float, queue: FairQueue, niceness: int = 0) -> None:
        self._queue = queue  # it gives `processes` turns at once
        self._seconds = seconds
        self._workers = [_Worker(WorkerProcess(niceness)) for _ in range(processes)]
        self._idle = list(self._workers)
        # For each process one that waits for it and one that ends it. The threads of everybody may
        # all wait for the database.
        self._threads = ThreadPoolExecutor(2 * processes, "gridwise waits for an engine")
        self._closed = False

    async def run(
        self, game: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `function` returns. With the key of a `game`, its searches are loaded before.

        Raises TooMany if too many are waiting, and Unavailable if there is no answer in time.
        """
        return await self._queue.run(partial(self._run, game, partial(function, *args, **kwargs)))

    async def _run(self, game: str, work: partial[T]) -> T:
        worker = self._idle.pop()  # the one that was last used
        if worker.resting:
            worker.resting.cancel()
        try:
            if worker.stopping:
                stopping, worker.stopping = worker.stopping, None
                await stopping  # or it would end this question
            if game and game not in worker.prepared:
                await self._call(worker, PREPARE_SECONDS, partial(prepare_game, game))
                worker.prepared.add(game)
            return await self._call(worker, self._seconds, work)
        finally:
            self._idle.append(worker)
            loop = asyncio.get_running_loop()
            worker.resting = loop.call_later(IDLE_SECONDS, self._end_idle, worker)

    def _end_idle(self, worker: _Worker) -> None:
        worker.stopping = self._stop(worker)

    def _stop(self, worker: _Worker) -> asyncio.Future[None]:
        worker.prepared.clear()
        return asyncio.get_running_loop().run_in_executor(self._threads, worker.process.stop)

    async def _call(self, worker: _Worker, seconds: float, work: partial[T]) -> T:
        call = partial(worker.process.call, work.func, *work.args, **work.keywords)
        try:
            async with asyncio.timeout(seconds):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, call)
        except TimeoutError:
            if not self._closed:
                await self._stop(worker)  # some 20 ms: its memory is given back
            message = f"The engine could not work this out in {seconds:g} s. Try a smaller board."
            raise EngineTimeout(message) from None
        except (EngineFailed, OSError) as error:
            worker.prepared.clear()
            if not self._closed:
                log.warning("A process of the engine failed: %s", error)
            raise Unavailable("The engine has stopped. Try again.") from None

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for worker in self._workers:
            if worker.resting:
                worker.resting.cancel()
            worker.process.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


def prepare_game(key: str) -> None:
    """Load what searching positions of a game takes. For a worker process."""
    game = game_named(key)
    prepare(Position(game, game.deal(Random(1))))
