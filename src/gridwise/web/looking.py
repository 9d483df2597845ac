"""Looking at positions and at finished games: what the engine says, as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gridwise.core.registry import game as game_of
from gridwise.engine.analysis import answer
from gridwise.engine.review import comment, in_words, limits_for, review, summary
from gridwise.play.records import Record
from gridwise.show.svg import PAGE, svg
from gridwise.web.hall import Hall
from gridwise.web.messages import Question
from gridwise.web.refusals import Conflict
from gridwise.web.table import Table


def looked_at(question: Question) -> dict[str, Any]:
    """The answer of `gridwise analyze`, with the board as SVG. For a worker thread."""
    told = answer(question.model_dump(exclude_none=True))
    return told | {"svg": _picture(question, told["board"])}


def _picture(question: Question, text: str) -> str:
    """The board after the moves, as far as it has been seen."""
    game = game_of(question.game)
    board = game.parse_board(text, question.target, question.handicap)
    state, last = game.rules.start(board, question.first), -1
    for move in question.moves:
        action = game.read_move(game.seen(board, state), state, move)
        last = game.words.target(board, state, action)
        state = game.rules.play(board, state, action)
    return svg(game.view(board, state, last), PAGE, playable=True)


async def reviewed(
    hall: Hall, table: Table, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """A finished game, looked back at; worked out once."""
    if not table.told.over:
        raise Conflict("The game still goes on; it can be looked back at when it is over.")
    if table.review is None:
        record = await table.record()
        table.review = await hall.engine.ask(_reviewed, record, progress)
    return table.review


def _reviewed(record: Record, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
    game = record.game
    actions = [step.action for step in record.steps()][1:]
    found = review(game, record.board, record.first, actions, limits_for(game), progress)
    return {
        "moves": [
            {
                "player": each.mover,
                "move": each.move,
                "grade": each.grade,
                "worth": in_words(each.chosen),
                "lost": each.lost,
                "best": each.best,
                "comment": comment(each),
            }
            for each in found.moves
        ],
        "curve": list(found.curve),
        "accuracy": [found.accuracy(player) for player in (1, 2)],
        "turning_points": found.turning_points,
        "summary": summary(found) if found.moves else [],
    }
