"""What is given to the batch solver, checked: arrays of cells, positions, whole numbers."""

from __future__ import annotations

import operator
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.compiled.specialize import Ints
from gridwise.engine.evaluate import HasPosition
from gridwise.errors import BadBoard, BadRequest, quoted


def solvable_game(game: Game | str) -> Game:
    """The game, if its boards have a value; raises BadRequest."""
    played = game_named(game) if isinstance(game, str) else game
    if played.has_hidden_cells:
        raise BadRequest(
            f"{played.title} has hidden cells: a board has a probability of winning, not a value. "
            "gridwise.evaluate estimates it."
        )
    return played


def whole_number(name: str, given: object) -> int:
    """A number that was given for an option; raises BadRequest unless it is whole."""
    try:
        return operator.index(given)  # type: ignore[arg-type] # that is the question
    except TypeError:
        raise BadRequest(f"{name} is a whole number, not {quoted(repr(given))}.") from None


def read_cells(
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
    points = game.target if target is None else whole_number("target", target)
    handicap = whole_number("handicap", handicap)
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


def read_positions(
    positions: Iterable[Position | HasPosition],
) -> tuple[Game, Board, Ints, Ints]:
    """Their game, a board of their size, and the cells and the state of each, a row a position."""
    each = [at if isinstance(at, Position) else at.position for at in positions]
    if not each:
        raise BadRequest("There are no positions to solve.")
    game, template = solvable_game(each[0].game), each[0].board
    alike = _kind(template)
    for number, position in enumerate(each):
        if position.game is not game or _kind(position.board) != alike:
            raise BadRequest(
                f"Position {number} is of another game, size, target or handicap than position 0."
            )
    cells = np.array([position.board.cells for position in each], np.int64)
    return game, template, cells, np.array([position.state for position in each], np.int64)


def _kind(board: Board) -> tuple[int, int, int, int]:
    return board.rows, board.cols, board.target, board.handicap
