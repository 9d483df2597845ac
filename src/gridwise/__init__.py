"""Gridwise: five two-player grid games, and everything people want to do with them.

    import gridwise
    match = gridwise.Match("number-run", seed=7)
    match.move("0,1")
    print(match.legal_moves)
"""

import gridwise.games  # the list of games; each is read when it is first asked for
from gridwise.core.board import Board
from gridwise.core.game import Game, Position
from gridwise.core.registry import game, games
from gridwise.core.view import View
from gridwise.engine.analysis import analyze
from gridwise.errors import GridwiseError
from gridwise.play.match import Match, Outcome
from gridwise.play.players import bot
from gridwise.play.records import Record, read_record, write_record

__version__ = "0.1.0"

__all__ = [
    "Board",
    "Game",
    "GridwiseError",
    "Match",
    "Outcome",
    "Position",
    "Record",
    "View",
    "__version__",
    "analyze",
    "bot",
    "game",
    "games",
    "read_record",
    "write_record",
]
