"""What moves are worth: one shape for exact values and for probabilities.

`weigh` is the front door to every search. It picks the search by what the game is like, never by
which game it is: face-down cells need chance, the others have exact values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gridwise.core.game import Position

POINTS = {"win": 1.0, "draw": 0.5, "endless": 0.5, "loss": 0.0}


class Limits(NamedTuple):
    """How long a search may take. Whatever is reached first ends it; None is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] | None = None  # asked often; True ends the search at once
    seed: int = 0  # for searches that draw lots


class Option(NamedTuple):
    """One move and what it is worth to the player who makes it."""

    action: int
    value: str | None = None  # "win", "loss", "draw", "endless"; None where there is chance
    distance: int | None = None  # plies to the end, this move included
    win: float | None = None  # the probability of winning, a draw counting half
    error: float | None = None  # its standard error, where it was sampled

    @property
    def points(self) -> float:
        """What the move is expected to bring: 1 for a win, 0 for a loss."""
        if self.win is not None:
            return self.win
        return POINTS[self.value] if self.value else 0.5


class Worth(NamedTuple):
    """A position and what it is worth to the player to move."""

    options: tuple[Option, ...]  # in the order in which moves are shown
    value: str | None = None
    distance: int | None = None
    win: float | None = None
    exact: bool = True

    @property
    def points(self) -> float:
        """What the position is expected to bring."""
        return max((option.points for option in self.options), default=0.5)

    @property
    def best(self) -> tuple[Option, ...]:
        """The moves that keep the best result."""
        return tuple(option for option in self.options if option.points >= self.points - 1e-9)


NO_LIMITS = Limits()


def weigh(position: Position, limits: Limits = NO_LIMITS) -> Worth:
    """What every legal move is worth, in the order in which moves are shown."""
    return (_by_chance if position.game.hides else _by_solving)(position, limits)


def _by_chance(position: Position, limits: Limits) -> Worth:
    from gridwise.engine.chance import evaluate  # noqa: PLC0415 - not before it is needed

    found = evaluate(
        position,
        seconds=limits.seconds,
        simulations=limits.nodes,
        seed=limits.seed,
        stop=limits.stop,
    )
    options = tuple(
        Option(option.action, win=option.win, error=None if found.exact else option.error)
        for option in found.options
    )
    return Worth(options, win=found.win, exact=found.exact)


def _by_solving(position: Position, limits: Limits) -> Worth:
    from gridwise.engine.solver import NODES, solve  # noqa: PLC0415 - not before it is needed

    nodes = NODES if limits.nodes is None and limits.seconds is None else limits.nodes
    found = solve(
        position, nodes=nodes, seconds=limits.seconds, depth=limits.depth, stop=limits.stop
    )
    by_action = {option.action: option for option in found.options}
    shown = position.game.legal_actions(position.board, position.state)
    options = tuple(Option(*by_action[action][:3]) for action in shown)
    return Worth(options, found.value, found.distance, exact=found.exact)
