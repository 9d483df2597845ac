"""Rebind a kernel's globals to one game's rules, and hash all that a kernel depends on.

A kernel is written once, against placeholders for the rules (`moves`, `play`, …, below). To run for
a game it is *specialized*: copied, with the game's own functions in place of the placeholders. The
same is done to every plain function it calls. Nothing here knows numba; what becomes of each copy
is up to the caller.
"""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

from gridwise.core.contracts import Heuristic, Planes, Rules, State

Grid: TypeAlias = Any  # a Board, or a CompiledBoard
Ints: TypeAlias = Any  # a list of ints, an array or a pointer
Floats: TypeAlias = Any  # the same of floats
Specialized: TypeAlias = Any  # a function, or what was made of it

RULES = ("start", "moves", "play", "winner", "hidden")
PLANES = ("planes", "counts")
_PLACEHOLDERS: dict[Callable[..., Any], str] = {}


def _placeholder(name: str) -> Any:  # noqa: ANN401 - each is given its type below
    def placeholder(*_: object) -> None:
        raise NotImplementedError

    _PLACEHOLDERS[placeholder] = name
    return placeholder


# What a kernel calls in place of a game's own functions. Planes and counts are those of a player,
# and may be empty, so add to them to index them. `unpack` reads the state that begins at
# `rows[at]`.
start: Callable[[Grid, int], State] = _placeholder("start")
moves: Callable[[Grid, State], int] = _placeholder("moves")
play: Callable[[Grid, State, int], State] = _placeholder("play")
winner: Callable[[Grid, State], int] = _placeholder("winner")
hidden: Callable[[Grid, State], int] = _placeholder("hidden")
planes: Callable[[Grid, State, int], tuple[int, ...]] = _placeholder("planes")
counts: Callable[[Grid, State, int], tuple[int, ...]] = _placeholder("counts")
unpack: Callable[[Ints, int], State] = _placeholder("unpack")
# How good a move looks at first sight; 0 where the game has no heuristic.
score: Callable[[Grid, State, int], float] = _placeholder("score")


def no_score(_board: Grid, _state: State, _action: int) -> float:
    """What a move is worth at first sight to somebody who sees nothing in it."""
    return 0.0


def game_functions(
    rules: Rules, sight: Planes, state_type: type, heuristic: Heuristic | None = None
) -> dict[str, FunctionType]:
    """What replaces the placeholders: the functions of rules and planes, and a fitting `unpack`."""
    functions = {name: getattr(rules, name) for name in RULES}
    functions |= {name: getattr(sight, name) for name in PLANES}
    functions["score"] = heuristic.score if heuristic else no_score
    fields = ", ".join(f"rows[at + {k}]" for k in range(len(state_type._fields)))  # type: ignore[attr-defined]
    # A tuple of a length that only the game knows cannot be written any other way that compiles.
    functions["unpack"] = eval(f"lambda rows, at: State({fields})", {"State": state_type})  # noqa: S307
    return functions


def in_place_of_placeholders(
    functions: dict[str, FunctionType],
) -> dict[Callable[..., Any], Callable[..., Any]]:
    """What each placeholder stands for: the functions of one game, as they are."""
    return {placeholder: functions[name] for placeholder, name in _PLACEHOLDERS.items()}


def unpack_as_ints(unpack: FunctionType) -> FunctionType:
    """An `unpack` that makes ints of Python's own kind, which never overflow."""
    state = unpack.__globals__["State"]
    width = len(state._fields)
    names = {"State": state}
    unpack_ints: FunctionType = eval(  # noqa: S307 - as in `game_functions`
        f"lambda rows, at: State(*[int(rows[at + k]) for k in range({width})])", names
    )
    return unpack_ints


class Specialization:
    """Functions copied for one game, each copy passed through `make`.

    What is in `ready` is not copied: its value is called in place of it.
    """

    def __init__(
        self,
        name: str,
        functions: dict[str, FunctionType],
        make: Callable[[FunctionType], Specialized],
        ready: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        self._name = name
        self._functions = functions
        self._make = make
        self._ready = ready or {}
        self._specialized: dict[FunctionType, Specialized] = {}

    def specialize(
        self,
        function: Callable[..., Any],
        make: Callable[[FunctionType], Specialized] | None = None,
    ) -> Specialized:
        """The function's copy; the same one every time.

        It may be passed through another `make` than those that it calls.
        """
        if function in self._ready:
            return self._ready[function]
        origin = _resolved(function, self._functions)
        if origin not in self._specialized:
            # Compiled code is read back into the module it says it is from, so that must be one.
            namespace: dict[str, Any] = {"__name__": __name__, "__builtins__": builtins}
            copy = FunctionType(origin.__code__, namespace, origin.__name__, origin.__defaults__)
            # The name keeps compiled symbols of two games apart where both are in one process.
            copy.__qualname__ = f"{self._name}.{origin.__name__}"
            self._specialized[origin] = (make or self._make)(copy)  # before its names: it may recur
            for name, value in _reads(origin):
                namespace[name] = (
                    self.specialize(value) if isinstance(value, FunctionType) else value
                )
        return self._specialized[origin]


def fingerprint(
    function: Callable[..., Any], functions: dict[str, FunctionType], more: str = ""
) -> str:
    """A hash of all that a specialized function would do: its code, what it calls, what it reads.

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
        digest.update(repr((_stable_repr(origin.__code__), origin.__defaults__)).encode())
        for name, value in _reads(origin):
            digest.update(f"{name}={_stable_repr(value)};".encode())
            if isinstance(value, FunctionType):
                add(value)

    add(function)
    return digest.hexdigest()


def _resolved(function: Callable[..., Any], functions: dict[str, FunctionType]) -> FunctionType:
    origin = functions[_PLACEHOLDERS[function]] if function in _PLACEHOLDERS else function
    if not isinstance(origin, FunctionType) or origin.__closure__:
        raise TypeError(f"{origin!r} is not a plain function, so it cannot be compiled for a game.")
    return origin


def _reads(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global names that a function mentions, and what they mean where it was written.

    Those of its annotations too: compiled code depends on the fields of the tuples it is passed.
    """
    annotations = map(str, function.__annotations__.values())
    for name in sorted(_names(function.__code__).union(annotations)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: CodeType) -> set[str]:
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)


def _stable_repr(value: object) -> str:
    """A text for a value that a function uses, the same in every process."""
    if isinstance(value, CodeType):
        consts = [_stable_repr(const) for const in value.co_consts]
        return repr((value.co_code, consts, value.co_names, value.co_varnames, value.co_argcount))
    if isinstance(value, (tuple, frozenset)):
        items = [_stable_repr(item) for item in value]
        return repr(items if isinstance(value, tuple) else sorted(items))
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, ModuleType):
        constants = {name: constant for name, constant in vars(value).items() if name.isupper()}
        return repr(
            (value.__name__, {name: _stable_repr(constant) for name, constant in constants.items()})
        )
    if isinstance(value, (FunctionType, type)):
        return repr((value.__name__, getattr(value, "_fields", ())))
    return type(value).__name__
