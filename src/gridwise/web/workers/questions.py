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
from gridwise.engine.evaluation import Evaluation, Limits, evaluate
from gridwise.engine.review import SECONDS, limits_for, what_if_limits
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


def reviewed_position(position: Position, seconds: float) -> Evaluation:
    """A position of a game that is reviewed."""
    return evaluate(position, limits_for(position.game, min(SECONDS, seconds)))


def tried_moves(
    record: Record, number: int, moves: list[str], reply: str = ""
) -> tuple[list[Position], Evaluation | None]:
    """The positions around the last of some other moves than those of the game.

    The one before it, the one after it, and one more for each answer: `reply` is a bot's level, or
    `best`, or empty where nobody answers. Then the evaluation of the last one, unless it is over.
    Cells that nobody had seen by then stay hidden.
    """
    if len(moves) > MOST_TRIED_MOVES:
        raise BadRequest(f"You can try at most {MOST_TRIED_MOVES} moves in a row.")
    _, position = positions_around(record, number)
    for move in moves[:-1]:
        position = position.after(move, record.board)
    positions = [position, position.after(moves[-1], record.board)]
    # Whoever has no move passes: then there is no answer, or more than one.
    while reply and (last := positions[-1]).outcome is None and last.turn != position.turn:
        positions.append(last.play(_answer(last, reply), record.board))
    last = positions[-1]
    return positions, None if last.outcome else evaluate(last, what_if_limits(last.game))


def _answer(position: Position, reply: str) -> int:
    if reply == "best":
        return evaluate(position, what_if_limits(position.game)).best.action
    seed = " ".join(map(str, position.history))  # the same again after Undo
    return bot(position.game, reply, seed).choose(position)


def positions_around(record: Record, number: int) -> tuple[Position | None, Position]:
    """The positions before and after the last of a number of moves; at the start, None and it."""
    if not 0 <= number <= len(record.moves):
        raise BadRequest(f"This game has {len(record.moves)} moves.")
    around = list(islice(record.positions(), max(0, number - 1), number + 1))
    return around[0] if number else None, around[-1]
