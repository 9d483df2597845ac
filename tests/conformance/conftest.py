"""The games and board sizes that every claim of the suite is made about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tic_tac_toe import GAME as TIC_TAC_TOE

from gridwise.core.game import Game
from gridwise.core.registry import games, register, unregister
from gridwise.testing.samples import SIZES, Size

ALL = [*games(), TIC_TAC_TOE]


@pytest.fixture(autouse=True)
def with_the_toy() -> Iterator[None]:
    """Tic-tac-toe, the game from outside the package, is registered while a test runs."""
    register(TIC_TAC_TOE.key, TIC_TAC_TOE)
    yield
    unregister(TIC_TAC_TOE.key)


@pytest.fixture(params=ALL, ids=lambda game: game.key)
def game(request: pytest.FixtureRequest) -> Game:
    """Each registered game, and tic-tac-toe."""
    found: Game = request.param
    return found


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> Size:
    """Rows and columns; zeros for the standard size."""
    return SIZES[request.param]
