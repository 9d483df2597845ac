"""Settings: where the server listens, where it keeps games, and how much it takes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Rate(NamedTuple):
    """How often something may be done: so many at once, and so many a second in the long run."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Limits:
    """What one client may ask of the server, and what the server takes on in all.

    A client is an address; seats are counted by the cookie that holds them.
    """

    body: int = 16_384  # bytes of a request
    message: int = 4_096  # bytes of a message on a socket
    requests: Rate = field(default=Rate(200, 40))  # HTTP requests of a client
    games: Rate = field(default=Rate(30, 0.5))  # games that a client starts
    thinking: Rate = field(default=Rate(30, 2))  # hints, reviews and weighed positions of a client
    messages: Rate = field(default=Rate(60, 20))  # messages on one socket
    sockets: int = 100  # open sockets of a client
    all_sockets: int = 5_000
    open_games: int = 50  # unfinished games that one browser has a seat in
    all_games: int = 20_000  # unfinished games of the last `fresh` seconds
    fresh: float = 7 * 86_400.0
    plies: int = 1_000  # after so many a game that can go on for ever is stopped
    waiting: int = 64  # questions to the engine that may wait for their turn


@dataclass(frozen=True)
class Settings:
    """Everything the app has to know; `database` is an SQLAlchemy URL."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    limits: Limits = field(default_factory=Limits)
    idle: float = 600.0  # seconds after which a game nobody looks at is let go from memory
    sweep: float = 30.0  # seconds between looks for such games
