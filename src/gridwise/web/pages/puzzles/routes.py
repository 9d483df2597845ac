"""The addresses of puzzles, and what their pages show.

    /puzzles                      all of them, by game and by how many moves there are to find
    /puzzles/today                the puzzle of the day: /puzzles/day/2026-11-16
    /puzzles/number-run/3         any of a difficulty
    /puzzles/number-run/3/17      one of them; ?line=… the moves found so far, ?move=… one more,
                                  ?hints=2 the second hint, ?answer=3 the solution's third move
    /puzzles/number-run/3/17/move, /solution     the same for the script, as JSON

An address that is no longer right (a number too high, a difficulty that the game does not have, an
older kind of seed) leads to a puzzle that is there.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
import zlib
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleAddress,
    levels,
    nearest_level,
    puzzle_at,
    puzzle_count,
    puzzle_day,
    puzzle_of_the_day,
)
from gridwise.web.errors import NotFound
from gridwise.web.game import questions
from gridwise.web.pages.puzzles.states import (
    Attempt,
    attempt,
    attempt_json,
    choices,
    picture,
    played_line,
    played_lines,
    sides,
    solution_json,
    solution_lines,
    solver_moves,
)
from gridwise.web.pages.templating import page

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=64)]
Level = Annotated[int, Path(ge=0, le=10_000)]
Seed = Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,20}$")]
Day = Annotated[str, Path(pattern=r"^\d{4}-\d\d-\d\d$")]
Line = Annotated[str, Query(max_length=600)]
Move = Annotated[str, Query(max_length=40)]
Count = Annotated[int, Query(ge=0, le=1_000)]


@router.get("/puzzles")
async def puzzles(request: Request) -> Response:
    """Puzzles by game and difficulty, and today's."""
    return page(
        request,
        "puzzles.html",
        books=[(game, _offered(game)) for game in games() if levels(game)],
        daily=await daily_puzzle(request),
    )


def _offered(game: Game) -> list[tuple[int, int]]:
    return [(level, puzzle_count(game, level)) for level in levels(game)]


# The puzzle of the day


@router.get("/puzzles/today")
async def today() -> Response:
    """The puzzle of the day: the same for everybody."""
    return RedirectResponse(_day_url(puzzle_day()), 303)


@router.get("/puzzles/day/{day}")
async def day_puzzle(
    day: Day,
    request: Request,
    line: Line = "",
    move: Move = "",
    hints: Count = 0,
    missed: Count = 0,
    answer: Count | None = None,
) -> Response:
    """The puzzle of a day, which is past or today."""
    try:
        date = dt.date.fromisoformat(day)
    except ValueError:
        raise NotFound(f"There is no day {day}.") from None
    if date > puzzle_day():
        raise NotFound("That puzzle is not out yet: there is a new one every day at 00:00 UTC.")
    address = puzzle_of_the_day(date)
    state = puzzle_state(address, line, move, hints, missed, answer, day=date)
    return page(request, "puzzle.html", game=game_named(address.game), puzzle=state)


async def daily_puzzle(_request: Request) -> dict[str, Any]:
    """What `_daily_puzzle.html` shows: today's puzzle, at its beginning."""
    day = puzzle_day()
    return puzzle_state(puzzle_of_the_day(day), day=day)


def _day_url(day: dt.date) -> str:
    return f"/puzzles/day/{day.isoformat()}"


# One puzzle


@router.get("/puzzles/{key}/{difficulty}")
async def random_puzzle(key: Key, difficulty: Level, request: Request) -> Response:
    """Any puzzle of a difficulty, but not the one whose page the link is on."""
    known = _known(key, difficulty)
    numbers = range(1, puzzle_count(game_named(known.game), known.difficulty) + 1)
    came_from = re.search(
        rf"{re.escape(_url(known)[:-1])}(\d{{1,6}})", request.headers.get("referer", "")
    )
    others = [each for each in numbers if not came_from or each != int(came_from[1])]
    return RedirectResponse(_url(known._replace(number=secrets.choice(others or numbers))), 303)


@router.get("/puzzles/{key}/{difficulty}/{seed}")
async def puzzle(
    key: Key,
    difficulty: Level,
    seed: Seed,
    request: Request,
    line: Line = "",
    move: Move = "",
    hints: Count = 0,
    missed: Count = 0,
    answer: Count | None = None,
) -> Response:
    """One puzzle, the same at every visit; after a move, whether it is right, and why."""
    address = _known(key, difficulty, seed)
    if (difficulty, seed) != (address.difficulty, str(address.number)):
        return RedirectResponse(_url(address), 303)
    state = puzzle_state(address, line, move, hints, missed, answer)
    return page(request, "puzzle.html", game=game_named(address.game), puzzle=state)


@router.get("/puzzles/{key}/{difficulty}/{seed}/move")
async def puzzle_move(
    key: Key, difficulty: Level, seed: Seed, line: Line = "", move: Move = "", hints: Count = 0
) -> Response:
    """What comes of a move, as JSON."""
    found = puzzle_at(_known(key, difficulty, seed))
    return JSONResponse(attempt_json(attempt(played_line(found, line), move, hints)))


@router.get("/puzzles/{key}/{difficulty}/{seed}/solution")
async def puzzle_solution(key: Key, difficulty: Level, seed: Seed) -> Response:
    """The solution, move by move, as JSON."""
    return JSONResponse(solution_json(puzzle_at(_known(key, difficulty, seed))))


def _known(key: str, difficulty: int, seed: str = "1") -> PuzzleAddress:
    """The puzzle that an address stands for: its own, or one that is there."""
    game = game_named(key)
    if not levels(game):
        raise NotFound(f"There are no puzzles for {game.title}.")
    if not 1 <= difficulty <= HARDEST:
        known = ", ".join(map(str, levels(game)))
        raise NotFound(f"{game.title} has no puzzles of difficulty {difficulty}. It has {known}.")
    level = nearest_level(game, difficulty)
    number = int(seed) if seed.isascii() and seed.isdigit() else zlib.crc32(seed.encode())
    return PuzzleAddress(game.key, level, 1 + (number - 1) % puzzle_count(game, level))


def _url(address: PuzzleAddress) -> str:
    return f"/puzzles/{address.game}/{address.difficulty}/{address.number}"


# What a page shows


def puzzle_state(
    address: PuzzleAddress,
    moves: str = "",
    move: str = "",
    hints: int = 0,
    missed: int = 0,
    answer: int | None = None,
    day: dt.date | None = None,
) -> dict[str, Any]:
    """What `_puzzle.html` shows."""
    found = puzzle_at(address)
    tried = attempt(played_line(found, moves), move.strip(), hints)
    line, url = tried.line, _day_url(day) if day else _url(address)
    position, solver = line.position, line.solver
    missed += tried.verdict in ("wrong", "hint")
    state = {
        "address": _url(address),
        "page": url,
        "day": day.isoformat() if day else "",
        "date": f"{day.day} {day:%B %Y}" if day else "",
        "today": day == puzzle_day(),
        "key": address.game,
        "title": game_named(address.game).title,
        "difficulty": address.difficulty,
        "hardest": HARDEST,
        "number": address.number,
        "count": puzzle_count(game_named(address.game), address.difficulty),
        "next": _next_url(address, day),
        "harder": _harder_url(address),
        "you": solver,
        "sides": sides(position),
        "line": solver_moves(line),
        "hints": hints if tried.verdict == "hint" else 0,
        "missed": missed,
        "solved": line.is_solved,
        "verdict": tried.verdict,
        "text": _text(tried, missed),
        "log": played_lines(line),
        "steps": [],
        "at": 0,
        "svg": picture(position),
        "questions": questions(position),
        "moves": choices(position),
    }
    return state if answer is None else state | _answer(found, answer)


def _text(tried: Attempt, missed: int) -> str:
    if not tried.line.is_solved:
        return tried.text or "Find the move that wins."
    first = "Solved!" if missed else "Solved on the first try!"
    return f"{first} {tried.text}".strip()


def _answer(puzzle: Puzzle, number: int) -> dict[str, Any]:
    """The solution in place of a move to find, up to one of its moves."""
    moves, texts = solution_lines(puzzle)
    number = min(number, len(moves))
    shown = moves[number - 1].after if number else puzzle.position
    return {
        "steps": texts,
        "at": number,
        "svg": picture(shown),
        "sides": sides(shown),
        "questions": [],
        "moves": [],
        "verdict": "shown",
        "text": moves[number - 1].why if number else "Here is the solution, move by move.",
    }


def _next_url(address: PuzzleAddress, day: dt.date | None) -> str:
    """The one after it; after one of the day, any."""
    if day:
        return f"/puzzles/{address.game}/{address.difficulty}"
    count = puzzle_count(game_named(address.game), address.difficulty)
    return _url(address._replace(number=1 + address.number % count))


def _harder_url(address: PuzzleAddress) -> str:
    harder = [level for level in levels(game_named(address.game)) if level > address.difficulty]
    return f"/puzzles/{address.game}/{harder[0]}" if harder else ""
