"""Pages to learn from: rules and guided first games."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse

from gridwise.core.contracts import Example
from gridwise.core.game import Game
from gridwise.core.position import replay
from gridwise.core.registry import game as game_named
from gridwise.show.svg import PAGE, svg
from gridwise.web.http.dependencies import form_of
from gridwise.web.pages.study.lessons import check_answer, lesson_step, starts_trap, trapped
from gridwise.web.pages.templating import html_from, page, picture

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=0, le=10_000)]

# Rules


@router.get("/rules/{key}")
async def rules(key: Key, request: Request) -> Response:
    """The rules of a game."""
    game = game_named(key)
    opening, text = _rules_html(game)
    return page(request, "rules.html", game=game, opening=opening, text=text)


@cache
def _rules_html(game: Game) -> tuple[str, str]:
    """The rules as HTML, what stands before the first section apart.

    There is a picture where the board goes, and there are examples where sections end.
    """
    opening, *sections = game.rules_text().split("\n## ")
    before, _, after = opening.partition("{board}")
    drawing = f'<div class="picture">{picture(game)}</div>'
    parts = []
    for section in sections:
        heading = section.partition("\n")[0]
        parts.append(html_from(f"## {section}"))
        drawn = [_figure(game, each) for each in game.examples if each.under == heading]
        if drawn:
            parts.append(f'<div class="examples">{"".join(drawn)}</div>')
    return f"{html_from(before)}{drawing}{html_from(after)}", "".join(parts)


def _figure(game: Game, example: Example) -> str:
    board = game.parse_board(example.board or game.example_board)
    *_, position = replay(game, board, 1, example.moves.split())
    # The legal moves of whoever is next would only distract.
    drawn = svg(position.view.without_moves(), PAGE)
    return f"<figure>{drawn}<figcaption>{escape(example.caption)}</figcaption></figure>"


# Guided first games


@router.get("/learn")
async def learn(request: Request) -> Response:
    """The guided first games."""
    return page(request, "learn.html")


@router.get("/learn/{key}")
async def lesson_start(key: Key, request: Request, trap: bool = False) -> Response:
    """The first step of a guided game."""
    return await lesson(key, 1, request, trap)


@router.api_route("/learn/{key}/{step}", methods=["GET", "POST"])
async def lesson(key: Key, step: Number, request: Request, trap: bool = False) -> Response:
    """A step of a guided game; after a move, the next step, or what is wrong with the move.

    With `trap`, the line that goes wrong, where the step has one.
    """
    game, wrong = game_named(key), ""
    if request.method == "POST":
        move = (await form_of(request, 5)).get("move", "")[:40]
        wrong = check_answer(game, step, move)
        if not wrong:
            return RedirectResponse(f"/learn/{game.key}/{step + 1}", 303)
        trap = starts_trap(game, step, move)
    shown = trapped(game, step) if trap else lesson_step(game, step)
    return page(request, "lesson.html", game=game, wrong=wrong, **shown)
