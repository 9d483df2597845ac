"""`evaluate`: the front door to every search.

It picks the search by what the game is like, never by which game it is: face-down cells need
chance, the others have exact values.
"""

from __future__ import annotations

from typing import Protocol

from gridwise.core.position import Position
from gridwise.engine.evaluation import NO_LIMITS, Evaluation, Limits


class HasPosition(Protocol):
    """Something that stands at a position, such as a Match."""

    @property
    def position(self) -> Position:
        """Where it stands."""


def evaluate(position: Position | HasPosition, limits: Limits = NO_LIMITS) -> Evaluation:
    """What every legal move is worth, in the order in which moves are shown. Takes a Match too."""
    position = position if isinstance(position, Position) else position.position
    if position.game.has_hidden_cells:
        from gridwise.engine.chance.win_probability import (  # noqa: PLC0415 - not before it is needed
            win_probabilities,
        )

        return win_probabilities(position, limits)
    from gridwise.engine.exact.solver import solve  # noqa: PLC0415 - not before it is needed

    return solve(position, limits)
