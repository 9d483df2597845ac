"""Compile kernels for a game: its rules, unchanged, as machine code.

    count = kernel(game, random_games)   # a plain function that calls `moves`, `play`, …
    count(compiled_board(board), …)      # compiled at its first call, or loaded from the disk

A kernel is a plain function that imports the placeholders `start, moves, play, winner, hidden,
planes, counts, unpack` from `gridwise.engine.compiled.specialize`. Here they are replaced by one
game's functions, and the result is compiled. What a kernel may do:

- Boards are `CompiledBoard`s: the names the rules read, with pointers for tuples.
- States go in and out flat (`pack` and `unpack`), as ints of an array or of a Pointer (`zeros`,
  `pointer`), which is faster to pass from function to function: a cached kernel must not have a
  game's own class in its signature.
- A kernel has one signature, fixed by its first call.
- A kernel makes no arrays. It is compiled without numba's reference counts, which were a fifth of
  the time where arrays are passed from function to function.
- No functions that call each other in a circle: numba's disk cache crashes when it reads them back
  (issue 6061 there). A function that calls itself is fine if it does so with the same types.

The rules' five functions, and those of the planes, must be plain functions without closures,
wherever they live: a module, which is usual, or any object that has them as attributes. What they
call must be plain too.

Nothing here imports numba or numpy before it is needed: that costs 0.4 s.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache, cached_property, lru_cache
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, NamedTuple, TypeVar

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.engine.compiled.bitmasks import IN_PYTHON
from gridwise.engine.compiled.cache import (
    has_kernel,
    kernel_file,
    kernel_folder,
    one_process_at_a_time,
    prune,
)
from gridwise.engine.compiled.specialize import (
    Ints,
    Specialization,
    Specialized,
    fingerprint,
    game_functions,
    in_place_of_placeholders,
    unpack_as_ints,
)

Kernel = Callable[..., Any]
_T = TypeVar("_T")

# One thread at a time may specialize: two would make the same kernel twice. Compiling, which takes
# a second or more, has a lock for each kernel.
_specializing = threading.Lock()


class CompiledBoard(NamedTuple):
    """A board as compiled code sees it: the names that rules read, every number an int64.

    Where a Board has tuples it has pointers, which can be indexed and no more; `steps[cell]` is a
    tuple of four. Pointers to any number of ints have one type, so a kernel is compiled once for
    boards of all sizes.
    """

    rows: int
    cols: int
    cells: Ints
    target: int
    size: int
    full: int
    handicap: int
    steps: Ints
    neighbours4: Ints
    neighbours8: Ints
    starts: Ints


def compiled_board(board: Board) -> CompiledBoard:
    """The board for kernels."""
    compiled = CompiledBoard(
        board.rows, board.cols, pointer(board.cells), board.target, board.size, board.full,
        board.handicap, *_geometry(board.steps, board.neighbours4, board.neighbours8, board.starts),
    )  # fmt: skip
    return register_numba_type(compiled)


@lru_cache(maxsize=64)
def _geometry(*tables: object) -> tuple[Any, ...]:
    return tuple(pointer(table) for table in tables)


def with_cells(board: CompiledBoard, cells: Ints) -> CompiledBoard:
    """In a kernel: the same grid with other values; `as_pointer` makes them of an array's row."""
    return CompiledBoard(
        board.rows, board.cols, cells, board.target, board.size, board.full, board.handicap,
        board.steps, board.neighbours4, board.neighbours8, board.starts,
    )  # fmt: skip


def without_handicap(board: CompiledBoard) -> CompiledBoard:
    """In a kernel: the same board without a handicap."""
    return CompiledBoard(
        board.rows, board.cols, board.cells, board.target, board.size, board.full, 0,
        board.steps, board.neighbours4, board.neighbours8, board.starts,
    )  # fmt: skip


_registered_types: set[type] = set()


def register_numba_type(value: _T) -> _T:
    """Tell numba, once, that all values of a class have the type of this one, which is returned.

    Otherwise numba works out the type of a tuple at every call that is passed one. For a board that
    takes 30 µs, as long as stepping 300 games.
    """
    if type(value) not in _registered_types:
        from numba import typeof  # noqa: PLC0415 - 0.4 s
        from numba.extending import typeof_impl  # noqa: PLC0415

        kind = typeof(value)  # type: ignore[no-untyped-call]
        typeof_impl.register(type(value))(lambda _value, _context: kind)
        type(value)._numba_type_ = kind  # type: ignore[attr-defined] # read without a call
        _registered_types.add(type(value))
    return value


def pack(state: State, rows: Ints, at: int) -> None:
    """In a kernel: write a state as ints from `rows[at]` on. `unpack` reads it back."""
    for field in range(len(state)):
        rows[at + field] = state[field]


def packed(state: State) -> Ints:
    """A state as an array, to be handed to a kernel."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    return np.array(state, dtype=np.int64)


def pointer(values: object) -> Ints:
    """Numbers for a kernel, copied or shared: passing them on costs less than an array."""
    from gridwise.engine.compiled.pointers import Pointer  # noqa: PLC0415 - imports numba

    return Pointer(values)


def zeros(length: int, *, compiled: bool) -> Ints:
    """So many zeros for a kernel; a list where it is interpreted."""
    if not compiled:
        return [0] * length
    import numpy as np  # noqa: PLC0415 - 0.1 s

    return pointer(np.zeros(length, dtype=np.int64))


def state_type(game: Game) -> type:
    """The game's own class of states."""
    return type(game.rules.start(game.deal(Random(1)), 1))


def state_width(game: Game) -> int:
    """How many ints a state of the game is."""
    fields: tuple[str, ...] = state_type(game)._fields  # type: ignore[attr-defined]
    return len(fields)


def kernel(game: Game, function: Callable[..., Any]) -> Kernel:
    """The function compiled for a game.

    It is compiled when it is first called, or loaded from the disk cache if a process has done so
    before: from a folder of its own, named after a hash of everything it was made from.
    """
    lazy = _kernel(game, function)
    return lazy.compiled or lazy


def interpreted(game: Game, function: Callable[..., Any]) -> Kernel:
    """The function on the game's rules as they are: slower than compiled, but ready at once.

    It takes the Board itself, and lists where the compiled one takes arrays.
    """
    with _specializing:
        specialized: Kernel = _interpretation(game).specialize(function)
        return specialized


def is_compiled(game: Game, function: Callable[..., Any]) -> bool:
    """Whether the kernel has run in this process, so that another call costs nothing extra."""
    return _kernel(game, function).compiled is not None


def is_cached(game: Game, function: Callable[..., Any]) -> bool:
    """Whether the disk has the kernel compiled, so that a first call need not. Imports nothing."""
    return has_kernel(_kernel(game, function).folder)


def _kernel(game: Game, function: Callable[..., Any]) -> _Kernel:
    with _specializing:
        return _made_kernel(game, function)


# Games are compared by identity: a game that was changed and registered again is another one.


@cache
def _made_kernel(game: Game, function: Callable[..., Any]) -> _Kernel:
    return _Kernel(game, function)


@cache
def _interpretation(game: Game) -> Specialization:
    functions = _functions(game)
    ready = in_place_of_placeholders(functions) | IN_PYTHON
    return Specialization("interpreted", functions, lambda copy: copy, ready)


@cache
def _functions(game: Game) -> dict[str, FunctionType]:
    planes, kind = game.observation_planes, state_type(game)
    return game_functions(game.rules, planes, kind, game.heuristic)


class _Kernel:
    """One function for one game: compiled, or loaded, when it is first called."""

    def __init__(self, game: Game, function: Callable[..., Any]) -> None:
        self._key = game.key
        self._function = function
        self._functions = _functions(game)
        self.compiled: Kernel | None = None
        self._compiling = threading.Lock()

    def __call__(self, *args: object) -> Specialized:
        compiled = self.compiled or self._load(args)
        return compiled(*args)

    @cached_property
    def _fingerprint(self) -> str:
        """A hash of everything that the machine code depends on; the cache goes by it."""
        from importlib.metadata import version  # noqa: PLC0415 - 20 ms

        versions = f"{sys.version} {version('numba')} {CompiledBoard._fields}"
        return fingerprint(self._function, self._functions, versions)

    @property
    def folder(self) -> Path:
        """Where its machine code is cached."""
        return kernel_folder(self._key, self._function.__name__, self._fingerprint)

    def _load(self, args: tuple[object, ...]) -> Kernel:
        from gridwise.engine.compiled.pointers import NOT_COMPILED  # noqa: PLC0415 - imports numba

        with self._compiling:
            if NOT_COMPILED:
                self.compiled = self._not_compiled()
            if self.compiled is None:
                folder = self.folder
                is_new = not has_kernel(folder)
                file = kernel_file(folder)
                try:
                    with one_process_at_a_time(folder) if is_new and file else nullcontext():
                        self.compiled = self._compile(args, file)
                    if is_new:
                        prune(folder)
                except Exception:  # a damaged or full cache must not matter
                    if file is None:
                        raise
                    self.compiled = self._compile(args, None)
            return self.compiled

    def _not_compiled(self) -> Kernel:
        """The kernel in Python, for NUMBA_DISABLE_JIT=1: slow, but a debugger can step through."""
        import numpy as np  # noqa: PLC0415 - 0.1 s

        functions = self._functions | {"unpack": unpack_as_ints(self._functions["unpack"])}
        run = Specialization("not_compiled", functions, lambda copy: copy).specialize(
            self._function
        )

        def not_compiled(*args: object) -> Specialized:
            with np.errstate(over="ignore"):  # numbers wrap around in compiled code
                return run(*args)

        return not_compiled

    def _compile(self, args: tuple[object, ...], file: Path | None) -> Kernel:
        import numba  # noqa: PLC0415 - 0.4 s

        # `nogil` lets other threads go on; "numpy" leaves out checks for division by zero; "nrt" is
        # what counts references. Only the kernel itself is called from Python; leaving that out for
        # the functions inside it saves a third of the time that compiling takes.
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
        inner: dict[str, Any] = options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

        def compile_outer(copy: FunctionType) -> Specialized:
            if file is None:
                return numba.njit(**options)(copy)
            # numba keeps its cache beside the file that a function says it is from.
            copy.__code__ = copy.__code__.replace(co_filename=str(file))
            return numba.njit(**options, cache=True)(copy)

        name = f"compiled_{self._fingerprint[:16]}"
        specialization = Specialization(name, self._functions, numba.njit(**inner))
        compiled = specialization.specialize(self._function, compile_outer)
        # One signature only: with two, processes that compile at once could mix up their entries.
        compiled.compile(tuple(numba.typeof(arg) for arg in args))  # type: ignore[no-untyped-call]
        compiled.disable_compile()
        return compiled  # type: ignore[no-any-return]
