"""UgiPlayer: another program as a player, run as a process and spoken to in UGI.

It is sent only what may be seen. Whatever it does wrong (not start, not read, die, hang, talk
nonsense, play illegal moves) becomes an EngineFailed of one line, and no process is left running
after `close`. Time limits and the process itself are in `process.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.core.rng import derive_seed
from gridwise.engine.ugi.position_text import position_text
from gridwise.engine.ugi.process import UgiProcess, check_command, signals_deferred
from gridwise.errors import IllegalAnswer, MoveError, quoted


class MoveTime(NamedTuple):
    """The time for one move."""

    go: str  # as UGI says it
    seconds: float
    margin: float  # seconds that the answer may be late


MOVETIME = 1000  # milliseconds a move
READY_SECONDS = 60.0  # our own engine may have to be compiled: half a minute, once
SEED_OPTION = "option name Seed "


class UgiPlayer:
    """A player that asks the program behind `command`.

    It may take `start_seconds` to answer at all, `ready_seconds` to get ready, and `grace` seconds
    more than `movetime` for a move. A program that has an option Seed gets one made from `seed`.
    """

    def __init__(
        self,
        command: str,
        seed: int | str | None = None,
        *,
        movetime: int = MOVETIME,
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
        if self._program:
            return
        try:
            with signals_deferred():  # or it could run while we do not know of it
                self._program = UgiProcess(self.name.removeprefix("ugi:"))
            self._handshake(self._program)
        except BaseException:
            self.close()
            raise

    def new_game(self, seed: int | str | None) -> None:
        """Tell the program that another game begins, and its seed if it takes one."""
        self._seed = seed
        if not self._program:
            self.start()
            return
        try:
            self._program.forget_lines()  # a `readyok` too many must not be taken for the next
            self._begin_game(self._program, self._start_seconds)
        except BaseException:
            self.close()
            raise

    def choose(self, position: Position, limit: MoveTime | None = None) -> int:
        """The move that the program answers, if it is legal."""
        self.start()
        assert self._program  # `start` has made it
        try:
            return self._ask(self._program, position, limit or self._usual_time)
        except BaseException:
            self.close()  # a late answer must not be taken for the answer to another question
            raise

    def close(self) -> None:
        """End the program and everything it has started."""
        if self._program:
            program, self._program = self._program, None
            program.close()

    def _ask(self, program: UgiProcess, position: Position, limit: MoveTime) -> int:
        go, seconds, margin = limit
        moves = " ".join(["moves", *position.moves]) if position.history else ""
        program.forget_lines()
        program.send(f"position fen {position_text(position)} {moves}".rstrip(), margin)
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

    def _handshake(self, program: UgiProcess) -> None:
        self._takes_seed = False

        def note(line: str) -> None:
            self._takes_seed = self._takes_seed or line.startswith(SEED_OPTION)

        self._expect(program, "ugi", "ugiok", self._start_seconds, note)
        self._begin_game(program, self._ready_seconds)

    def _begin_game(self, program: UgiProcess, ready_seconds: float) -> None:
        if self._seed is not None and self._takes_seed:
            number = int(derive_seed(self._seed, "engine")[:7], 16) + 1  # 28 bits, and never 0
            program.send(f"setoption name Seed value {number}", self._start_seconds)
        program.send("uginewgame", self._start_seconds)
        self._expect(program, "isready", "readyok", ready_seconds)

    def _expect(
        self,
        program: UgiProcess,
        said: str,
        wanted: str,
        limit: float,
        others: Callable[[str], None] | None = None,
    ) -> None:
        program.send(said, self._start_seconds)
        if program.receive(wanted, limit, others) is None:
            seconds = f"{limit:.3g} seconds"
            raise program.timed_out(f"has not answered {said} with {wanted} within {seconds}")
