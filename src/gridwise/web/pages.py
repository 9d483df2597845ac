"""The pages: what people see.

Each is made on the server and works without scripts, as far as that can be; scripts make it quicker.
Whoever asks for a page gets a page, also when something is wrong; programs ask under `/api`.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from markdown_it import MarkdownIt
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.bots import ABOUT
from gridwise.engine.puzzles import HARDEST, LENGTHS
from gridwise.errors import GridwiseError, UnknownGame
from gridwise.play.match import Match
from gridwise.show.svg import PAGE, svg
from gridwise.web.answers import validation_message
from gridwise.web.api import GameId
from gridwise.web.deps import Badge, hall_of, player_of
from gridwise.web.hall import title_of
from gridwise.web.lookback import how_it_ended, position_at, review_for_page, tried_at
from gridwise.web.messages import NewGame, TakeSeat
from gridwise.web.paper import page, static_file
from gridwise.web.refusals import Conflict, NotFound, Refused, kind_and_status
from gridwise.web.store import Listed
from gridwise.web.table import Table
from gridwise.web.teaching import (
    lesson_answer,
    lesson_step,
    puzzle_of_the_day,
    puzzle_page,
)

MOST_SHOWN = 8  # games in a list of the start page

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=0, le=10_000)]
Seed = Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,20}$")]


def install(app: FastAPI) -> None:
    """Add the pages to the app, and errors in words for whoever asked for a page."""
    app.include_router(router)
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    for kind in (GridwiseError, RequestValidationError, HTTPException):
        _in_words(app, kind)


# The start, and a new game


@router.get("/")
async def start(request: Request) -> Response:
    """Five games to choose from, and what others are playing."""
    hall = hall_of(request)
    return page(
        request,
        "start.html",
        cards=cards(),
        open_games=_shown(await hall.listed("open")),
        live_games=_shown(await hall.listed("playing")),
        recent_games=_shown(await hall.listed("recent")),
    )


@cache
def cards() -> list[dict[str, str]]:
    """The games, each with its picture."""
    return [
        {
            "key": game.key,
            "title": game.title,
            "summary": game.words.SUMMARY,
            "svg": svg(example(game).view, PAGE, labelled=False),
        }
        for game in games()
    ]


def example(game: Game) -> Match:
    """The game as it is pictured."""
    match = Match(game, game.example_deal or game.example_board, first=1)
    for move in game.example_moves.split():
        match.move(move)
    return match


def _shown(listed: list[Listed]) -> list[dict[str, str]]:
    return [
        {
            "id": each.deal.id,
            "title": title_of(each),
            "who": _who(each),
            "how": _how(each.result, each.reason),
        }
        for each in listed[:MOST_SHOWN]
    ]


def _who(listed: Listed) -> str:
    names = [
        seat.name or (f"Bot ({seat.level})" if seat.level else f"Player {seat.number}")
        for seat in listed.seats
        if seat.kind != "open"
    ]
    return " against ".join(names)


def _how(result: str | None, reason: str | None) -> str:
    winner = {"p1": "Player 1 won", "p2": "Player 2 won", "draw": "a draw"}.get(result or "")
    return f"{winner or 'stopped'}, {reason}" if reason else winner or "stopped"


FORM = {
    "opponent": "link",
    "level": "casual",
    "side": "1",
    "deal": "fair",
    "board": "",
    "seed": "",
    "first": "",
    "name": "",
    "listed": "",
    "handicap": "",
}


@router.get("/new/{key}")
async def new(key: Key, request: Request) -> Response:
    """How somebody would like to play."""
    game = game_of(key)
    asked = {name: request.query_params.get(name, usual)[:300] for name, usual in FORM.items()}
    return _new_page(request, game, asked)


@router.post("/new/{key}")
async def create(key: Key, request: Request) -> Response:
    """Start the game, and go to it."""
    game = game_of(key)
    async with request.form(max_files=0, max_fields=40) as sent:
        form = {name: str(sent.get(name, "")) for name in FORM}
    badge = Badge(request)
    try:
        table = await hall_of(request).create(_wish(game, form), badge.token)
    except GridwiseError as error:
        return _new_page(request, game, form, str(error), kind_and_status(error)[1])
    response = RedirectResponse(f"/g/{table.id}", 303)
    badge.pin(response)
    return response


def _wish(game: Game, form: Mapping[str, str]) -> NewGame:
    own = form["deal"] == "own"
    told: dict[str, Any] = {
        "game": game.key,
        "opponent": form["opponent"] or "link",
        "level": form["level"] or "casual",
        "side": int(form["side"]) if form["side"] in ("1", "2") else form["side"] or 1,
        "deal": form["deal"] or None,
        "board": form["board"] if own else None,
        "seed": None,
        "first": int(form["first"]) if form["first"] in ("1", "2") else None,
        "name": form["name"],
        "listed": bool(form["listed"]),
        "handicap": bool(form["handicap"]),
    }
    if own and not form["board"].strip():
        raise Refused(f"Write your board, such as {game.example_board}, or let one be dealt.")
    if form["seed"].strip():
        if not form["seed"].strip().isascii() or not form["seed"].strip().isdigit():
            raise Refused("A seed is a whole number, such as 7.")
        told["seed"] = int(form["seed"])
    try:
        return NewGame.model_validate(told)
    except ValidationError as error:
        raise Refused(validation_message(error.errors())) from None


def _new_page(
    request: Request, game: Game, form: Mapping[str, str], error: str = "", status: int = 200
) -> Response:
    usual = ("deal", "board", "seed", "first", "handicap")
    opened = any(form[name] not in ("", FORM[name]) for name in usual)
    return page(
        request,
        "new.html",
        status,
        game=game,
        form={**form, "open": opened},
        levels=ABOUT,
        error=error,
        picture=svg(example(game).view, PAGE),
    )


# A game


@router.get("/g/{game_id}")
async def game_page(game_id: GameId, request: Request) -> Response:
    """A game, live or over."""
    table = await hall_of(request).table(game_id)
    return _game_page(request, table)


@router.post("/g/{game_id}")
async def act(game_id: GameId, request: Request) -> Response:
    """Take the free seat; and, for browsers without scripts, move and resign."""
    table = await hall_of(request).table(game_id)
    async with request.form(max_files=0, max_fields=10) as sent:
        form = {name: str(value) for name, value in sent.items()}
    badge = Badge(request)
    try:
        await _acted(table, badge.token, form)
    except GridwiseError as error:
        return _game_page(request, table, str(error), kind_and_status(error)[1])
    response = RedirectResponse(f"/g/{table.id}", 303)
    if form.get("wish") == "join":
        badge.pin(response)
    return response


async def _acted(table: Table, token: str, form: Mapping[str, str]) -> None:
    wish, version = form.get("wish"), form.get("version", "")
    if wish == "join":
        try:
            name = TakeSeat.model_validate({"name": form.get("name", "")}).name
        except ValidationError as error:
            raise Refused(validation_message(error.errors())) from None
        await table.take_seat(token, name)
        return
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise Refused("The form has no version of the game. Load the page again.")
    if wish == "move":
        await table.move(token, form.get("move", "")[:40], int(version), None)
    elif wish == "resign":
        await table.wish("resign", token, int(version), None)
    else:
        raise Refused("One can join, move or resign.")


def _game_page(request: Request, table: Table, error: str = "", status: int = 200) -> Response:
    state = table.state_for(player_of(request))
    game = game_of(state["game"])
    mine = state["status"] == "playing" and state["turn"] in state["you"]
    return page(
        request,
        "game.html",
        status,
        state=state,
        slim={name: value for name, value in state.items() if name not in ("svg", "cells")},
        mine=mine,
        headline=_headline(state),
        error=error,
        cyclic=game.cyclic,
        example=game.example_moves.split(" ", maxsplit=1)[0],
        address=str(request.base_url) + f"g/{table.id}",
        refresh=not mine and state["status"] != "over",
        lines=_lines(state),
    )


def _headline(state: Mapping[str, Any]) -> str:
    """Where things stand, at first sight; the page's script then keeps it up to date."""
    if state["status"] == "waiting":
        return "Waiting for an opponent."
    if state["status"] == "playing":
        mine = state["turn"] in state["you"] and len(state["you"]) == 1
        return "Your turn." if mine else f"Player {state['turn']}'s turn."
    won = {"p1": "Player 1 wins!", "p2": "Player 2 wins!", "draw": "A draw."}
    return won.get(state["result"], "The game was stopped.")


def _lines(state: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The moves two by two, the one who began on the left; after a pass a place stays empty."""
    lines: list[list[str]] = []
    left = True
    for move in state["moves"]:
        on_left = move["player"] == state["first"]
        if on_left or not left or not lines:
            lines.append(["", ""])
        lines[-1][0 if on_left else 1] = move["move"] + (" (hint)" if move["hinted"] else "")
        left = on_left
    return [(one, two) for one, two in lines]


# Looking back


@router.get("/g/{game_id}/back")
async def back(
    game_id: GameId, request: Request, at: Annotated[int | None, Query(ge=0, le=10_000)] = None
) -> Response:
    """A game to step through."""
    table = await hall_of(request).table(game_id)
    record = await table.record()
    state = table.state_for(None)
    over = table.told.over
    last = len(record.moves)
    position = position_at(record, last if at is None else min(at, last), over=over)
    return page(
        request,
        "back.html",
        title=record.game.title,
        who=" against ".join(
            player["name"]
            or (f"Bot ({player['level']})" if player["level"] else f"Player {number}")
            for number, player in enumerate(state["players"], 1)
        ),
        how=how_it_ended(record) if over else "The game still goes on.",
        over=over,
        position=position,
        movers=[move["player"] for move in state["moves"]],
        played={
            "id": table.id,
            "game": record.game.key,
            "moves": list(record.moves),
            "at": position["at"],
            "questions": position["questions"],
            "legal": len(position["legal"]),
            "review": over and bool(record.moves),
        },
    )


@router.get("/g/{game_id}/at/{number}")
async def at_move(
    game_id: GameId,
    number: Number,
    request: Request,
    tried: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """A position of a game, or one that other moves lead to, for the page's script."""
    hall = hall_of(request)
    table = await hall.table(game_id)
    record = await table.record()
    if not tried:
        return JSONResponse(position_at(record, number, over=table.told.over))
    if not table.told.over:
        raise Conflict("The game still goes on; other moves can be tried when it is over.")
    return JSONResponse(await hall.engine.ask(tried_at, record, number, tried.split()))


@router.get("/g/{game_id}/review")
async def review(game_id: GameId, request: Request) -> Response:
    """What the engine says of a finished game, or how far it has come."""
    hall = hall_of(request)
    table = await hall.table(game_id)
    if not table.told.over:
        raise Conflict("The game still goes on; it can be looked back at when it is over.")
    return JSONResponse(await review_for_page(hall, table))


# Learning


@router.get("/rules/{key}")
async def rules(key: Key, request: Request) -> Response:
    """The rules of a game."""
    game = game_of(key)
    return page(request, "rules.html", game=game, text=_rules_text(game))


def _rules_text(game: Game) -> str:
    """The rules page as HTML, with the board drawn into it. Nothing in the text becomes a tag."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    board = game.parse_board(game.example_board)
    view = game.view(board, game.rules.start(board, 1))
    picture = f'<div class="picture">{svg(view, PAGE)}</div>'
    text = str(markdown.render(game.page())).replace("<p>{board}</p>", picture)
    # What can be scrolled must be reachable with the keyboard.
    return text.replace("<pre>", '<pre tabindex="0">')


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


@router.get("/puzzles")
async def puzzles(request: Request) -> Response:
    """Puzzles by game and difficulty."""
    return page(request, "puzzles.html", cards=cards(), levels=list(LENGTHS))


@router.get("/puzzles/today")
async def today(request: Request) -> Response:  # noqa: ARG001 - all pages are asked alike
    """The puzzle of the day: the same for everybody."""
    daily = puzzle_of_the_day(dt.datetime.now(dt.UTC).date())
    return RedirectResponse(f"/puzzles/{daily.game}/{daily.difficulty}/{daily.seed}", 303)


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
        today=seed == dt.datetime.now(dt.UTC).date().isoformat(),
        **told,
    )


# Files and errors


@router.get("/static/{version}/{name}")
async def file(version: str, name: str) -> Response:
    """A file that goes with the pages."""
    return static_file(version, name)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Browsers ask for it whatever the page says."""
    return static_file("", "icon.svg")


TITLES = {
    400: "That cannot be done",
    403: "Not yours to do",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "Not now",
    413: "That is too much",
    429: "A little slower, please",
    503: "Out of order for a moment",
}


def _in_words(app: FastAPI, kind: type[Exception]) -> None:
    """Errors as pages, but for programs as before."""
    for_programs: Any = app.exception_handlers[kind]

    async def handle(request: Request, error: Exception) -> Response:
        wants_page = "text/html" in request.headers.get("accept", "")
        if request.url.path.startswith("/api") or not wants_page:
            answer: Response = await for_programs(request, error)
            return answer
        status, message = _told(error)
        return page(
            request,
            "error.html",
            status,
            title=TITLES.get(status, "Something went wrong"),
            message=message,
            back="",
        )

    app.add_exception_handler(kind, handle)


def _told(error: Exception) -> tuple[int, str]:
    if isinstance(error, UnknownGame):
        return 404, str(error)
    if isinstance(error, GridwiseError):
        return kind_and_status(error)[1], str(error)
    if isinstance(error, RequestValidationError):
        return 404, "This address is not one of ours. It may have been cut short."
    status = error.status_code if isinstance(error, HTTPException) else 400
    if status == 404:
        return 404, "This address is not one of ours. It may have been cut short."
    return status, "This address does not take that kind of request."
