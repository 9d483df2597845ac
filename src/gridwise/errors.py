"""Everything Gridwise raises on purpose.

    GridwiseError            something a person can put right; the message says how
    ├── UnknownGame          no game of that name
    ├── BadBoard             a board text that cannot be read or does not fit the game
    ├── BadRequest           an option or a request that makes no sense
    ├── BadRecord            a game record that is damaged, or whose moves are not legal
    ├── ProofFailed          a step of a proof that does not hold for the rules as they are
    ├── EngineFailed         another program that plays has died, hangs or breaks the rules
    │   └── IllegalAnswer    it wants to make a move that is none
    └── MoveError            a move that was not made; the game is as it was before
        ├── UnreadableMove   the text is no move at all
        ├── IllegalMove      a move, but not one the rules allow now
        └── OutOfTurn        the game is over, or it is the other player's turn

Each class has a `kind`, the word that programs see where people see the message.
"""

from __future__ import annotations


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


class ProofFailed(GridwiseError):
    """A step of a proof that does not hold; the message says which."""

    kind = "proof-failed"


class EngineFailed(GridwiseError):
    """Another program that was to play does not; the message names it and what happened."""

    kind = "engine-failed"


class IllegalAnswer(EngineFailed):
    """Another program wants to make a move that is none."""


class MoveError(GridwiseError):
    """A move that was not made."""

    kind = "illegal-move"


class UnreadableMove(MoveError):
    """Text that is no move in this game's notation."""

    kind = "unreadable-move"


class IllegalMove(MoveError):
    """A move that the rules do not allow in this position."""


class OutOfTurn(MoveError):
    """A move by the wrong player, or after the end."""


def quoted(text: str, limit: int = 40) -> str:
    """`text` in quotation marks, short and printable, whatever somebody typed."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    if len(shown) > limit:
        shown = shown[:limit].rstrip() + "…"
    return f'"{shown}"'
