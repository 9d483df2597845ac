"""What the checks are made on: boards of several sizes, random games, and the assertion itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import wraps
from itertools import islice
from typing import ParamSpec, TypeVar

from gridwise.core import registry
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import one_line
from gridwise.core.rng import Rng, Stream
from gridwise.errors import BadBoard
from gridwise.play.match import Match

P = ParamSpec("P")
T = TypeVar("T")

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


class _Subject:
    """The position that a check looks at, to be named if the check fails."""

    def __init__(self) -> None:
        self.look(None)

    def look(
        self,
        game: Game | None,
        board: Board | None = None,
        actions: tuple[int, ...] = (),
        first: int = 1,
    ) -> None:
        """From now on the position after some actions on a board; None for no position."""
        self._game, self._board, self._actions, self._first = game, board, actions, first

    def __str__(self) -> str:
        game, board = self._game, self._board
        if game is None or board is None:
            return ""
        moves = f"actions {' '.join(map(str, self._actions))}"
        with suppress(Exception):  # what is broken may be the names of moves
            named = Position(game, board, first=self._first, moves=self._actions).moves
            moves = f"{' '.join(named)} ({moves})"
        begins = f", Player {self._first} first" if game.coin_toss else ""
        after = f"after {moves}" if self._actions else "before the first move"
        return f" On the board {game.board_text(board)}{begins}, {after}."


subject = _Subject()


class CheckFailed(AssertionError):
    """A check that does not hold: its name, what is wrong, and the board and moves it failed on."""


def check(holds: Callable[P, T]) -> Callable[P, T]:
    """A check, whose failures name it and the position that it failed on."""

    @wraps(holds)
    def named(*args: P.args, **kwargs: P.kwargs) -> T:
        subject.look(None)
        try:
            return holds(*args, **kwargs)
        except CheckFailed:
            raise
        except AssertionError as error:
            raise CheckFailed(f"{holds.__name__}: {error}{subject}") from error
        except Exception as error:
            raise CheckFailed(f"{holds.__name__}: {one_line(error)}.{subject}") from error

    return named


def expect(holds: object, sentence: str) -> None:
    """Raise AssertionError with the sentence unless it holds. Works under `python -O` too."""
    if not holds:
        raise AssertionError(sentence)


def playable_sizes(game: Game) -> dict[str, Size]:
    """Those of SIZES on which the game can be played."""
    playable = {}
    for name, size in SIZES.items():
        with suppress(BadBoard):
            game.check_board(game.deal(Stream(1), *size))
            playable[name] = size
    return playable


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
        subject.look(game, board, (), match.first)
        yield match
        while not match.outcome:
            match.move(stream.draw(match.position.legal_mask))
            subject.look(game, board, match.actions, match.first)
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
