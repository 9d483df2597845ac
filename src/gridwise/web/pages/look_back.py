"""Looking back at a game: step through it, try other moves, and read the engine's review."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.review import MARKS, in_words, worth_text
from gridwise.errors import GridwiseError
from gridwise.play.records import Record
from gridwise.show.graph import graph
from gridwise.show.svg import PAGE, svg
from gridwise.web.errors import Conflict
from gridwise.web.game import ending_text, questions
from gridwise.web.http.api import GameId, review_json
from gridwise.web.http.dependencies import hub_of, while_connected
from gridwise.web.http.error_responses import error_body
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.templating import page
from gridwise.web.workers.questions import position_after, tried_moves

REVIEW_WAIT = 0.4  # seconds to wait for a review before the page has to ask again

router = APIRouter(include_in_schema=False)


@router.get("/g/{game_id}/back")
async def look_back(
    game_id: GameId, request: Request, at: Annotated[int | None, Query(ge=0, le=10_000)] = None
) -> Response:
    """The page to step through a game."""
    live = await hub_of(request).game(game_id)
    record = await live.record()
    state, over = live.state_for(None), live.snapshot.over
    last = len(record.moves)
    number = last if at is None else min(at, last)
    position = await hub_of(request).workers.quick(_position_at, record, number, state)
    return page(
        request,
        "look_back.html",
        state=state,
        players=live.snapshot.pairing,
        ending=state["status_text"] if over else "The game is still being played.",
        position=position,
        played={
            "id": live.id,
            "game": record.game.key,
            "moves": list(record.moves),
            "at": position["at"],
            "questions": position["questions"],
            "legal": len(position["legal"]),
            "review": over and bool(record.moves),
        },
    )


@router.get("/g/{game_id}/at/{number}")
async def position_at(
    game_id: GameId,
    number: Annotated[int, Path(ge=0, le=10_000)],
    request: Request,
    tried: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """A position of a game, or one that other moves lead to, for the page's script."""
    hub = hub_of(request)
    live = await hub.game(game_id)
    record = await live.record()
    if not tried:
        state = live.state_for(None)
        return JSONResponse(await hub.workers.quick(_position_at, record, number, state))
    if not live.snapshot.over:
        raise Conflict("The game is not over yet. You can try other moves when it is.")
    spend(request, "thinking")
    asked = hub.workers.ask(record.game.key, tried_moves, record, number, tried.split())
    return JSONResponse(_what_if(*await while_connected(request, asked), number))


@router.get("/g/{game_id}/review")
async def review(game_id: GameId, request: Request) -> Response:
    """The engine's review of a finished game, or how far it has come."""
    live = await hub_of(request).game(game_id)
    if not live.reviewing.has_begun:
        spend(request, "thinking")
    try:
        found = await live.review(REVIEW_WAIT)
    except Conflict:
        raise
    except GridwiseError as error:
        return JSONResponse(error_body(error.kind, str(error)))
    if found is None:
        moves = len(live.state_for(None)["moves"])
        return JSONResponse({"ready": False, "done": live.reviewing.moves_done, "of": moves})
    marks = {number: MARKS.get(each.grade, "") for number, each in enumerate(found.moves, 1)}
    ready = {"ready": True, "graph": graph(found.curve, marks, PAGE)}
    return JSONResponse(ready | review_json(found))


def _position_at(record: Record, number: int, state: dict[str, Any]) -> dict[str, Any]:
    """The position after a number of moves, and what to say about it."""
    position = position_after(record, number)
    headline = "Start of the game."
    if number:
        mover = state["moves"][number - 1]["player"]
        headline = f"Move {number}: Player {mover} plays {record.moves[number - 1]}."
    ended = state["status"] == "over" and number == len(record.moves)
    shown = _shown(position, number)
    notes = [state["status_text"] if ended else "", position.view.caption]
    return shown | {"headline": headline, "note": " ".join(filter(None, notes))}


def _what_if(position: Position, evaluation: Evaluation | None, number: int) -> dict[str, Any]:
    """The position after other moves than those of the game, and what its moves are worth."""
    shown = _shown(position, number) | {"note": "This move was not played. You are trying it out."}
    if position.outcome:
        headline = ending_text(position.outcome.winner, position.outcome.reason)
        return shown | {"headline": headline, "worth": "", "options": []}
    assert evaluation, "it is not over"
    return shown | {
        "headline": f"Player {position.turn}'s turn.",
        "worth": worth_text(position.turn, evaluation),
        "options": [{"move": each.move, "worth": in_words(each)} for each in evaluation.moves],
    }


def _shown(position: Position, number: int) -> dict[str, Any]:
    return {
        "at": number,
        "svg": svg(position.view, PAGE, playable=True),
        "legal": position.legal_moves,
        "questions": questions(position),
    }
