"""Settings from a TOML file and from the environment, read by pydantic-settings.

What an operator can set is a key of the file and a variable GRIDWISE_NAME. The environment wins
over the file, and the command line over both. What cannot be used is refused with its place. All
else that `settings.py` has is the same for every server.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode

from gridwise.errors import BadRequest, quoted
from gridwise.web.settings import Rate, ServerLimits, Settings

PREFIX = "GRIDWISE_"


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


class OperatorSettings(BaseSettings, env_prefix=PREFIX, env_ignore_empty=True):
    """What an operator can set; `settings.py` says what each of them is."""

    database: str = ""
    host: str = Settings.host
    port: Annotated[int, Field(ge=0, le=65_535)] = Settings.port
    allowed_hosts: Texts = Settings.allowed_hosts
    trusted_proxies: Networks = Settings.trusted_proxies
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    metrics_networks: Networks = Settings.metrics_networks
    metrics_token: str = Settings.metrics_token
    retention: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Settings.retention
    requests: Frequency = ServerLimits.requests
    static: Frequency = ServerLimits.static
    games: Frequency = ServerLimits.games
    thinking: Frequency = ServerLimits.thinking
    messages: Frequency = ServerLimits.messages
    sockets: Count = ServerLimits.sockets
    all_sockets: Count = ServerLimits.all_sockets
    all_connections: Count = ServerLimits.all_connections
    open_games: Count = ServerLimits.open_games
    all_games: Count = ServerLimits.all_games
    search_processes: Count = ServerLimits.search_processes


USUAL = {name: field.default for name, field in OperatorSettings.model_fields.items()}


def read_settings(file: str, given: Mapping[str, object]) -> Settings:
    """The settings; `given` are those of the command line. Raises BadRequest."""
    options = {name: value for name, value in given.items() if value is not None}
    of_file = _load(file) if file else {}
    of_environment = {name for name in USUAL if os.environ.get(PREFIX + name.upper())}
    try:
        found = OperatorSettings(
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
    values = {name: getattr(found, name) for name in USUAL}
    of_limits = values.keys() & ServerLimits.__dataclass_fields__.keys()
    limits = ServerLimits(**{name: values.pop(name) for name in of_limits})
    return Settings(limits=limits, **values)


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
