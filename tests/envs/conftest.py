"""The games that every claim about environments is made of.

The toy is one of them in the long run. In the usual one it is in `test_processes.py`, which looks
at it in every environment, interpreted: compiling all that a batch can do for a game takes 10 s.
"""

from __future__ import annotations

import pytest

from gridwise.core.game import Game
from gridwise.core.registry import games
from tests.conformance.conftest import ALL, with_the_toy
from tests.sizes import sample

__all__ = ["ALL", "with_the_toy"]  # what this folder needs too

# Where nothing is hidden the perfect opponent is compiled, which takes 2.5 s a game: the usual run
# has one game for each of its two searches.
COMPILED_PERFECT = sample(
    ["grid-runner", "number-connect"],
    long=["number-run", "number-maze", "grid-runner", "number-connect"],
)


@pytest.fixture(params=sample([*games()], long=ALL), ids=lambda game: game.key)
def game(request: pytest.FixtureRequest) -> Game:
    """Each registered game, and in the long run tic-tac-toe."""
    requested: Game = request.param
    return requested
