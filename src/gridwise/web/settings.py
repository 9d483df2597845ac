"""Settings: where the server stores games, its limits, and what an operator can set of them.

What can be set is a key of a TOML file and a variable GRIDWISE_NAME, read by pydantic-settings. The
environment wins over the file, and the command line over both. What cannot be used is refused with
its place. All else is the same for every server.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

from pydantic import BeforeValidator, Field, ValidationError, create_model
from pydantic_settings import BaseSettings, NoDecode

from gridwise.errors import BadRequest, quoted

PREFIX = "GRIDWISE_"


class Rate(NamedTuple):
    """How often something may be done: a burst, then a steady rate."""

    burst: float
    per_second: float

    def __str__(self) -> str:
        return f"{self.burst:g} at once, then {self.per_second:g} a second"


def _rate(given: object) -> Rate:
    parts = re.split(r"[\s,/]+", given.strip()) if isinstance(given, str) else given
    try:
        burst, per_second = map(float, parts)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ValueError("it takes a burst and a rate a second, such as 200 40") from None
    if not (1 <= burst < float("inf") and 0 <= per_second < float("inf")):
        raise ValueError("a burst is at least 1, and a rate at least 0")
    return Rate(burst, per_second)


def _texts(given: object) -> object:
    if not isinstance(given, str):
        return given
    return [part.strip() for part in given.split(",") if part.strip()]


def _network(given: object) -> str:
    try:
        ipaddress.ip_network(str(given))
    except ValueError:
        raise ValueError("it takes addresses or networks") from None
    return str(given)


Texts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_texts)]
Networks = Annotated[
    tuple[Annotated[str, BeforeValidator(_network)], ...], NoDecode, BeforeValidator(_texts)
]
Frequency = Annotated[Rate, NoDecode, BeforeValidator(_rate)]
Count = Annotated[int, Field(ge=1)]
Port = Annotated[int, Field(ge=0, le=65_535)]
Days = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True)
class ServerLimits:
    """What one client may ask of the server, and what the server takes on in total.

    A client is an address; seats are counted by the cookie that holds them.
    """

    body: int = 16_384  # bytes of a request
    message: int = 4_096  # bytes of a message on a socket
    # HTTP requests of a client, but for static files
    requests: Frequency = field(default=Rate(200, 40))
    # A page has some ten of them, and is dead without one. Thirty pupils who open it make 300.
    static: Frequency = field(default=Rate(1_000, 200))  # requests for scripts, styles and pictures
    refusal_pause: float = 1.0  # seconds that a request beyond that waits to be refused
    games: Frequency = field(default=Rate(60, 2))  # games that a client, or a class, starts
    # hints, reviews, evaluated positions of a browser
    thinking: Frequency = field(default=Rate(60, 10))
    messages: Frequency = field(default=Rate(300, 100))  # messages on all sockets of a client
    unread: int = 65_536  # bytes of answers that wait for a socket to be read
    stalled: float = 20.0  # seconds that a socket may take none of what is sent to it
    sockets: Count = 100  # open sockets of a client
    all_sockets: Count = 5_000  # open sockets in total
    all_connections: Count = 8_000  # open connections in total; fewer if the system allows fewer
    header_time: float = 10.0  # seconds that a request has to arrive, up to its body
    body_time: float = 20.0  # seconds that the body of a request has to arrive
    idle_time: int = 5  # seconds that a connection may be idle between two requests
    unread_time: float = 60.0  # seconds that something sent may wait to be read
    ping_interval: float = 20.0  # seconds between pings on a socket
    ping_time: float = 20.0  # seconds that a ping may remain unanswered
    open_games: Count = 50  # unfinished games that one browser has a seat in
    client_games: int = 2_000  # unfinished games that one client has started
    unjoined: float = 3 * 86_400.0  # seconds after which a game that nobody has joined is stopped
    all_games: Count = 20_000  # unfinished games of the last `fresh` seconds
    fresh: float = 7 * 86_400.0  # seconds that an unfinished game counts, and is listed
    live_games: int = 5_000  # games in memory; for more, those that nobody uses make room
    plies: int = 1_000  # a game that can go on for ever is stopped after this many
    events: int = 3_000  # of a game; with more it can only be played to its end
    # What takes time to think about: deals, bots' moves, hints, reviews, evaluated positions.
    # Clients take turns; see web/workers.
    search_processes: Count = 2  # that search for bots, and as many for analysis
    question_seconds: float = 8.0  # then a question is given up; searches have shorter limits
    position_seconds: float = 3.0  # to evaluate a position
    review_seconds: float = 60.0  # to review a whole game
    bot_seconds: float = 4.0  # for a bot's move; then a quicker bot moves for it


@dataclass(frozen=True)
class ServerSettings:
    """The settings of the server."""

    database: str = ""  # an SQLAlchemy URL; none: a file in the user's data folder
    host: str = "127.0.0.1"  # the address to listen on
    port: Port = 8000  # the port; 0 picks a free one
    limits: ServerLimits = field(default_factory=ServerLimits)
    idle: float = 600.0  # seconds after which an unwatched game is removed from memory
    unload_interval: float = 30.0  # seconds between searches for such games
    lock_wait: float = 5.0  # seconds that a statement waits for a lock of the database
    statement_limit: float = 10.0  # seconds that a statement may take on PostgreSQL
    message_interval: float = 1.0  # seconds between looks for notes of `gridwise server` tools
    flag_interval: float = 2.0  # seconds between looks for games that have ended on time unnoticed
    cleanup_interval: float = 60.0  # seconds between looks for unjoined games, and for old ones
    retention: Days = 0.0  # days after which a finished game is removed; 0 keeps them all
    # Where several processes share a PostgreSQL database:
    peer_interval: float = 3.0  # seconds between looks for what the others have not told of
    bot_wait: float = 4.0  # seconds that the bot of another process has to move before ours does
    probe_time: float = 3.0  # seconds that the database may take to answer `/ready`
    # Names that requests may be sent to (Host); `*.example.org` for all below one. None: any name.
    allowed_hosts: Texts = ()
    # Reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.
    trusted_proxies: Networks = ("127.0.0.1", "::1")
    log_format: Literal["text", "json"] = "text"  # text, for people, or json: an object a line
    # debug, info (a line for each request), warning or error
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    # Who may read `/metrics` besides this machine: addresses and networks.
    metrics_networks: Networks = ()
    # A secret with which anybody may read `/metrics`: `Authorization: Bearer …`.
    metrics_token: str = field(default="", repr=False)


# What an operator can set.
SETTABLE = (
    "database", "host", "port", "allowed_hosts", "trusted_proxies", "log_format", "log_level",
    "metrics_networks", "metrics_token", "retention", "requests", "static", "games", "thinking",
    "messages", "sockets", "all_sockets", "all_connections", "open_games", "all_games",
    "search_processes",
)  # fmt: skip


class _FromEnvironment(BaseSettings, env_prefix=PREFIX, env_ignore_empty=True):
    """Settings that variables of the environment can have."""


def _settable_fields() -> dict[str, Any]:
    settable: dict[str, Any] = {}
    for kind in (ServerSettings, ServerLimits):
        types = get_type_hints(kind, include_extras=True)
        fields = {name: each.default for name, each in kind.__dataclass_fields__.items()}
        settable |= {name: (types[name], fields[name]) for name in fields if name in SETTABLE}
    return settable


OperatorSettings = create_model("OperatorSettings", __base__=_FromEnvironment, **_settable_fields())
USUAL = {name: field.default for name, field in OperatorSettings.model_fields.items()}


def read_settings(file: str, given: Mapping[str, object]) -> ServerSettings:
    """The settings; `given` are those of the command line. Raises BadRequest."""
    options = {name: value for name, value in given.items() if value is not None}
    of_file = _load(file) if file else {}
    of_environment = {name for name in USUAL if os.environ.get(PREFIX + name.upper())}
    try:
        settings = OperatorSettings(
            **{name: value for name, value in of_file.items() if name not in of_environment}
            | options
        )
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name, why = str(first["loc"][0]), first["msg"].removeprefix("Value error, ")
        place = PREFIX + name.upper() if name in of_environment else f"{name} in {file}"
        place = f"--{name.replace('_', '-')}" if name in options else place
        # Not what is there: it may be a secret.
        raise BadRequest(f"{place} cannot be used: {why[0].lower()}{why[1:]}.") from None
    values = {name: getattr(settings, name) for name in USUAL}
    of_limits = values.keys() & ServerLimits.__dataclass_fields__.keys()
    limits = ServerLimits(**{name: values.pop(name) for name in of_limits})
    return ServerSettings(limits=limits, **values)


def _load(file: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        why = error.strerror or error
        raise BadRequest(f"Cannot read the settings in {quoted(file, 200)}: {why}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"{quoted(file, 200)} is not TOML: {error}.") from None
    for name in content.keys() - USUAL.keys():
        close = get_close_matches(name, USUAL, 1)
        hint = f"Did you mean {close[0]}?" if close else "docs/web.md has all of them."
        raise BadRequest(f"There is no setting {name} in {file}. {hint}")
    return content
