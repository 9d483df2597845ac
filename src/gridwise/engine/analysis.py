"""`analyze`: a position as data, and what its moves are worth; one request in, one answer out.

The shape is the same for every game. The answer holds only what has been seen: a cell that is still
face down is `?` in it, whatever the request said about it, and the search does not know it either.

This is the JSON edge: inside, a request is a Position and an answer an Evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Evaluation, MoveValue, evaluate, with_answers
from gridwise.engine.explain import explain
from gridwise.errors import BadRequest, GridwiseError, quoted

MAX_LINE = 1_000_000  # bytes

# The fields of a request: the type of each, and what to say if it has another.
_FIELDS: dict[str, tuple[type, str]] = {
    "game": (str, 'The request needs a "game", such as "number-run".'),
    "board": (str, '"board" must be text, such as "1324/2132/4213/3421".'),
    "target": (int, '"target" must be a whole number.'),
    "handicap": (int, '"handicap" must be a whole number.'),
    "first": (int, '"first" must be 1 or 2.'),
    "moves": (list, '"moves" must be a list of texts, such as ["0,1", "3,4"].'),
    "search": (bool, '"search" must be true or false.'),
    "why": (bool, '"why" must be true or false.'),
}


def analyze(
    game: str,
    board: str | None = None,
    *,
    target: int | None = None,
    handicap: int = 0,
    first: int = 1,
    moves: Sequence[str] = (),
    search: bool = True,
    why: bool = False,
) -> dict[str, Any]:
    """What there is to say about the position after `moves`, ready for JSON.

    `target` and `handicap` are the points to reach and the points that Player 2 starts with, where
    they are not the usual ones. Without `search` the position is only described; with `why` each
    move has the facts that tell why it is good or bad.
    """
    moves = list(moves)
    request: dict[str, object] = {"game": game, "board": board, "target": target, "moves": moves}
    request |= {"handicap": handicap, "first": first, "search": search, "why": why}
    _check_shape({name: value for name, value in request.items() if value is not None})
    position = position_from(game, board, target, handicap, first, moves)
    if why and not search:
        raise BadRequest('"why" takes a search: leave out "search".')
    return answer(position, evaluate(position) if search else None, moves, why=why)


def position_from(
    game: str,
    board: str | None = None,
    target: int | None = None,
    handicap: int = 0,
    first: int = 1,
    moves: Sequence[str] = (),
) -> Position:
    """The position that a request describes; raises GridwiseError if there is none."""
    played = game_named(game)
    text = played.board_text(played.default_board()) if board is None else board
    return Position(played, played.parse_board(text, target, handicap), first=first, moves=moves)


def answer(
    position: Position,
    evaluation: Evaluation | None,
    moves: Sequence[str] | None = None,
    *,
    why: bool = False,
) -> dict[str, Any]:
    """A position and, if there was a search, what its moves are worth.

    `exact` is false if winning probabilities were sampled, or if the board was too large to
    evaluate every move; the values that were not found are null. `moves` are quoted as they were
    asked. With `why` each option has its facts, the most important first.
    """
    outcome, scores = position.outcome, position.scores
    evaluation = evaluation or Evaluation((), exact=False)
    if why:  # counted once, not for each move
        evaluation = with_answers(position, evaluation)
    return {
        "game": position.game.key,
        "board": position.game.board_text(position.board),
        "moves": list(position.moves if moves is None else moves),
        "to_move": position.turn or None,
        "result": outcome.result if outcome else None,
        "reason": outcome.reason if outcome else None,
        "scores": None if scores is None else list(scores),
        "legal": position.legal_moves,
        "value": evaluation.value,
        "distance": evaluation.distance,
        "win": evaluation.win,
        "exact": evaluation.exact,
        "options": [
            _option(move)
            | ({"why": explain(position, move.action, evaluation).data()["facts"]} if why else {})
            for move in evaluation.moves
        ],
    }


def _option(move: MoveValue) -> dict[str, Any]:
    """What a move is worth."""
    known = {"move": move.move, "value": move.value, "distance": move.distance, "win": move.win}
    return known if move.error is None else known | {"error": move.error}


def analyze_line(line: bytes) -> str:
    """One line of a batch: a JSON request in, a JSON answer or error out. Never raises."""
    try:
        request = _request(line)
        _check_shape(request)
        return json.dumps(analyze(**request))
    except GridwiseError as error:
        return json.dumps({"error": {"kind": error.kind, "message": str(error)}})


def _request(line: bytes) -> Any:  # noqa: ANN401 - it may be anything until it is checked
    if len(line) > MAX_LINE:
        raise BadRequest(f"The line is longer than {MAX_LINE:,} bytes.")
    try:
        return json.loads(line)
    except RecursionError:
        raise BadRequest("The line is nested too deeply to be a request.") from None
    except ValueError as error:
        raise BadRequest(f"The line is not JSON: {quoted(str(error), 120)}.") from None


def _check_shape(request: Mapping[str, Any]) -> None:
    if not isinstance(request, Mapping):
        raise BadRequest('A request is a JSON object, such as {"game": "number-run", …}.')
    for key in request:
        if key not in _FIELDS:
            known = ", ".join(_FIELDS)
            raise BadRequest(f"There is no field {quoted(str(key))}; there are {known}.")
    for key, value in {"game": None, **request}.items():
        kind, complaint = _FIELDS[key]
        fits = type(value) is kind
        if key == "first":
            fits = fits and value in (1, 2)
        elif isinstance(value, list):
            fits = fits and all(isinstance(move, str) for move in value)
        if not fits:
            raise BadRequest(complaint)
