"""What is kept of a game, as it goes into the store and comes out again.

A game is a deal, two seats, and events in order. Everything else follows from those.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Any

HUMAN, BOT, OPEN = "human", "bot", "open"


@dataclass(frozen=True, slots=True)
class Deal:
    """What was agreed on before the first move, and never changes."""

    id: str
    game: str  # the game's key
    board: str = field(repr=False)  # the true board, hidden cells and all
    target: int
    handicap: int
    first: int
    deal: str  # fair, uniform, own
    seed: str = field(repr=False)  # bots draw from it, too; it is told only when the game is over
    cap: int | None  # after so many plies the game is stopped
    listed: bool  # shown to everybody, or known by its link alone
    created: float
    rematch_of: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game and who holds it."""

    number: int
    kind: str  # human, bot, open
    name: str = ""
    level: str = ""  # of a bot
    token: str = field(default="", repr=False)  # the SHA-256 of the holder's token


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Its number is the version of the game after it."""

    number: int
    kind: str
    player: int
    data: dict[str, Any] = field(repr=False)
    ref: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it was stored."""

    deal: Deal
    seats: tuple[Seat, Seat]
    events: tuple[Event, ...]
    finished: float | None = None


def new_id() -> str:
    """Twelve characters that nobody can guess: whoever has the link was given it."""
    return secrets.token_urlsafe(9)


def is_id(text: str) -> bool:
    """Whether a text can be an id at all."""
    return re.fullmatch(r"[A-Za-z0-9_-]{12}", text) is not None


def new_token() -> str:
    """256 random bits for a cookie."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """What is kept of a token. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
