"""Pages to learn from: rules, guided first games, puzzles."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse
from markdown_it import MarkdownIt

from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.engine.puzzles import HARDEST, LENGTHS
from gridwise.show.pages import rules_page
from gridwise.show.svg import PAGE, svg
from gridwise.web.cards import cards, example
from gridwise.web.deps import hall_of
from gridwise.web.paper import page
from gridwise.web.rates import spend
from gridwise.web.refusals import NotFound
from gridwise.web.teaching import (
    Daily,
    lesson_answer,
    lesson_step,
    puzzle_of_the_day,
    puzzle_page,
)

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=0, le=10_000)]
Seed = Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,20}$")]

# Rules and lessons


@router.get("/rules/{key}")
async def rules(key: Key, request: Request) -> Response:
    """The rules of a game."""
    game = game_of(key)
    return page(request, "rules.html", game=game, text=_rules_text(game))


def _rules_text(game: Game) -> str:
    """The rules page as HTML, with a picture above it. Nothing in the text becomes a tag."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    picture = svg(example(game).view, PAGE)
    heading, end, rest = str(markdown.render(rules_page(game))).partition("</h1>")
    # What can be scrolled must be reachable with the keyboard.
    rest = rest.replace("<pre>", '<pre tabindex="0">')
    return f'{heading}{end}<div class="picture">{picture}</div>{rest}'


@router.get("/learn")
async def learn(request: Request) -> Response:
    """A guided first game for each."""
    return page(request, "learn.html", cards=cards())


@router.get("/learn/{key}")
async def lesson(key: Key, request: Request) -> Response:
    """The first step."""
    game = game_of(key)
    return page(request, "lesson.html", game=game, wrong="", **lesson_step(game, 1))


@router.get("/learn/{key}/{step}")
async def lesson_at(key: Key, step: Number, request: Request) -> Response:
    """A step of a guided game."""
    game = game_of(key)
    return page(request, "lesson.html", game=game, wrong="", **lesson_step(game, step))


@router.post("/learn/{key}/{step}")
async def lesson_move(key: Key, step: Number, request: Request) -> Response:
    """A move of the learner: on to the next step, or a word on what is asked for."""
    game = game_of(key)
    async with request.form(max_files=0, max_fields=5) as sent:
        wrong = lesson_answer(game, step, str(sent.get("move", ""))[:40])
    if not wrong:
        return RedirectResponse(f"/learn/{game.key}/{step + 1}", 303)
    return page(request, "lesson.html", game=game, wrong=wrong, **lesson_step(game, step))


# Puzzles


@router.get("/puzzles")
async def puzzles(request: Request) -> Response:
    """Puzzles by game and difficulty."""
    return page(request, "puzzles.html", cards=cards(), levels=list(LENGTHS))


@router.get("/puzzles/today")
async def today(request: Request) -> Response:  # noqa: ARG001 - all pages are asked alike
    """The puzzle of the day: the same for everybody."""
    daily = _daily()
    return RedirectResponse(f"/puzzles/{daily.game}/{daily.difficulty}/{daily.seed}", 303)


def _daily() -> Daily:
    return puzzle_of_the_day(dt.datetime.now(dt.UTC).date())


@router.get("/puzzles/{key}/{difficulty}")
async def some_puzzle(key: Key, difficulty: Number) -> Response:
    """Any puzzle of a difficulty."""
    return RedirectResponse(
        f"/puzzles/{game_of(key).key}/{difficulty}/{secrets.randbelow(10**6)}", 303
    )


@router.get("/puzzles/{key}/{difficulty}/{seed}")
async def puzzle(key: Key, difficulty: Number, seed: Seed, request: Request) -> Response:
    """One puzzle, which is the same whenever it is asked for."""
    return await _puzzle_page(request, game_of(key), difficulty, seed, "", give_up=False)


@router.post("/puzzles/{key}/{difficulty}/{seed}")
async def solve(key: Key, difficulty: Number, seed: Seed, request: Request) -> Response:
    """An answer, right or wrong, and why; or no answer, and then the solution."""
    async with request.form(max_files=0, max_fields=5) as sent:
        move, give_up = str(sent.get("move", ""))[:40], "show" in sent
    return await _puzzle_page(request, game_of(key), difficulty, seed, move, give_up=give_up)


async def _puzzle_page(
    request: Request, game: Game, difficulty: int, seed: str, move: str, *, give_up: bool
) -> Response:
    if difficulty not in LENGTHS:
        raise NotFound(f"Puzzles have difficulty 1 to {HARDEST}.")
    spend(request, "thinking")
    told = await hall_of(request).engine.ask(
        puzzle_page, game.key, difficulty, seed, move, give_up=give_up
    )
    return page(
        request,
        "puzzle.html",
        game=game,
        address=f"/puzzles/{game.key}/{difficulty}/{seed}",
        asked=difficulty,
        hardest=HARDEST,
        next=int(seed) + 1 if seed.isdigit() else secrets.randbelow(10**6),
        today=(game.key, difficulty, seed) == _daily(),
        **told,
    )
