"""Another program as a player: it runs beside us and is spoken to in UGI.

It is told only what may be seen. Whatever it does (not start, die, hang, babble, cheat) becomes an
EngineFailed of one line, and nothing of it is left running after `close`.
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

from gridwise.core.game import Position
from gridwise.engine.fen import fen
from gridwise.errors import BadRequest, EngineFailed, IllegalAnswer, MoveError, quoted

MOVETIME = 1000  # milliseconds a move
LONGEST_LINE = 1 << 16
_MOST_WAITING = 10_000  # lines that may wait to be read; then the program has to wait


class UgiPlayer:
    """A player that asks the program behind `command`.

    `patience` is how many seconds it may take to get ready, `grace` how many more than `movetime`
    for a move. A program that has an option Seed gets one made from `seed`.
    """

    def __init__(
        self,
        command: str,
        seed: int | str | None = None,
        *,
        movetime: int = MOVETIME,
        patience: float = 10.0,
        grace: float = 3.0,
    ) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise BadRequest(f"Cannot read the command {quoted(command)}: {error}.") from None
        if not self._words:
            raise BadRequest("ugi: needs the command of an engine, like ugi:./engine.")
        self.name = f"ugi:{command}"
        self._command = command
        self._seed = seed
        self._movetime = movetime
        self._patience, self._grace = patience, grace
        self._program: _Program | None = None

    def start(self) -> None:
        """Run the program and wait until it is ready. Does nothing if it is."""
        if self._program:
            return
        try:
            self._program = _Program(self._words)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise self._failed(f"cannot be started: {reason}") from None
        try:
            self._get_ready(self._program)
        except BaseException:
            self.close()
            raise

    def choose(self, position: Position) -> int:
        """The move that the program answers, if it is legal."""
        self.start()
        assert self._program  # `start` has seen to it
        try:
            return self._ask(self._program, position)
        except BaseException:
            self.close()  # an answer that comes late must not pass for one to another question
            raise

    def close(self) -> None:
        """End the program and everything it has started."""
        if self._program:
            program, self._program = self._program, None
            program.close()

    def _ask(self, program: _Program, position: Position) -> int:
        moves = "".join(f" {move}" for move in position.moves)
        self._tell(program, f"position fen {fen(position)}{' moves' if moves else ''}{moves}")
        self._tell(program, f"go movetime {self._movetime}")
        seconds = self._movetime / 1000 + self._grace
        answer = self._hear(program, "bestmove", seconds)
        if answer is None:
            self._tell(program, "stop")
            answer = self._hear(program, "bestmove", min(1, self._grace))
        if answer is None:
            raise self._failed(f"has not answered go within {seconds:.3g} seconds")
        move = answer.partition(" ponder")[0]
        try:
            return position.game.read_move(position.board, position.state, move)
        except MoveError as error:
            raise IllegalAnswer(
                str(self._failed(f"wants to play {quoted(move)}. {error}"))
            ) from None

    def _get_ready(self, program: _Program) -> None:
        takes_seeds = False

        def look(line: str) -> None:
            nonlocal takes_seeds
            takes_seeds = takes_seeds or line.startswith("option name Seed ")

        self._tell(program, "ugi")
        if self._hear(program, "ugiok", self._patience, look) is None:
            raise self._silent("ugi", "ugiok")
        if self._seed is not None and takes_seeds:
            number = random.Random(f"gridwise engine {self._seed}").getrandbits(30) + 1
            self._tell(program, f"setoption name Seed value {number}")
        self._tell(program, "uginewgame")
        self._tell(program, "isready")
        if self._hear(program, "readyok", self._patience) is None:
            raise self._silent("isready", "readyok")

    def _tell(self, program: _Program, line: str) -> None:
        try:
            program.write(line)
        except OSError:  # it no longer listens; what it said before may still tell why
            raise self._ended(program) from None

    def _hear(
        self,
        program: _Program,
        wanted: str,
        seconds: float,
        others: Callable[[str], object] = lambda _: None,
    ) -> str | None:
        """The rest of the first line that begins with `wanted`; None if it does not come."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = program.lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                raise self._ended(program)
            first, _, rest = line.partition(" ")
            if first == wanted:
                return rest
            others(line)
        return None

    def _silent(self, said: str, wanted: str) -> EngineFailed:
        return self._failed(
            f"has not answered {said} with {wanted} within {self._patience:.3g} seconds"
        )

    def _ended(self, program: _Program) -> EngineFailed:
        return self._failed(program.ending())

    def _failed(self, what: str) -> EngineFailed:
        full_stop = "" if what.endswith(".") else "."
        return EngineFailed(f"The engine {quoted(self._command, 100)} {what}{full_stop}")


class _Program:
    """A running program: lines in, lines out, and its last words."""

    def __init__(self, words: list[str]) -> None:
        # A session of its own, so that Ctrl-C is ours alone and its children can be ended with it.
        self._process = subprocess.Popen(  # noqa: S603 - running what the person names is the point
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.lines: queue.Queue[str | None] = queue.Queue(_MOST_WAITING)
        self._complaint = ""
        self._closed = False
        assert self._process.stdout
        assert self._process.stderr
        self._threads = [
            threading.Thread(target=self._listen, args=(self._process.stdout, self._put)),
            threading.Thread(target=self._listen, args=(self._process.stderr, self._note)),
        ]
        for thread in self._threads:
            thread.daemon = True
            thread.start()

    def write(self, line: str) -> None:
        """Send a line; raises OSError if nobody reads it."""
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def ending(self) -> str:
        """How it ended, once it has."""
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return "has closed its output"
        self._threads[1].join(0.5)
        if status < 0:
            with suppress(ValueError):
                return f"was ended by {signal.Signals(-status).name}"
        why = f": it said {quoted(self._complaint, 200)}" if self._complaint else ""
        return f"has ended with status {status}{why}"

    def close(self) -> None:
        """Ask it to quit; then end it and its children, and leave nothing open."""
        process = self._process
        try:
            with suppress(OSError):
                self.write("quit")
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
                    if stream:
                        stream.close()

    def _kill(self) -> None:
        with suppress(OSError):  # there may be nobody left
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _listen(self, stream: IO[bytes], hear: Callable[[str | None], None]) -> None:
        with suppress(OSError, ValueError):  # closed under our hands
            while raw := stream.readline(LONGEST_LINE):
                hear(" ".join(raw.decode("utf-8", errors="replace").split()))
        hear(None)

    def _put(self, line: str | None) -> None:
        while not self._closed:
            with suppress(queue.Full):
                self.lines.put(line, timeout=0.1)
                return

    def _note(self, line: str | None) -> None:
        self._complaint = line or self._complaint
