"""A policy: the chance of each action in a position, for figures without the luck of a draw.

A player who says what it would play how often need not be asked many times: what its choice is
worth is computed. Where it plays games, a stream of each game's own draws its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import index
from typing import Any, TypeAlias

from gridwise.core.position import Position
from gridwise.core.rng import Stream
from gridwise.errors import BadRequest, MoveError, quoted
from gridwise.players.batch_player import NO_ACTION, AnyPlayer, BatchPlayer, bot_level

Chances: TypeAlias = Mapping[int, float]  # of each action; NO_ACTION stands for illegal ones
Policy: TypeAlias = Callable[[Position], Chances]

_TOLERANCE = 1e-6  # of a sum that is to be 1: networks compute in 32 bits


def uniform(position: Position) -> Chances:
    """Each legal move equally likely, as the random bot plays."""
    return dict.fromkeys(position.legal, 1.0 / len(position.legal))


def policy_of(player: AnyPlayer, *, chances: bool) -> Policy | None:
    """The policy that a player is: a function with `chances`, or the random bot; None for others.

    The function takes a Position and returns the chance of each move, by its number or its text.
    """
    if isinstance(player, str) and bot_level(player) == "random":
        return uniform
    if not chances:
        return None
    if isinstance(player, str) or not callable(player):
        raise BadRequest(
            "With `chances` a player is a function of a Position, or the random bot, not "
            f"{quoted(str(player))}."
        )
    asked: Callable[[Position], Any] = player

    def read(position: Position) -> Chances:
        return _read_chances(position, asked(position))

    return read


def _read_chances(position: Position, said: Any) -> Chances:  # noqa: ANN401 - whatever it says
    read: dict[int, float] = {}
    try:
        for move, chance in said.items():
            if number := float(chance):
                action = _action(position, move)
                read[action] = read.get(action, 0.0) + number
    except (AttributeError, TypeError, ValueError, OverflowError):
        name, action = position.legal_moves[0], position.legal[0]
        raise BadRequest(
            "With `chances` a function of a Position returns the chance of each move, by its "
            f'text or number, like {{"{name}": 1.0}} or {{{action}: 1.0}}, not '
            f"{quoted(repr(said), 200)}."
        ) from None
    if not min(read.values(), default=0.0) >= 0 or not abs(sum(read.values()) - 1.0) <= _TOLERANCE:
        raise BadRequest(
            f"The chances of a position's moves must add up to 1: {quoted(repr(said), 200)}."
        )
    return read


def _action(position: Position, move: Any) -> int:  # noqa: ANN401 - a number or a text
    try:
        return position.read(move if isinstance(move, str) else index(move))
    except MoveError:
        return NO_ACTION


class PolicyPlayer(BatchPlayer):
    """A policy as a player of games: a stream of each game's own draws its moves."""

    def __init__(self, policy: Policy, name: str) -> None:
        self.name = name
        self._policy = policy
        self._streams: dict[int, Stream] = {}

    def begin(self, number: int, seed: int | str) -> None:
        """Start the game's stream."""
        self._streams[number] = Stream(seed)

    def catch_up(self, number: int, position: Position) -> None:
        """Draw what was drawn before the game was kept."""
        self._action(number, position)

    def _action(self, number: int, position: Position) -> int:
        drawn, action = self._streams[number].random(), NO_ACTION
        for action, chance in self._policy(position).items():  # noqa: B007 - the last one is kept
            drawn -= chance
            if drawn < 0:
                break
        return action
