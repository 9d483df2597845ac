"""The games and boards that every claim of the suite is made about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import games, register, unregister
from tests.conformance.toy import TOY

# Rows and columns: the standard size (0), a smaller and a larger square, and a rectangle.
SIZES = {"standard": (0, 0), "smaller": (3, 3), "larger": (6, 6), "rectangle": (3, 5)}
ALL = [*games(), TOY]


@pytest.fixture(autouse=True)
def with_the_toy() -> Iterator[None]:
    """The toy is registered while a test runs."""
    register(TOY.key, TOY)
    yield
    unregister(TOY.key)


@pytest.fixture(params=ALL, ids=lambda game: game.key)
def game(request: pytest.FixtureRequest) -> Game:
    """Each registered game, and the toy."""
    found: Game = request.param
    return found


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    """Rows and columns; zeros for the standard size."""
    return SIZES[request.param]


def boards(game: Game, size: tuple[int, int], rng: random.Random) -> Iterator[Board]:
    """Boards of one size: all least values, all greatest, and then uniform ones without end."""
    rows, cols = size
    blank = game.deal(rng, rows, cols)
    if not game.fixed:
        yield replace(blank, cells=(game.rules.LOW,) * blank.size)
        yield replace(blank, cells=(game.rules.HIGH,) * blank.size)
    while True:
        yield game.deal(rng, rows, cols)
