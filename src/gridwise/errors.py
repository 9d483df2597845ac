"""Everything Gridwise raises on purpose.

    GridwiseError            something a person can put right; the message says how
    ├── UnknownGame          no game of that name
    ├── BadBoard             a board text that cannot be read or does not fit the game
    ├── BadRequest           an option or a request that makes no sense
    ├── BadRecord            a game record that is damaged, or whose moves are not legal
    ├── EngineFailed         another program that plays has died, hangs or breaks the rules
    │   ├── IllegalAnswer    it wants to make a move that is none
    │   ├── EngineTimedOut   it does not answer, or does not read, in time
    │   ├── EngineNotStarted it cannot be started at all: there is no such program
    │   └── ProviderFailed   a language model cannot be reached; it has not made a bad move
    └── MoveError            a move that was not made; the game is as it was before
        ├── UnreadableMove   the text is no move at all
        │   └── NoSuchCell   it names a cell that is not on this board
        ├── IllegalMove      a move, but not one the rules allow now
        └── OutOfTurn        the game is over, or it is the other player's turn

Each class has a `kind`, the word that programs see where people see the message.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator


class GridwiseError(Exception):
    """Something a person can put right. `str(error)` is fit to be shown as it is."""

    kind = "bad-request"


class UnknownGame(GridwiseError):
    """No game is registered under that name."""

    kind = "unknown-game"


class BadBoard(GridwiseError):
    """A board that cannot be read, or that the game cannot be played on."""

    kind = "bad-board"


class BadRequest(GridwiseError):
    """An option or a request that makes no sense."""


class BadRecord(GridwiseError):
    """A record that is damaged; the message names the tag or the move."""

    kind = "bad-record"


class EngineFailed(GridwiseError):
    """Another program that was to play does not; the message names it and what happened."""

    kind = "engine-failed"


class IllegalAnswer(EngineFailed):
    """Another program wants to make a move that is none."""


class EngineTimedOut(EngineFailed):
    """Another program does not answer, or does not read, in time."""


class EngineNotStarted(EngineFailed):
    """Another program cannot be started: it is not there, or it is no program."""


class ProviderFailed(EngineFailed):
    """A language model's provider gives no answer. That is never a lost game."""


class MoveError(GridwiseError):
    """A move that was not made."""

    kind = "illegal-move"
    why = ""  # the message without the moves that are possible, where it lists them


class UnreadableMove(MoveError):
    """Text that is no move in this game's notation."""

    kind = "unreadable-move"


class NoSuchCell(UnreadableMove):
    """A cell as the notation writes it, but not one of this board."""


class IllegalMove(MoveError):
    """A move that the rules do not allow in this position."""


class OutOfTurn(MoveError):
    """A move by the wrong player, or after the end."""


_NO_WIDTH = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters and marks
_MAX_MARKS = 3  # on one letter; no language has more, and a pile reaches into other lines


def printable(text: str, limit: int = 0) -> str:
    """A text from elsewhere, fit for one line of a terminal; with `limit`, no longer than that.

    Escape sequences, control characters and line breaks, and what turns the direction of the text
    or takes no room, are replaced by a character that shows that something was there.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(_shown(text))
    return text[:limit].rstrip() + "…" if limit and len(text) > limit else text


def _shown(text: str) -> Iterator[str]:
    marks = 0
    for char in text:
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind == "Zs":
            yield " "
        elif char in _NO_WIDTH or not char.isprintable():
            yield "\N{REPLACEMENT CHARACTER}"
        elif marks <= _MAX_MARKS:
            yield char


def quoted(text: str, limit: int = 40) -> str:
    """`text` in quotation marks, short and printable, whatever somebody typed."""
    return f'"{printable(text, limit)}"'
