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
    requests: Rate = field(default=Rate(200, 40))  # HTTP requests of a client, but for static files
    # A page has some ten of them, and is dead without one. Thirty pupils who open it make 300.
    static: Rate = field(default=Rate(1_000, 200))  # requests for scripts, styles and pictures
    refusal_pause: float = 1.0  # seconds that a request beyond that waits to be refused
    games: Rate = field(default=Rate(60, 2))  # games that a client, or a class, starts
    thinking: Rate = field(default=Rate(60, 10))  # hints, reviews, evaluated positions of a browser
    messages: Rate = field(default=Rate(300, 100))  # messages on all sockets of a client
    unread: int = 65_536  # bytes of answers that wait for a socket to be read
    stalled: float = 20.0  # seconds that a socket may take none of what is sent to it
    sockets: int = 100  # open sockets of a client
    all_sockets: int = 5_000  # open sockets in total
    all_connections: int = 8_000  # open connections in total; fewer if the system allows fewer
    header_time: float = 10.0  # seconds that a request has to arrive, up to its body
    body_time: float = 20.0  # seconds that the body of a request has to arrive
    idle_time: int = 5  # seconds that a connection may be idle between two requests
    unread_time: float = 60.0  # seconds that something sent may wait to be read
    ping_interval: float = 20.0  # seconds between pings on a socket
    ping_time: float = 20.0  # seconds that a ping may remain unanswered
    open_games: int = 50  # unfinished games that one browser has a seat in
    client_games: int = 2_000  # unfinished games that one client has started
    unjoined: float = 3 * 86_400.0  # seconds after which a game that nobody has joined is stopped
    all_games: int = 20_000  # unfinished games of the last `fresh` seconds
    fresh: float = 7 * 86_400.0  # seconds that an unfinished game counts, and is listed
    live_games: int = 5_000  # games in memory; for more, those that nobody uses make room
    plies: int = 1_000  # a game that can go on for ever is stopped after this many
    events: int = 3_000  # of a game; with more it can only be played to its end
    # What takes time to think about: deals, bots' moves, hints, reviews, evaluated positions.
    # Clients take turns; see web/workers.
    search_processes: int = 2  # that search for bots, and as many for analysis
    question_seconds: float = 8.0  # then a question is given up; searches have shorter limits
    position_seconds: float = 3.0  # to evaluate a position
    review_seconds: float = 60.0  # to review a whole game
    bot_seconds: float = 4.0  # for a bot's move; then a quicker bot moves for it


@dataclass(frozen=True)
class Settings:
    """The settings of the server."""

    database: str  # an SQLAlchemy URL; none: a file in the user's data folder
    host: str = "127.0.0.1"  # the address to listen on
    port: int = 8000  # the port; 0 picks a free one
    limits: ServerLimits = field(default_factory=ServerLimits)
    idle: float = 600.0  # seconds after which an unwatched game is removed from memory
    unload_interval: float = 30.0  # seconds between searches for such games
    lock_wait: float = 5.0  # seconds that a statement waits for a lock of the database
    statement_limit: float = 10.0  # seconds that a statement may take on PostgreSQL
    message_interval: float = 1.0  # seconds between looks for notes of `gridwise server` tools
    flag_interval: float = 2.0  # seconds between looks for games that have ended on time unnoticed
    cleanup_interval: float = 60.0  # seconds between looks for unjoined games, and for old ones
    retention: float = 0.0  # days after which a finished game is removed; 0 keeps them all
    # Where several processes share a PostgreSQL database:
    peer_interval: float = 3.0  # seconds between looks for what the others have not told of
    bot_wait: float = 4.0  # seconds that the bot of another process has to move before ours does
    probe_time: float = 3.0  # seconds that the database may take to answer `/ready`
    # Names that requests may be sent to (Host); `*.example.org` for all below one. None: any name.
    allowed_hosts: tuple[str, ...] = ()
    # Reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    log_format: str = "text"  # text, for people, or json: an object a line
    log_level: str = "warning"  # debug, info (a line for each request), warning or error
    # Who may read `/metrics` besides this machine: addresses and networks.
    metrics_networks: tuple[str, ...] = ()
    # A secret with which anybody may read `/metrics`: `Authorization: Bearer …`.
    metrics_token: str = field(default="", repr=False)
