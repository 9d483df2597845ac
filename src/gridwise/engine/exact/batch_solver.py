"""Solve many boards at once: the value and distance of one position on each, in compiled code.

For statistics. To solve one position, with every move of it, use `gridwise.engine.exact.solver`.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.engine.compiled.kernels import compiled_board, kernel, with_cells
from gridwise.engine.compiled.pointers import as_pointer
from gridwise.engine.compiled.specialize import Grid, Ints, unpack
from gridwise.engine.exact.forward_search import (
    MAX_DEPTH,
    NEVER,
    YES,
    SearchMemory,
    answer,
    ask,
    make_memory,
    search_forced_win,
)
from gridwise.engine.exact.retrograde import (
    Workspace,
    list_first,
    list_states,
    make_workspace,
    propagate_results,
)
from gridwise.errors import BadRequest

NODES = 2_000_000  # for one board; beyond that its value is not known
STATES = (1_000, 100_000)  # the same where games can cycle; clearing memory for many takes time


class BoardValue(NamedTuple):
    """Who wins a position: 1, 2, 3 for a draw, 0 for nobody, -1 if it was too large.

    The distance is 0 where there is no winner.
    """

    winner: int
    distance: int


def solve_boards(
    game: Game, boards: Sequence[Board], states: Sequence[State] | None = None
) -> list[BoardValue]:
    """The result of perfect play on each board, from the start or from one state on each.

    All boards must have the same size and target.
    """
    if game.has_hidden_cells:
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
    (_solve_retrograde if game.cyclic else _solve_forward)(game, boards[0], cells, rows, found)
    return [BoardValue(int(winner), int(distance)) for winner, distance in found]


def _with_row(board: Grid, cells: Ints) -> Grid:
    return with_cells(board, as_pointer(cells))  # type: ignore[call-arg] # as numba calls it


def _solve_forward(game: Game, board: Board, cells: Ints, rows: Ints, found: Ints) -> None:
    memory = make_memory(rows.shape[1], compiled=True)
    kernel(game, solve_all_forward)(compiled_board(board), cells, rows, found, memory, NODES)


def solve_all_forward(
    board: Grid, cells: Ints, rows: Ints, found: Ints, memory: SearchMemory, budget: int
) -> None:
    """Solve a position on each board by forward search, one ply deeper at a time."""
    for number in range(len(rows)):
        grid = _with_row(board, cells[number])
        for slot in range(len(memory.entries)):
            memory.entries[slot] = 0
        nodes, depth, winner = 0, 0, -1
        while winner < 0 and nodes <= budget and depth < MAX_DEPTH:
            refuted = 0
            for attacker in range(1, 3):
                ask(memory, unpack(rows[number], 0), attacker, depth)
                nodes += search_forced_win(grid, memory, budget)
                if answer(memory) == YES:
                    winner = attacker
                refuted += answer(memory) == NEVER
            if refuted == 2:
                winner = 3
            depth += 1
        found[number, 0] = winner
        found[number, 1] = depth - 1 if winner in (1, 2) else 0


def _solve_retrograde(game: Game, board: Board, cells: Ints, rows: Ints, found: Ints) -> None:
    found[:, 0] = -1
    for states in STATES:
        work = make_workspace(states, rows.shape[1], game.actions(board), compiled=True)
        kernel(game, solve_all_retrograde)(compiled_board(board), cells, rows, found, work)


def solve_all_retrograde(
    board: Grid, cells: Ints, starts: Ints, found: Ints, work: Workspace
) -> None:
    """Solve a position on each board by retrograde analysis, unless it is solved already."""
    for number in range(len(starts)):
        if found[number, 0] >= 0:
            continue
        grid = _with_row(board, cells[number])
        for slot in range(len(work.slots)):
            work.slots[slot] = 0
        list_first(work, unpack(starts[number], 0))
        if list_states(grid, work, len(work.first)) < 0:
            continue
        propagate_results(grid, work)
        winner = work.results[0]
        found[number, 0] = winner
        found[number, 1] = work.distances[0] if winner in (1, 2) else 0
