"""A position as data, and what its moves are worth: one request in, one answer out.

The shape is the same for every game. The answer tells only what has been seen: a cell that is still
face down is `?` in it, whatever the request said about it, and the search is not told either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gridwise.core.board import Board
from gridwise.core.game import RESULTS, Game, Position, State
from gridwise.core.registry import game as game_of
from gridwise.engine.worth import Option, weigh
from gridwise.errors import BadRequest, GridwiseError, MoveError, quoted

_KEYS = ("game", "board", "target", "handicap", "first", "moves", "search")
LONGEST_LINE = 1_000_000


def analyze(
    game: str,
    board: str | None = None,
    *,
    target: int | None = None,
    handicap: int = 0,
    first: int = 1,
    moves: Sequence[str] = (),
    search: bool = True,
) -> dict[str, Any]:
    """What there is to say about the position after `moves`; see `answer` for the shape.

    `target` and `handicap` are the points to reach and the points that Player 2 starts with, where
    they are not the usual ones. Without `search` the position is described and its moves are not
    weighed.
    """
    request = {"game": game, "board": board, "target": target, "handicap": handicap, "first": first}
    asked = {key: value for key, value in request.items() if value is not None}
    return answer(asked | {"moves": list(moves), "search": search})


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """The position that a request leads to. Raises GridwiseError if there is none."""
    _check_shape(request)
    game = game_of(request["game"])
    first = game.check_first(request.get("first", 1))
    text = request["board"] if "board" in request else usual_board(game)
    board = game.parse_board(text, request.get("target"), request.get("handicap", 0))
    state = game.rules.start(board, first)
    for number, move in enumerate(request.get("moves", []), 1):
        try:
            action = game.read_move(game.seen(board, state), state, move)
        except MoveError as error:
            raise type(error)(f"Move {number}, {quoted(move)}: {error}") from None
        state = game.rules.play(board, state, action)
        game.check_known(board, state)
    told = _described(game, board, state, list(request.get("moves", [])))
    if request.get("search", True):
        told |= _weighed(Position(game, game.seen(board, state), state))
    return told


def _weighed(position: Position) -> dict[str, Any]:
    """The part of an answer that takes a search; all null once a game is over.

    `exact` is false if winning probabilities were sampled, or if the board was too large to value
    every move; those that were not valued are null.
    """
    if not position.legal:
        return {"exact": True}
    worth = weigh(position)
    return {
        "value": worth.value,
        "distance": worth.distance,
        "win": worth.win,
        "exact": worth.exact,
        "options": [_told(position, option) for option in worth.options],
    }


def _told(position: Position, option: Option) -> dict[str, Any]:
    game, board, state = position[:3]
    move = game.words.action_name(board, state, option.action)
    told = {"move": move, "value": option.value, "distance": option.distance, "win": option.win}
    return told if option.error is None else told | {"error": option.error}


def usual_board(game: Game) -> str:
    """The board to take where none is given and there is only one thing it can be."""
    if game.hides:
        return "/".join(["?" * game.cols] * game.rows)
    if not game.fixed:
        raise BadRequest(f"{game.title} needs a board, such as {game.example_board}.")
    return game.fixed


def _described(game: Game, board: Board, state: State, moves: list[str]) -> dict[str, Any]:
    winner = game.rules.winner(board, state)
    seen = game.seen(board, state)
    scores = game.words.scores(state)
    return {
        "game": game.key,
        "board": game.board_text(seen),
        "moves": moves,
        "to_move": None if winner else state.turn,
        "result": RESULTS[winner] or None,
        "reason": game.words.reason(board, state) if winner else None,
        "scores": None if scores is None else list(scores),
        "legal": game.legal_moves(seen, state),
        "value": None,
        "distance": None,
        "win": None,
        "exact": False,
        "options": [],
    }


def _check_shape(request: Mapping[str, Any]) -> None:
    if not isinstance(request, Mapping):
        raise BadRequest('A request is a JSON object, such as {"game": "number-run", …}.')
    for key in request:
        if key not in _KEYS:
            raise BadRequest(f"There is no field {quoted(str(key))}; there are {', '.join(_KEYS)}.")
    if not isinstance(request.get("game"), str):
        raise BadRequest('The request needs a "game", such as "number-run".')
    if not isinstance(request.get("board", ""), str):
        raise BadRequest('"board" must be text, such as "1324/2132/4213/3421".')
    _check_numbers(request)
    moves = request.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadRequest('"moves" must be a list of texts, such as ["0,1", "3,4"].')
    _check_options(request)


def _check_options(request: Mapping[str, Any]) -> None:
    for key in ("target", "handicap"):
        if type(request.get(key, 0)) is not int:
            raise BadRequest(f'"{key}" must be a number.')
    if not isinstance(request.get("search", True), bool):
        raise BadRequest('"search" must be true or false.')


def _check_numbers(request: Mapping[str, Any]) -> None:
    for key in ("target", "handicap"):
        if type(request.get(key, 0)) is not int:
            raise BadRequest(f'"{key}" must be a whole number.')
    first = request.get("first", 1)
    if type(first) is not int or first not in (1, 2):
        raise BadRequest('"first" must be 1 or 2.')


def analyze_line(line: bytes) -> str:
    """One line of a batch: a JSON request in, a JSON answer or error out. Never raises."""
    try:
        return json.dumps(answer(_request(line)))
    except GridwiseError as error:
        return error_line(error)


def error_line(error: GridwiseError) -> str:
    """The answer to a request that cannot be answered."""
    return json.dumps({"error": {"kind": error.kind, "message": str(error)}})


def _request(line: bytes) -> Any:  # noqa: ANN401 - it may be anything until it is checked
    if len(line) > LONGEST_LINE:
        raise BadRequest(f"The line is longer than {LONGEST_LINE:,} bytes.")
    try:
        return json.loads(line)
    except RecursionError:
        raise BadRequest("The line is nested too deeply to be a request.") from None
    except ValueError as error:
        raise BadRequest(f"The line is no JSON: {quoted(str(error), 120)}.") from None
