"""The API described, from what it is made of: a page of the server, and a page of the documents.

FastAPI's own pages load scripts from elsewhere; this one loads nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response

from gridwise.web.paper import page
from gridwise.web.settings import Limits, Rate

router = APIRouter(include_in_schema=False)

# What goes over a game's socket: type, fields, meaning.
IN = [
    ("move", "move, version, ref", "Play a move."),
    ("resign", "version, ref", "Give the game up."),
    (
        "takeback",
        "version, ref",
        "Ask to take your last move back, or agree that the other takes one back. Against a bot, "
        "or on one screen, it is done at once.",
    ),
    (
        "stop",
        "version, ref",
        "In a game that can go on for ever: ask to stop without a result, or agree to.",
    ),
    ("decline", "version, ref", "Say no to what the other has asked, or take your own wish back."),
    ("hint", "version, ref", "A move to consider, for the player to move; it is marked."),
    ("rematch", "version, ref", "Once more, with sides swapped, when the game is over."),
    ("ping", "", "Are you there?"),
]
OUT = [
    ("state", "all fields of State", "At once on connecting, and after everything that happens."),
    ("done", "ref, version", "Your wish has come true, and is on disk; its state came before."),
    ("refused", "ref, kind, message, state", "It has not; `state` is there if it was stale."),
    ("hint", "ref, move, text", "For the asker alone."),
    ("rematch", "ref, id, url", "The game that follows."),
    ("presence", "players, spectators", "Somebody has come or gone."),
    ("pong", "", "Yes."),
]


class FieldDoc(NamedTuple):
    """One field of a message."""

    name: str
    kind: str
    about: str


class Operation(NamedTuple):
    """One thing that can be done over HTTP."""

    method: str
    path: str
    summary: str
    about: str
    fields: list[FieldDoc]
    answer: str  # the name of what comes back


def operations(schema: dict[str, Any]) -> Iterator[Operation]:
    """Everything that can be done, in the order of the API."""
    for path, methods in schema["paths"].items():
        for method, told in methods.items():
            fields = [
                FieldDoc(each["name"], _kind(schema, each["schema"]), "in the query")
                for each in told.get("parameters", [])
                if each["in"] == "query"
            ]
            body = told.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                fields += _fields(schema, body["schema"])
            good = next(each for status, each in told["responses"].items() if status < "3")
            yield Operation(
                method.upper(),
                path,
                told["summary"],
                told.get("description", ""),
                fields,
                _answer(good),
            )


def state_fields(schema: dict[str, Any]) -> list[FieldDoc]:
    """The fields of a state."""
    return _fields(schema, {"$ref": "#/components/schemas/State"})


def _answer(good: dict[str, Any]) -> str:
    (kind, content), *_ = good.get("content", {"": {}}).items()
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return name or (kind if kind != "application/json" else "JSON")


def _fields(schema: dict[str, Any], of: dict[str, Any]) -> list[FieldDoc]:
    model = _resolved(schema, of)
    needed = model.get("required", [])
    found = []
    for name, told in model["properties"].items():
        kind = _kind(schema, told)
        if name not in needed and told.get("default") not in (None, ""):
            kind += f", default {json.dumps(told['default'])}"
        elif name not in needed:
            kind += ", optional"
        found.append(FieldDoc(name, kind, _about(schema, told)))
    return found


def _about(schema: dict[str, Any], told: dict[str, Any]) -> str:
    """What is said of a field, or of one of the things it can be."""
    texts = [_resolved(schema, each).get("description", "") for each in told.get("anyOf", [])]
    return next(filter(None, [_resolved(schema, told).get("description", ""), *texts]), "")


def _resolved(schema: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    name = told.get("$ref", "").rpartition("/")[2]
    if not name:
        return told
    found: dict[str, Any] = schema["components"]["schemas"][name]
    return found


def _kind(schema: dict[str, Any], told: dict[str, Any]) -> str:
    """What a value looks like, in a word or two."""
    if "enum" in told:
        return ", ".join(str(each) for each in told["enum"])
    if "const" in told:
        return str(told["const"])
    if "anyOf" in told:
        return " or ".join(_kind(schema, each) for each in told["anyOf"])
    if "$ref" in told:
        return str(told["$ref"].rpartition("/")[2])
    if told.get("type") == "array" and "items" in told:
        return f"list of {_kind(schema, told['items'])}"
    return str(told.get("type", "JSON"))


@router.get("/api/docs")
async def docs(request: Request) -> Response:
    """The API for people who write programs."""
    schema = request.app.openapi()
    return page(
        request,
        "api.html",
        operations=list(operations(schema)),
        state=state_fields(schema),
        messages_in=IN,
        messages_out=OUT,
    )


def limits_told(limits: Limits) -> list[tuple[str, str, str]]:
    """What is limited, how, and what happens beyond."""

    def rate(each: Rate) -> str:
        return f"{each.burst:g} at once, then {each.per_second:g} a second"

    return [
        ("the body of a request", f"{limits.body:,} bytes", "413 `too-large`"),
        ("a message on a socket", f"{limits.message:,} bytes", "closed, 1009"),
        ("requests of a client", rate(limits.requests), "429 `too-many`, Retry-After"),
        ("games a client starts", rate(limits.games), "429 `too-many`, Retry-After"),
        (
            "hints, reviews and weighed positions of a client",
            rate(limits.thinking),
            "429 `too-many`, Retry-After",
        ),
        ("messages on one socket", rate(limits.messages), "closed, 1008"),
        ("open sockets of a client", f"{limits.sockets:,}", "closed, 1013"),
        ("open sockets in all", f"{limits.all_sockets:,}", "closed, 1013"),
        ("unfinished games of one browser", f"{limits.open_games:,}", "429 `too-many`"),
        ("unfinished games in all", f"{limits.all_games:,}", "429 `too-many`"),
        (
            "plies of a game that can go on for ever",
            f"{limits.plies:,}",
            "the game is stopped, without a result",
        ),
    ]


def markdown(schema: dict[str, Any]) -> str:
    """The same for the documents."""
    lines = [
        "<!-- Made by `make docs` from the server's own description of its API. -->",
        "# The messages of the web API",
        "",
        "[How it all works](web.md) is another page. A running server has this one under",
        "`/api/docs`, and its schema (OpenAPI) under `/api/openapi.json`.",
        "",
        "## HTTP",
    ]
    for each in operations(schema):
        lines += ["", f"### `{each.method} {each.path}`", "", f"{each.summary}. {each.about}"]
        lines += [f"Answer: {each.answer}.", *_table(each.fields)]
    lines += ["", "## State", "", "A game as you may see it.", *_table(state_fields(schema))]
    for title, messages in (("you send", IN), ("you get", OUT)):
        lines += ["", f"## Socket: what {title}", "", "| type | fields | |", "|---|---|---|"]
        lines += [f"| `{kind}` | {fields} | {about} |" for kind, fields, about in messages]
    days = Limits().fresh / 86_400
    lines += [
        "",
        "## Limits",
        "",
        "A client is an address (of IPv6, its network); a browser is a cookie. Unfinished games",
        f"count for {days:g} days.",
        "",
        "| what | how much | beyond |",
        "|---|---|---|",
        *(f"| {what} | {much} | {beyond} |" for what, much, beyond in limits_told(Limits())),
    ]
    return "\n".join([*lines, ""])


def _table(fields: list[FieldDoc]) -> list[str]:
    if not fields:
        return []
    rows = [f"| `{each.name}` | {each.kind} | {each.about} |" for each in fields]
    return ["", "| field | | |", "|---|---|---|", *rows]
