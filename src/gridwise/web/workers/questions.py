"""Questions that visitors ask the engine, as functions for a worker process.

What they are given and return is pickled. Neither FastAPI nor pydantic is imported here: a process
that thinks starts in a fraction of a second.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from gridwise.core.board import Board
from gridwise.core.position import Position
from gridwise.engine.analysis import answer, position_from
from gridwise.engine.bots import bot
from gridwise.engine.evaluation import Evaluation, Limits, evaluate, with_answers
from gridwise.engine.explain import Explanation, explain
from gridwise.engine.lines import best_line, line_moves
from gridwise.engine.review import (
    SECONDS,
    Decision,
    Judgement,
    judge,
    limits_for,
    what_if_limits,
)
from gridwise.errors import BadRequest
from gridwise.play.records import Record
from gridwise.play.setup import Setup
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg

MOST_TRIED_MOVES = 60


class Dealt(NamedTuple):
    """The board of a new game, and who begins."""

    setup: Setup
    board: Board  # the true one
    first: int


def dealt(setup: Setup) -> Dealt:
    """Deal the board that is asked for, or read it."""
    match = setup.new_match()
    return Dealt(setup, match.true_board, match.first)


def evaluated_position(
    request: dict[str, Any], moves: list[str], seconds: float | None
) -> dict[str, Any]:
    """The answer of `gridwise analyze`, with the board as SVG; no `seconds`, no search."""
    position = position_from(**request, moves=moves)
    evaluation = None
    if seconds is not None:
        # As large as it is without limits, so that the clock only matters on large boards.
        evaluation = evaluate(position, Limits(nodes=_usual_nodes(position), seconds=seconds))
    return answer(position, evaluation, moves) | {"svg": svg(position.view, PAGE, playable=True)}


def _usual_nodes(position: Position) -> int:
    # Neither is imported before it is needed: the first takes numpy, and both are for a process.
    if position.game.has_hidden_cells:
        from gridwise.engine.chance.win_probability import SIMULATIONS  # noqa: PLC0415

        return SIMULATIONS
    from gridwise.engine.exact.solver import NODES  # noqa: PLC0415

    return NODES


def judged(decision: Decision, seconds: float) -> Judgement:
    """A decision of a game that is reviewed."""
    return judge(decision, limits_for(decision.position.game, min(SECONDS, seconds)))


class Tried(NamedTuple):
    """Other moves than those of a game, and what the last of them is worth."""

    positions: list[Position]
    evaluation: Evaluation | None  # of the last position
    why: Explanation  # of the move that was tried


def tried_moves(record: Record, number: int, moves: list[str], reply: str = "") -> Tried:
    """The positions around the last of some other moves than those of the game.

    The one before it, the one after it, and one more for each answer: `reply` is a bot's level, or
    `best`, or empty where nobody answers. Then the evaluation of the last one, unless it is over.
    Cells that nobody had seen by then stay hidden.
    """
    position = _after_tried(record, number, moves[:-1])
    positions = [position, position.after(moves[-1], record.board)]
    # Whoever has no move passes: then there is no answer, or more than one.
    while reply and (last := positions[-1]).outcome is None and last.turn != position.turn:
        positions.append(last.play(_answer(last, reply), record.board))
    last, limits = positions[-1], what_if_limits(record.game)
    why = explain(position, positions[1].history[-1], evaluate(position, limits))
    return Tried(positions, None if last.outcome else evaluate(last, limits), why)


def valued_position(
    record: Record, number: int, moves: list[str]
) -> tuple[Position, Evaluation | None]:
    """The position after some of the moves of a game and some others, and what it is worth."""
    position = _after_tried(record, number, moves)
    return position, None if position.outcome else evaluate(position, what_if_limits(position.game))


def best_line_from(record: Record, number: int, moves: list[str]) -> tuple[str, ...]:
    """Best play from the same position on, as text."""
    position = _after_tried(record, number, moves)
    return line_moves(position, best_line(position))


def _after_tried(record: Record, number: int, moves: list[str]) -> Position:
    if len(moves) >= MOST_TRIED_MOVES:
        raise BadRequest(f"You can try at most {MOST_TRIED_MOVES} moves in a row.")
    _, position = positions_around(record, number)
    for move in moves:
        position = position.after(move, record.board)
    return position


def _answer(position: Position, reply: str) -> int:
    if reply == "best":
        return with_answers(position, evaluate(position, what_if_limits(position.game))).best.action
    seed = " ".join(map(str, position.history))  # the same again after Undo
    return bot(position.game, reply, seed).choose(position)


def positions_around(record: Record, number: int) -> tuple[Position | None, Position]:
    """The positions before and after the last of a number of moves; at the start, None and it."""
    if not 0 <= number <= len(record.moves):
        raise BadRequest(f"This game has {len(record.moves)} moves.")
    around = list(islice(record.positions(), max(0, number - 1), number + 1))
    return around[0] if number else None, around[-1]
