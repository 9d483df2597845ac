"""Templates, what they show of games, and static files.

The address of a static file has a hash of all of them in it, so that browsers can cache it for
ever, and a script finds its neighbours under the same hash. On a slow network every request costs
0.4 s of six at a time, and every 50 bytes a millisecond: the style sheets of a page come as one
(`style+site+board.css`), and comments and needless spaces are left out, which saves a fifth.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import Path as PathParameter
from fastapi import Request
from fastapi.responses import Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import Scope

from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.play.match import Match
from gridwise.play.series import Series
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg
from gridwise.web.game.stored_game import SECOND_COLOUR

Key = Annotated[str, PathParameter(max_length=64)]  # of a game, in an address

STATIC = Path(__file__).parents[1] / "static"
TEMPLATES = STATIC.with_name("templates")
TEXTS = {"js": "text/javascript", "css": "text/css"}


@cache
def static_hash() -> str:
    """A hash of all static files."""
    whole = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:12]


def static_url(name: str) -> str:
    """The address of a static file."""
    return f"/static/{static_hash()}/{name}"


@cache
def static_texts() -> dict[str, str]:
    """Every script and style sheet by its name, and the joined ones that templates ask for."""
    names = [path.name for path in STATIC.iterdir() if path.suffix[1:] in TEXTS]
    return {name: _without_comments(name) for name in [*names, *_joined_sheets()]}


def _joined_sheets() -> set[str]:
    sheets = re.compile(r"{% block sheets %}([a-z+]+){% endblock %}")
    pages = TEMPLATES.glob("*.html")
    joined = [sheets.findall(path.read_text(encoding="utf-8")) for path in pages]
    return {f"style+{names}.css" for each in joined for names in each}  # as base.html has it


def _without_comments(name: str) -> str:
    """A script, a style sheet, or several that are joined by `+`."""
    stem, _, kind = name.rpartition(".")
    paths = [STATIC / f"{each}.{kind}" for each in stem.split("+")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    if kind == "css":
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        text = re.sub(r"\s*([{};,])\s*", r"\1", text)  # spaces that mean nothing: 5 % compressed
        return re.sub(r":\s+", ":", text).strip()
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


class HashedFiles(StaticFiles):
    """Static files under `/static/{version}`, cached for ever if it is this version's hash."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, with its caching."""
        text = static_texts().get(path)
        if text is None:
            response = await super().get_response(path, scope)
        else:
            response = Response(text, media_type=TEXTS[path.rpartition(".")[2]])
        known = scope["path_params"]["version"] == static_hash()
        forever = "public, max-age=31536000, immutable"
        response.headers["Cache-Control"] = forever if known else "no-cache"
        return response


@cache
def example_picture(game: Game, *, labelled: bool = True) -> str:
    """A game in progress, as SVG."""
    match = Match(
        game, game.example_deal or game.example_board, first=1, moves=game.example_moves.split()
    )
    return svg(match.view, PAGE, labelled=labelled)


def in_colours(text: str) -> Markup:
    """A sentence with the name of the second colour as whoever reads it has chosen to see it.

    Names of people stay as they are: `isolated` marks those that have a colour in them.
    """
    seen = '<span class="usual">Red</span><span class="colour-blind">Orange</span>'
    parts = re.split("(\u2068[^\u2069]*\u2069)", str(escape(text)))
    parts[::2] = [re.sub(SECOND_COLOUR, seen, part) for part in parts[::2]]
    return Markup("".join(parts))  # noqa: S704 - it was escaped


@cache
def _templates() -> Jinja2Templates:
    environment = Environment(
        loader=PackageLoader("gridwise.web"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"static": static_url, "games": games, "picture": example_picture}
    environment.filters |= {"static": static_url, "in_colours": in_colours, "series": _series}
    # The order of answers is the order of the buttons.
    environment.policies["json.dumps_kwargs"] = {"sort_keys": False}
    return Jinja2Templates(env=environment)


@lru_cache(maxsize=32)  # 3 ms for the rules of a game, 40 for the API
def html_from(markdown: str) -> str:
    """Markdown as HTML; HTML in it is escaped."""
    html = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown))
    # Anything that scrolls must be reachable with the keyboard.
    return html.replace("<pre>", '<pre tabindex="0">')


def page(
    request: Request,
    template: str,
    status: int = 200,
    **context: Any,  # noqa: ANN401 - whatever the template needs
) -> Response:
    """A template, filled in. Pages show the current state, so they are not cached."""
    context["here"] = "/" + request.url.path.split("/")[1]
    return _templates().TemplateResponse(
        request, template, context, status, headers={"Cache-Control": "no-store"}
    )


def _series(best_of: int) -> str:
    """What a series is called inside a line."""
    return Series(best_of).title.lower()
