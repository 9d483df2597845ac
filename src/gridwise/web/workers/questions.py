"""Questions that visitors ask the engine, as functions for a worker process.

What they are given and return is pickled. Neither FastAPI nor pydantic is imported here: a process
that thinks starts in a fraction of a second.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from gridwise.core.position import Position
from gridwise.engine.analysis import answer, position_from
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Evaluation, Limits
from gridwise.engine.puzzles import Puzzle, explained, refuted
from gridwise.engine.review import SECONDS, limits_for, what_if_limits
from gridwise.errors import BadRequest
from gridwise.play.records import Record
from gridwise.show.svg import PAGE, svg

MOST_TRIED = 60  # moves


def evaluated_position(
    request: dict[str, Any], moves: list[str], seconds: float | None
) -> dict[str, Any]:
    """The answer of `gridwise analyze`, with the board as SVG; no `seconds`, no search."""
    position = position_from(**request, moves=moves)
    found = None
    if seconds is not None:
        # As large as it is without limits, so that the clock only matters on large boards.
        found = evaluate(position, Limits(nodes=_usual_nodes(position), seconds=seconds))
    return answer(position, found, moves) | {"svg": svg(position.view, PAGE, playable=True)}


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
    record: Record, number: int, moves: list[str]
) -> tuple[Position, Evaluation | None]:
    """The position after other moves than those of the game, and its evaluation unless it is over.

    Cells that nobody had seen by then stay hidden.
    """
    if len(moves) > MOST_TRIED:
        raise BadRequest(f"You can try at most {MOST_TRIED} moves in a row.")
    position = position_after(record, number)
    for move in moves:
        position = position.after(move, record.board)
    over = position.outcome is not None
    return position, None if over else evaluate(position, what_if_limits(position.game))


def position_after(record: Record, number: int) -> Position:
    """The position after a number of moves."""
    if not 0 <= number <= len(record.moves):
        raise BadRequest(f"This game has {len(record.moves)} moves.")
    return next(islice(record.positions(), number, None))


def puzzle_texts(puzzle: Puzzle, wrong: int | None, *, explain: bool) -> tuple[str, str]:
    """Why a wrong move does not win, if there is one, and why the right one does, if asked for."""
    return (
        "" if wrong is None else refuted(puzzle, wrong),
        explained(puzzle) if explain else "",
    )
