"""An event loop in a thread of its own, for players that are `async`.

So they can be asked where a loop runs already, as in a notebook; their connections live on from
move to move; Ctrl-C is heard while they are waited for; and what waits can be given up.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class BackgroundLoop:
    """The loop; it starts with the first work, and again after `close`."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin some work."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run, args=(self._loop,), daemon=True).start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What some work comes to; raises CancelledError if `close` was called meanwhile."""
        future = self.submit(work)
        try:
            return future.result()
        finally:
            future.cancel()  # after Ctrl-C nobody waits any more

    def close(self) -> None:
        """Cancel all work, and end the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop:
            asyncio.run_coroutine_threadsafe(_end(), loop)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _end() -> None:
    """Cancel what a loop does, and stop it."""
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    asyncio.get_running_loop().stop()
