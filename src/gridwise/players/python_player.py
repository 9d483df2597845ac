"""PythonPlayer: an object of a Python module as a player, named `python:MODULE:NAME`.

The object has `choose(position)`, which returns a legal move: its text or its action number. Or it
is a class or a function that makes such an object from `(game, seed)`. `choose` may be `async`.
Whatever it does wrong becomes a BadRequest or an EngineFailed of one line.

In a tournament it is an IsolatedPlayer, in a process of its own, so that an endless loop in it can
be ended, and so that it cannot look at the true board.
"""

from __future__ import annotations

import inspect
import os
import random
import sys
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial, reduce
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.ugi.client import MoveTime, ProcessGroup
from gridwise.errors import (
    BadRequest,
    EngineFailed,
    EngineTimedOut,
    IllegalAnswer,
    MoveError,
    quoted,
)
from gridwise.players.background_loop import BackgroundLoop
from gridwise.worker_process import WorkerEnded, WorkerProcess

T = TypeVar("T")

READY_SECONDS = 60.0  # for an object to be made in its process: it may have to load a network


class CannotBeMade(BadRequest):
    """The class or function behind `MODULE:NAME` fails when it is called."""


class PythonPlayer:
    """A player that asks the object behind `MODULE:NAME`."""

    def __init__(self, source: str, game: Game, seed: int | str | None = None) -> None:
        self.name = f"python:{source}"
        self._player = _make_player(source, game, seed)
        self._loop = BackgroundLoop()
        weakref.finalize(self, self._loop.close)

    @property
    def is_async(self) -> bool:
        """Whether it can be asked about many games at the same time, by `choose_async`."""
        return inspect.iscoroutinefunction(self._player.choose)

    def choose(self, position: Position) -> int:
        """The move that the object chooses, if it is legal."""
        if self.is_async:
            return self._loop.run(self.choose_async(position))
        with self._errors_named():
            answer = self._player.choose(position)
        return self._read(position, answer)

    async def choose_async(self, position: Position) -> int:
        """The move that an object with an `async` `choose` chooses, if it is legal."""
        with self._errors_named():
            answer = await self._player.choose(position)
        return self._read(position, answer)

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:
            raise EngineFailed(f"{self.name} failed: {_what(error)}.") from error

    def _read(self, position: Position, answer: Any) -> int:  # noqa: ANN401 - to be checked
        try:
            return position.read(answer if isinstance(answer, str) else answer.__index__())
        except (MoveError, AttributeError) as error:
            why = f" {error}" if isinstance(error, MoveError) else ""
            raise IllegalAnswer(f"{self.name} wants to play {quoted(repr(answer))}.{why}") from None


class IsolatedPlayer:
    """A Python player in a process of its own, within time limits. `new_game` starts it."""

    def __init__(self, source: str, game: Game) -> None:
        self.name = f"python:{source}"
        self._source, self._game = source, game
        self._worker = WorkerProcess()
        self._caller = ThreadPoolExecutor(1, "gridwise waits for a player")
        self._group: ProcessGroup | None = None  # of the process, if it runs

    def new_game(self, seed: int | str | None) -> None:
        """Make the object again."""
        if not self._group:
            self._group = ProcessGroup(self._worker.call(os.getpid))
        try:
            self._call(READY_SECONDS, _make, self._source, self._game.key, seed)
        except CannotBeMade as error:  # it is there, and fails: a crash like any other
            raise EngineFailed(str(error)) from None

    def choose(self, position: Position, limit: MoveTime) -> int:
        """The object's move."""
        return self._call(limit.seconds + limit.margin, _choose, position)

    def close(self) -> None:
        """End its process, and what that has started."""
        group, self._group = self._group, None
        if group:
            group.kill()
        self._worker.stop()

    def _call(self, seconds: float, function: Callable[..., T], *args: object) -> T:
        """What a function returns there; its process is ended if that takes longer."""
        answer = self._caller.submit(partial(self._worker.call, function, *args))
        try:
            return answer.result(seconds)
        except TimeoutError:
            self.close()
            late = f"{self.name} has not answered within {seconds:.3g} seconds."
            raise EngineTimedOut(late) from None
        except WorkerEnded:
            self.close()
            raise EngineFailed(f"{self.name} has ended its process.") from None
        except BaseException:  # such as Ctrl-C: the thread that waits would hold up our end
            if not answer.done():
                self.close()
            raise


_isolated: PythonPlayer | None = None  # in a process that is there for this one object


def _make(source: str, game: str, seed: int | str | None) -> None:
    """Make the object, in its process."""
    global _isolated  # noqa: PLW0603 - as above
    _isolated = PythonPlayer(source, game_named(game), seed)


def _choose(position: Position) -> int:
    assert _isolated  # `new_game` has made it
    return _isolated.choose(position)


def _make_player(source: str, game: Game, seed: int | str | None) -> Any:  # noqa: ANN401 - somebody's object
    """The object that the source names or makes; raises BadRequest if it is no player."""
    module, _, name = source.partition(":")
    if not (module and name):
        raise BadRequest("python: needs a module and a name in it, like python:my_bots:Greedy.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # as `python -m` would; the installed command does not have it
    try:
        player: Any = reduce(getattr, name.split("."), import_module(module))
    except (Exception, SystemExit) as error:
        raise BadRequest(f"Cannot load python:{source}: {_what(error)}.") from error
    if isinstance(player, type) or not hasattr(player, "choose"):
        number = None if seed is None else random.Random(f"gridwise python {seed}").getrandbits(31)
        try:
            player = player(game, number)
        except (Exception, SystemExit) as error:
            raise CannotBeMade(f"Cannot make python:{source}: {_what(error)}.") from error
    if not callable(getattr(player, "choose", None)):
        raise BadRequest(f"python:{source} has no choose(position), so it cannot play.")
    return player


def _what(error: BaseException) -> str:
    """What went wrong, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
