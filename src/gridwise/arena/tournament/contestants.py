"""Contestants: the players of a tournament, each asked for moves within a time limit.

Whatever a program does wrong becomes one of three errors: IllegalAnswer, EngineTimedOut, or another
EngineFailed, a crash. The next game starts it again. A program that is not there at all ends the
tournament: EngineNotStarted or BadRequest. So does a language model that cannot be reached,
ProviderFailed: nobody loses games because a network is down.

A Python object runs in a process of its own, so that an endless loop in it can be ended, and so
that it cannot look at the true board. Programs stay for a while when a task is done, for the next
one (`ProgramPool`): starting an engine for every pair took longer than playing it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Protocol

from gridwise.arena.python_player import CannotBeMade, PythonPlayer
from gridwise.arena.seats import model_player, player_name, program_seed, ugi_player
from gridwise.arena.tournament.time_limits import MoveTime
from gridwise.core.game import Game
from gridwise.core.position import Player, Position
from gridwise.core.registry import game as game_named
from gridwise.engine.bots import LEVELS, bot
from gridwise.engine.ugi import reaper
from gridwise.engine.ugi.process_groups import kill_all, marked_environment, new_mark
from gridwise.errors import BadRequest, EngineFailed, EngineTimedOut, quoted
from gridwise.play.match import HUMAN
from gridwise.worker_process import WorkerProcess

READY_SECONDS = 60.0  # for a Python object to be made: it may have to load a network
IDLE_SECONDS = 5.0  # that a program waits for the next task


class Contestant(Protocol):
    """A player in one game after the other."""

    timed: bool

    def new_game(self, seed: str) -> None:
        """Another game begins; `seed` is for whatever the player draws in it."""

    def choose(self, position: Position, limit: MoveTime) -> int:
        """A legal action; raises EngineFailed."""

    def close(self) -> None:
        """End what was started."""


class BotContestant:
    """A fresh bot for each game."""

    timed = False

    def __init__(self, game: Game, level: str) -> None:
        self._game, self._level = game, level
        self._bot: Player = bot(game, level, 0)

    def new_game(self, seed: str) -> None:
        """Make a bot that draws from this seed."""
        self._bot = bot(self._game, self._level, seed)

    def choose(self, position: Position, _: MoveTime) -> int:
        """The bot's move."""
        return self._bot.choose(position)

    def close(self) -> None:
        """Nothing was started."""


class EngineContestant:
    """An engine that speaks UGI."""

    timed = True

    def __init__(self, game: Game, command: str) -> None:
        self._game = game
        self._player = ugi_player(game, command)

    def new_game(self, seed: str) -> None:
        """Start the engine if it does not run, and say that a game begins."""
        self._player.new_game(program_seed(self._game, seed))

    def choose(self, position: Position, limit: MoveTime) -> int:
        """The engine's move."""
        return self._player.choose_within(position, *limit)

    def close(self) -> None:
        """End the engine."""
        self._player.close()


class PythonContestant:
    """An object of a Python module, in a process of its own."""

    timed = True

    def __init__(self, game: Game, source: str) -> None:
        self._game, self._source = game, source
        self._mark = new_mark()
        self._worker = WorkerProcess(environment=marked_environment(self._mark))
        self._pid = 0
        self._late = False

    def new_game(self, seed: str) -> None:
        """Make the object again."""
        if not self._pid:
            self._pid = self._worker.call(os.getpid)
            if reaper.active:
                reaper.active.watch(self._pid, self._mark)
        number = program_seed(self._game, seed)
        with self._limited(READY_SECONDS):
            try:
                self._worker.call(_make, self._source, self._game.key, number)
            except CannotBeMade as error:  # it is there, and fails: a crash like any other
                raise EngineFailed(str(error)) from None

    def choose(self, position: Position, limit: MoveTime) -> int:
        """The object's move."""
        if not self._pid:  # its time was up in the very moment of its last answer
            raise EngineTimedOut(f"python:{self._source} has not answered in time.")
        with self._limited(limit.seconds + limit.margin):
            return self._worker.call(_choose, position)

    def close(self) -> None:
        """End its process, and what that has started."""
        pid, self._pid = self._pid, 0
        if pid:
            kill_all(pid, self._mark)
            if reaper.active:
                reaper.active.forget(pid, self._mark)
        self._worker.stop()

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        """End its process if the block takes longer; EngineFailed then says what happened."""
        self._late = False
        timer = threading.Timer(seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except EngineFailed:
            if not self._late and _is_running(self._pid):
                raise  # what the object has done wrong
            self.close()
            if not self._late:
                raise EngineFailed(f"python:{self._source} has ended its process.") from None
        finally:
            timer.cancel()
            timer.join()  # it may be ending the process: not the one that the next game starts
        if self._late:
            raise EngineTimedOut(
                f"python:{self._source} has not answered within {seconds:.3g} seconds."
            )

    def _end(self) -> None:
        self._late = True
        self.close()


class ModelContestant:
    """A language model. It is not timed: most of its time is its provider's and the network's."""

    timed = False

    def __init__(self, name: str) -> None:
        self._player = model_player(name)

    def new_game(self, seed: str) -> None:
        """Nothing: it is shown the whole game with every question."""

    def choose(self, position: Position, _: MoveTime) -> int:
        """The model's move."""
        return self._player.choose(position)

    def close(self) -> None:
        """Give up on a question that is waiting."""
        self._player.close()


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return pid != 0


_made: PythonPlayer | None = None


def _make(source: str, game: str, seed: int | str | None) -> None:
    """Make the object, in its process."""
    global _made  # noqa: PLW0603 - the process is there for this one object
    _made = PythonPlayer(source, game_named(game), seed)


def _choose(position: Position) -> int:
    assert _made  # `new_game` has made it
    return _made.choose(position)


def contestant(game: Game, who: str) -> Contestant:
    """The player that a name means; raises BadRequest if it is none for a tournament."""
    name = player_name(who)
    kind, _, rest = name.partition(":")
    if kind == "bot":
        return BotContestant(game, rest)
    if kind == "ugi":
        return EngineContestant(game, rest)
    if kind == "python":
        return PythonContestant(game, rest)
    if kind == "model":
        return ModelContestant(rest)
    if name == HUMAN:
        raise BadRequest("People do not play in an arena. `gridwise play` is for them.")
    raise BadRequest(
        f"A player is a bot ({', '.join(LEVELS)}), ugi:COMMAND, python:MODULE:NAME or "
        f"model:NAME, not {quoted(who)}."
    )


class ProgramPool:
    """Contestants that wait for the next task of this process; those that wait too long end."""

    _idle: ClassVar[list[tuple[tuple[str, str], float, Contestant]]] = []
    _changing: ClassVar = threading.Lock()
    _timer: ClassVar[threading.Timer | None] = None  # one for all of them

    @classmethod
    @contextmanager
    def borrowed(cls, game: Game, who: str) -> Iterator[Contestant]:
        """A contestant for the block; after an error it is not used again."""
        key = (game.key, player_name(who))
        with cls._changing:
            waiting = next((each for each in cls._idle if each[0] == key), None)
            if waiting:
                cls._idle.remove(waiting)
        player = waiting[2] if waiting else contestant(game, who)
        try:
            yield player
        except BaseException:
            player.close()
            raise
        if player.timed:
            with cls._changing:
                cls._idle.append((key, time.monotonic(), player))
                cls._wait()

    @classmethod
    def close_idle(cls, seconds: float = 0.0) -> None:
        """End those that have waited so long."""
        before = time.monotonic() - seconds
        with cls._changing:
            ended = [each for each in cls._idle if each[1] <= before]
            cls._idle[:] = [each for each in cls._idle if each[1] > before]
            cls._timer = None
            if cls._idle:
                cls._wait()
        for _, _, player in ended:
            player.close()

    @classmethod
    def _wait(cls) -> None:
        if cls._timer is None:
            cls._timer = threading.Timer(IDLE_SECONDS, cls.close_idle, (IDLE_SECONDS,))
            cls._timer.daemon = True
            cls._timer.start()
