"""A second, independent implementation of the five games, for tests to compare against.

It favours being obviously right over being fast, and it may not import the product: a mistake
made once must not be able to hide by being made in the same place twice.
"""

from .base import ReferenceGame
from .grid_conquest import GridConquest
from .grid_runner import GridRunner
from .number_connect import NumberConnect
from .number_maze import NumberMaze
from .number_run import NumberRun

REFERENCE: dict[str, type[ReferenceGame]] = {
    "number-run": NumberRun,
    "number-maze": NumberMaze,
    "grid-runner": GridRunner,
    "grid-conquest": GridConquest,
    "number-connect": NumberConnect,
}

__all__ = ["REFERENCE", "ReferenceGame"]
