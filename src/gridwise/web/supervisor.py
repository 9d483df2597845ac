"""The supervisor: several processes that serve at the same address.

The parent accepts connections, hands each to one of the processes, and watches them: one that has
died is replaced; one that cannot start ends them all, with its reason. One that was told to end, by
SIGTERM, is not replaced: so they are drained one by one, and the parent ends after the last. A
process whose parent is gone ends, too.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import TypeAlias

import uvicorn

from gridwise.errors import GridwiseError
from gridwise.web.handover import Distributor, HandedConnections
from gridwise.web.settings import Settings

log = logging.getLogger("gridwise.web")

# Makes the server of a process; a function of a module, because another process has to find it.
MakeServer: TypeAlias = Callable[[Settings], uvicorn.Server]

GRACE = 10.0  # seconds that the processes have to end
LOOK = 0.2  # seconds between looks at them
BUSY = 0.01  # seconds before those who wait are looked at again
PAUSE = 1.0  # seconds before one that has died is replaced; doubled each time that fails
MOST_FAILURES = 5  # to replace one
STOP = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
TOGETHER = 0.3  # seconds within which two signals are one: a closed terminal sends it twice
# A fresh start: what is forked from a process with threads may hang.
_SPAWN = multiprocessing.get_context("spawn")


class CannotStart(GridwiseError):
    """A process could not start; the message says why."""

    kind = "cannot-start"


def supervise(make: MakeServer, settings: Settings, listening: socket.socket, workers: int) -> int:
    """Run processes until a signal comes; which it was. Raises CannotStart.

    If all processes were told to end, it returns 0 after the last.
    """
    with _noting_signals() as noted:
        running: list[_ServerProcess] = []
        try:
            for number in range(workers):
                own = replace(settings, resume=settings.resume and number == 0)
                running.append(_ServerProcess(make, own))
            distributor, taken = Distributor(listening), True
            while not noted and not all(worker.told_to_end for worker in running):
                for worker in running:
                    worker.look()
                ends = [worker.end_for_connections for worker in running]
                serving = taken and any(ends)
                wait([listening] if serving else [], LOOK if serving else BUSY)
                taken = not any(ends) or distributor.hand_over(ends)
        finally:
            for worker in running:
                worker.process.terminate()
            until = time.monotonic() + GRACE
            for worker in running:
                worker.end(until)
    return noted[0] if noted else 0


class _ServerProcess:
    """A place among the processes, and the process that has it."""

    def __init__(self, make: MakeServer, settings: Settings) -> None:
        self._make, self._settings = make, settings
        self._has_served = False
        self._failures = 0
        self.again_at = 0.0  # when it is replaced, if it has died
        self.told_to_end = False
        self._start()

    def _start(self) -> None:
        self._started, self._reason = False, "it ended at once."
        self._link, theirs = _SPAWN.Pipe()
        self._connections, other_end = socket.socketpair()
        arguments = (self._make, self._settings, other_end, theirs)
        self.process = _SPAWN.Process(target=_work, args=arguments)
        with _only_terminated():
            self.process.start()
        theirs.close()
        other_end.close()

    @property
    def end_for_connections(self) -> socket.socket | None:
        """Where connections are handed over, if it serves."""
        gone = self.again_at or self.told_to_end
        return self._connections if self._started and not gone else None

    def look(self) -> None:
        """See how it is, and replace it if it has died; raises CannotStart."""
        if self.again_at:
            if time.monotonic() > self.again_at:
                self.again_at = 0.0
                self._start()
            return
        if self.told_to_end:
            return
        alive = self.process.is_alive()
        with suppress(EOFError, OSError):
            while self._link.poll():
                failed = self._link.recv()
                self._started, self._reason = not failed, failed or self._reason
        self._has_served = self._has_served or self._started
        if alive:
            return
        self._link.close()
        self._connections.close()
        # 0 says that it has served, if only for a moment: see _work.
        code = self.process.exitcode
        self.told_to_end = code == 0 or (self._started and code == -signal.SIGTERM)
        if self.told_to_end:
            return
        self._failures = 0 if self._started else self._failures + 1
        if self._failures > MOST_FAILURES or not self._has_served:
            raise CannotStart(f"A server process cannot start: {self._reason}")
        log.warning("A server process ended with status %s; another follows", self.process.exitcode)
        # What replaces it also lets the bots move that it has left behind.
        self._settings = replace(self._settings, resume=True)
        self.again_at = time.monotonic() + PAUSE * 2**self._failures

    def end(self, until: float) -> None:
        """Wait for its end, which has been asked for."""
        self.process.join(max(0.0, until - time.monotonic()))
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(make: MakeServer, settings: Settings, end: socket.socket, link: Connection) -> None:
    """What a process does."""
    try:
        server = make(settings)
    except GridwiseError as error:
        link.send(str(error))
        sys.exit(1)
    threading.Thread(target=_watch, args=(server, link), daemon=True).start()
    with HandedConnections(fileno=end.detach()) as handed:
        handed.setblocking(False)
        server.run(sockets=[handed])
    sys.exit(0 if server.started else 1)


def _watch(server: uvicorn.Server, link: Connection) -> None:
    """Tell the parent that the server has started, and end it when the parent is gone."""
    while not server.started:
        time.sleep(LOOK / 4)
    with suppress(EOFError, OSError):
        link.send("")
        link.recv()  # nothing is ever sent: it ends when the other end is closed
    server.should_exit = True


@contextmanager
def _noting_signals() -> Iterator[list[int]]:
    """Note a signal that asks to stop, instead of stopping at once; the second one does."""
    noted: list[int] = []
    at = 0.0

    def note(number: int, _frame: FrameType | None) -> None:
        nonlocal at
        if not noted:
            noted.append(number)
            at = time.monotonic()
        elif time.monotonic() - at > TOGETHER:
            os._exit(128 + number)  # the processes notice that the parent is gone

    before = {number: signal.signal(number, note) for number in STOP}
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _only_terminated() -> Iterator[None]:
    """A process that is started now is ended by SIGTERM alone.

    Ctrl-C and the closing of a terminal reach all that were started in it; the parent passes them
    on in its own time.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGHUP])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
