"""The games that every claim about environments is made of.

The toy is one of them in the long run. In the usual one it is in `test_agreement.py`, which looks
at it in every environment: compiling all that a batch can do for a game takes 10 s.
"""

from __future__ import annotations

import pytest

from gridwise.core.game import Game
from gridwise.core.registry import games
from tests.conformance.conftest import ALL, with_the_toy
from tests.sizes import sample

__all__ = ["ALL", "with_the_toy"]  # what this folder needs too


@pytest.fixture(params=sample([*games()], long=ALL), ids=lambda game: game.key)
def game(request: pytest.FixtureRequest) -> Game:
    """Each registered game, and in the long run tic-tac-toe."""
    found: Game = request.param
    return found
