"""`evaluate`: the front door to every search, and `prepare`, which opens it beforehand.

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


def prepare(position: Position) -> None:
    """Load what searching positions like this one takes, or compile it: up to half a minute, once.

    Without it the first search of a process does so, as part of its time.
    """
    if position.game.has_hidden_cells:
        evaluate(position, Limits(nodes=1))
        return
    from gridwise.engine.exact.solver import prepare_search  # noqa: PLC0415 - not before it is needed

    prepare_search(position)
