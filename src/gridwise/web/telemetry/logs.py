"""Logs: one line for each thing that matters, for people or as JSON for programs.

They hold no token, no board, and no address or id of a game, which is the key to its free seat; a
game is called by a short hash. Lines that belong to a request have its id, which the response has
too (`X-Request-ID`).
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

# Where an id or a token could get into a line by way of another library: paths, cookies.
_SECRETS = re.compile(r"(?<=/g/)[\w-]{12}|(?<=games/)[\w-]{12}|(?<![\w-])[\w-]{43}(?![\w-])")

request_id: ContextVar[str] = ContextVar("request_id", default="")


def new_request_id() -> str:
    """An id for the request that is being handled; also noted for the log."""
    made = secrets.token_hex(6)
    request_id.set(made)
    return made


def game_hash(game_id: str) -> str:
    """What a game is called in the log: the same for the same game, and no way back."""
    return hashlib.sha256(game_id.encode()).hexdigest()[:10]


def without_secrets(text: str) -> str:
    """A text without ids and tokens."""
    return _SECRETS.sub(lambda match: f"#{game_hash(match[0])}", text)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says beside its message: the id of the request, and what was added to it."""
    request = request_id.get()
    return ({"request": request} if request else {}) | getattr(record, "fields", {})


class JsonLines(logging.Formatter):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One record."""
        at = datetime.fromtimestamp(record.created, UTC).replace(tzinfo=None)
        entry: dict[str, Any] = {
            "time": f"{at.isoformat(timespec='milliseconds')}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "process": record.process,
            **_fields(record),
        }
        if record.exc_info and (error := record.exc_info[1]):
            entry["error"] = {
                "type": type(error).__name__,
                "message": without_secrets(str(error)),
                "trace": without_secrets(self.formatException(record.exc_info)),
            }
        return json.dumps(entry, ensure_ascii=False)


class TextLines(logging.Formatter):
    """A line for people, and the traceback of an error below it."""

    def format(self, record: logging.LogRecord) -> str:
        """One record."""
        head, newline, rest = super().format(record).partition("\n")
        more = "".join(f" {name}={value}" for name, value in _fields(record).items())
        return without_secrets(f"{head}{more}{newline}{rest}")


def configure(shape: str, level: str) -> None:
    """Send what is logged to standard error: what the server says, and warnings of libraries.

    Not more of those: Uvicorn's info lines have the addresses of sockets, and so of games.
    """
    handler = logging.StreamHandler(sys.stderr)
    text = TextLines("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if shape == "json" else text)
    everybody = logging.getLogger()
    everybody.handlers = [handler]
    everybody.setLevel("WARNING")
    logging.getLogger("gridwise.web").setLevel(level.upper())
