"""Positions as UGI writes them: a board in one word, then the moves that were played on it.

    31425/25134/42513/14252/53142                     a board; Player 1 moves first
    ?????/?????/?????/?????/?????,p2                  Player 2 moves first (where a coin decides)
    ?????/?????/?????/?????/?????,p2,target=20        with another number of points to reach

Cells that the moves have not revealed are unknown in the Position, whatever was written for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.errors import BadRequest, quoted

_TARGET = "target="
_HANDICAP = "handicap="


def start_text(game: Game) -> str:
    """What `startpos` stands for.

    The game's one board; or every cell face down; or, where boards are dealt, its example.
    """
    if game.has_hidden_cells or game.fixed:
        return game.board_text(game.default_board())
    return game.example_board


def position_text(position: Position) -> str:
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


def parse_position(game: Game, text: str, moves: Sequence[str] = ()) -> Position:
    """The position after the moves; raises GridwiseError that names what is wrong."""
    board_text, *notes = (part.strip() for part in text.split(","))
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
    target = None if numbers[_TARGET] < 0 else numbers[_TARGET]
    board = game.parse_board(board_text, target, max(0, numbers[_HANDICAP]))
    return Position(game, board, first=first, moves=moves)
