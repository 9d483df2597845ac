"""The games as environments for agents: PettingZoo, Gymnasium, OpenSpiel; and grading them.

Nothing heavy is imported here; each module below imports its own framework.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gridwise.envs.grading import grade
    from gridwise.envs.report import Report

__all__ = ["Report", "grade"]

_ROOMS = {"Report": "gridwise.envs.report", "grade": "gridwise.envs.grading"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each public name has its own type
    if name not in _ROOMS:
        raise AttributeError(f"module 'gridwise.envs' has no attribute {name!r}")
    return getattr(importlib.import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return __all__
