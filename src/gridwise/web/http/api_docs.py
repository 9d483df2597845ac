"""The documentation of the API, made from its own schema: for a page of the server, and for docs/.

The text is in `templates/api.md`. FastAPI's own pages load scripts from other sites; ours load
nothing.
"""

from __future__ import annotations

import json
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from gridwise.web.game.commands import EMOTES
from gridwise.web.settings import ServerLimits
from gridwise.web.workers.fair_queue import ADDRESS_QUESTIONS, BROWSER_QUESTIONS


def markdown(schema: dict[str, Any]) -> str:
    """The documentation as Markdown."""
    texts = Environment(  # noqa: S701 - it makes Markdown, which `html_from` escapes
        loader=PackageLoader("gridwise.web"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return texts.get_template("api.md").render(
        paths=schema["paths"],
        models=schema["components"]["schemas"],
        type_of=_type_of,
        response_type=_response_type,
        json=json.dumps,
        count="{:,}".format,
        emotes=EMOTES,
        limits=ServerLimits(),
        browser_questions=BROWSER_QUESTIONS,
        address_questions=ADDRESS_QUESTIONS,
    )


def _response_type(operation: dict[str, Any]) -> str:
    good = next(each for status, each in operation["responses"].items() if status < "3")
    ((kind, content),) = good["content"].items()
    return _type_of(content["schema"]) if kind == "application/json" else str(kind)


def _type_of(field: dict[str, Any]) -> str:
    """What a value looks like, in a word or two."""
    if "enum" in field:
        return ", ".join(str(each) for each in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type_of(each) for each in field["anyOf"])
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if field.get("type") == "array" and "items" in field:
        return f"list of {_type_of(field['items'])}"
    return str(field.get("type", "JSON"))
