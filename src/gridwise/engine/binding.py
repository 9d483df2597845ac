"""Giving functions another world to look names up in, and telling one such world from another.

A kernel is written once, against stand-ins for the rules (`moves`, `play`, …, below). To run for a
game it is *bound*: copied, with the game's own functions in the stand-ins' place. The same is done
to every plain function it calls. Nothing here knows numba; what becomes of each copy is up to the
caller.
"""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

from gridwise.core.game import Planes, Rules, State

Grid: TypeAlias = Any  # a Board, or the twin of one
Ints: TypeAlias = Any  # a list of ints, or an array
Bound: TypeAlias = Any  # a function, or what was made of it

RULES = ("start", "moves", "play", "winner", "hidden")
PLANES = ("planes", "counts")


def start(board: Grid, first: int) -> State:
    """Stand in for the game's `start` in a kernel."""
    raise NotImplementedError


def moves(board: Grid, state: State) -> int:
    """Stand in for the game's `moves` in a kernel."""
    raise NotImplementedError


def play(board: Grid, state: State, action: int) -> State:
    """Stand in for the game's `play` in a kernel."""
    raise NotImplementedError


def winner(board: Grid, state: State) -> int:
    """Stand in for the game's `winner` in a kernel."""
    raise NotImplementedError


def hidden(board: Grid, state: State) -> int:
    """Stand in for the game's `hidden` in a kernel."""
    raise NotImplementedError


def planes(board: Grid, state: State, player: int) -> tuple[int, ...]:
    """Stand in for the game's `planes` in a kernel; it may be empty, so add to it to index it."""
    raise NotImplementedError


def counts(board: Grid, state: State, player: int) -> tuple[int, ...]:
    """Stand in for the game's `counts` in a kernel; it may be empty, so add to it to index it."""
    raise NotImplementedError


def unpack(rows: Ints, at: int) -> State:
    """Stand in for reading the state whose first int is `rows[at]`; kernels keep states flat."""
    raise NotImplementedError


_STAND_INS: dict[Any, str] = {
    f: f.__name__ for f in (start, moves, play, winner, hidden, planes, counts, unpack)
}


def game_functions(rules: Rules, sight: Planes, state_type: type) -> dict[str, FunctionType]:
    """What the stand-ins stand for: the functions of rules and planes, and `unpack` made to fit."""
    found = {name: getattr(rules, name) for name in RULES}
    found |= {name: getattr(sight, name) for name in PLANES}
    fields = ", ".join(f"rows[at + {k}]" for k in range(len(state_type._fields)))  # type: ignore[attr-defined]
    # A tuple of a length that only the game knows cannot be written any other way that compiles.
    found["unpack"] = eval(f"lambda rows, at: State({fields})", {"State": state_type})  # noqa: S307
    return found


class Binding:
    """Functions copied into a world named `name`, each copy passed through `make`."""

    def __init__(
        self, name: str, functions: dict[str, FunctionType], make: Callable[[FunctionType], Bound]
    ) -> None:
        self._name = name
        self._functions = functions
        self._make = make
        self._bound: dict[FunctionType, Bound] = {}

    def bind(
        self, function: Callable[..., Any], make: Callable[[FunctionType], Bound] | None = None
    ) -> Bound:
        """The function's copy in this world; the same one every time.

        It may be made differently from those that it calls.
        """
        origin = _resolved(function, self._functions)
        if origin not in self._bound:
            # Compiled code is read back into the module it says it is from, so that must be one.
            world: dict[str, Any] = {"__name__": __name__, "__builtins__": builtins}
            copy = FunctionType(origin.__code__, world, origin.__name__, origin.__defaults__)
            # The name keeps compiled symbols of two games apart where both are in one process.
            copy.__qualname__ = f"{self._name}.{origin.__name__}"
            self._bound[origin] = (make or self._make)(copy)  # before its names: it may recur
            for name, value in _reads(origin):
                world[name] = self.bind(value) if isinstance(value, FunctionType) else value
        return self._bound[origin]


def fingerprint(
    function: Callable[..., Any], functions: dict[str, FunctionType], more: str = ""
) -> str:
    """A hash of all that a bound function would do: its code, what it calls, what it reads.

    It looks at code, not at files: a file may have changed since it was imported, and the hash has
    to be that of what would run.
    """
    digest = hashlib.sha256(more.encode())
    seen: set[FunctionType] = set()

    def add(function: Callable[..., Any]) -> None:
        origin = _resolved(function, functions)
        if origin in seen:
            return
        seen.add(origin)
        digest.update(repr((_told(origin.__code__), origin.__defaults__)).encode())
        for name, value in _reads(origin):
            digest.update(f"{name}={_told(value)};".encode())
            if isinstance(value, FunctionType):
                add(value)

    add(function)
    return digest.hexdigest()


def _resolved(function: Callable[..., Any], functions: dict[str, FunctionType]) -> FunctionType:
    found = functions[_STAND_INS[function]] if function in _STAND_INS else function
    if not isinstance(found, FunctionType) or found.__closure__:
        raise TypeError(f"{found!r} is no plain function, so it cannot be bound to a game.")
    return found


def _reads(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global names that a function mentions, and what they mean where it was written."""
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: CodeType) -> set[str]:
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)


def _told(value: object) -> str:
    """What there is to know about a value a function uses, the same in every process."""
    if isinstance(value, CodeType):
        consts = [_told(const) for const in value.co_consts]
        return repr((value.co_code, consts, value.co_names, value.co_varnames, value.co_argcount))
    if isinstance(value, tuple):
        return repr([_told(item) for item in value])
    if isinstance(value, frozenset):
        return repr(sorted(_told(item) for item in value))
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, (FunctionType, ModuleType, type)):
        return repr((value.__name__, getattr(value, "_fields", ())))
    return type(value).__name__
