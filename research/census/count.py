"""How many boards of a size each side wins, and in how many plies, over all of them.

The tree of boards (`tree`) is cut into parts of a few seconds each. A part is a Task, which an
executor runs here or on a cluster, and whose result a ResultStore keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.errors import BadBoard, BadRequest
from gridwise.lab.run import Executor, Task, run_tasks
from gridwise.lab.store import JSON, ResultStore
from research.census.certainty import make_layers, max_plies
from research.census.move_table import MoveTable, move_table
from research.census.partial_board import compiled_table, make_partial_board
from research.census.tree import (
    BOARDS,
    LEAVES,
    NODES,
    STATS,
    counting_kernel,
    leaf_kernel,
)

WINNERS = ("endless", "p1", "p2")  # as the kernel numbers them
MAX_CELLS = 16  # 4x4 takes 40 s of one processor; a cell more, four times as long
# Where the tree is cut, and into how many parts, by the number of cells. A part of 4x4 takes 0.6 s.
# Narrow boards, on which tokens come everywhere, have larger trees: a part of 2x7 takes 2 s.
CUTS = {9: (0, 1), 12: (4, 8), 14: (5, 16), MAX_CELLS: (6, 64)}

Progress = Callable[[int], None]


@dataclass
class Census:
    """The counts, counted from the start of the game, and what it took."""

    game: str
    rows: int
    cols: int
    p1: Counter[int] = field(default_factory=Counter)  # boards by plies
    p2: Counter[int] = field(default_factory=Counter)
    endless: int = 0
    nodes: int = 0  # of the tree
    leaves: int = 0

    @property
    def boards(self) -> int:
        """How many boards have been counted."""
        return self.p1.total() + self.p2.total() + self.endless

    def add(self, part: Mapping[str, Any]) -> None:
        """Add the result of a task."""
        for counts, name in ((self.p1, "p1"), (self.p2, "p2")):
            counts.update({int(plies): boards for plies, boards in part[name].items()})
        self.endless += part["endless"]
        self.nodes += part["nodes"]
        self.leaves += part["leaves"]

    def as_json(self) -> dict[str, JSON]:
        """The shape that `--json` prints."""
        return {
            "game": self.game,
            "size": f"{self.rows}x{self.cols}",
            "boards": self.boards,
            "p1": self.p1.total(),
            "p2": self.p2.total(),
            "endless": self.endless,
            "plies": {
                name: {str(plies): counts[plies] for plies in sorted(counts)}
                for name, counts in (("p1", self.p1), ("p2", self.p2))
            },
        }


class Leaf(NamedTuple):
    """The leaf of the tree that a board is counted in."""

    winner: int  # 0 for endless
    plies: int
    unknown: int  # how many cells did not matter


def countable(game: Game, rows: int, cols: int) -> MoveTable:
    """The moves on boards of a size; raises BadRequest or BadBoard if they cannot be counted."""
    table = move_table(game, *_checked_size(game, rows, cols))
    if table.size > MAX_CELLS:
        raise BadRequest(
            f"A census of {rows}x{cols} would have {table.numbers}^{table.size} boards. "
            f"Boards of up to {MAX_CELLS} cells can be counted, such as 4x4."
        )
    return table


def _checked_size(game: Game, rows: int, cols: int) -> tuple[int, int]:
    board = Board(rows, cols, (game.rules.LOW,) * (rows * cols))
    if board.size < game.smallest:
        raise BadBoard(f"A board of {game.title} has at least {game.smallest} cells.")
    return rows, cols


def census_tasks(game: Game, rows: int, cols: int) -> list[Task]:
    """The parts of a census."""
    size = countable(game, rows, cols).size
    split, parts = next(CUTS[limit] for limit in sorted(CUTS) if size <= limit)
    whole: dict[str, JSON] = {"game": game.key, "rows": rows, "cols": cols}
    return [
        Task(
            f"part-{part + 1}-of-{parts}",
            count,
            {**whole, "split": split, "part": part, "parts": parts},
        )
        for part in range(parts)
    ]


def count(
    game: str, rows: int, cols: int, split: int = 0, part: int = 0, parts: int = 1
) -> dict[str, Any]:
    """Count one part of all boards: what a worker does."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    from gridwise.engine.compiled.pointers import Pointer  # noqa: PLC0415 - 0.5 s: numba

    played = game_named(game)
    table = countable(played, rows, cols)
    plies = max_plies(table)
    counts = np.zeros(3 * plies, np.int64)
    stats = np.zeros(STATS, np.int64)
    memory = compiled_table(table), make_partial_board(table), make_layers(table)
    cut = split, part, parts
    counting_kernel(played)(*memory, *cut, Pointer(counts), Pointer(stats))
    by_winner = counts.reshape(3, plies)
    plies_won = {
        name: {str(ply): int(row[ply]) for ply in np.flatnonzero(row)}
        for name, row in zip(WINNERS, by_winner, strict=True)
    }
    return {
        "p1": plies_won["p1"],
        "p2": plies_won["p2"],
        "endless": int(by_winner[0].sum()),
        "boards": int(stats[BOARDS]),
        "nodes": int(stats[NODES]),
        "leaves": int(stats[LEAVES]),
    }


def take_census(
    game: Game,
    rows: int,
    cols: int,
    executor: Executor | None = None,
    results: ResultStore | None = None,
    progress: Progress | None = None,
) -> Census:
    """Count all boards of a size; in this process without an executor.

    `progress` is called with the number of boards that have been counted, first with those that
    the results have already.
    """
    tasks = census_tasks(game, rows, cols)
    census = Census(game.key, rows, cols)
    kept = ResultStore(None, {}) if results is None else results
    there = [task for task in tasks if task.key in kept]
    missing = [task for task in tasks if task not in there]
    for task in there:
        census.add(kept.get(task.key))
    if progress:
        progress(census.boards)
    for _, part in run_tasks(missing, executor or Executor(), kept):
        census.add(part)
        if progress:
            progress(census.boards)
    if census.boards != countable(game, rows, cols).boards:
        raise BadRequest(
            f"The parts add up to {census.boards:,} boards, which is not all of them. "
            "The results that were kept are damaged: use another folder."
        )
    return census


def find_leaves(game: Game, boards: Iterable[Board]) -> Iterator[Leaf]:
    """Where in the tree boards of one size are counted, and as what."""
    table: MoveTable | None = None
    for board in boards:
        if table is None or (table.rows, table.cols) != (board.rows, board.cols):
            table = countable(game, board.rows, board.cols)
            compiled, layers = compiled_table(table), make_layers(table)
        partial = make_partial_board(table)
        leaf_kernel(game)(compiled, partial, layers, _choices(table, board))
        unknown = int(partial.unknown[int(partial.depth[0])])
        yield Leaf(int(partial.found[0]), int(partial.found[1]), unknown)


def _choices(table: MoveTable, board: Board) -> Any:  # noqa: ANN401 - a Pointer
    from gridwise.engine.compiled.kernels import pointer  # noqa: PLC0415 - with numba

    return pointer([table.choice_of(cell, value) for cell, value in enumerate(board.cells)])
