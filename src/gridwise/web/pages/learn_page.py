"""Pages to learn from: rules, guided first games, puzzles."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.engine.puzzles import HARDEST, LENGTHS, PuzzleAddress, puzzle_of_the_day
from gridwise.show.text import rules_page
from gridwise.web.errors import NotFound
from gridwise.web.http.dependencies import form_of, hub_of, while_connected
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.lessons import check_answer, lesson_step
from gridwise.web.pages.puzzle_page import PuzzleCache
from gridwise.web.pages.templating import html_from, page, picture

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=0, le=10_000)]
Seed = Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,20}$")]

# Rules and lessons


@router.get("/rules/{key}")
async def rules(key: Key, request: Request) -> Response:
    """The rules of a game."""
    game = game_named(key)
    return page(request, "rules.html", game=game, text=_rules_text(game))


def _rules_text(game: Game) -> str:
    """The rules page as HTML, with a picture above it."""
    heading, end, rest = html_from(rules_page(game)).partition("</h1>")
    return f'{heading}{end}<div class="picture">{picture(game)}</div>{rest}'


@router.get("/learn")
async def learn(request: Request) -> Response:
    """The guided first games."""
    return page(request, "learn.html")


@router.get("/learn/{key}")
async def lesson_start(key: Key, request: Request) -> Response:
    """The first step of a guided game."""
    return await lesson(key, 1, request)


@router.api_route("/learn/{key}/{step}", methods=["GET", "POST"])
async def lesson(key: Key, step: Number, request: Request) -> Response:
    """A step of a guided game; after a move, the next step, or what is wrong with the move."""
    game, wrong = game_named(key), ""
    if request.method == "POST":
        wrong = check_answer(game, step, (await form_of(request, 5)).get("move", "")[:40])
        if not wrong:
            return RedirectResponse(f"/learn/{game.key}/{step + 1}", 303)
    return page(request, "lesson.html", game=game, wrong=wrong, **lesson_step(game, step))


# Puzzles


@router.get("/puzzles")
async def puzzles(request: Request) -> Response:
    """Puzzles by game and difficulty."""
    return page(request, "puzzles.html", levels=list(LENGTHS))


@router.get("/puzzles/today")
async def today() -> Response:
    """The puzzle of the day: the same for everybody."""
    return RedirectResponse(_url(_daily()), 303)


def _daily() -> PuzzleAddress:
    return puzzle_of_the_day(dt.datetime.now(dt.UTC).date())


def _url(address: PuzzleAddress) -> str:
    return f"/puzzles/{address.game}/{address.difficulty}/{address.seed}"


@router.get("/puzzles/{key}/{difficulty}")
async def random_puzzle(key: Key, difficulty: Number) -> Response:
    """Any puzzle of a difficulty."""
    address = PuzzleAddress(game_named(key).key, difficulty, str(secrets.randbelow(10**6)))
    return RedirectResponse(_url(address), 303)


@router.api_route("/puzzles/{key}/{difficulty}/{seed}", methods=["GET", "POST"])
async def puzzle(key: Key, difficulty: Number, seed: Seed, request: Request) -> Response:
    """One puzzle, the same at every visit; after an attempt, whether it is right, and why."""
    game, form = game_named(key), await form_of(request, 5)
    if difficulty not in LENGTHS:
        raise NotFound(f"There is no difficulty {difficulty}. Choose 1 to {HARDEST}.")
    spend(request, "thinking")
    address = PuzzleAddress(game.key, difficulty, seed)
    following = f"/{int(seed) + 1}" if seed.isdigit() else ""  # after one of the day, any
    move, show_answer = form.get("move", "")[:40], "show" in form
    making = _puzzles(request).page(address, move, show_answer=show_answer)
    shown = await while_connected(request, making)
    return page(
        request,
        "puzzle.html",
        game=game,
        address=_url(address),
        asked=difficulty,
        hardest=HARDEST,
        next=f"/puzzles/{game.key}/{difficulty}{following}",
        today=address == _daily(),
        **shown,
    )


def _puzzles(request: Request) -> PuzzleCache:
    """The puzzles of the app."""
    state = request.app.state
    if not hasattr(state, "puzzles"):
        state.puzzles = PuzzleCache(hub_of(request).workers)
    puzzles: PuzzleCache = state.puzzles
    return puzzles
