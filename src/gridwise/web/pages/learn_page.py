"""Pages to learn from: rules and guided first games."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from html import escape
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from gridwise.core.contracts import Example
from gridwise.core.game import Game
from gridwise.core.position import replay
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, GridwiseError
from gridwise.play.lesson import LEARNER, lesson_answer, lesson_place, lesson_reason, trap_place
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg
from gridwise.web.errors import NotFound
from gridwise.web.http.dependencies import form_of, hub_of, while_connected
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.positions import frames, picture, playable, scores_text
from gridwise.web.pages.templating import Key, example_picture, html_from, page

REASON_SECONDS = 0.5  # in which an answer in a lesson comes; a process that starts takes longer

router = APIRouter(include_in_schema=False)

# Rules


@router.get("/rules/{key}")
async def rules(key: Key, request: Request) -> Response:
    """The rules of a game."""
    game = game_named(key)
    return page(request, "rules.html", game=game, rules=_rules_html(game))


class Rules(NamedTuple):
    """The rules of a game as HTML: what everybody reads, and what can be unfolded below it."""

    short: str  # the game in a few lines, with its board
    figures: str
    folded: list[tuple[str, str]]  # headings, and what is under each


@cache
def _rules_html(game: Game) -> Rules:
    """The rules: the section in short and pictures first, the other sections folded away."""
    opening, *sections = game.rules_text().split("\n## ")
    title, _, about = opening.partition("\n")
    drawing = f'<div class="picture">{example_picture(game)}</div>'
    if not sections:
        return Rules(html_from(opening.replace("{board}", "")) + drawing, "", [])
    short, *others = sections
    folded = [f"The idea\n{about.replace('{board}', '')}", *others]
    return Rules(
        html_from(f"{title}\n## {short}") + drawing,
        "".join([_figure(game, each) for each in game.examples]),
        [
            (heading, html_from(text))
            for heading, _, text in (each.partition("\n") for each in folded)
        ],
    )


def _figure(game: Game, example: Example) -> str:
    board = game.parse_board(example.board or game.example_board)
    *_, position = replay(game, board, 1, example.moves.split())
    # The legal moves of whoever is next would only distract.
    drawn = svg(position.view.without_moves(), PAGE)
    return f"<figure>{drawn}<figcaption>{escape(example.caption)}</figcaption></figure>"


# Guided first games. Nothing is stored between two requests: the address says which step it is.


@router.get("/learn")
async def learn(request: Request) -> Response:
    """The guided first games."""
    return page(request, "learn.html")


@router.get("/learn/{key}")
@router.api_route("/learn/{key}/{step}", methods=["GET", "POST"])
async def lesson(key: Key, request: Request, step: int = 1, trap: bool = False) -> Response:
    """A step of a guided game; after a move, the next step, or what is wrong with the move.

    With `trap`, the line that goes wrong, where the step has one.
    """
    game, wrong = game_named(key), ""
    if request.method == "POST":
        move = (await form_of(request, 5)).get("move", "")[:40]
        with _not_found():
            wrong, trap = lesson_answer(game, step, move)
        if not wrong:
            return RedirectResponse(f"/learn/{game.key}/{step + 1}", 303)
        if not trap:
            # If it takes too long, the lesson's own words have to do.
            with suppress(GridwiseError, TimeoutError):
                spend(request, "thinking")
                asked = hub_of(request).workers.ask(game.key, lesson_reason, game, step, move)
                async with asyncio.timeout(REASON_SECONDS):
                    wrong = f"{wrong} {await while_connected(request, asked)}".strip()
    shown = _lesson_step(game, step, trap=trap)
    return page(request, "lesson.html", game=game, wrong=wrong, step=step, trapped=trap, **shown)


def _lesson_step(game: Game, step: int, *, trap: bool) -> dict[str, Any]:
    """What to show before the coached move `step`, counted from 1; after the last, the end.

    What happened on the way to it comes as frames, which the page's script plays.
    """
    with _not_found():
        place = trap_place(game, step) if trap else lesson_place(game, step)
    view = place.position.view
    shown = {"svg": picture(view.without_moves())} if trap else {}
    return {
        **playable(place.position),
        **shown,
        "says": place.says,
        "task": place.task,
        "highlight": [view.cells[cell].name for cell in place.look],
        "steps": place.steps,
        "done": place.over,
        "trap": place.trap,
        "caption": scores_text(place.position, LEARNER),
        "frames": [
            frame | {"caption": scores_text(after, LEARNER)}
            for frame, after in zip(frames(place.way, LEARNER), place.way[1:], strict=True)
        ],
    }


@contextmanager
def _not_found() -> Iterator[None]:
    """Answer to a step that is not there as to any page that is not."""
    try:
        yield
    except BadRequest as error:
        raise NotFound(str(error)) from None
