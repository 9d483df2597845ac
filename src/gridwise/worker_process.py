"""WorkerProcess: runs functions in a process of its own, so that the caller's is not held up.

Threads are not enough: loading kernels holds Python's lock for up to 170 ms at a time, compiling
them for 300 ms, and a long calculation in Python makes whatever else runs wait for the lock at
every turn. And work that nobody waits for any more can be ended; a search on a large board may go
on for minutes.

The process is started when it is first needed, is given pickled calls on its standard input, and
ends with its parent, however that ends: a closed pipe ends it too. Games that were registered in
the parent are registered there as well.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from gridwise.core.registry import add_missing, sources
from gridwise.errors import EngineFailed

P = ParamSpec("P")
T = TypeVar("T")

NO_ANSWER = "The engine has ended without an answer."
_COMMAND = "from gridwise.worker_process import serve; serve({})"


class WorkerEnded(EngineFailed):
    """The process has ended without an answer."""


class WorkerProcess:
    """Runs one function at a time. `call` blocks, so it is for a thread; `stop` is for any."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._process: subprocess.Popen[bytes] | None = None
        self._changing = threading.Lock()
        self._stops = 0

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `function` returns there; what it raises is raised here.

        Raises WorkerEnded if the process ends meanwhile; the next call starts another.
        """
        stops = self._stops  # whoever stops it from here on ends this call
        # Before anything is written: half a call would be taken for the beginning of the next.
        asked = pickle.dumps((sys.path, sources())) + pickle.dumps((function, args, kwargs))
        process = self._running(stops)
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            done, result = pickle.load(process.stdout)  # noqa: S301 - from ourselves
        except Exception:  # noqa: BLE001 - somebody's code there may have written anything
            self._forget(process)  # it has ended by itself, was stopped, or makes no sense
            raise WorkerEnded(NO_ANSWER) from None
        if not done:
            raise result
        return result  # type: ignore[no-any-return] # it came through a pipe

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        with self._changing:
            self._stops += 1
            process, self._process = self._process, None
        if process:
            _end(process)

    def _running(self, stops: int) -> subprocess.Popen[bytes]:
        """The process, for a call that came after so many stops; started if need be."""
        with self._changing:
            if stops != self._stops:  # while the call was pickled
                raise WorkerEnded(NO_ANSWER)
            if self._process:
                return self._process
        process = _started(self._niceness)
        with self._changing:
            if stops == self._stops:
                self._process = process
                return process
        _end(process)  # it was stopped while it started
        raise WorkerEnded(NO_ANSWER)

    def _forget(self, process: subprocess.Popen[bytes]) -> None:
        with self._changing:
            if self._process is not process:
                return  # whoever stopped it has ended it
            self._process = None
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close()  # type: ignore[union-attr] # both are pipes


def _started(niceness: int) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    # What it might print must not end up between what the parent shows. A session of its own keeps
    # the keys of the terminal from it.
    return subprocess.Popen(  # noqa: S603 - nothing but ourselves
        # -P: nothing is imported from where we stand
        [sys.executable, "-P", "-c", _COMMAND.format(niceness)],
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def serve(niceness: int) -> None:
    """Answer calls from standard input until it is closed: what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    parent = os.getppid()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, BrokenPipeError):
        while True:
            _catch_up(*pickle.load(calls))  # noqa: S301 - from our parent
            try:
                function, args, kwargs = pickle.load(calls)  # noqa: S301
                answer = (True, function(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 - it is raised again where it was asked for
                answer = (False, error)
            pickle.dump(answer, answers)
            answers.flush()


def _catch_up(path: list[str], games: dict[str, str]) -> None:
    """Find what the parent can import, and register the games that it has."""
    sys.path += [folder for folder in path if folder and folder not in sys.path]
    add_missing(games)


def _end_with(parent: int) -> None:
    """End in the middle of the work if the parent has been killed."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
