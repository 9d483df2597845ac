"""Work that takes time, away from the app's own thread.

Threads of our own and not Textual's: asyncio waits for its threads when a program ends, and a
search on a large board can take minutes. These are daemons, so leaving never waits for them.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_background(work: Callable[[], T]) -> T:
    """The result of `work`, done in a thread. Whoever is cancelled meanwhile never hears of it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type] # None only if T is None

    def run() -> None:
        result: T | None = None
        error: BaseException | None = None
        try:
            result = work()
        except BaseException as raised:  # noqa: BLE001 - it is raised again where it is awaited
            error = raised
        with suppress(RuntimeError):  # the app has ended
            loop.call_soon_threadsafe(tell, result, error)

    threading.Thread(target=run, name="gridwise thinks", daemon=True).start()
    return await done
