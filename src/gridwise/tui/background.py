"""Work that takes time, away from the app's own thread.

Threads of our own and not Textual's: asyncio waits for its threads when a program ends, and a
search on a large board can take minutes. These are daemons, so leaving never waits for them.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_background(work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """What a function returns, called in a thread. Who is cancelled meanwhile never hears of it."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # it cannot be cancelled any more

    def run() -> None:
        try:
            future.set_result(work(*args, **options))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is awaited
            future.set_exception(error)

    threading.Thread(target=run, name="gridwise thinks", daemon=True).start()
    return await asyncio.wrap_future(future)
