"""Looking back at a game: step through it, read the engine's story of it, and play on differently.

Every step is an address of its own (`/g/ID/back?at=6`), so without scripts it is plain links.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from gridwise.core.narration import Names, capitalized
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.explain import Explanation
from gridwise.engine.review import (
    MARKS,
    Review,
    in_words,
    move_label,
    outline,
    verdict,
    worth_text,
)
from gridwise.errors import GridwiseError
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.play.records import Record, recorded_positions
from gridwise.show.review_curve import curve_svg
from gridwise.web.errors import Conflict
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.move_effects import move_event
from gridwise.web.game.snapshot import Snapshot
from gridwise.web.game.viewer import names_for
from gridwise.web.http.api import GameId
from gridwise.web.http.dependencies import hub_of, token_of, while_connected
from gridwise.web.http.rate_limit import spend, spend_on_review
from gridwise.web.pages.positions import (
    frames,
    line_shown,
    move_rows,
    playable,
    scores_text,
    values_shown,
)
from gridwise.web.pages.templating import page
from gridwise.web.workers.questions import (
    best_line_from,
    positions_around,
    tried_moves,
    valued_position,
)

REVIEW_SECONDS = 1.0  # to wait for a review before the page asks again, 0.7 s later
PLAIN_REVIEW_SECONDS = 20.0  # the same for a page without scripts, which asks only once

router = APIRouter(include_in_schema=False)

Arrow = tuple[str | None, str]  # from a cell, where a token stands, to another
At = Annotated[int | None, Query(ge=0, le=10_000)]
# Who answers a move that somebody tries out: nobody, the best move, or a bot.
Reply = Literal["", "best", "strong", "casual", "novice"]


@router.get("/g/{game_id}/back")
async def look_back(
    game_id: GameId, request: Request, at: At = None, comments: bool = False
) -> Response:
    """The page to step through a game; with `comments`, after waiting for the engine's."""
    hub = hub_of(request)
    live, token = await hub.game(game_id), token_of(request)
    spend_on_review(request, live.snapshot.version)
    record, state = await live.record(), live.state_for(token, picture=True)
    names, secret = names_for(live.snapshot.seats, state["you"]), ""
    try:
        await live.check_over()
    except Conflict as conflict:
        secret = str(conflict)
    last = len(record.moves)
    number = last if at is None else min(at, last)
    shown = await hub.workers.quick(_position_at, record, number, live.snapshot, names)
    reviewed, reviewing = None, live.reviewing
    if not secret and last and (comments or (reviewing.has_begun and not reviewing.is_going_on)):
        with suppress(GridwiseError):  # then there are no comments yet
            reviewed = await _review(request, live, PLAIN_REVIEW_SECONDS)
    story = await _story(request, live, reviewed) if reviewed else None
    # In a thread: after a thousand moves it takes 40 ms.
    return await hub.workers.quick(
        page,
        request,
        "look_back.html",
        game=record.game,
        state=state,
        names=names,
        differences=state["outlook"],
        secret=secret if live.snapshot.over else "",
        position=shown,
        last=last,
        rows=move_rows(state),
        story=story,
        comments=comments,
        played={
            "id": live.id,
            "moves": list(record.moves),
            "position": {name: shown[name] for name in ("at", "questions", "legal")},
            "review": not secret and last > 0,
            "story": story,
        },
    )


async def _review(request: Request, live: LiveGame, wait: float) -> Review | None:
    """What the engine says of a game; None if it takes longer than `wait` seconds."""
    if not live.reviewing.has_begun:
        spend(request, "thinking")
    return await while_connected(request, live.review(wait))


async def _story(request: Request, live: LiveGame, reviewed: Review) -> dict[str, Any]:
    """A review in the words for this visitor, told once; after a thousand moves it takes 80 ms."""
    names = names_for(live.snapshot.seats, live.snapshot.held_by(token_of(request)))
    stories = live.reviewing.stories
    if names in stories:
        return stories[names]
    quick, record = hub_of(request).workers.quick, await live.record()
    story = await quick(review_story, reviewed, record, names)
    stories.clear()  # of a thousand moves it is half a megabyte
    stories[names] = story
    return story


@router.get("/g/{game_id}/at/{number}")
async def position_at(
    game_id: GameId,
    number: Annotated[int, Path(ge=0, le=10_000)],
    request: Request,
    tried: Annotated[str, Query(max_length=1_000)] = "",
    reply: Reply = "",
) -> Response:
    """A position of a game, or one that other moves lead to, for the page's script."""
    hub = hub_of(request)
    live = await hub.game(game_id)
    record, snapshot = await live.record(), live.snapshot
    names = names_for(snapshot.seats, snapshot.held_by(token_of(request)))
    if not tried:
        return JSONResponse(await hub.workers.quick(_position_at, record, number, snapshot, names))
    await live.check_over()
    spend(request, "thinking")
    asked = hub.workers.ask(record.game.key, tried_moves, record, number, tried.split(), reply)
    return JSONResponse(_what_if(*await while_connected(request, asked), number, names))


@router.get("/g/{game_id}/at/{number}/values")
async def values_at(
    game_id: GameId,
    number: Annotated[int, Path(ge=0, le=10_000)],
    request: Request,
) -> Response:
    """What each move is worth in a position of a game that is over, for the page's script."""
    hub = hub_of(request)
    live = await hub.game(game_id)
    await live.check_over()
    record, reviewed = await live.record(), None
    if live.reviewing.has_begun:
        with suppress(GridwiseError):  # then it is worked out here
            reviewed = await live.review(0.0)
    if reviewed and number < len(reviewed.moves):
        _, position = await hub.workers.quick(positions_around, record, number)
        evaluation: Evaluation | None = reviewed.moves[number].evaluation
    else:
        spend(request, "thinking")
        asked = hub.workers.ask(record.game.key, valued_position, record, number, [])
        position, evaluation = await while_connected(request, asked)
    return JSONResponse(values_shown(position, evaluation))


@router.get("/g/{game_id}/at/{number}/line")
async def line_at(
    game_id: GameId,
    number: Annotated[int, Path(ge=0, le=10_000)],
    request: Request,
    tried: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """Best play from a position of a game that is over, or from one that other moves lead to."""
    hub = hub_of(request)
    live = await hub.game(game_id)
    await live.check_over()
    spend(request, "thinking")
    record = await live.record()
    asked = hub.workers.ask(record.game.key, best_line_from, record, number, tried.split())
    return JSONResponse(line_shown(await while_connected(request, asked)))


@router.get("/g/{game_id}/analysis")
async def to_analysis(
    game_id: GameId,
    request: Request,
    at: At = None,
    tried: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """The analysis board at a position of a game that is over."""
    hub = hub_of(request)
    live = await hub.game(game_id)
    await live.check_over()
    record = await live.record()
    return RedirectResponse(await hub.workers.quick(_analysis_link, record, at, tried.split()), 303)


def _analysis_link(record: Record, at: int | None, tried: list[str]) -> str:
    moves = [*record.moves[:at], *tried] if tried else record.moves
    board = AnalysisBoard(record.game, record.board, record.first, moves)
    if at is not None:
        board.go_to_move(at + len(tried))
    return board.link


@router.get("/g/{game_id}/review")
async def review(game_id: GameId, request: Request) -> Response:
    """The engine's story of a finished game, or how far it has come."""
    live = await hub_of(request).game(game_id)
    reviewed = await _review(request, live, REVIEW_SECONDS)
    if reviewed is None:
        done, moves = live.reviewing.moves_done, len(live.snapshot.moves)
        return JSONResponse({"ready": False, "done": done, "of": moves})
    spend_on_review(request, live.snapshot.version)
    return JSONResponse({"ready": True} | await _story(request, live, reviewed))


def _position_at(record: Record, number: int, game: Snapshot, names: Names) -> dict[str, Any]:
    """The position after a number of moves, and what to say about it."""
    before, position = positions_around(record, number)
    ended = game.over and number == len(record.moves)
    notes = [game.position.result_line(names) if ended else "", scores_text(position, names)]
    shown = playable(position) | {"at": number, "note": " ".join(filter(None, notes))}
    if before is None:
        return shown | {"where": "", "headline": "Start of the game.", "event": None}
    own = sum(each.player == before.turn for each in game.moves[:number])
    whose = names[before.turn - 1].possessive
    return shown | {
        "where": f"{capitalized(whose)} move {own}",
        "headline": f"{position.last_line(names)}.",
        "event": move_event(before, position),
    }


def _what_if(
    positions: list[Position],
    evaluation: Evaluation | None,
    why: Explanation,
    number: int,
    names: Names,
) -> dict[str, Any]:
    """The positions after other moves than those of the game, and what the last is worth.

    `steps` are the moves that lead to it: one that was tried, and the engine's answer.
    """
    *before, last = positions
    played = zip(before, frames(positions, names), strict=True)
    return (
        playable(last)
        | values_shown(last, evaluation)
        | {
            "steps": [frame | {"who": names[each.turn - 1].object} for each, frame in played],
            "tried": last.moves[number:],
            "note": scores_text(last, names),
            "over": bool(last.outcome),
            "why": f"{why.move}: {why.text(names)}",
            "worth": worth_text(last.turn, evaluation, names)
            if evaluation
            else last.result_line(names),
            "best": _arrow(last, evaluation.best.action) if evaluation else None,
            "options": [
                {"move": each.move, "worth": in_words(each)}
                for each in (evaluation.moves if evaluation else ())
            ],
        }
    )


# The story of a finished game: its turning point, its mistakes, what each move was worth


def review_story(reviewed: Review, record: Record, names: Names) -> dict[str, Any]:
    """A review for a page."""
    positions = recorded_positions(record)
    moments = {number: _moment(reviewed, number, names) for number in reviewed.worth_a_look}
    turning = None if reviewed.turning_point is None else moments[reviewed.turning_point]
    moves: list[dict[str, Any]] = [
        {
            "grade": each.grade,
            "mark": MARKS.get(each.grade, ""),
            "text": verdict(reviewed, number, names),
            # What was played, and what was better, where something was.
            "arrows": {
                "played": _arrow(positions[number], each.chosen.action),
                "best": _arrow(positions[number], each.best.action),
            }
            if each.is_remarkable
            else {},
        }
        for number, each in enumerate(reviewed.moves)
    ]
    # As in the list of moves: of whoever began, the first is 1.
    labels = {
        number + 1: reviewed.own_number(number)
        for number, each in enumerate(reviewed.moves)
        if each.mover == reviewed.moves[0].mover
    }
    marks = {number: each["mark"] for number, each in enumerate(moves, 1)}
    return {
        "graph": curve_svg(
            reviewed.graph, marks, names, turning["at"] if turning else None, labels
        ),
        "moves": moves,
        "resigned": verdict(reviewed, len(reviewed.moves), names) if reviewed.resignation else "",
        "turning": turning,
        "moments": list(moments.values()),
        "summary": outline(reviewed, names),
    }


def _moment(reviewed: Review, number: int, names: Names) -> dict[str, Any]:
    """A decision that is worth looking at, and the position that shows what it led to."""
    label, grade = move_label(reviewed, number, names), reviewed.decisions[number].grade
    return {
        "at": min(number + 1, len(reviewed.moves)),
        "label": label,
        "title": capitalized(label),
        "mark": MARKS.get(grade, ""),
        "grade": grade,
        "text": verdict(reviewed, number, names),
    }


def _arrow(position: Position, action: int) -> Arrow:
    """A move as an arrow from the token that makes it, if it is made by one."""
    cells = enumerate(position.bare_cells)
    stands = next((cell for cell, shown in cells if shown.token == position.turn), None)
    start = None if stands is None else position.cell_name(stands)
    return start, position.cell_name(position.target(action))
