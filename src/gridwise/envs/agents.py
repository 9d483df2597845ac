"""Whoever is to be graded, in one shape: positions in, an action for each out.

| given | what it is asked |
|---|---|
| `"casual"` or `"bot:casual"` | a bot of that level, a fresh one for each game |
| `"ugi:COMMAND"` | the program behind the command, in UGI |
| anything with `choose(position)` | that, with a `gridwise.Position`: a `Player` |
| a function of one argument | an observation: a dict of `observation` and `action_mask` |
| a function of two arguments | the same two, one by one: a policy, as opponents are |
| either of these, and `batch=True` | the same with many at once, stacked, for an array of actions |

An observation is what every environment hands out, from the side of the player to move. A function
may answer with anything; what is not a legal action is an illegal move.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from gridwise.core.game import Game, Position
from gridwise.core.player import Player
from gridwise.engine.bots import bot
from gridwise.envs.observation import Int8s, action_mask, observe
from gridwise.errors import BadRequest, IllegalAnswer, quoted

Observation: TypeAlias = Mapping[str, Int8s]
Policy: TypeAlias = Callable[..., Any]
Agent: TypeAlias = "str | Player | Policy"

NOTHING = -1  # what an answer that is no number counts as


class Chooser(Protocol):
    """An agent that can be asked."""

    name: str
    together: bool  # whether it would rather be asked about many positions at once

    def choose(self, positions: Sequence[Position], games: Sequence[int]) -> list[int]:
        """An action for each position, not necessarily legal; `games` says of which game it is."""

    def close(self) -> None:
        """Leave nothing running."""


@runtime_checkable
class _Chooses(Protocol):
    def choose(self, position: Position) -> int:
        """One of the legal actions."""


def chooser(agent: Agent, game: Game, seed: int, *, batch: bool = False) -> Chooser:
    """The agent in the one shape; raises BadRequest if it is none."""
    if isinstance(agent, str):
        kind, _, rest = agent.strip().partition(":")
        if kind == "ugi":
            from gridwise.engine.ugi_player import UgiPlayer  # noqa: PLC0415 - only for this

            return _One(UgiPlayer(rest, seed))
        return _Bots(game, rest if kind == "bot" else agent.strip(), seed)
    if isinstance(agent, _Chooses):
        return _One(agent)
    if callable(agent):
        return _Stacked(agent) if batch else _Asked(agent)
    raise BadRequest(
        f"Cannot ask {quoted(repr(agent))} for moves. An agent is the level of a bot, ugi:COMMAND, "
        "something with choose(position), or a function of an observation."
    )


class _Bots:
    """A fresh bot for each game, so that no game depends on another."""

    together = False

    def __init__(self, game: Game, level: str, seed: int) -> None:
        self._game, self._level, self._seed = game, level, seed
        self._players: dict[int, Player] = {}
        self.name = bot(game, level, 0).name

    def choose(self, positions: Sequence[Position], games: Sequence[int]) -> list[int]:
        """What the bot of each game plays."""
        return [
            self._player(number).choose(position)
            for position, number in zip(positions, games, strict=True)
        ]

    def _player(self, number: int) -> Player:
        if number not in self._players:
            seed = f"grade {self._seed} {number}"
            self._players[number] = bot(self._game, self._level, seed)
        return self._players[number]

    def close(self) -> None:
        """A bot is gone when nobody asks it."""


class _One:
    """One player for all games."""

    together = False

    def __init__(self, player: _Chooses) -> None:
        self._player = player
        self.name = str(getattr(player, "name", type(player).__name__))

    def choose(self, positions: Sequence[Position], games: Sequence[int]) -> list[int]:  # noqa: ARG002 - one for all
        """What it plays in each position."""
        return [self._answer(position) for position in positions]

    def _answer(self, position: Position) -> int:
        try:
            return _number(self._player.choose(position))
        except IllegalAnswer:
            return NOTHING

    def close(self) -> None:
        """See it off, if it has to be."""
        close = getattr(self._player, "close", None)
        if close:
            close()


class _Asked:
    """A function of an observation."""

    together = False

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._apart = _takes_two(policy)
        self.name = str(getattr(policy, "__name__", type(policy).__name__))

    def _ask(self, seen: Observation) -> Any:  # noqa: ANN401 - whatever an agent says
        if self._apart:
            return self._policy(seen["observation"], seen["action_mask"])
        return self._policy(seen)

    def choose(self, positions: Sequence[Position], games: Sequence[int]) -> list[int]:  # noqa: ARG002 - it is not told
        """What it answers to each observation."""
        return [_number(self._ask(observation(position))) for position in positions]

    def close(self) -> None:
        """A function needs none."""


class _Stacked(_Asked):
    """A function of many observations."""

    together = True

    def choose(self, positions: Sequence[Position], games: Sequence[int]) -> list[int]:  # noqa: ARG002 - it is not told
        """What it answers to all of them."""
        seen = [observation(position) for position in positions]
        answers = self._ask({name: np.stack([one[name] for one in seen]) for name in seen[0]})
        if np.shape(answers) != (len(positions),):
            raise BadRequest(
                f"The policy was given {len(positions)} observations and must answer with as many "
                f"actions, not with an array of the shape {np.shape(answers)}."
            )
        return [_number(answer) for answer in answers]


def observation(position: Position) -> dict[str, Int8s]:
    """What an environment hands out in a position."""
    game, board, state = position[:3]
    return {
        "observation": observe(game, board, state, state.turn),
        "action_mask": action_mask(game, board, state),
    }


def _number(answer: Any) -> int:  # noqa: ANN401 - whatever an agent says
    try:
        return operator.index(answer)
    except TypeError:
        return NOTHING


def _takes_two(policy: Policy) -> bool:
    """Whether a function has to be given two arguments."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):  # some written in C do not say
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in by_place and each.default is each.empty]
    return len(needed) == 2
