"""One policy, the first legal action, in the forms that an agent can have."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np

from gridwise import Position
from gridwise.core.bits import bit_indices


class FirstLegal:
    """A player."""

    name = "first_legal"

    def choose(self, position: Position) -> int:
        """The lowest number."""
        return bit_indices(position.legal_mask)[0]


class WaitingFirstLegal:
    """A player that has to be waited for, and answers with the name of its move."""

    name = "first_legal"

    async def choose(self, position: Position) -> str:
        """The lowest number."""
        await asyncio.sleep(0)
        return position.name(min(position.legal))


def first_legal(observation: Any) -> int:  # noqa: ANN401 - as an agent is written
    """A function of an observation."""
    return int(np.argmax(observation["action_mask"]))


def first_legal_of_two(observation: Any, mask: Any) -> int:  # noqa: ANN401
    """A function of planes and a mask, as opponents are asked."""
    assert observation.ndim == 3
    return int(np.argmax(mask))


def first_legal_of_all(observations: Any) -> Any:  # noqa: ANN401
    """A function for many games at once."""
    assert observations["observation"].ndim == 4
    return np.argmax(observations["action_mask"], axis=1)


def first_legal_of_both(observations: Any, masks: Any, greedy: bool = True) -> Any:  # noqa: ANN401
    """A function of planes and masks; what has a default is left alone."""
    assert observations.ndim == 4
    assert greedy
    return np.argmax(masks, axis=1)


async def first_legal_of_many(observations: Any) -> Any:  # noqa: ANN401
    """A function for many games at once that has to be waited for."""
    await asyncio.sleep(0)
    return first_legal_of_all(observations)
