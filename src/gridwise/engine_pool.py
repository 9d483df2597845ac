"""EnginePool: functions of the engine, run in processes beside a server with an event loop.

In a thread, loading and compiling kernels holds Python's lock for up to 170 ms at a time, and
everybody else would wait. A process can also be ended: when nobody waits for it any more, or when a
search on a large board takes too long.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from gridwise.errors import EngineFailed, EngineTimedOut
from gridwise.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")

# Loading compiled searches takes a second or two in a new process; compiling them, once on a
# machine, up to half a minute where it is slow. It does not count as thinking.
PREPARE_SECONDS = 120.0


class EnginePool:
    """A few processes, started when they are needed, each with one thing to do at a time.

    One that has had nothing to do for `idle_seconds` is ended: it takes some 200 MB.
    """

    def __init__(
        self,
        processes: int,
        seconds: float,
        niceness: int = 0,
        idle_seconds: float = math.inf,
    ) -> None:
        self._free = asyncio.Semaphore(processes)
        self._seconds, self._niceness, self._idle_seconds = seconds, niceness, idle_seconds
        self._working: set[WorkerProcess] = set()
        self._resting: dict[WorkerProcess, asyncio.TimerHandle] = {}  # with the end of each
        # For each process one that waits for it and one that ends it. The threads of everybody may
        # all wait for a database.
        self._threads = ThreadPoolExecutor(2 * processes, "gridwise waits for an engine")
        self.closed = False

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `function` returns there; what it raises is raised here. All of it must pickle.

        Raises EngineFailed if that takes too long. Cancelling ends the computation.
        """
        return await self.call(partial(function, *args, **kwargs))

    async def call(self, work: Callable[[], T], prepare: Callable[[], object] | None = None) -> T:
        """What `work` returns there; before it `prepare` is called, which is not thinking time."""
        async with self._free:
            process = WorkerProcess(self._niceness)
            if self._resting:
                process, end = self._resting.popitem()  # the one that was last used
                end.cancel()
            self._working.add(process)
            try:
                if prepare:
                    await self._call(process, prepare, PREPARE_SECONDS)
                return await self._call(process, work, self._seconds)
            finally:
                self._working.remove(process)
                later = asyncio.get_running_loop().call_later
                self._resting[process] = later(self._idle_seconds, self._end_idle, process)

    async def _call(self, process: WorkerProcess, work: Callable[[], T], seconds: float) -> T:
        if self.closed:
            raise EngineFailed("The engine has been stopped.")
        in_thread = partial(asyncio.get_running_loop().run_in_executor, self._threads)
        try:
            async with asyncio.timeout(seconds):
                return await in_thread(process.call, work)
        except TimeoutError:
            if not self.closed:
                await in_thread(process.stop)  # some 20 ms: its memory is given back
            raise EngineTimedOut(f"The engine has found nothing in {seconds:g} s.") from None
        except asyncio.CancelledError:
            process.stop()
            raise

    def _end_idle(self, process: WorkerProcess) -> None:
        if not self.closed:
            del self._resting[process]
            self._threads.submit(process.stop)

    def close(self) -> None:
        """End all processes, whatever they do."""
        self.closed = True
        for process in (*self._working, *self._resting):
            process.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
