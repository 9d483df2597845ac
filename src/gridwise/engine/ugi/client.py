"""Programs that speak UGI: UgiProcess, which nothing can make us wait for, and UgiPlayer.

A program may stop reading, flood its output, hang, ignore signals or leave children behind. So
every write has a time limit, what it says is kept only up to a limit, and `close` takes less than
half a second and leaves nothing of its process group. `close` may be called from another thread:
whoever waits for an answer is told at once that there will be none.

Its children are in its group unless they leave it: one that starts a session of its own, as a
daemon does, has asked to outlive the engine, and does.
"""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple

from gridwise.core.position import Position
from gridwise.core.rng import derive_seed
from gridwise.engine.ugi.position_text import position_command
from gridwise.errors import (
    BadRequest,
    EngineFailed,
    EngineNotStarted,
    EngineTimedOut,
    IllegalAnswer,
    MoveError,
    quoted,
)

# Both together are 8 MB at most, of a program that talks while nobody asks; then it has to wait.
MAX_LINE_BYTES = 1 << 13
MAX_QUEUED = 1_000  # lines
QUIT_SECONDS = 0.2  # time to end by itself: Ctrl-C has to end two engines within a second
KILLED_SECONDS = 5.0  # for the system to end it after a kill: milliseconds, unless it is busy
PIPE_SECONDS = 0.1  # for the rest of what it has said
RETRY_SECONDS = 0.005  # between two attempts to write into a full pipe, or a full queue


MOVE_MS = 1000  # milliseconds a move
READY_SECONDS = 60.0  # our own engine may have to be compiled: half a minute, once


def check_command(command: str) -> list[str]:
    """The words of a command; raises BadRequest if there are none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadRequest(f"Cannot read the command {quoted(command)}: {error}.") from None
    if not words:
        raise BadRequest("An engine needs a command, like ./engine.")
    return words


def check_program(command: str) -> None:
    """Raise EngineNotStarted if the program that a command names is not there."""
    word, *_ = check_command(command)
    if not shutil.which(word):
        raise EngineNotStarted(f"The engine {quoted(command)} cannot be started: no such program.")


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Handle signals that come during the block at its end; it must be short.

    Only the main thread handles signals: in another one nothing has to be done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = [(number, signal.getsignal(number)) for number in signal.valid_signals()]
    replaced = [(number, handler) for number, handler in handlers if callable(handler)]
    for number, _ in replaced:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in replaced:
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


class ProcessGroup:
    """A process group that ends with us, however we end.

    A program that hangs does not notice that its input was closed, and whoever is ended by
    `kill -9` cannot end it any more. So a shell beside it (1 ms, 1 MB) waits until its own input is
    closed, which the system does for us, and kills the group. Linux's PR_SET_PDEATHSIG would not
    do: it acts when the thread ends that has started the program, and leaves its children alone.
    """

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self._watcher = subprocess.Popen(  # noqa: S603 - nothing but ourselves
            ["/bin/sh", "-c", 'read _; kill -s KILL -- "-$0"', str(leader)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal must not end it before its work is done
        )

    def kill(self) -> None:
        """End all of it."""
        with suppress(OSError):  # it may have ended
            os.killpg(self._leader, signal.SIGKILL)
        self._watcher.kill()
        self._watcher.wait()
        assert self._watcher.stdin
        self._watcher.stdin.close()


class UgiProcess:
    """A running program: lines in, lines out, and its last line on standard error.

    Raises EngineFailed if it cannot be started, does not read, or ends while it is spoken to.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        words = check_command(command)
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
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise EngineNotStarted(str(self.failed(f"cannot be started: {reason}"))) from None
        self._group = ProcessGroup(self._process.pid)
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
            threading.Thread(target=self._read_lines, args=stream, daemon=True)
            for stream in streams
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
        """The error that says what it has not done in time."""
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
            self._group.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(KILLED_SECONDS)
            assert self._process.stdin
            self._process.stdin.close()
            self._lines.put(None)  # for whoever waits for an answer
            # A child in a session of its own may hold the pipes open. The threads that read them
            # close them, now or when it ends: a stream cannot be closed while it is being read.
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


class MoveTime(NamedTuple):
    """The time for one move."""

    go: str  # as UGI says it
    seconds: float
    margin: float  # seconds that the answer may be late


class UgiPlayer:
    """A player that asks the program behind `command`; it is sent only what may be seen.

    It may take `start_seconds` to answer at all, `ready_seconds` to get ready, and `grace` seconds
    more than `movetime` for a move. A program that has an option Seed gets one made from `seed`.
    Whatever it does wrong (not start, not read, die, hang, talk nonsense, play illegal moves)
    becomes an EngineFailed of one line.
    """

    def __init__(
        self,
        command: str,
        seed: int | str | None = None,
        *,
        movetime: int = MOVE_MS,
        start_seconds: float = 10.0,
        ready_seconds: float = READY_SECONDS,
        grace: float = 3.0,
    ) -> None:
        check_command(command)
        self.name = f"ugi:{command}"
        self._seed = seed
        self._usual_time = MoveTime(f"movetime {movetime}", movetime / 1000, grace)
        self._start_seconds, self._ready_seconds = start_seconds, ready_seconds
        self._takes_seed = False
        self._program: UgiProcess | None = None

    def start(self) -> None:
        """Run the program and wait until it is ready. Does nothing if it is."""
        if not self._program:
            with self._closed_on_error():
                with signals_deferred():  # or it could run while we do not know of it
                    self._program = UgiProcess(self.name.removeprefix("ugi:"))
                self._takes_seed = False
                self._expect(self._program, "ugi", "ugiok", self._start_seconds)
                self._begin_game(self._program, self._ready_seconds)

    def new_game(self, seed: int | str | None) -> None:
        """Tell the program that another game begins, and its seed if it takes one."""
        self._seed = seed
        if not self._program:
            self.start()
            return
        with self._closed_on_error():
            self._program.forget_lines()  # a `readyok` too many must not be taken for the next
            self._begin_game(self._program, self._start_seconds)

    def choose(self, position: Position, limit: MoveTime | None = None) -> int:
        """The move that the program answers, if it is legal."""
        self.start()
        assert self._program  # `start` has made it
        with self._closed_on_error():
            return self._ask(self._program, position, limit or self._usual_time)

    def close(self) -> None:
        """End the program and everything it has started."""
        if self._program:
            program, self._program = self._program, None
            program.close()

    @contextmanager
    def _closed_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()  # a late answer must not be taken for the answer to another question
            raise

    def _ask(self, program: UgiProcess, position: Position, limit: MoveTime) -> int:
        go, seconds, margin = limit
        program.forget_lines()
        program.send(position_command(position), margin)
        program.send(f"go {go}", margin)
        seconds += margin
        answer = program.receive("bestmove", seconds)
        if answer is None:
            program.send("stop", min(1, margin))
            answer = program.receive("bestmove", min(1, margin))
        if answer is None:
            raise program.timed_out(f"has not answered go within {seconds:.3g} seconds")
        move = answer.partition(" ponder")[0]
        try:
            return position.read(move)
        except MoveError as error:
            failed = program.failed(f"wants to play {quoted(move)}. {error}")
            raise IllegalAnswer(str(failed)) from None

    def _begin_game(self, program: UgiProcess, ready_seconds: float) -> None:
        if self._seed is not None and self._takes_seed:
            number = int(derive_seed(self._seed, "engine")[:7], 16) + 1  # 28 bits, and never 0
            program.send(f"setoption name Seed value {number}", self._start_seconds)
        program.send("uginewgame", self._start_seconds)
        self._expect(program, "isready", "readyok", ready_seconds)

    def _expect(self, program: UgiProcess, said: str, wanted: str, limit: float) -> None:
        def note(line: str) -> None:
            self._takes_seed = self._takes_seed or line.startswith("option name Seed ")

        program.send(said, self._start_seconds)
        if program.receive(wanted, limit, note) is None:
            seconds = f"{limit:.3g} seconds"
            raise program.timed_out(f"has not answered {said} with {wanted} within {seconds}")
