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
    from gridwise.core.game import Game
    from gridwise.core.outcome import Outcome, Termination
    from gridwise.core.position import Position
    from gridwise.core.view import View
    from gridwise.engine.analysis import analyze
    from gridwise.engine.bots import bot
    from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate
    from gridwise.engine.exact.batch_solver import SolvedBoards, solve_boards, solve_positions
    from gridwise.engine.explain import explain
    from gridwise.lab.grading.exploitability import exploitability
    from gridwise.lab.grading.grade import compare, grade
    from gridwise.lab.suites import suite
    from gridwise.play.match import Match
    from gridwise.play.records import Record, read_record, write_record

__version__ = "0.1.0"

_ROOMS = {
    "Board": "gridwise.core.board",
    "Evaluation": "gridwise.engine.evaluation",
    "Game": "gridwise.core.game",
    "Limits": "gridwise.engine.evaluation",
    "Match": "gridwise.play.match",
    "MoveValue": "gridwise.engine.evaluation",
    "Outcome": "gridwise.core.outcome",
    "Position": "gridwise.core.position",
    "Record": "gridwise.play.records",
    "SolvedBoards": "gridwise.engine.exact.batch_solver",
    "Termination": "gridwise.core.outcome",
    "View": "gridwise.core.view",
    "analyze": "gridwise.engine.analysis",
    "bot": "gridwise.engine.bots",
    "compare": "gridwise.lab.grading.grade",
    "evaluate": "gridwise.engine.evaluation",
    "explain": "gridwise.engine.explain",
    "exploitability": "gridwise.lab.grading.exploitability",
    "grade": "gridwise.lab.grading.grade",
    "read_record": "gridwise.play.records",
    "solve_boards": "gridwise.engine.exact.batch_solver",
    "solve_positions": "gridwise.engine.exact.batch_solver",
    "suite": "gridwise.lab.suites",
    "write_record": "gridwise.play.records",
}

__all__ = [
    "Board",
    "Evaluation",
    "Game",
    "GridwiseError",
    "Limits",
    "Match",
    "MoveValue",
    "Outcome",
    "Position",
    "Record",
    "SolvedBoards",
    "Termination",
    "View",
    "__version__",
    "analyze",
    "bot",
    "compare",
    "evaluate",
    "explain",
    "exploitability",
    "game",
    "games",
    "grade",
    "read_record",
    "solve_boards",
    "solve_positions",
    "suite",
    "write_record",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each public name has its own type
    if name not in _ROOMS:
        raise AttributeError(f"module 'gridwise' has no attribute {name!r}")
    return getattr(importlib.import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return __all__
