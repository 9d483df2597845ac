"""The best actions in many games at once, compiled: what the perfect bot chooses from.

    best = BestActions(game, board, threads=2)
    best.find(cells, states, chosen)    # a set of actions for each of the chosen games

They are those of `Evaluation.choices` once answers are counted, as for `engine.bots.SearchBot`:
the fastest win, and where nothing can be won the best try, and of equals what looks best.

A position is solved anew at each move, in memory that all games of a thread share: a table for
each game would take half a megabyte. Only where all games are played on one board that can cycle
is that board solved once for all. Ranking what `batch_solver.solve_states` says of every action
would take a quarter of the lines: at half the speed in Number Run, which has distances worked out
that nobody asks for, and at less than a fiftieth in Grid Runner (measured 2026-11-18).

Importing this module imports numba.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.engine.compiled.bitmasks import lowest_bit, popcount
from gridwise.engine.compiled.kernels import (
    compiled_board,
    kernel,
    pack,
    register_numba_type,
    state_width,
)
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, score, unpack
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.evaluation import IN_SIGHT
from gridwise.engine.exact.batch_solver import NODES, STATES, with_row
from gridwise.engine.exact.forward_search import (
    MAX_DEPTH,
    OPEN,
    UNSOLVED,
    YES,
    SearchMemory,
    answer,
    ask,
    make_memory,
    search_forced_win,
    solve_state,
)
from gridwise.engine.exact.retrograde import (
    Workspace,
    make_workspace,
    solve_reachable,
    state_slot,
)
from gridwise.errors import BadRequest

HARDEST_NODES = 5_000  # in which to look for the actions that are the hardest to answer
CHUNK = 32  # games that a thread takes at a time

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class BestActions:
    """Finds the best actions in games on boards of one size, target and handicap."""

    def __init__(self, game: Game, board: Board, threads: Threads) -> None:
        if game.has_hidden_cells:
            raise BadRequest(f"{game.title} has hidden cells; it cannot be solved like this.")
        self._game, self._board, self._threads = game, board, threads
        self._grid = compiled_board(board)
        self._of_thread = threading.local()  # its memory
        self._table = self._solved_board() if game.cyclic else None

    def find(self, cells: Int64s, states: Int64s, chosen: Bools) -> Int64s:
        """A set of actions for each chosen game; empty if it is over, or too large to be solved."""
        best = np.zeros(len(states), np.int64)

        def find_rows(rows: slice) -> None:
            if chosen[rows].any():
                self._find(cells[rows], states[rows], chosen[rows], best[rows])

        self._threads.run(find_rows, len(states), CHUNK)
        return best

    def _find(self, *arrays: Any) -> None:  # noqa: ANN401 - see the kernels
        if not self._game.cyclic:
            kernel(self._game, find_by_search)(self._grid, *arrays, self._memory(), NODES)
            return
        find = kernel(self._game, find_by_retrograde)
        if find(self._grid, *arrays, self._table, self._memory()):
            find(self._grid, *arrays, self._table, self._workspace(STATES[1]))

    def _memory(self) -> Any:  # noqa: ANN401 - one of two kinds
        if not hasattr(self._of_thread, "memory"):
            self._of_thread.memory = (
                self._workspace(STATES[0])
                if self._game.cyclic
                else register_numba_type(make_memory(state_width(self._game), compiled=True))
            )
        return self._of_thread.memory

    def _workspace(self, states: int) -> Workspace:
        width, actions = state_width(self._game), self._game.actions(self._board)
        return make_workspace(states, width, actions, compiled=True)

    def _solved_board(self) -> Workspace:
        """Everything about the board, if all its cells are known; otherwise about nothing."""
        for states in () if self._board.unknown else STATES:
            table = self._workspace(states)
            pack(self._game.rules.start(self._board, 1), table.rows, 0)
            if kernel(self._game, solve_reachable)(self._grid, table, states):
                return table
        return self._workspace(1)


# Games that always end


def find_by_search(
    board: Grid,
    cells: Ints,
    states: Ints,
    chosen: Ints,
    best: Ints,
    memory: SearchMemory,
    budget: int,
) -> None:
    """Write the best actions of the chosen games."""
    for game in range(len(states)):
        if not chosen[game]:
            continue
        for slot in range(len(memory.entries)):
            memory.entries[slot] = 0
        for ply in range(len(memory.killers)):  # or the nodes would depend on the game before
            memory.killers[ply] = 0
        grid = with_row(board, cells[game])
        best[game] = _best_by_search(grid, memory, unpack(states[game], 0), budget)


def _best_by_search(grid: Grid, memory: SearchMemory, state: State, budget: int) -> int:
    legal = moves(grid, state)
    if legal & legal - 1 == 0:
        return legal
    turn = state[0]
    result, distance, _ = solve_state(grid, memory, state, budget)
    if result == UNSOLVED:
        return 0
    if result == turn:
        best = _after_which_wins(grid, memory, state, legal, turn, distance - 1, budget)
        return max(best, 0)
    if result == 3:
        losing = _after_which_wins(grid, memory, state, legal, 3 - turn, MAX_DEPTH, budget)
        if losing < 0:
            return 0
        best = legal & ~losing
        best = _hardest_by_search(grid, memory, state, best, result) or best
        return _best_looking(grid, state, best)
    at_once = _after_which_wins(grid, memory, state, legal, 3 - turn, IN_SIGHT - 1, budget)
    best = _hardest_by_search(grid, memory, state, legal & ~at_once or legal, result) or legal
    sooner = best
    while sooner == best:  # until those that hold out longest are left
        distance -= 1
        sooner = _after_which_wins(grid, memory, state, best, 3 - turn, distance - 1, budget)
    return 0 if min(at_once, sooner) < 0 else _best_looking(grid, state, best & ~sooner)


def _best_looking(grid: Grid, state: State, actions: int) -> int:
    """Those of the actions that look best at first sight."""
    best, top = 0, 0.0
    while actions:
        action = lowest_bit(actions)
        actions &= actions - 1
        looks = score(grid, state, action)
        if not best or looks > top:
            best, top = 0, looks
        if looks == top:
            best |= 1 << action
    return best


def _after_which_wins(
    grid: Grid,
    memory: SearchMemory,
    state: State,
    actions: int,
    player: int,
    plies: int,
    nodes: int,
) -> int:
    """Those of the actions after which a player can force a win within so many plies.

    -1 if the nodes are not enough to find out.
    """
    winning = 0
    while actions and plies >= 0:
        action = lowest_bit(actions)
        actions &= actions - 1
        ask(memory, play(grid, state, action), player, plies)
        search_forced_win(grid, memory, nodes)
        if answer(memory) == OPEN:
            return -1
        if answer(memory) == YES:
            winning |= 1 << action
    return winning


def _hardest_by_search(
    grid: Grid, memory: SearchMemory, state: State, actions: int, result: int
) -> int:
    """Those of the actions after which the largest share of the answers are mistakes.

    None, if HARDEST_NODES are not enough to find out.
    """
    hardest, most, of = 0, 0, 1
    left = HARDEST_NODES
    todo = actions
    while todo:
        action = lowest_bit(todo)
        todo &= todo - 1
        after = play(grid, state, action)
        answers = moves(grid, after)
        count = max(popcount(answers), 1)
        # Where the one to answer has lost already, no answer is a mistake.
        mistakes = 0 if result == 3 - after[0] else popcount(answers)
        while answers and mistakes * of >= most * count and result != 3 - after[0]:
            reply = play(grid, after, lowest_bit(answers))
            answers &= answers - 1
            then, _, nodes = solve_state(grid, memory, reply, left)
            if then == UNSOLVED:
                return 0
            left -= nodes
            mistakes -= then == result
        if mistakes * of > most * count:
            hardest, most, of = 0, mistakes, count
        if mistakes * of == most * count:
            hardest |= 1 << action
    return hardest


# Games that can go on for ever


def find_by_retrograde(
    board: Grid,
    cells: Ints,
    states: Ints,
    chosen: Ints,
    best: Ints,
    table: Workspace,
    work: Workspace,
) -> int:
    """Write the best actions of the chosen games; returns how many there was no room for.

    `table` has what is known about `board`, for the games that are played on that one.
    """
    failed = 0
    for game in range(len(states)):
        if not chosen[game] or best[game]:
            continue
        state = unpack(states[game], 0)
        grid = with_row(board, cells[game])
        known = 0
        if _same_cells(board, grid):
            known = table.slots[state_slot(state, table.rows, table.slots)]
        if known:
            best[game] = _best_listed(grid, table, known - 1)
            continue
        for slot in range(len(work.slots)):
            work.slots[slot] = 0
        pack(state, work.rows, 0)
        if not solve_reachable(grid, work, len(work.left)):
            failed += 1
            continue
        best[game] = _best_listed(grid, work, 0)
    return failed


def _same_cells(board: Grid, grid: Grid) -> bool:
    for cell in range(board.size):  # noqa: SIM110 - `all` does not compile
        if board.cells[cell] != grid.cells[cell]:
            return False
    return True


def _best_listed(grid: Grid, work: Workspace, number: int) -> int:
    """The best actions in a listed state."""
    width = len(unpack(work.rows, 0))
    state = unpack(work.rows, number * width)
    legal = moves(grid, state)
    if legal & legal - 1 == 0:
        return legal
    if work.results[number] == state[0]:
        return _top_listed(grid, work, number, legal)
    if work.results[number] != 3 - state[0]:
        best = _top_listed(grid, work, number, legal)
        return _best_looking(grid, state, _hardest_listed(grid, work, number, best))
    later = 0  # than with the very next answer
    edge = work.first[number]  # the edges are in the order of the actions
    todo = legal
    while todo:
        if work.distances[work.edges[edge]] >= IN_SIGHT:
            later |= todo & -todo
        todo &= todo - 1
        edge += 1
    tries = _hardest_listed(grid, work, number, later or legal)
    return _best_looking(grid, state, _top_listed(grid, work, number, tries))


def _top_listed(grid: Grid, work: Workspace, number: int, actions: int) -> int:
    """Those of the actions that lead to the best states."""
    width = len(unpack(work.rows, 0))
    state = unpack(work.rows, number * width)
    legal = moves(grid, state)
    best, top = 0, -1
    edge = work.first[number]
    while legal:
        rank = _rank(work, work.edges[edge], state[0])
        if actions & legal & -legal and rank >= top:
            best = (best if rank == top else 0) | legal & -legal
            top = rank
        legal &= legal - 1
        edge += 1
    return best


_LONGEST = 1 << 40  # more than any distance


def _rank(work: Workspace, number: int, player: int) -> int:
    """By which states are compared that a player can go to, as in `MoveValue.rank`."""
    result, distance = work.results[number], work.distances[number]
    if result == player:
        return int(2 * _LONGEST + 2 - distance)
    if result == 0:
        return _LONGEST + 1
    return _LONGEST + 2 if result == 3 else int(distance)


def _hardest_listed(grid: Grid, work: Workspace, number: int, actions: int) -> int:
    """Those of the actions after which the largest share of the answers are mistakes."""
    width = len(unpack(work.rows, 0))
    legal = moves(grid, unpack(work.rows, number * width))
    edge = work.first[number]
    hardest, most, of = 0, 0, 1
    while legal:
        after = work.edges[edge]
        if actions & legal & -legal:
            points = _points(work, after, work.rows[after * width])
            first, end = work.first[after], work.first[after + 1]
            mistakes = 0
            for answer in range(first, end):
                then = _points(work, work.edges[answer], work.rows[after * width])
                mistakes += then < points
            count = max(end - first, 1)
            if mistakes * of > most * count:
                hardest, most, of = 0, mistakes, count
            if mistakes * of == most * count:
                hardest |= legal & -legal
        legal &= legal - 1
        edge += 1
    return hardest


def _points(work: Workspace, number: int, player: int) -> int:
    """What a listed state is worth to a player: 0 lost, 1 neither, 2 won."""
    result = work.results[number]
    return 2 if result == player else 0 if result == 3 - player else 1
