"""Running compiled work so that it can be stopped: by the clock, by somebody, by Ctrl-C.

Compiled code hears nothing while it runs. So it runs in a thread of its own, without the
interpreter's lock, and looks now and then at a flag in memory; here the flag is raised in time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PAUSE = 0.005  # seconds between looks at the clock; a stop takes effect within about two


def run(
    work: Callable[[], None],
    halt: Callable[[], None],
    *,
    until: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> None:
    """Do the work; call `halt` once `time.monotonic()` is past `until` or `stop()` is true.

    Whatever the work raises is raised here. Ctrl-C halts the work before it goes on its way.
    """
    failed: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised again, in the caller's thread
            failed.append(error)

    worker = threading.Thread(target=guarded, daemon=True, name="gridwise-search")
    worker.start()
    try:
        while worker.is_alive():
            if (until is not None and time.monotonic() >= until) or (stop is not None and stop()):
                halt()
            worker.join(PAUSE)
    except BaseException:
        halt()
        worker.join()
        raise
    if failed:
        raise failed[0]
