"""What the checks are made on: boards of several sizes, random games, and the assertion itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice

from gridwise.core import registry
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.rng import Rng, Stream
from gridwise.errors import BadBoard
from gridwise.play.match import Match

MAX_PLIES = 60  # long enough to end most games, and to stop the others

# Rows and columns; zeros for the game's standard size.
Size = tuple[int, int]
STANDARD: Size = (0, 0)
# The standard size, a smaller and a larger square, and a rectangle.
SIZES: dict[str, Size] = {
    "standard": STANDARD,
    "smaller": (3, 3),
    "larger": (6, 6),
    "rectangle": (3, 5),
}


def expect(holds: object, sentence: str) -> None:
    """Raise AssertionError with the sentence unless it holds. Works under `python -O` too."""
    if not holds:
        raise AssertionError(sentence)


def playable_sizes(game: Game) -> dict[str, Size]:
    """Those of SIZES on which the game can be played."""
    found = {}
    for name, size in SIZES.items():
        with suppress(BadBoard):
            game.check_board(game.deal(Stream(1), *size))
            found[name] = size
    return found


def boards(game: Game, size: Size, rng: Rng) -> Iterator[Board]:
    """Boards of one size: all least values, all greatest, and then uniform ones without end."""
    blank = game.deal(rng, *size)
    if not game.fixed:
        yield replace(blank, cells=(game.rules.LOW,) * blank.size)
        yield replace(blank, cells=(game.rules.HIGH,) * blank.size)
    while True:
        yield game.deal(rng, *size)


def random_games(game: Game, size: Size, games: int, seed: int | str) -> Iterator[Match]:
    """Random games, handed out at the start and again after every move."""
    stream = Stream(f"{game.key} {size} {seed}")
    for number, board in enumerate(islice(boards(game, size, stream), games)):
        match = Match(game, board, seed=number, max_plies=MAX_PLIES)
        yield match
        while not match.outcome:
            match.move(stream.draw(match.position.legal_mask))
            yield match


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """Have the game registered for a while, as records and pickles look games up by key."""
    if any(each is game for each in registry.games()):
        yield
        return
    registry.register(game.key, game)
    try:
        yield
    finally:
        registry.unregister(game.key)
