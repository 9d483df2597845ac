"""Ends engines whose owner was killed: a small process that outlives it by a moment.

An engine that hangs does not notice that its input was closed. A process that runs one and is ended
by `kill -9` cannot end it any more; neither can it when it is itself ended as a worker. So, where
many games are played, a process beside it is told the id of each engine. When the pipe to it is
closed, however that comes about, it kills the process groups that it knows of, and ends
(`process_groups`).

It costs one start of Python (20 ms) and is used only after `start`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress

from gridwise.engine.ugi import process_groups


class Reaper:
    """The process that kills process groups once this one has gone."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._writing = threading.Lock()
        # A session of its own: Ctrl-C in a terminal must not end it before its work is done.
        self._process = subprocess.Popen(  # noqa: S603 - nothing but ourselves
            [sys.executable, "-I", "-S", process_groups.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def watch(self, group: int, mark: str) -> None:
        """End this process group, and what has the mark, when our process has ended."""
        self._send(f"+{group} {mark}\n")

    def forget(self, group: int, mark: str) -> None:
        """It has ended: another process may get its number."""
        self._send(f"-{group} {mark}\n")

    def close(self) -> None:
        """End it, and whatever it still knows of."""
        assert self._process.stdin
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()

    @property
    def belongs_here(self) -> bool:
        """Whether this process has started it; a fork has not."""
        return self._owner == os.getpid()

    def _send(self, line: str) -> None:
        assert self._process.stdin
        with self._writing, suppress(OSError, ValueError):  # without it, all goes on as usual
            os.write(self._process.stdin.fileno(), line.encode())


active: Reaper | None = None  # what `UgiProcess` tells of every engine
_starting = threading.Lock()


def start() -> Reaper:
    """The reaper of this process, started if there is none."""
    global active  # noqa: PLW0603 - one per process, as the process is what it watches
    with _starting:
        if active is None or not active.belongs_here:
            active = Reaper()
        return active


def stop() -> None:
    """End the reaper, and all engines that it still knows of."""
    global active  # noqa: PLW0603 - as above
    with _starting:
        if active is not None and active.belongs_here:
            active.close()
        active = None
