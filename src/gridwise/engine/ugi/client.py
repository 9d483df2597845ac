"""UgiPlayer: another program as a player, run as a process and spoken to in UGI.

It is sent only what may be seen. Whatever it does wrong (not start, die, hang, talk nonsense, play
illegal moves) becomes an EngineFailed of one line, and no process is left running after `close`.
"""

from __future__ import annotations

import os
import queue
import random
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from gridwise.core.position import Position
from gridwise.engine.ugi.position_text import position_text
from gridwise.errors import BadRequest, EngineFailed, IllegalAnswer, MoveError, quoted

MOVETIME = 1000  # milliseconds a move
MAX_LINE_BYTES = 1 << 16
_MAX_QUEUED = 10_000  # lines; then the program has to wait


def _ignore(_line: str) -> None:
    pass


class UgiPlayer:
    """A player that asks the program behind `command`.

    It may take `start_seconds` to get ready, and `grace` seconds more than `movetime` for a move. A
    program that has an option Seed gets one made from `seed`.
    """

    def __init__(
        self,
        command: str,
        seed: int | str | None = None,
        *,
        movetime: int = MOVETIME,
        start_seconds: float = 10.0,
        grace: float = 3.0,
    ) -> None:
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise BadRequest(f"Cannot read the command {quoted(command)}: {error}.") from None
        if not self._arguments:
            raise BadRequest("ugi: needs the command of an engine, like ugi:./engine.")
        self.name = f"ugi:{command}"
        self._seed = seed
        self._movetime = movetime
        self._start_seconds, self._grace = start_seconds, grace
        self._program: _Program | None = None

    def start(self) -> None:
        """Run the program and wait until it is ready. Does nothing if it is."""
        if self._program:
            return
        self._program = _Program(self.name.removeprefix("ugi:"), self._arguments)
        try:
            self._handshake(self._program)
        except BaseException:
            self.close()
            raise

    def choose(self, position: Position) -> int:
        """The move that the program answers, if it is legal."""
        self.start()
        assert self._program  # `start` has made it
        try:
            return self._ask(self._program, position)
        except BaseException:
            self.close()  # a late answer must not be taken for the answer to another question
            raise

    def close(self) -> None:
        """End the program and everything it has started."""
        if self._program:
            program, self._program = self._program, None
            program.close()

    def _ask(self, program: _Program, position: Position) -> int:
        moves = " ".join(["moves", *position.moves]) if position.history else ""
        program.send(f"position fen {position_text(position)} {moves}".rstrip())
        program.send(f"go movetime {self._movetime}")
        seconds = self._movetime / 1000 + self._grace
        answer = program.receive("bestmove", seconds)
        if answer is None:
            program.send("stop")
            answer = program.receive("bestmove", min(1, self._grace))
        if answer is None:
            raise program.failed(f"has not answered go within {seconds:.3g} seconds")
        move = answer.partition(" ponder")[0]
        try:
            return position.read(move)
        except MoveError as error:
            failed = program.failed(f"wants to play {quoted(move)}. {error}")
            raise IllegalAnswer(str(failed)) from None

    def _handshake(self, program: _Program) -> None:
        options: list[str] = []
        self._expect(program, "ugi", "ugiok", options.append)
        if self._seed is not None and any(o.startswith("option name Seed ") for o in options):
            number = random.Random(f"gridwise engine {self._seed}").getrandbits(30) + 1
            program.send(f"setoption name Seed value {number}")
        program.send("uginewgame")
        self._expect(program, "isready", "readyok")

    def _expect(
        self, program: _Program, said: str, wanted: str, others: Callable[[str], None] = _ignore
    ) -> None:
        program.send(said)
        if program.receive(wanted, self._start_seconds, others) is None:
            seconds = f"{self._start_seconds:.3g} seconds"
            raise program.failed(f"has not answered {said} with {wanted} within {seconds}")


class _Program:
    """A running program: lines in, lines out, and its last line on standard error.

    Raises EngineFailed if it cannot be started, or ends while it is spoken to.
    """

    def __init__(self, command: str, words: list[str]) -> None:
        self._command = command
        pipe = subprocess.PIPE
        try:
            # A process group of its own, so that Ctrl-C does not reach it and its children end
            # with it.
            self._process = subprocess.Popen(  # noqa: S603 - running what the person names is the point
                words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise self.failed(f"cannot be started: {reason}") from None
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_QUEUED)
        self._last_error = ""
        self._closed = False
        streams = (self._process.stdout, self._queue_line), (self._process.stderr, self._note_error)
        self._threads = [
            threading.Thread(target=self._read_lines, args=each, daemon=True) for each in streams
        ]
        for thread in self._threads:
            thread.start()

    def send(self, line: str) -> None:
        """Say a line to it."""
        try:
            self._write(line)
        except OSError:  # it no longer reads; its last line may still say why
            raise self._ended() from None

    def receive(
        self, wanted: str, seconds: float, others: Callable[[str], None] = _ignore
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
            others(line)
        return None

    def failed(self, what: str) -> EngineFailed:
        """The error that says what it has done."""
        full_stop = "" if what.endswith(".") else "."
        return EngineFailed(f"The engine {quoted(self._command, 100)} {what}{full_stop}")

    def _write(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def _ended(self) -> EngineFailed:
        """How it ended, once it has."""
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

    def close(self) -> None:
        """Ask it to quit; then end it and its children, and leave nothing open."""
        process = self._process
        try:
            with suppress(OSError):
                self._write("quit")
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.3)
        finally:
            self._closed = True
            self._kill()
            process.wait()
            for thread in self._threads:
                thread.join(1)
            for stream in (process.stdin, process.stdout, process.stderr):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr] # all three are pipes

    def _kill(self) -> None:
        with suppress(OSError):  # it may have ended
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _read_lines(self, stream: IO[bytes], handle: Callable[[str | None], None]) -> None:
        with suppress(OSError, ValueError):  # closed meanwhile
            while raw := stream.readline(MAX_LINE_BYTES):
                handle(" ".join(raw.decode("utf-8", errors="replace").split()))
        handle(None)

    def _queue_line(self, line: str | None) -> None:
        while not self._closed:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def _note_error(self, line: str | None) -> None:
        self._last_error = line or self._last_error
