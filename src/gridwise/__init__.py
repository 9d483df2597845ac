"""Gridwise: five two-player grid games, and everything people want to do with them.

    import gridwise
    match = gridwise.Match("number-run", seed=7)
    match.move("0,1")
    print(match.legal_moves)

The names below are the public ones. Each is loaded when it is first used, so that
`gridwise --version` does not wait for what it does not need.
"""

import importlib
from typing import TYPE_CHECKING, Any

import gridwise.games as _games  # noqa: F401 - the list of games; before `games` below
from gridwise.core.registry import game, games
from gridwise.errors import GridwiseError

if TYPE_CHECKING:
    from gridwise.core.board import Board
    from gridwise.core.game import Game, Position
    from gridwise.core.view import View
    from gridwise.engine.analysis import analyze
    from gridwise.engine.bots import bot
    from gridwise.play.match import Match, Outcome
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

_ROOMS = {
    "Board": "gridwise.core.board",
    "Game": "gridwise.core.game",
    "Match": "gridwise.play.match",
    "Outcome": "gridwise.play.match",
    "Position": "gridwise.core.game",
    "Record": "gridwise.play.records",
    "View": "gridwise.core.view",
    "analyze": "gridwise.engine.analysis",
    "bot": "gridwise.engine.bots",
    "read_record": "gridwise.play.records",
    "write_record": "gridwise.play.records",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each public name has its own type
    if name not in _ROOMS:
        raise AttributeError(f"module 'gridwise' has no attribute {name!r}")
    return getattr(importlib.import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return __all__
