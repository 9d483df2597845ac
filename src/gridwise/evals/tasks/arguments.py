"""Task arguments: the games, opponents, positions and conditions that `-T name=value` gives.

Inspect hands over what it can read: a number, a list of words separated by commas, a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games as all_games
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.evals.inspect_internals import PrerequisiteError

ALL = "all"
MODEL = "model"  # the opponent that is another model, in the role of this name
OPPONENT_ROLE = "opponent"


@contextmanager
def clear_errors() -> Iterator[None]:
    """Say what is wrong with an argument in one line.

    Inspect prints this one of its exceptions as it is, and any other with a traceback. It has no
    public name.
    """
    try:
        yield
    except GridwiseError as error:
        raise PrerequisiteError(str(error)) from None


def _words(given: object) -> list[str]:
    """The words of an argument: of a list, or of a text with commas."""
    parts = given if isinstance(given, list | tuple) else str(given).split(",")
    return list(dict.fromkeys(word for part in parts if (word := str(part).strip())))


def named_games(given: object) -> list[Game]:
    """The games that an argument names: one, several, or all. Short names are names too."""
    words = _words(given)
    if words == [ALL]:
        return all_games()
    if not words:
        raise BadRequest("game takes the name of a game, several with commas, or all.")
    return list(dict.fromkeys(game_named(word) for word in words))


def named_opponents(given: object) -> Sequence[str]:
    """The opponents: levels of bots, all of them, or `model` for another model."""
    words = [word.removeprefix("bot:") for word in _words(given)]
    if words == [ALL]:
        return tuple(LEVELS)
    if words == [MODEL]:
        return (MODEL,)
    unknown = [word for word in words if word not in LEVELS]
    if unknown or not words:
        raise BadRequest(
            f"opponent takes {', '.join(LEVELS)}, {ALL} of them, or {MODEL}, "
            f"not {quoted(','.join(unknown))}."
        )
    return words


def counted(name: str, given: object, least: int = 1) -> int:
    """A whole number, such as `pairs`."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise BadRequest(f"{name} takes a whole number, not {quoted(str(given))}.")
    try:
        number = int(given)
    except ValueError:
        raise BadRequest(f"{name} takes a whole number, not {quoted(str(given))}.") from None
    if number < least:
        raise BadRequest(f"{name} takes a whole number from {least} up, not {number}.")
    return number
