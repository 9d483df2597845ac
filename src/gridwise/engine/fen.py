"""Positions as UGI writes them: a board in one word, then the moves that were played on it.

    31425/25134/42513/14252/53142                     a board; Player 1 moves first
    ?????/?????/?????/?????/?????,p2                  Player 2 moves first (where a coin decides)
    ?????/?????/?????/?????/?????,p2,target=20        with another number of points to reach

What is read is blanked before it is handed on: cells that the moves have not turned up are unknown
in the Position, whatever was written for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gridwise.core.board import Board
from gridwise.core.game import Game, Position
from gridwise.errors import BadRequest, GridwiseError, quoted

_TARGET = "target="
_HANDICAP = "handicap="


def start_fen(game: Game) -> str:
    """What `startpos` stands for.

    The game's one board; or every cell face down; or, where boards are dealt, its example.
    """
    if game.hides and not game.fixed:
        return "/".join([game.glyphs[0] * game.cols] * game.rows)
    return game.fixed or game.example_board


def fen(position: Position) -> str:
    """The board of a position as far as it has been seen, and who moved first."""
    game, board = position.game, position.board
    parts = [game.board_text(board)]
    if position.first == 2:
        parts.append("p2")
    if board.target != game.target:
        parts.append(f"{_TARGET}{board.target}")
    if board.handicap:
        parts.append(f"{_HANDICAP}{board.handicap}")
    return ",".join(parts)


def read_fen(game: Game, text: str) -> tuple[Board, int]:
    """The board and who moves first; raises BadBoard or BadRequest."""
    written, *notes = (part.strip() for part in text.split(","))
    first, numbers = 1, dict.fromkeys((_TARGET, _HANDICAP), -1)
    for note in notes:
        word = note.casefold()
        if word in ("p1", "p2"):
            first = int(word[1])
            continue
        name, equals, number = word.partition("=")
        if name + equals not in numbers or not re.fullmatch("[0-9]{1,6}", number):
            known = "p1, p2, target=N or handicap=N"
            raise BadRequest(f"After a board {known} can follow, not {quoted(note)}.")
        numbers[name + equals] = int(number)
    game.check_first(first)
    target = None if numbers[_TARGET] < 0 else numbers[_TARGET]
    return game.parse_board(written, target, max(0, numbers[_HANDICAP])), first


def read_position(game: Game, text: str, moves: Sequence[str] = ()) -> Position:
    """The position after the moves, blanked; raises GridwiseError that names what is wrong."""
    board, first = read_fen(game, text)
    state = game.rules.start(board, first)
    actions: list[int] = []
    for number, move in enumerate(moves, 1):
        try:
            action = game.read_move(game.seen(board, state), state, move)
            state = game.rules.play(board, state, action)
            game.check_known(board, state)
        except GridwiseError as error:
            raise type(error)(f"Move {number}, {quoted(move)}: {error}") from None
        actions.append(action)
    return Position(game, game.seen(board, state), state, first, tuple(actions))
