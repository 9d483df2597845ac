"""Settings: where the server stores games, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Rate(NamedTuple):
    """How often something may be done: a burst, then a steady rate."""

    burst: float
    per_second: float

    def __str__(self) -> str:
        return f"{self.burst:g} at once, then {self.per_second:g} a second"


@dataclass(frozen=True)
class ServerLimits:
    """What one client may ask of the server, and what the server takes on in total.

    A client is an address; seats are counted by the cookie that holds them.
    """

    body: int = 16_384  # bytes of a request
    message: int = 4_096  # bytes of a message on a socket
    requests: Rate = field(default=Rate(200, 40))  # HTTP requests of a client
    games: Rate = field(default=Rate(30, 0.5))  # games that a client starts
    thinking: Rate = field(default=Rate(30, 2))  # hints, reviews, evaluated positions
    messages: Rate = field(default=Rate(60, 20))  # messages on one socket
    sockets: int = 100  # open sockets of a client
    all_sockets: int = 5_000
    open_games: int = 50  # unfinished games that one browser has a seat in
    all_games: int = 20_000  # unfinished games of the last `fresh` seconds
    fresh: float = 7 * 86_400.0
    plies: int = 1_000  # a game that can go on for ever is stopped after this many
    waiting: int = 64  # questions to the engine at one time


@dataclass(frozen=True)
class Settings:
    """The settings of the app; `database` is an SQLAlchemy URL."""

    database: str
    limits: ServerLimits = field(default_factory=ServerLimits)
    idle: float = 600.0  # seconds after which an unwatched game is removed from memory
    sweep: float = 30.0  # seconds between searches for such games
