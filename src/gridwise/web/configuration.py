"""Settings from a file and from the environment.

Every field of Settings is a key of the TOML file and a variable GRIDWISE_NAME; every field of
ServerLimits a key in its table `limits` and a variable GRIDWISE_LIMIT_NAME. The environment wins
over the file, and the command line over both. What cannot be used is refused with its place.
"""

from __future__ import annotations

import ipaddress
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from gridwise.errors import BadRequest, quoted
from gridwise.web.settings import Rate, ServerLimits, Settings
from gridwise.web.telemetry.logs import FORMATS, LEVELS

VARIABLE, LIMIT_VARIABLE = "GRIDWISE_", "GRIDWISE_LIMIT_"
INTERNAL = ("limits", "resume", "notes_since")  # fields that are not for people to set


class Kind(NamedTuple):
    """A kind of value: how it is read, and what to say if it cannot be."""

    parse: Callable[[Any], Any]
    takes: str


def read_settings(
    file: str, environment: Mapping[str, str], given: Mapping[str, object]
) -> Settings:
    """The settings; `given` are those of the command line. Raises BadRequest."""
    settings: dict[str, Any] = {"database": ""}
    limits: dict[str, Any] = {}
    if file:
        content = _load(file)
        _take(_table(content.pop("limits", {}), file), ServerLimits, f"limits in {file}", limits)
        _take(content, Settings, file, settings)
    for name, text in environment.items():
        if name.startswith(LIMIT_VARIABLE):
            field = name.removeprefix(LIMIT_VARIABLE).lower()
            limits[field] = _value(ServerLimits, field, text, name)
        # Other variables that begin like this belong to other commands.
        elif name.removeprefix(VARIABLE).lower() in fields(Settings) and name.startswith(VARIABLE):
            field = name.removeprefix(VARIABLE).lower()
            settings[field] = _value(Settings, field, text, name)
    settings |= {name: value for name, value in given.items() if value is not None}
    return Settings(limits=ServerLimits(**limits), **settings)


def fields(of: type) -> dict[str, Any]:
    """The fields that people can set, and their types."""
    return {name: kind for name, kind in get_type_hints(of).items() if name not in INTERNAL}


def _load(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        why = error.strerror or error
        raise BadRequest(f"Cannot read the settings in {quoted(file, 200)}: {why}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"{quoted(file, 200)} is not TOML: {error}.") from None


def _table(found: object, file: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise BadRequest(f"limits in {file} is a table: [limits], and a line for each.")
    return found


def _take(content: Mapping[str, Any], of: type, place: str, into: dict[str, Any]) -> None:
    for name, value in content.items():
        into[name] = _value(of, name, value, f"{name} in {place}")


def _value(of: type, name: str, given: object, where: str) -> object:
    """A value of a field, from text or TOML; raises BadRequest."""
    known = fields(of)
    if name not in known:
        close = get_close_matches(name, known, 1)
        hint = f" Did you mean {close[0]}?" if close else " docs/web.md has all of them."
        raise BadRequest(f"There is no setting {where}.{hint}")
    kind = SPECIAL.get(name) or KINDS[known[name]]
    try:
        return kind.parse(given)
    except (ValueError, TypeError):
        shown = quoted(str(given)) if name not in SECRET else "what is there"
        raise BadRequest(f"{where} takes {kind.takes}, not {shown}.") from None


def _whole(given: object) -> int:
    if isinstance(given, bool | float):
        raise TypeError
    return _positive(int(given))  # type: ignore[call-overload]


def _positive(number: int) -> int:
    if number < 1:
        raise ValueError
    return number


def _number(given: object) -> float:
    if isinstance(given, bool):
        raise TypeError
    number = float(given)  # type: ignore[arg-type]
    if not 0 <= number < math.inf:
        raise ValueError
    return number


def _port(given: object) -> int:
    return 0 if str(given) == "0" else _whole(given)


def _rate(given: object) -> Rate:
    parts = re.split(r"[\s,/]+", given.strip()) if isinstance(given, str) else given
    if not isinstance(parts, list):
        raise TypeError
    burst, per_second = (_number(part) for part in parts)
    found = Rate(burst, per_second)
    if found.burst < 1:
        raise ValueError
    return found


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError
    return given


def _texts(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return tuple(part.strip() for part in given.split(",") if part.strip())
    if not isinstance(given, list):
        raise TypeError
    return tuple(_text(each) for each in given)


def _networks(given: object) -> tuple[str, ...]:
    return tuple(str(ipaddress.ip_network(each)) for each in _texts(given))


def _one_of(*words: str) -> Kind:
    def parse(given: object) -> str:
        if given not in words:
            raise ValueError
        return str(given)

    return Kind(parse, " or ".join(words))


KINDS: dict[Any, Kind] = {
    int: Kind(_whole, "a whole number, at least 1"),
    float: Kind(_number, "a number that is not negative"),
    str: Kind(_text, "a text"),
    Rate: Kind(_rate, "a burst and a rate a second, such as 200 40"),
    tuple[str, ...]: Kind(_texts, "a list of texts"),
}
SPECIAL = {
    "port": Kind(_port, "a whole number from 0 to 65535"),
    "trusted_proxies": Kind(_networks, "a list of addresses or networks"),
    "metrics_networks": Kind(_networks, "a list of addresses or networks"),
    "log_format": _one_of(*FORMATS),
    "log_level": _one_of(*LEVELS),
}
SECRET = ("database", "metrics_token")


@dataclass(frozen=True)
class Described:
    """A setting, for the documentation."""

    name: str
    variable: str
    default: str
    about: str


def described(of: type, comments: Mapping[str, str]) -> list[Described]:
    """All settings of a class."""
    prefix = LIMIT_VARIABLE if of is ServerLimits else VARIABLE
    usual: Any = ServerLimits() if of is ServerLimits else Settings("")
    return [
        Described(name, prefix + name.upper(), _shown(getattr(usual, name)), comments[name])
        for name in fields(of)
    ]


def _shown(value: object) -> str:
    if isinstance(value, Rate):
        return f"{value.burst:g} {value.per_second:g}"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and value >= 10_000:
        return f"{value:_}"
    return str(value) or "none"
