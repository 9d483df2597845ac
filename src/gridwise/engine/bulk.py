"""Many boards at once: the value and distance of one position on each, wholly in compiled code.

For statistics, tables and deals. One position at a time, and every move of it, is what
`gridwise.engine.solver` is for.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.engine.binding import Grid, Ints
from gridwise.engine.proving import (
    CONTROL,
    DEEPEST,
    NEVER,
    OPEN,
    SMALLEST_TABLE,
    YES,
    frame_size,
    prove,
)
from gridwise.engine.retrograde import explore, list_first, make_room, retrace
from gridwise.engine.tables import table_of
from gridwise.engine.twin import kernel, twin_board, with_cells, zeros
from gridwise.errors import BadRequest

NODES = 2_000_000  # for one board; beyond that its value is not known
STATES = (1_000, 100_000)  # the same where games can cycle; clearing room for many takes time


class Worth(NamedTuple):
    """Who wins a position: 1, 2, 3 for a draw, 0 for nobody, -1 if it was too large.

    The distance is 0 where there is no winner.
    """

    winner: int
    distance: int


def solve_boards(
    game: Game, boards: Sequence[Board], states: Sequence[State] | None = None
) -> list[Worth]:
    """What perfect play leads to on each board, from the start or from one state on each.

    All boards must have the same size and target.
    """
    if game.hides:
        raise BadRequest(f"{game.title} has hidden cells; it cannot be solved like this.")
    if len({(board.rows, board.cols, board.target) for board in boards}) > 1:
        raise BadRequest("Boards that are solved at once must have the same size and target.")
    if not boards:
        return []
    if states is None:
        states = [game.rules.start(board, 1) for board in boards]
    cells = np.array([board.cells for board in boards], dtype=np.int64)
    rows = np.array(states, dtype=np.int64)
    found = np.zeros((len(boards), 2), dtype=np.int64)
    (_backwards if game.cyclic else _forwards)(game, boards[0], cells, rows, found)
    return [Worth(int(winner), int(distance)) for winner, distance in found]


def _dealt(board: Grid, cells: Ints) -> Grid:
    return with_cells(board, table_of(cells))  # type: ignore[call-arg] # as numba calls it


def _forwards(game: Game, board: Board, cells: Ints, rows: Ints, found: Ints) -> None:
    width = rows.shape[1]
    kernel(game, prove_all)(
        twin_board(board), cells, rows, found,
        zeros((DEEPEST + 2) * frame_size(width)),
        zeros(CONTROL),
        zeros(DEEPEST + 2),
        zeros(SMALLEST_TABLE * width),
        zeros(SMALLEST_TABLE),
        NODES,
    )  # fmt: skip


def prove_all(
    board: Grid, cells: Ints, rows: Ints, found: Ints, frames: Ints, control: Ints, killers: Ints,
    keys: Ints, entries: Ints, budget: int,
) -> None:  # fmt: skip
    """Solve a position on each board forwards, one ply deeper at a time."""
    width = rows.shape[1]
    for number in range(len(rows)):
        grid = _dealt(board, cells[number])
        for slot in range(len(entries)):
            entries[slot] = 0
        nodes, depth, winner, refuted = 0, 0, -1, 0
        while winner < 0 and nodes <= budget and depth < DEEPEST:
            refuted = 0
            for attacker in range(1, 3):
                for field in range(width):
                    frames[field] = rows[number, field]
                frames[width + 1] = depth
                control[0], control[1], control[2] = 0, OPEN, attacker
                nodes += prove(grid, frames, control, killers, keys, entries, budget)
                if control[0] < 0 and control[1] == YES:
                    winner = attacker
                if control[0] < 0 and control[1] == NEVER:
                    refuted += 1
            if refuted == 2:
                winner = 3
            depth += 1
        found[number, 0] = winner
        found[number, 1] = depth - 1 if winner in (1, 2) else 0


def _backwards(game: Game, board: Board, cells: Ints, rows: Ints, found: Ints) -> None:
    found[:, 0] = -1
    for states in STATES:
        room = make_room(states, rows.shape[1], game.actions(board), compiled=True)
        kernel(game, retrace_all)(twin_board(board), cells, rows, found, *room)


def retrace_all(
    board: Grid, cells: Ints, starts: Ints, found: Ints, rows: Ints, slots: Ints, first: Ints,
    edges: Ints, control: Ints, back: Ints, parents: Ints, left: Ints, queue: Ints, results: Ints,
    distances: Ints,
) -> None:  # fmt: skip
    """Solve a position on each board backwards, unless it is solved already."""
    for number in range(len(starts)):
        if found[number, 0] >= 0:
            continue
        grid = _dealt(board, cells[number])
        list_first(starts[number], rows, slots, control)
        if explore(grid, rows, slots, first, edges, control, len(first)) < 0:
            continue
        retrace(
            grid, rows, first, edges, back, parents, left, queue, results, distances, control[0]
        )
        found[number, 0] = results[0]
        found[number, 1] = distances[0] if results[0] in (1, 2) else 0
