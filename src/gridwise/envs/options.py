"""What the environments for one agent can be told: who the opponent is, which side, and so on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeGuard

from gridwise.core.player import Player
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, quoted

# None: there is no opponent, and the agent plays for whoever is to move. A level of our bots. Any
# Player. Or a function of an observation and an action mask, as a policy network is one.
Opponent: TypeAlias = "str | Player | Callable[[Any, Any], Any] | None"
Side: TypeAlias = "int | str"

ILLEGAL = ("lose", "raise", "ignore")
SIDES = (1, 2, "alternate", "random")

# How often a board is dealt before it is given up to find one on which the agent gets to move.
TRIES = 1000
NO_TURN = (
    "On this board the game is over before the agent has had a turn, {tries} deals in a row. "
    "Give another board, size or side."
)


def check_opponent(opponent: Opponent) -> Opponent:
    """The opponent itself, if it can be one."""
    if isinstance(opponent, str) and opponent not in LEVELS:
        raise BadRequest(
            f"There is no opponent {quoted(opponent)}. It can be one of {', '.join(LEVELS)}, "
            "a player, a function of an observation and an action mask, or None for self-play."
        )
    if opponent is None or isinstance(opponent, str) or is_player(opponent) or callable(opponent):
        return opponent
    raise BadRequest(f"An opponent must be a level, a player or a function, not {opponent!r}.")


def is_player(opponent: object) -> TypeGuard[Player]:
    """Whether it chooses moves from positions, as bots do."""
    return hasattr(opponent, "choose")


def check_side(side: Side) -> Side:
    """The side itself, if it is one."""
    if side not in SIDES or isinstance(side, bool):
        raise BadRequest(f"The side is 1, 2, alternate or random, not {quoted(str(side))}.")
    return side


def check_illegal(illegal: str) -> str:
    """What becomes of an illegal action, if that is one of the ways."""
    if illegal not in ILLEGAL:
        raise BadRequest(f"Illegal actions lose, raise or are ignored, not {quoted(illegal)}.")
    return illegal
