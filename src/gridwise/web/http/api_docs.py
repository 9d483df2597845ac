"""The documentation of the API, made from its own schema: for a page of the server, and for docs/.

FastAPI's own pages load scripts from other sites; ours load nothing.
"""

from __future__ import annotations

import json
from typing import Any

from gridwise.web.game.commands import EMOTES
from gridwise.web.settings import ServerLimits
from gridwise.web.workers.fair_queue import ADDRESS_QUESTIONS, BROWSER_QUESTIONS

START = """# The web API: reference

A program takes a seat as a browser does: it keeps the cookie, which holds the seat, joins over HTTP
and plays over a WebSocket. A running server has this page at `/api/docs`, and the OpenAPI schema at
`/api/openapi.json`.

A request that changes a game names the `version` of the game it was made on. If the game has
changed since, it is refused as `stale`; over HTTP with the current state. A `ref` of your own makes
a message safe to send again. Errors look like this: `{"error": {"kind": …, "message": …}}`.

## HTTP"""

# The messages on a game's socket: type, fields, meaning.
IN = [
    ("move", "move, version, ref", "Play a move."),
    ("resign", "version, ref", "Resign; before anybody has joined, cancel the game."),
    (
        "takeback",
        "version, ref",
        "Ask to take your last move back, or agree that the other takes one back. Against a bot, "
        "or on one screen, it happens at once.",
    ),
    (
        "stop",
        "version, ref",
        "In a game that can go on for ever: ask to stop without a result, or agree to that.",
    ),
    ("decline", "version, ref", "Decline what the other asked for, or withdraw your own offer."),
    ("hint", "version, ref", "Get a move to consider against a bot; the move list marks it."),
    (
        "rematch",
        "version, ref",
        "Ask for another game with sides swapped, when this one is over, or agree to it. In a "
        "match, against a bot and on one screen it is made at once.",
    ),
    ("emote", "emote, ref", f"Show everybody one of {', '.join(EMOTES)}; every 3 s at most."),
    ("ping", "", "Check the connection."),
]
OUT = [
    ("state", "all fields of GameState", "On connecting, and if you have missed something."),
    (
        "change",
        "from, version, fields of GameState",
        "After everything that happens: the fields that are new since version `from`. Of `cells` "
        "it has the changed ones by name, of `moves` how many to `keep` and which to `add`. With "
        "`legal` and no `targets`, each move is written as its cell. `event` is what a move did, "
        "or null. A page, connected with `?picture=yes`, gets `svg_cells` in place of `cells`.",
    ),
    ("done", "ref, version", "Your request succeeded and is on disk; its state came before this."),
    ("refused", "ref, kind, message", "It failed, and nothing was changed."),
    ("hint", "ref, move, text", "The hint, for you alone."),
    ("rematch", "ref, id, url", "The next game; null while the other player is asked."),
    ("presence", "players, spectators", "Somebody connected or disconnected."),
    ("emote", "player, emote", "A player shows an emote."),
    ("pong", "", "The answer to a ping."),
]
FIELD = "field | type"  # the first columns of a table of fields


def markdown(schema: dict[str, Any]) -> str:
    """The documentation as Markdown."""
    models, lines = schema["components"]["schemas"], [START]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            lines += ["", f"### `{method.upper()} {path}`", ""]
            lines += [f"{operation['summary']}. {operation['description']}"]
            lines += [f"Response: {_response_type(operation)}.", *_request(operation, models)]
    lines += ["", "## GameState", "", "A game as you may see it.", *_fields(models["GameState"])]
    lines += ["", "## Socket: what you send", *_table("type | fields", IN)]
    lines += ["", "## Socket: what you get", *_table("type | fields", OUT)]
    return "\n".join([*lines, "", _limits(ServerLimits())])


def _limits(most: ServerLimits) -> str:
    return f"""## Limits

A client is an IP address (IPv6: its network of 64 bits); a browser is a cookie. Unfinished
games count for {most.fresh / 86_400:g} days.

| what | how much | beyond |
|---|---|---|
| the body of a request | {most.body:,} bytes | 413 `too-large` |
| a message on a socket | {most.message:,} bytes | closed, 1009 |
| requests of a client | {most.requests} | 429 `too-many`, Retry-After |
| games a client starts | {most.games} | 429 `too-many`, Retry-After |
| hints, reviews, evaluated positions of a client | {most.thinking} | 429 `too-many`, Retry-After |
| such questions of a browser at a time | {BROWSER_QUESTIONS} | 429 `too-many`, Retry-After |
| such questions of a client at a time | {ADDRESS_QUESTIONS} | 429 `too-many`, Retry-After |
| seconds to evaluate a position | {most.position_seconds:g} | values not found are null |
| seconds for any question | {most.question_seconds:g} | 503 `unavailable` |
| messages on all sockets of a client | {most.messages} | they wait, 2 s at most; closed, 1008 |
| answers that you have not read | {most.unread:,} bytes | closed, 1008 |
| reading nothing | {most.stalled:g} seconds | cut off |
| open sockets of a client | {most.sockets:,} | closed, 1013 |
| open sockets in total | {most.all_sockets:,} | closed, 1013 |
| open connections of a client | {most.connections:,} | its longest idle one is closed; else 503 |
| open connections in total | {most.all_connections:,} | the longest idle one is closed; else 503 |
| seconds until a request has arrived | {most.header_time:g}, its body {most.body_time:g} | 408 |
| unfinished games of one browser | {most.open_games:,} | 429 `too-many` |
| unfinished games in total | {most.all_games:,} | the oldest that nobody joined ends; else 429 |
| plies of a game that can go on for ever | {most.plies:,} | the game is stopped without a result |
| events of a game | {most.events:,} | no take-backs, hints and offers: 409 `conflict` |
"""


def _response_type(operation: dict[str, Any]) -> str:
    good = next(each for status, each in operation["responses"].items() if status < "3")
    ((kind, content),) = good["content"].items()
    return _kind(content["schema"]) if kind == "application/json" else str(kind)


def _request(operation: dict[str, Any], models: dict[str, Any]) -> list[str]:
    """The fields of a request: those of its body, or of its query."""
    if "requestBody" in operation:
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        return _fields(models[_kind(body)])
    asked = [each for each in operation.get("parameters", []) if each["in"] == "query"]
    return _table(FIELD, [(each["name"], _kind(each["schema"]), "in the query") for each in asked])


def _fields(model: dict[str, Any]) -> list[str]:
    rows = []
    for name, field in model["properties"].items():
        kind = _kind(field)
        if name not in model.get("required", []):
            default = field.get("default")
            kind += ", optional" if default in (None, "") else f", default {json.dumps(default)}"
        rows.append((name, kind, field.get("description", "")))
    return _table(FIELD, rows)


def _kind(field: dict[str, Any]) -> str:
    """What a value looks like, in a word or two."""
    if "enum" in field:
        return ", ".join(str(each) for each in field["enum"])
    if "const" in field:
        return str(field["const"])
    if "anyOf" in field:
        return " or ".join(_kind(each) for each in field["anyOf"])
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if field.get("type") == "array" and "items" in field:
        return f"list of {_kind(field['items'])}"
    return str(field.get("type", "JSON"))


def _table(columns: str, rows: list[tuple[str, str, str]]) -> list[str]:
    shown = [f"| `{name}` | {kind} | {about} |" for name, kind, about in rows]
    return ["", f"| {columns} | meaning |", "|---|---|---|", *shown] if rows else []
