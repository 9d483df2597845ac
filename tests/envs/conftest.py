"""The games that every claim about environments is made of: the five, and the toy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gridwise.core.game import Game
from gridwise.core.registry import games, register, unregister
from tests.conformance.toy import TOY
from tests.engine.conftest import compiled_code

ALL = [*games(), TOY]

__all__ = ["compiled_code"]  # a fixture that this folder needs too


@pytest.fixture(autouse=True)
def _with_the_toy() -> Iterator[None]:
    register(TOY.key, TOY)
    yield
    unregister(TOY.key)


@pytest.fixture(params=ALL, ids=lambda game: game.key)
def game(request: pytest.FixtureRequest) -> Game:
    """Each registered game, and the toy."""
    found: Game = request.param
    return found
