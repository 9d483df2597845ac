"""Puzzles on pages: the whole line is played, and every move is checked here.

    /puzzles                      all of them, by game and level; the puzzles of earlier days
    /puzzles/today                the puzzle of the day: /puzzles/day/2026-11-16
    /puzzles/number-run/near      one near a rating: ?rating=1132, but none of &done=3.17 2.4
    /puzzles/number-run/3         any of a level
    /puzzles/number-run/3/17      one of them; ?line=… the moves found so far, ?move=… one more,
                                  ?hints=2 the second hint, ?answer=3 the solution's third move
    /puzzles/number-run/3/17/move, /solution     the same for the script, as JSON

Nothing is stored between two requests: the moves so far are in the address. The books say what
every move is worth (`engine.puzzles`), so nobody waits for a search. The browser keeps progress
and rating.
A number too high, or a difficulty that the game does not have, leads to a puzzle that is there.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import fastapi
from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, Field

from gridwise.core.game import Game
from gridwise.core.narration import Names
from gridwise.core.position import Position, log_lines
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.puzzles import (
    HARDEST,
    START_RATING,
    Puzzle,
    PuzzleAddress,
    PuzzleLine,
    archive,
    level_line,
    levels,
    nearest_level,
    puzzle_at,
    puzzle_count,
    puzzle_day,
    puzzle_near,
    puzzle_of_the_day,
    start_line,
)
from gridwise.errors import MoveError
from gridwise.web.errors import NotFound
from gridwise.web.pages.positions import choices, frames, picture, playable
from gridwise.web.pages.templating import Key, page

MOST_MOVES = 60  # in an address

router = APIRouter(include_in_schema=False)

Level = Annotated[int, Path(ge=0, le=10_000)]


class Query(BaseModel):
    """What an address asks for behind its question mark."""

    line: Annotated[str, Field(max_length=600)] = ""
    move: Annotated[str, Field(max_length=40)] = ""
    hints: Annotated[int, Field(ge=0, le=1_000)] = 0
    missed: Annotated[int, Field(ge=0, le=1_000)] = 0
    answer: Annotated[int | None, Field(ge=0, le=1_000)] = None


Asked = Annotated[Query, fastapi.Query()]


def known_address(
    key: Key, difficulty: Level, number: Annotated[int, Path(ge=0, le=10**9)]
) -> PuzzleAddress:
    """The puzzle that an address stands for: its own, or one that is there."""
    game = game_named(key)
    if not levels(game):
        raise NotFound(f"There are no puzzles for {game.title}.")
    if not 1 <= difficulty <= HARDEST:
        known = ", ".join(map(str, levels(game)))
        raise NotFound(f"{game.title} has no puzzles of difficulty {difficulty}. It has {known}.")
    level = nearest_level(game, difficulty)
    return PuzzleAddress(game.key, level, 1 + (number - 1) % puzzle_count(game, level))


Address = Annotated[PuzzleAddress, Depends(known_address)]


@router.get("/puzzles")
async def puzzles(request: Request) -> Response:
    """Puzzles by game and difficulty, and today's."""
    return page(
        request,
        "puzzles.html",
        books=[
            (game, [(level, puzzle_count(game, level)) for level in levels(game)])
            for game in games()
            if levels(game)
        ],
        levels=[(level, level_line(level)) for level in range(1, HARDEST + 1)],
        daily=daily_puzzle(),
        archive=[(day, _of_day(day)) for day in archive(puzzle_day())],
    )


def _of_day(day: dt.date) -> tuple[Game, int]:
    """The game of a day's puzzle, and its level."""
    address = puzzle_of_the_day(day)
    return game_named(address.game), address.difficulty


@router.get("/puzzles/today")
async def today() -> Response:
    """The puzzle of the day: the same for everybody."""
    return RedirectResponse(f"/puzzles/day/{puzzle_day()}", 303)


@router.get("/puzzles/day/{day}")
async def day_puzzle(day: dt.date, request: Request, asked: Asked) -> Response:
    """The puzzle of a day, which is past or today."""
    if day > puzzle_day():
        raise NotFound("That puzzle is not out yet: there is a new one every day at 00:00 UTC.")
    return _page(request, puzzle_of_the_day(day), asked, day)


def daily_puzzle() -> dict[str, Any]:
    """What `_daily_puzzle.html` shows: today's puzzle, at its beginning."""
    day = puzzle_day()
    return puzzle_state(puzzle_of_the_day(day), Query(), day)


@router.get("/puzzles/{key}/near")
async def near_puzzle(
    key: Key,
    rating: Annotated[int, fastapi.Query(ge=-10_000, le=10_000)] = START_RATING,
    done: Annotated[str, fastapi.Query(max_length=4_000)] = "",
) -> Response:
    """A puzzle near a rating, but none of those that are done."""
    game = game_named(key)
    if not levels(game):
        raise NotFound(f"There are no puzzles for {game.title}.")
    had = {f"{game.key}/{each.replace('.', '/')}" for each in done.split()}
    return RedirectResponse(_url(puzzle_near(game, rating, had, secrets.token_hex(4))), 303)


@router.get("/puzzles/{key}/{difficulty}")
async def random_puzzle(key: Key, difficulty: Level, request: Request) -> Response:
    """Any puzzle of a difficulty, but not the one whose page the link is on."""
    known = known_address(key, difficulty, 1)
    numbers = range(1, puzzle_count(game_named(known.game), known.difficulty) + 1)
    came_from = re.search(
        rf"{re.escape(_url(known)[:-1])}(\d{{1,6}})", request.headers.get("referer", "")
    )
    others = [each for each in numbers if not came_from or each != int(came_from[1])]
    return RedirectResponse(_url(known._replace(number=secrets.choice(others or numbers))), 303)


@router.get("/puzzles/{key}/{difficulty}/{number}")  # noqa: FAST003 - known_address has them
async def puzzle(request: Request, address: Address, asked: Asked) -> Response:
    """One puzzle, the same at every visit; after a move, whether it is right, and why."""
    if request.url.path != _url(address):
        return RedirectResponse(_url(address), 303)
    return _page(request, address, asked)


@router.get("/puzzles/{key}/{difficulty}/{number}/move")  # noqa: FAST003 - known_address has them
async def puzzle_move(address: Address, asked: Asked) -> Response:
    """What comes of a move, as JSON: the moves that are to be shown, and where it stands then."""
    tried = attempt(puzzle_at(address), asked)
    return JSONResponse(_progress(tried) | {"frames": _frames(tried.seen, tried.line.names)})


@router.get("/puzzles/{key}/{difficulty}/{number}/solution")  # noqa: FAST003 - known_address has them
async def puzzle_solution(address: Address) -> Response:
    """The solution, move by move, as JSON."""
    return JSONResponse(_solution(puzzle_at(address)))


def _page(
    request: Request, address: PuzzleAddress, asked: Query, day: dt.date | None = None
) -> Response:
    state = puzzle_state(address, asked, day)
    return page(request, "puzzle.html", game=game_named(address.game), puzzle=state)


def _url(address: PuzzleAddress) -> str:
    return f"/puzzles/{address.game}/{address.difficulty}/{address.number}"


# Where a puzzle stands


class Attempt(NamedTuple):
    """What came of a request: where the puzzle stands then, and what has happened on the way."""

    line: PuzzleLine
    seen: tuple[Position, ...]  # to be shown one after the other, from where it stood
    verdict: str = ""  # "right", "wrong", "again" (it wins, but goes back), "illegal", "hint"
    text: str = ""


def attempt(puzzle: Puzzle, asked: Query) -> Attempt:
    """Try a move, or ask for a hint: the first, the second, and so on.

    Before it come the solver's moves so far, as far as they are right, with the answers to them.
    """
    line, move = start_line(puzzle), asked.move.strip()
    for played in asked.line.split()[:MOST_MOVES]:
        tried = _try(line, played)
        if tried.verdict != "right":
            break
        line = tried.line
    if not line.is_open or not (move or asked.hints):
        return Attempt(line, (line.position,))
    if move:
        return _try(line, move)
    hinted, text = line, ""
    for _ in range(min(asked.hints, len(line.position.legal) + 1)):
        hinted, text = hinted.hinted()
    return Attempt(line, (line.position,), "hint", text)


def _try(line: PuzzleLine, move: str) -> Attempt:
    still = (line.position,)
    try:
        action = line.position.read(move)
    except MoveError as error:
        return Attempt(line, still, "illegal", str(error))
    if line.is_right(action):
        after = line.after(action).after_answers()
        seen = after.positions[len(line.positions) - 1 :]
        text = after.position.result_line(line.names) if after.is_solved else "Right! And now?"
        return Attempt(after, seen, "right", text)
    refuted, why = line.why_not(action)
    if refuted.clean:
        return Attempt(line, still, "again", why)
    return Attempt(line, (*still, *line.refutation(action)), "wrong", f"{why} Try again.")


# What there is to see


def puzzle_state(address: PuzzleAddress, asked: Query, day: dt.date | None) -> dict[str, Any]:
    """What `_puzzle.html` shows."""
    game, level, puzzle = game_named(address.game), address.difficulty, puzzle_at(address)
    tried = attempt(puzzle, asked)
    line, count = tried.line, puzzle_count(game, level)
    any_puzzle = f"/puzzles/{game.key}/"
    following = _url(address._replace(number=1 + address.number % count))
    harder = next((str(each) for each in levels(game) if each > level), "")
    missed = asked.missed + (tried.verdict in ("wrong", "hint"))
    state = _progress(tried) | {
        **address._asdict(),
        "address": _url(address),
        "page": f"/puzzles/day/{day}" if day else _url(address),
        "day": day,
        "today": day == puzzle_day(),
        "before": day and day > dt.date.min and day - dt.timedelta(days=1),
        "after": day and day < puzzle_day() and day + dt.timedelta(days=1),
        "rating": puzzle.rating,
        "about": level_line(level),
        "level_page": f"{any_puzzle}{level}",
        "title": game.title,
        "hardest": HARDEST,
        "count": count,
        "next": f"{any_puzzle}{level}" if day else following,
        "harder": harder and f"{any_puzzle}{harder}",
        "you": line.solver,
        "hints": asked.hints if tried.verdict == "hint" else 0,
        "missed": missed,
        "log": [f"{text}." for text in log_lines(line.positions, line.names)],
        "steps": [],
        "at": 0,
    }
    if line.is_solved:
        first = "Solved!" if missed else "Solved on the first try!"
        state["text"] = f"{first} {tried.text}".strip()
    return state if asked.answer is None else state | _answer(puzzle, asked.answer)


def _progress(tried: Attempt) -> dict[str, Any]:
    """What came of a request, and the board to play on."""
    line, shown = tried.line, playable(tried.line.position)
    return shown | {
        "verdict": tried.verdict,
        "text": tried.text or "Find the move that wins.",
        "line": " ".join(
            before.name(after.history[-1])
            for before, after in pairwise(line.positions)
            if before.turn == line.solver
        ),
        "solved": line.is_solved,
        "sides": _sides(line.position),
        "moves": choices(shown),
    }


def _sides(position: Position) -> list[dict[str, Any]]:
    """What each player has and is after; Player 1 first."""
    scores = position.scores or ("", "")
    return [
        {"score": scores[player - 1], "objective": position.objective(player).text}
        for player in (1, 2)
    ]


def _frames(positions: Sequence[Position], names: Names) -> list[dict[str, Any]]:
    played = zip(frames(positions, names), positions[1:], strict=True)
    return [frame | {"sides": _sides(after)} for frame, after in played]


def _solution(puzzle: Puzzle) -> dict[str, Any]:
    """The whole solution: where it begins, its moves, and how it ends."""
    line = start_line(puzzle)
    moves, names = line.solution(), line.names
    played = _frames([line.position, *(move.after for move in moves)], names)
    return {
        "svg": picture(line.position.view),
        "sides": _sides(line.position),
        "frames": [frame | {"why": move.why} for frame, move in zip(played, moves, strict=True)],
        "text": moves[-1].after.result_line(names),
    }


def _answer(puzzle: Puzzle, number: int) -> dict[str, Any]:
    """The solution in place of a move to find, up to one of its moves."""
    solution = _solution(puzzle)
    played = solution["frames"]
    number = min(number, len(played))
    shown = [solution | {"why": "Here is the solution, move by move."}, *played][number]
    return {
        "steps": [frame["news"] for frame in played],
        "at": number,
        "svg": shown["svg"],
        "sides": shown["sides"],
        "questions": [],
        "moves": [],
        "verdict": "shown",
        "text": shown["why"],
    }
