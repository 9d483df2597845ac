"""The compiled twin of a game: its rules, unchanged, as machine code.

    count = kernel(game, playouts)          # a plain function that names `moves`, `play`, …
    count(twin_board(board), …)             # compiled at its first call, or read from the disk

Kernels are plain functions that import the stand-ins `start, moves, play, winner, hidden, planes,
counts, unpack` from `gridwise.engine.binding`; here they are bound to one game's rules and
compiled. What they may do:

- Boards are `TwinBoard`s: the names the rules read, with tables for tuples.
- States go in and out flat (`pack` and `unpack`), as ints of an array or, which is faster where it
  is handed from function to function, of a Table (`zeros`, `table`): a cached kernel must not have
  a game's own class in its signature.
- A kernel has one signature, fixed by its first call.
- A kernel makes no arrays. It is compiled without numba's reference counts, which were a fifth of
  the time where arrays are handed from function to function.
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
from functools import lru_cache
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.planes import planes_of
from gridwise.engine import keeping
from gridwise.engine.binding import Binding, Bound, Ints, fingerprint, game_functions

Kernel = Callable[..., Any]

# One thread at a time may bind: two would make the same kernel twice. Compiling, which takes a
# second or more, has a lock for each kernel.
_making = threading.Lock()


class TwinBoard(NamedTuple):
    """A board as compiled code sees it: the names that rules read, every number an int64.

    Where a Board has tuples it has Tables, which can be looked up by index and no more, but
    `steps[cell]` is a tuple of four. Tables of any length are of one type, so a kernel is compiled
    once for boards of all sizes.
    """

    rows: int
    cols: int
    cells: Ints
    target: int
    size: int
    full: int
    steps: Ints
    near: Ints
    around: Ints
    homes: Ints
    handicap: int


def twin_board(board: Board) -> TwinBoard:
    """The board for kernels."""
    from gridwise.engine.tables import Table  # noqa: PLC0415 - imports numba

    cells = Table(board.cells)
    steps, near, around, homes = _geometry(board.steps, board.near, board.around, board.homes)
    made = TwinBoard(
        board.rows, board.cols, cells, board.target, board.size, board.full,
        steps, near, around, homes, board.handicap,
    )  # fmt: skip
    _tell_numba(made)
    return made


_told: set[type] = set()


def _tell_numba(board: TwinBoard) -> None:
    if TwinBoard not in _told:
        from gridwise.engine.tables import one_type  # noqa: PLC0415 - imports numba

        one_type(board)
        _told.add(TwinBoard)


@lru_cache(maxsize=64)
def _geometry(*tables: object) -> tuple[Any, ...]:
    from gridwise.engine.tables import Table  # noqa: PLC0415 - imports numba

    return tuple(Table(table) for table in tables)


def with_cells(board: TwinBoard, cells: Ints) -> TwinBoard:
    """In a kernel: the same grid with other values; `table_of` makes them of an array's row."""
    return TwinBoard(
        board.rows, board.cols, cells, board.target, board.size, board.full,
        board.steps, board.near, board.around, board.homes, board.handicap,
    )  # fmt: skip


def pack(state: State, rows: Ints, at: int) -> None:
    """In a kernel: write a state as ints from `rows[at]` on. `unpack` reads it back."""
    for field in range(len(state)):
        rows[at + field] = state[field]


def packed(state: State) -> Ints:
    """A state as an array, to be handed to a kernel."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    return np.array(state, dtype=np.int64)


def zeros(length: int) -> Ints:
    """Room for a kernel to work in: a Table, which costs it less to handle than an array."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    from gridwise.engine.tables import Table  # noqa: PLC0415 - imports numba

    return Table(np.zeros(length, dtype=np.int64))


def table(values: object) -> Ints:
    """The same, filled."""
    from gridwise.engine.tables import Table  # noqa: PLC0415 - imports numba

    return Table(values)


def state_type(game: Game) -> type:
    """The game's own class of states."""
    return type(game.rules.start(game.deal(Random(1)), 1))


def kernel(game: Game, function: Callable[..., Any]) -> Kernel:
    """The function compiled for a game; the same object every time it is asked for.

    It is compiled when it is first called, or taken from the disk cache if a process has done so
    before: in a folder of its own, named after everything it was made from.
    """
    with _making:
        return _twin(game).kernel(function)


def interpreted(game: Game, function: Callable[..., Any]) -> Kernel:
    """The same function on the game's rules as they are: slower, but at once.

    It takes the Board itself, and lists where the compiled one takes arrays.
    """
    with _making:
        return _twin(game).interpreted(function)


def is_compiled(game: Game, function: Callable[..., Any]) -> bool:
    """Whether the kernel has run in this process, so that another call costs nothing extra."""
    known = _twins.get(id(game))
    return known is not None and known[1].is_compiled(function)


def is_kept(game: Game, function: Callable[..., Any]) -> bool:
    """Whether the disk has the kernel compiled, so that a first call need not. Imports nothing."""
    with _making:
        return _twin(game).kernel(function).is_kept()


# Games are compared by identity: a game that was changed and registered again is another one. The
# games are kept alive with their twins, so that no id comes up twice.
_twins: dict[int, tuple[Game, _Twin]] = {}


def _twin(game: Game) -> _Twin:
    if id(game) not in _twins:
        _twins[id(game)] = (game, _Twin(game))
    return _twins[id(game)][1]


class _Twin:
    """All that has been bound to one game."""

    def __init__(self, game: Game) -> None:
        self._key = game.key
        self._functions = game_functions(game.rules, planes_of(game), state_type(game))
        self._plain = Binding("plain", self._functions, lambda copy: copy)
        self._kernels: dict[Callable[..., Any], _Kernel] = {}

    def interpreted(self, function: Callable[..., Any]) -> Kernel:
        bound: Kernel = self._plain.bind(function)
        return bound

    def kernel(self, function: Callable[..., Any]) -> _Kernel:
        if function not in self._kernels:
            self._kernels[function] = _Kernel(self._key, function, self._functions)
        return self._kernels[function]

    def is_compiled(self, function: Callable[..., Any]) -> bool:
        return function in self._kernels and self._kernels[function].ready


class _Kernel:
    """One function for one game: compiled, or loaded, when it is first called."""

    def __init__(
        self, key: str, function: Callable[..., Any], functions: dict[str, FunctionType]
    ) -> None:
        self._key = key
        self._function = function
        self._functions = functions
        self._compiled: Kernel | None = None
        self._compiling = threading.Lock()

    def __call__(self, *args: object) -> Bound:
        compiled = self._compiled
        if compiled is None:
            compiled = self._made(args)
        return compiled(*args)

    @property
    def ready(self) -> bool:
        return self._compiled is not None

    def is_kept(self) -> bool:
        return keeping.is_kept(self._folder(self._mark()))

    def _folder(self, mark: str) -> Path:
        return keeping.folder_of(self._key, self._function.__name__, mark)

    def _made(self, args: tuple[object, ...]) -> Kernel:
        with self._compiling:
            if self._compiled is None:
                mark = self._mark()
                folder = self._folder(mark)
                is_new = not keeping.is_kept(folder)
                home = keeping.file_in(folder)
                try:
                    self._compiled = self._compile(args, mark, home)
                    if is_new:
                        keeping.prune(folder)
                except Exception:  # a damaged or full cache must not matter
                    if home is None:
                        raise
                    self._compiled = self._compile(args, mark, None)
            return self._compiled

    def _mark(self) -> str:
        """What the cache goes by: everything that the machine code depends on."""
        from importlib.metadata import version  # noqa: PLC0415 - 20 ms

        versions = f"{sys.version} {version('numba')} {TwinBoard._fields}"
        return fingerprint(self._function, self._functions, versions)

    def _compile(self, args: tuple[object, ...], mark: str, home: Path | None) -> Kernel:
        import numba  # noqa: PLC0415 - 0.4 s

        # `nogil` lets other threads go on; "numpy" leaves out checks for division by zero; "nrt" is
        # what counts references. Only the kernel itself is called from Python; leaving that out for
        # the functions inside it saves a third of the time that compiling takes.
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
        inside = options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        make = numba.njit(**inside)
        keep = numba.njit(**options, cache=True)

        def make_kept(copy: FunctionType) -> Bound:
            # numba keeps its cache beside the file that a function says it is from.
            copy.__code__ = copy.__code__.replace(co_filename=str(home))
            return keep(copy)

        world = Binding(f"twin_{mark[:16]}", self._functions, make)
        compiled = world.bind(self._function, make_kept if home else numba.njit(**options))
        # One signature only: with two, processes that compile at once could mix up their entries.
        compiled.compile(tuple(numba.typeof(arg) for arg in args))  # type: ignore[no-untyped-call]
        compiled.disable_compile()
        made: Kernel = compiled
        return made
