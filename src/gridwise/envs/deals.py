"""Boards for environments: uniform, among those on which there is something to decide.

On one uniform board in four Number Maze is over before the first move. A game without a move is no
episode, and no framework has a place for one, so such a board is dealt again.
"""

from __future__ import annotations

import random

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.errors import BadBoard

# Of the standard boards at least three in four can be played on.
MOST_DEALS = 1000


def fill(game: Game, board: Board, rng: random.Random) -> Board:
    """The board with its unknown cells dealt, so that somebody has a first move.

    Raises BadBoard if nobody ever has.
    """
    for _ in range(MOST_DEALS if board.unknown else 1):
        dealt = game.deal_unknown(board, rng)
        if game.rules.moves(dealt, game.rules.start(dealt, 1)):
            return dealt
    raise BadBoard(
        f"{game.title} is over before the first move, however the board "
        f"{game.board_text(board)} is dealt."
        if board.unknown
        else f"On the board {game.board_text(board)} {game.title} is over before the first move."
    )
