"""PythonPlayer: an object of a Python module as a player, named `python:MODULE:NAME`.

The object has `choose(position)`, which returns a legal move: its text or its action number. Or it
is a class or a function that makes such an object from `(game, seed)`. `choose` may be `async`.
Whatever it does wrong becomes a BadRequest or an EngineFailed of one line.
"""

from __future__ import annotations

import inspect
import random
import sys
import weakref
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.errors import BadRequest, EngineFailed, IllegalAnswer, MoveError, quoted

if TYPE_CHECKING:
    import asyncio


class CannotBeMade(BadRequest):
    """The class or function behind `MODULE:NAME` fails when it is called."""


class PythonPlayer:
    """A player that asks the object behind `MODULE:NAME`."""

    def __init__(self, source: str, game: Game, seed: int | str | None = None) -> None:
        self.name = f"python:{source}"
        self._player = _made(source, game, seed)
        self._runner: asyncio.Runner | None = None  # one for all moves: connections live on in it

    @property
    def is_async(self) -> bool:
        """Whether it can be asked about many games at the same time, by `choose_async`."""
        return inspect.iscoroutinefunction(self._player.choose)

    def choose(self, position: Position) -> int:
        """The move that the object chooses, if it is legal."""
        if not self.is_async:
            try:
                answer = self._player.choose(position)
            except (Exception, SystemExit) as error:
                raise self._failed(error) from error
            return self._read(position, answer)
        if self._runner is None:
            import asyncio  # noqa: PLC0415 - 30 ms, only for this

            self._runner = asyncio.Runner()
            weakref.finalize(self, self._runner.close)
        return self._runner.run(self.choose_async(position))

    async def choose_async(self, position: Position) -> int:
        """The same of an object whose `choose` is `async`."""
        try:
            answer = await self._player.choose(position)
        except (Exception, SystemExit) as error:
            raise self._failed(error) from error
        return self._read(position, answer)

    def _failed(self, error: BaseException) -> EngineFailed:
        return EngineFailed(f"{self.name} failed: {_what(error)}.")

    def _read(self, position: Position, answer: Any) -> int:  # noqa: ANN401 - to be checked
        try:
            return position.read(answer if isinstance(answer, str) else answer.__index__())
        except (MoveError, AttributeError) as error:
            why = f" {error}" if isinstance(error, MoveError) else ""
            raise IllegalAnswer(f"{self.name} wants to play {quoted(repr(answer))}.{why}") from None


def _made(source: str, game: Game, seed: int | str | None) -> Any:  # noqa: ANN401 - somebody's object
    """The object that the source names or makes; raises BadRequest if it is no player."""
    module, _, name = source.partition(":")
    if not (module and name):
        raise BadRequest("python: needs a module and a name in it, like python:my_bots:Greedy.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # as `python -m` would; the installed command does not have it
    try:
        found: Any = reduce(getattr, name.split("."), import_module(module))
    except (Exception, SystemExit) as error:
        raise BadRequest(f"Cannot load python:{source}: {_what(error)}.") from error
    if isinstance(found, type) or not hasattr(found, "choose"):
        number = None if seed is None else random.Random(f"gridwise python {seed}").getrandbits(31)
        try:
            found = found(game, number)
        except (Exception, SystemExit) as error:
            raise CannotBeMade(f"Cannot make python:{source}: {_what(error)}.") from error
    if not callable(getattr(found, "choose", None)):
        raise BadRequest(f"python:{source} has no choose(position), so it cannot play.")
    return found


def _what(error: BaseException) -> str:
    """What went wrong, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
