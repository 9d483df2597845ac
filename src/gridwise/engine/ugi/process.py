"""UgiProcess: a program on the other side of three pipes. Nothing it does can make us wait.

It may stop reading, flood its output, hang, ignore signals or leave children behind. So every write
has a time limit, what it says is kept only up to a limit, and `close` takes less than half a second
and leaves nothing of it, nor of its children (`process_groups`). `close` may be called from another
thread: whoever waits for an answer is told at once that there will be none.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from gridwise.engine.ugi import reaper
from gridwise.engine.ugi.process_groups import kill_all, marked_environment, new_mark
from gridwise.errors import EngineFailed, EngineNotStarted, EngineTimedOut, quoted

# Both together are 8 MB at most, of a program that talks while nobody asks; then it has to wait.
MAX_LINE_BYTES = 1 << 13
MAX_QUEUED = 1_000  # lines
QUIT_SECONDS = 0.2  # time to end by itself: Ctrl-C has to end two engines within a second
KILLED_SECONDS = 5.0  # for the system to end it after a kill: milliseconds, unless it is busy
PIPE_SECONDS = 0.1  # for the rest of what it has said
RETRY_SECONDS = 0.005  # between two attempts to write into a full pipe, or a full queue


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Handle signals that come during the block at its end; it must be short.

    Only the main thread handles signals: in another one nothing has to be done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = [(each, signal.getsignal(each)) for each in signal.valid_signals()]
    replaced = [(number, handler) for number, handler in handlers if callable(handler)]
    for number, _ in replaced:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in replaced:
            signal.signal(number, handler)
        for each in came:
            signal.raise_signal(each)


class UgiProcess:
    """A running program: lines in, lines out, and its last line on standard error.

    Raises EngineFailed if it cannot be started, does not read, or ends while it is spoken to.
    """

    def __init__(self, command: str, words: list[str]) -> None:
        self._command = command
        self._mark = new_mark()
        pipe = subprocess.PIPE
        try:
            # A process group of its own, so that Ctrl-C does not reach it and its children end
            # with it.
            self._process = subprocess.Popen(  # noqa: S603 - running what the person names is the point
                words,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
                env=marked_environment(self._mark),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise EngineNotStarted(str(self.failed(f"cannot be started: {reason}"))) from None
        self.pid = self._process.pid
        if reaper.active:
            reaper.active.watch(self.pid, self._mark)
        assert self._process.stdin
        self._input = self._process.stdin.fileno()
        os.set_blocking(self._input, False)
        # Not a Queue: a signal between two steps of its `get` leaves it locked for ever, and Ctrl-C
        # hung in `close` (3 times in 120 beside a program that floods). A SimpleQueue has one step.
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._last_error = ""
        self._closed = False
        streams = (self._process.stdout, self._queue_line), (self._process.stderr, self._note_error)
        self._threads = [
            threading.Thread(target=self._read_lines, args=each, daemon=True) for each in streams
        ]
        for thread in self._threads:
            thread.start()

    def send(self, line: str, seconds: float) -> None:
        """Say a line to it, which it has so many seconds to read."""
        try:
            self._write(line, seconds)
        except TimeoutError:
            raise self.timed_out(f"has not read its input for {seconds:.3g} seconds") from None
        except OSError:  # it no longer reads; its last line may still say why
            raise self._ended() from None

    def receive(
        self, wanted: str, seconds: float, others: Callable[[str], None] | None = None
    ) -> str | None:
        """The rest of the first line that begins with `wanted`; None if it does not come.

        `others` gets the lines before it.
        """
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                raise self._ended()
            first, _, rest = line.partition(" ")
            if first == wanted:
                return rest
            if others:
                others(line)
        return None

    def forget_lines(self) -> None:
        """Drop what it has said so far: it cannot be the answer to the next question."""
        with suppress(queue.Empty):
            for _ in range(MAX_QUEUED):
                if self._lines.get_nowait() is None:
                    raise self._ended()

    def failed(self, what: str) -> EngineFailed:
        """The error that says what it has done."""
        full_stop = "" if what.endswith(".") else "."
        return EngineFailed(f"The engine {quoted(self._command, 100)} {what}{full_stop}")

    def timed_out(self, what: str) -> EngineTimedOut:
        """The same for what it has not done in time."""
        return EngineTimedOut(str(self.failed(what)))

    def close(self) -> None:
        """Ask it to quit; then end it and its children, and leave nothing open."""
        try:
            with suppress(OSError):
                self._write("quit", 0)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_SECONDS)
        finally:
            self._closed = True
            self._kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(KILLED_SECONDS)
            if reaper.active:
                reaper.active.forget(self.pid, self._mark)
            assert self._process.stdin
            self._process.stdin.close()
            self._lines.put(None)  # for whoever waits for an answer
            # Where there is no /proc, a child in a session of its own may hold the pipes open. The
            # threads that read them close them, now or when it ends: a stream cannot be closed
            # while it is being read.
            for thread in self._threads:
                thread.join(PIPE_SECONDS)

    def _write(self, line: str, seconds: float) -> None:
        """Write a line; TimeoutError if the pipe stays full."""
        left, end = f"{line}\n".encode(), time.monotonic() + seconds
        while left:
            if self._closed:  # the number of the pipe may be another file's by now
                raise BrokenPipeError
            try:
                left = left[os.write(self._input, left) :]
            except BlockingIOError:
                if time.monotonic() >= end:
                    raise TimeoutError from None
                time.sleep(RETRY_SECONDS)

    def _ended(self) -> EngineFailed:
        """How it ended, once it has."""
        if self._closed:
            return self.failed("was closed")
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return self.failed("has closed its output")
        self._threads[1].join(0.5)
        if status < 0:
            with suppress(ValueError):
                return self.failed(f"was ended by {signal.Signals(-status).name}")
        why = f": it said {quoted(self._last_error, 200)}" if self._last_error else ""
        return self.failed(f"has ended with status {status}{why}")

    def _kill(self) -> None:
        if hasattr(os, "killpg"):
            kill_all(self.pid, self._mark)
        else:
            with suppress(OSError):  # it may have ended
                self._process.kill()

    def _read_lines(self, stream: IO[bytes], handle: Callable[[str | None], None]) -> None:
        with stream, suppress(OSError):
            while not self._closed and (raw := stream.readline(MAX_LINE_BYTES)):
                handle(" ".join(raw.decode("utf-8", errors="replace").split()))
        handle(None)

    def _queue_line(self, line: str | None) -> None:
        while not self._closed:
            if self._lines.qsize() < MAX_QUEUED:
                self._lines.put(line)
                return
            time.sleep(RETRY_SECONDS)

    def _note_error(self, line: str | None) -> None:
        self._last_error = line or self._last_error
