"""What pages are made with: templates, and the few files that go with them.

The files are read once. Their address has a hash of them all in it, so a browser may keep them for
ever, and a script finds its neighbours under the same hash.
"""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from gridwise.web.refusals import NotFound

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def _files() -> dict[str, bytes]:
    folder = files("gridwise.web").joinpath("static")
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


@cache
def digest() -> str:
    """A hash of all files."""
    whole = hashlib.sha256()
    for name, content in sorted(_files().items()):
        whole.update(name.encode() + b"\0" + content)
    return whole.hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file."""
    return f"/static/{digest()}/{name}"


def static_file(version: str, name: str) -> Response:
    """A file; kept for ever if it is of this version."""
    content = _files().get(name)
    if content is None:
        raise NotFound("There is no such file.")
    kind = TYPES.get("." + name.rpartition(".")[2]) or mimetypes.guess_type(name)[0]
    kept = FOR_EVER if version == digest() else "no-cache"
    return Response(content, media_type=kind, headers={"Cache-Control": kept})


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("gridwise.web"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = static
    # The order of answers is the order of the buttons.
    environment.policies["json.dumps_kwargs"] = {"sort_keys": False}
    return environment


def page(
    request: Request,
    template: str,
    status: int = 200,
    **told: Any,  # noqa: ANN401 - whatever the template wants
) -> HTMLResponse:
    """A template, filled in. Pages show what is now, so they are not kept."""
    here = "/" + request.url.path.split("/")[1]
    text = _environment().get_template(template).render(here=here, **told)
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
