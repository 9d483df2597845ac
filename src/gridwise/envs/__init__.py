"""The games as environments for learning agents: PettingZoo, Gymnasium, OpenSpiel.

Nothing heavy is imported here; each module below imports its own framework. `grade` and `Report`
are aliases: grading is part of the arena, and its public name is `gridwise.grade`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gridwise.arena.grading import Report, grade

__all__ = ["Report", "grade"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each public name has its own type
    if name not in __all__:
        raise AttributeError(f"module 'gridwise.envs' has no attribute {name!r}")
    return getattr(importlib.import_module("gridwise.arena.grading"), name)


def __dir__() -> list[str]:
    return __all__
