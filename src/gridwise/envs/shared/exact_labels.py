"""Exact labels for `info`: what the position and every action are worth to the player to move.

| name | |
|---|---|
| `value` | 1 for a win, -1 for a loss, 0 for a draw or a game that nobody can win |
| `distance` | plies to the end when both play perfectly; 0 where there is none |
| `action_values` | `value` for each action; -128 where it is not legal |
| `optimal_actions` | 1 for the actions that are worth as much as the position, 0 for the others |

Once a game is over, however it ended, there is nothing to choose: the first two are 0, and no
action is legal.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridwise.core.position import Position
from gridwise.engine.exact.batch_solver import NOT_LEGAL, SolvedBoards, solve_positions


def exact_labels(solved: SolvedBoards, legal: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """The labels of many games; `legal` has their sets of legal actions."""
    going_on = legal != 0
    values = np.where(going_on[:, None], solved.action_value, np.int8(NOT_LEGAL))
    return {
        "value": np.where(going_on, solved.value, np.int8(0)),
        "distance": np.where(going_on, solved.distance, np.int16(0)),
        "action_values": values,
        "optimal_actions": (going_on[:, None] & solved.best).astype(np.int8),
    }


def labels_of(position: Position) -> dict[str, Any]:
    """The labels of one game."""
    solved = solve_positions([position], threads=1)
    found = exact_labels(solved, np.array([position.legal_mask]))
    return {name: values[0] for name, values in found.items()}
