"""Solve many boards at once: value and distance of each, and of every action, in compiled code.

    solved = gridwise.solve_boards("number-connect", cells)   # cells: integers, (N, rows, cols)
    solved.value        # 1 win, 0 draw or endless, -1 loss, for the player who begins
    solved.action_value # the same for each action; NOT_LEGAL where there is none

`solve_positions` does the same for positions that are under way. To solve one position, with a
limit on time, use `gridwise.evaluate`.

Importing this module imports numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.compiled.bitmasks import lowest_bit
from gridwise.engine.compiled.kernels import (
    compiled_board,
    kernel,
    pack,
    state_width,
    with_cells,
)
from gridwise.engine.compiled.pointers import as_pointer
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, start, unpack
from gridwise.engine.compiled.threads import processors
from gridwise.engine.evaluation import HasPosition
from gridwise.engine.exact.forward_search import (
    MAX_DEPTH,
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
)
from gridwise.errors import BadBoard, BadRequest, quoted

NODES = 2_000_000  # for one question about one board; beyond that it is too large
STATES = (1_000, 100_000)  # the same where games can cycle; clearing memory for many takes time
NOT_LEGAL = -128  # in `action_value`
CHUNK = 1_024  # boards that a thread solves before it looks whether to go on

_Array = npt.NDArray[Any]
Progress = Callable[[int], None]


class BoardTooLarge(BadRequest):
    """A board that needs more positions than there is room for."""

    def __init__(self, number: int, why: str) -> None:
        self.number, self.reason = number, f"too large to be solved in bulk: {why}"
        super().__init__(f"Board {number} is {self.reason}")


class SolvedBoards(NamedTuple):
    """Perfect play on N boards, from the side of the player to move on each."""

    value: npt.NDArray[np.int8]  # 1 win, 0 draw or endless, -1 loss
    endless: npt.NDArray[np.bool_]  # neither side can force a win, nor a draw by the rules
    distance: npt.NDArray[np.int16]  # plies to the end; 0 where there is none
    action_value: npt.NDArray[np.int8]  # (N, actions); NOT_LEGAL where an action is not legal
    action_distance: npt.NDArray[np.int16]  # (N, actions), the action itself counted as 1

    @property
    def best(self) -> npt.NDArray[np.bool_]:
        """(N, actions): the actions that are worth as much as the position, however long."""
        equal: npt.NDArray[np.bool_] = self.action_value == self.value[:, None]
        return equal


def solve_boards(
    game: Game | str,
    cells: npt.ArrayLike,
    *,
    target: int | None = None,
    handicap: int = 0,
    threads: int | None = None,
    actions: bool = True,
    progress: Progress | None = None,
) -> SolvedBoards:
    """The result of perfect play on each board, for the player who begins.

    `cells` are whole numbers of the shape (N, rows, cols), as a Board has them. Without `actions`
    the two arrays of actions are empty and it is faster. `threads` is all processors unless given.
    `progress` is called with the number of boards that are done.
    """
    played = _solvable_game(game)
    grid, template = _read_cells(played, cells, target, handicap)
    rows = np.zeros((len(grid), state_width(played)), np.int64)
    if len(grid):
        kernel(played, pack_starts)(compiled_board(template), grid, rows)
    return solve_states(played, template, grid, rows, threads, actions, progress)


def solve_positions(
    positions: Iterable[Position | HasPosition],
    *,
    threads: int | None = None,
    actions: bool = True,
    progress: Progress | None = None,
) -> SolvedBoards:
    """Perfect play from positions of one game, on boards of one size, target and handicap."""
    played, template, grid, rows = _read_positions(positions)
    return solve_states(played, template, grid, rows, threads, actions, progress)


# Solving in threads


def solve_states(
    game: Game,
    template: Board,
    cells: Ints,
    rows: Ints,
    threads: int | None,
    actions: bool = True,
    progress: Progress | None = None,
) -> SolvedBoards:
    """Perfect play from states that are rows of an array, each on its row of cells, unchecked."""
    count, width = len(rows), game.actions(template)
    results = np.full((count, 2), UNSOLVED, np.int64)
    by_action = np.full((count, width if actions else 0, 2), UNSOLVED, np.int64)
    solver = _solve_retrograde if game.cyclic else _solve_forward

    def solve_chunk(first: int) -> int:
        part = slice(first, first + CHUNK)
        solver(game, template, cells[part], rows[part], results[part], by_action[part])
        return len(rows[part])

    done = 0
    for solved in _in_threads(solve_chunk, range(0, count, CHUNK), threads):
        done += solved
        if progress:
            progress(done)
    if (results[:, 0] == UNSOLVED).any():
        number = int(np.argmax(results[:, 0] == UNSOLVED))
        size = f"{template.rows}x{template.cols} {game.title}"
        most = STATES[-1] if game.cyclic else NODES
        raise BoardTooLarge(number, f"{size} needs more than {most:,} positions.")
    return _as_values(rows[:, 0], results, by_action)


def _in_threads(
    task: Callable[[int], int], numbers: Sequence[int], threads: int | None
) -> Iterator[int]:
    """What the task returns for each number; kernels let go of the interpreter's lock."""
    count = processors() if threads is None else _whole_number("threads", threads)
    if count < 1:
        raise BadRequest(f"threads must be 1 or more, not {threads}.")
    if count == 1 or len(numbers) < 2:
        yield from map(task, numbers)
        return
    with ThreadPoolExecutor(min(count, len(numbers))) as pool:
        try:
            yield from pool.map(task, numbers)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _as_values(turns: _Array, results: _Array, by_action: _Array) -> SolvedBoards:
    """Winners as values from the side of the player to move."""
    worth = _worth(turns, results[:, 0])
    chosen = _worth(turns[:, None], by_action[:, :, 0])
    legal = by_action[:, :, 0] != UNSOLVED
    return SolvedBoards(
        worth,
        results[:, 0] == 0,
        results[:, 1].astype(np.int16),
        np.where(legal, chosen, np.int8(NOT_LEGAL)),
        np.where(legal, by_action[:, :, 1], 0).astype(np.int16),
    )


def _worth(turns: _Array, winners: _Array) -> npt.NDArray[np.int8]:
    decided = (winners == 1) | (winners == 2)
    values: npt.NDArray[np.int8] = np.where(decided, np.where(winners == turns, 1, -1), 0)
    return values.astype(np.int8)


def pack_starts(board: Grid, cells: Ints, rows: Ints) -> None:
    """Write the first state on each board."""
    for number in range(len(rows)):
        pack(start(with_row(board, cells[number]), 1), rows[number], 0)


def with_row(board: Grid, cells: Ints) -> Grid:
    """In a kernel: the board with the cells in a row of an array."""
    return with_cells(board, as_pointer(cells))


# Games that always end


def _solve_forward(
    game: Game, board: Board, cells: Ints, rows: Ints, results: Ints, by_action: Ints
) -> None:
    memory = make_memory(rows.shape[1], compiled=True)
    arrays = compiled_board(board), cells, rows, results, by_action, memory, NODES
    kernel(game, solve_all_forward)(*arrays)


def solve_all_forward(
    board: Grid,
    cells: Ints,
    rows: Ints,
    results: Ints,
    by_action: Ints,
    memory: SearchMemory,
    budget: int,
) -> None:
    """Solve a position on each board, and its moves if asked, by forward search."""
    for number in range(len(rows)):
        grid = with_row(board, cells[number])
        for slot in range(len(memory.entries)):
            memory.entries[slot] = 0
        state = unpack(rows[number], 0)
        legal = moves(grid, state)
        if by_action.shape[1] == 0 or legal == 0:
            result, distance = _solve_fully(grid, memory, state, budget)
            results[number, 0], results[number, 1] = result, distance
            continue
        turn = state[0]
        best_rank, best_result, best_distance = 0, UNSOLVED, 0
        while legal:
            action = lowest_bit(legal)
            legal &= legal - 1
            result, distance = _solve_fully(grid, memory, play(grid, state, action), budget)
            if result == UNSOLVED:
                best_result = result
                break
            by_action[number, action, 0], by_action[number, action, 1] = result, distance + 1
            # The fastest win, then a draw, then the slowest loss.
            rank = distance + 1
            if result == turn:
                rank = 3_000 - distance
            elif result == 3:
                rank = 1_000 + distance
            if rank > best_rank:
                best_rank, best_result, best_distance = rank, result, distance + 1
        results[number, 0], results[number, 1] = best_result, best_distance


def _solve_fully(grid: Grid, memory: SearchMemory, state: State, budget: int) -> tuple[int, int]:
    """Winner and distance, that of a draw too."""
    result, distance, _ = solve_state(grid, memory, state, budget)
    return result, _draw_plies(grid, memory, state, budget) if result == 3 else distance


def _draw_plies(grid: Grid, memory: SearchMemory, state: State, budget: int) -> int:
    """The plies to the end when both keep the draw."""
    plies = 0
    legal = moves(grid, state)
    while legal:
        after = play(grid, state, lowest_bit(legal))
        legal &= legal - 1
        ask(memory, after, 3 - state[0], MAX_DEPTH)
        search_forced_win(grid, memory, budget)
        if answer(memory) != YES:
            state = after
            legal = moves(grid, state)
            plies += 1
    return plies


# Games that can go on for ever


def _solve_retrograde(
    game: Game, board: Board, cells: Ints, rows: Ints, results: Ints, by_action: Ints
) -> None:
    for states in STATES:
        work = make_workspace(states, rows.shape[1], game.actions(board), compiled=True)
        arrays = compiled_board(board), cells, rows, results, by_action, work
        kernel(game, solve_all_retrograde)(*arrays)
        if (results[:, 0] != UNSOLVED).all():
            return


def solve_all_retrograde(
    board: Grid, cells: Ints, starts: Ints, results: Ints, by_action: Ints, work: Workspace
) -> None:
    """Solve a position on each board by retrograde analysis, unless it is solved already."""
    for number in range(len(starts)):
        if results[number, 0] != UNSOLVED:
            continue
        grid = with_row(board, cells[number])
        for slot in range(len(work.slots)):
            work.slots[slot] = 0
        state = unpack(starts[number], 0)
        pack(state, work.rows, 0)
        if not solve_reachable(grid, work, len(work.left)):
            continue
        results[number, 0], results[number, 1] = work.results[0], work.distances[0]
        legal = moves(grid, state)
        edge = work.first[0]
        while legal and by_action.shape[1]:
            after = work.edges[edge]  # in the order of the actions
            action = lowest_bit(legal)
            by_action[number, action, 0] = work.results[after]
            by_action[number, action, 1] = work.distances[after] + (work.results[after] > 0)
            legal &= legal - 1
            edge += 1


# What is given, checked


def _solvable_game(game: Game | str) -> Game:
    """The game, if its boards have a value; raises BadRequest."""
    played = game_named(game) if isinstance(game, str) else game
    if played.has_hidden_cells:
        raise BadRequest(
            f"{played.title} has hidden cells: a board has a probability of winning, not a value. "
            "gridwise.evaluate estimates it."
        )
    return played


def _whole_number(name: str, value: object) -> int:
    """A number that was given for an option; raises BadRequest unless it is whole."""
    try:
        return operator.index(value)  # type: ignore[arg-type] # that is the question
    except TypeError:
        raise BadRequest(f"{name} is a whole number, not {quoted(repr(value))}.") from None


def _read_cells(
    game: Game, cells: npt.ArrayLike, target: int | None, handicap: int
) -> tuple[Ints, Board]:
    """The cells, a row for each board, and a board of their size; raises BadBoard."""
    shape = f"(boards, rows, columns), such as (1000, {game.rows}, {game.cols})"
    try:
        read = np.asarray(cells)
    except ValueError:
        raise BadBoard(f"The cells must be an array of the shape {shape}.") from None
    if read.ndim != 3:
        raise BadBoard(f"The cells must have the shape {shape}, not {read.shape}.")
    if not np.issubdtype(read.dtype, np.integer):
        raise BadBoard(f"The cells must be whole numbers, not of the type {read.dtype}.")
    count, rows, cols = read.shape
    low, high = game.rules.LOW, game.rules.HIGH
    wrong = np.argwhere((read < low) | (read > high))
    if len(wrong):
        number, row, col = (int(index) for index in wrong[0])
        raise BadBoard(
            f"Board {number} has {read[number, row, col]} in row {row}, column {col}, counted from "
            f"0; cells of {game.title} are {low} to {high}."
        )
    points = game.target if target is None else _whole_number("target", target)
    handicap = _whole_number("handicap", handicap)
    # Compiled for arrays that can be written to, though nothing is: one that cannot is copied.
    flat = np.require(read.reshape(count, rows * cols), np.int64, ["C", "A", "W"])
    if not count:
        return flat, Board(rows, cols, (low,) * (rows * cols), points, handicap)
    template = Board(rows, cols, tuple(flat[0].tolist()), points, handicap)
    game.check_board(template)
    if game.text.checks_boards:
        for number, row in enumerate(flat.tolist()):
            if problem := game.text.board_problem(template.with_cells(row)):
                raise BadBoard(f"Board {number}: {problem}")
    return flat, template


def _read_positions(
    positions: Iterable[Position | HasPosition],
) -> tuple[Game, Board, Ints, Ints]:
    """Their game, a board of their size, and the cells and the state of each, a row a position."""
    listed = [at if isinstance(at, Position) else at.position for at in positions]
    if not listed:
        raise BadRequest("There are no positions to solve.")
    game, template = _solvable_game(listed[0].game), listed[0].board
    alike = _kind(template)
    for number, position in enumerate(listed):
        if position.game is not game or _kind(position.board) != alike:
            raise BadRequest(
                f"Position {number} is of another game, size, target or handicap than position 0."
            )
    cells = np.array([position.board.cells for position in listed], np.int64)
    return game, template, cells, np.array([position.state for position in listed], np.int64)


def _kind(board: Board) -> tuple[int, int, int, int]:
    return board.rows, board.cols, board.target, board.handicap
