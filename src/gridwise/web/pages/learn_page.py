"""Pages to learn from: rules and guided first games."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from gridwise.core.contracts import Example, Lesson
from gridwise.core.game import Game
from gridwise.core.narration import numbered_names
from gridwise.core.position import Position, replay
from gridwise.core.registry import game as game_named
from gridwise.errors import MoveError
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg
from gridwise.web.errors import NotFound
from gridwise.web.http.dependencies import form_of
from gridwise.web.pages.positions import frames, picture, playable, scores_text
from gridwise.web.pages.templating import Key, example_picture, html_from, page

LEARNER = numbered_names(1)  # you are Player 1

router = APIRouter(include_in_schema=False)

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
    drawing = f'<div class="picture">{example_picture(game)}</div>'
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
        wrong, trap = _check_answer(game, step, move)
        if not wrong:
            return RedirectResponse(f"/learn/{game.key}/{step + 1}", 303)
    shown = _lesson_step(game, step, trap=trap)
    return page(request, "lesson.html", game=game, wrong=wrong, step=step, trapped=trap, **shown)


def _lesson_step(game: Game, step: int, *, trap: bool) -> dict[str, Any]:
    """What to show before the coached move `step`, counted from 1; after the last, the end.

    What happened on the way to it comes as frames, which the page's script plays.
    """
    lesson, positions = _at(game, step)
    coming = lesson.steps[step - 1] if step <= len(lesson.steps) else None
    position = positions[-1]
    if trap:
        if coming is None or coming.trap is None:
            raise NotFound(f"There is nothing that goes wrong at step {step}.")
        way, true_board = [position], game.parse_board(lesson.board)
        for move in coming.trap.moves.split():
            way.append(way[-1].after(move, true_board))
        shown = {"says": [coming.trap.because], "task": "", "highlight": []}
        shown |= playable(way[-1]) | {"svg": picture(way[-1].view.without_moves())}
    else:
        last = lesson.steps[step - 2] if step > 1 else None
        way = positions[-len(f"{last.move} {last.then}".split()) - 1 :] if last else [position]
        target = position.cell_name(position.target(position.read(coming.move))) if coming else ""
        shown = playable(position) | {
            "says": [last.because if last else lesson.opening, *([] if coming else [lesson.end])],
            "task": coming.say if coming else "",
            "highlight": [target, *coming.look.split()] if coming else [],
        }
    return shown | {
        "steps": len(lesson.steps),
        "done": coming is None,
        "trap": coming.trap.say if coming and coming.trap else "",
        "caption": scores_text(way[-1], LEARNER),
        "frames": frames(way, LEARNER),
    }


def _check_answer(game: Game, step: int, text: str) -> tuple[str, bool]:
    """What is wrong with a move at a step, and whether it begins the line that goes wrong there."""
    lesson, (*_, position) = _at(game, step)
    if step > len(lesson.steps):
        raise NotFound("The lesson is over. You can start it over.")
    coached = lesson.steps[step - 1]
    try:
        action = position.read(text)
    except MoveError as error:
        return str(error), False
    trap = coached.trap and position.read(coached.trap.moves.split()[0])
    wrong = "" if action == position.read(coached.move) else coached.otherwise
    return wrong, action == trap


def _at(game: Game, step: int) -> tuple[Lesson, list[Position]]:
    """A lesson, and its positions up to a step; raises NotFound for one beyond its end."""
    lesson = game.lesson
    if lesson is None:
        raise NotFound(f"There is no guided game of {game.title} yet. You can read its rules.")
    if not 1 <= step <= len(lesson.steps) + 1:
        raise NotFound(f"There is no step {step}. This lesson has {len(lesson.steps)} steps.")
    moves = [
        move for each in lesson.steps[: step - 1] for move in f"{each.move} {each.then}".split()
    ]
    return lesson, list(replay(game, lesson.board, 1, moves))
