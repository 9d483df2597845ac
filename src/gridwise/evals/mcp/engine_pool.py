"""EnginePool: bots, deals and reviews, computed in processes beside the server.

In a thread, loading and compiling kernels holds Python's lock for up to 170 ms at a time, and every
other client would wait. A process can also be ended, when a client has gone or a search on a large
board takes longer than anybody waits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

import anyio
import anyio.to_thread

from gridwise.errors import EngineFailed
from gridwise.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")

PROCESSES = 2
SECONDS = 50.0  # to think about one thing; many clients give up on a call after 60


class EnginePool:
    """A few processes, started when they are needed, each with one thing to do at a time."""

    def __init__(self, processes: int = PROCESSES, seconds: float = SECONDS) -> None:
        self._idle = [WorkerProcess() for _ in range(processes)]
        self._all = tuple(self._idle)
        self._free = anyio.Semaphore(processes)
        self._seconds = seconds

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `function` returns there; what it raises is raised here.

        Raises EngineFailed if that takes too long. Cancelling ends the computation.
        """
        call = partial(function, *args, **kwargs)
        async with self._free:
            process = self._idle.pop()
            done = False
            try:
                with anyio.fail_after(self._seconds):
                    found = await anyio.to_thread.run_sync(
                        process.call, call, abandon_on_cancel=True
                    )
                done = True
            except TimeoutError:
                raise EngineFailed(
                    f"The engine has found nothing in {self._seconds:.0f} seconds."
                ) from None
            except Exception:
                done = True  # an answer too, though not a good one
                raise
            else:
                return found
            finally:
                if not done:
                    process.stop()
                self._idle.append(process)

    def close(self) -> None:
        """End the processes."""
        for process in self._all:
            process.stop()
