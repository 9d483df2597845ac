"""EngineWorker: a process that thinks, so that the app answers at once meanwhile.

Threads are not enough: loading kernels holds Python's lock for up to 170 ms at a time, compiling
them for 300 ms, and a key has to be answered within 50 ms. With a process of its own the app's loop
was 45 ms late at most, on two cores with twice as much to do; `bench/terminal.py` measures keys.
And thinking that nobody waits for any more can be ended; on a large board it goes on for minutes.

The process is started when it is first needed, is given pickled calls on its standard input, and
ends with the app, however that ends: a closed pipe ends it too.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

from gridwise.core.position import Player, Position
from gridwise.errors import EngineFailed
from gridwise.tui.background import in_background

P = ParamSpec("P")
T = TypeVar("T")

_COMMAND = "from gridwise.tui.engine_worker import serve; serve()"


class EngineWorker:
    """Runs functions of the engine, one at a time, in a process of its own."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `function` returns there; what it raises is raised here.

        Cancelling ends the thinking at once.
        """
        async with self._turn:
            try:
                done, result = await in_background(partial(self._call, function, args, kwargs))
            except asyncio.CancelledError:
                self.stop()
                raise
        if not done:
            raise result
        return result  # type: ignore[no-any-return] # it came through a pipe

    def stop(self) -> None:
        """End the process; the next call starts another."""
        process, self._process = self._process, None
        if process:
            _end(process)

    def _call(
        self, function: Callable[..., object], args: object, kwargs: object
    ) -> tuple[bool, Any]:
        process = self._process = self._process or _started()
        assert process.stdin
        assert process.stdout
        try:
            pickle.dump((function, args, kwargs), process.stdin)
            process.stdin.flush()
            answer: tuple[bool, Any] = pickle.load(process.stdout)  # noqa: S301 - from ourselves
        except (OSError, EOFError, ValueError):
            if self._process is process:  # it has ended by itself; else another may be running
                self.stop()
            return False, EngineFailed("The engine has ended without an answer.")
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close()  # type: ignore[union-attr] # both are pipes


def _started() -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    # What it might print must not end up between what the app draws. A session of its own keeps
    # the keys of the terminal from it.
    return subprocess.Popen(  # noqa: S603 - nothing but ourselves
        [sys.executable, "-P", "-c", _COMMAND],  # -P: nothing is imported from where we stand
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def ask(player: Player, position: Position) -> tuple[int, Player]:
    """A bot's move, and the bot, whose dice have been thrown."""
    return player.choose(position), player


def serve() -> None:
    """Answer calls from standard input until it is closed: what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    parent = os.getppid()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, BrokenPipeError):
        while True:
            function, args, kwargs = pickle.load(calls)  # noqa: S301 - from the app
            try:
                answer = (True, function(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 - it is raised again where it was asked for
                answer = (False, error)
            pickle.dump(answer, answers)
            answers.flush()


def _end_with(parent: int) -> None:
    """End in the middle of thinking if the app has been killed."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
