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
from gridwise.core.outcome import MAX_PLIES, unfinished
from gridwise.core.position import Position
from gridwise.core.rng import Stream
from gridwise.errors import BadRequest, quoted

RESULT_WORDS = ("draw", "p1win", "p2win", "draw")  # by the winner; 0 where the game was stopped
NONE = "none"  # for a result or a move that there is not
_NOTE = re.compile(
    "p(?P<first>[12])|target=(?P<target>[0-9]{1,6})|handicap=(?P<handicap>[0-9]{1,6})"
)


def start_text(game: Game) -> str:
    """What `startpos` stands for: the game's one board, or an example of those that are dealt.

    It has a value for every cell, also for those that are face down, so that a client that knows
    no boards can play from it. A Position does not keep what the moves have not revealed.
    """
    if game.has_hidden_cells:
        return game.example_deal or game.board_text(game.deal(Stream(1)))
    return game.fixed or game.example_board


def position_text(position: Position) -> str:
    """The board of a position as far as it has been seen, and who moved first."""
    game, board = position.game, position.board
    parts = [game.board_text(board)]
    if position.first == 2:
        parts.append("p2")
    if board.target != game.target:
        parts.append(f"target={board.target}")
    if board.handicap:
        parts.append(f"handicap={board.handicap}")
    return ",".join(parts)


def position_command(position: Position) -> str:
    """The line that tells an engine a position, as far as it has been seen."""
    moves = " moves " + " ".join(position.moves) if position.history else ""
    return f"position fen {position_text(position)}{moves}"


def parse_position(game: Game, text: str, moves: Sequence[str] = ()) -> Position:
    """The position after the moves; raises GridwiseError that names what is wrong.

    A game that can go on for ever is over after MAX_PLIES. Further moves are read all the same: a
    client may not count, and the position before them would be a wrong answer to it.
    """
    board_text, *notes = (part.strip() for part in text.split(","))
    first, target, handicap = 1, None, 0
    for note in notes:
        said = _NOTE.fullmatch(note.casefold())
        if said is None:
            known = "p1, p2, target=N or handicap=N"
            raise BadRequest(f"After a board {known} can follow, not {quoted(note)}.")
        if said["first"]:
            first = int(said["first"])
        elif said["target"]:
            target = int(said["target"])
        else:
            handicap = int(said["handicap"])
    board = game.parse_board(board_text, target, handicap)
    position = Position(game, board, first=first, moves=moves)
    if game.cyclic and not position.outcome and len(position.history) >= MAX_PLIES:
        return position.ended(unfinished(MAX_PLIES))
    return position
