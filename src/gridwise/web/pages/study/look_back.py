"""Looking back at a game: step through it, read the engine's story of it, and play on differently.

Every step is an address of its own (`/g/ID/back?at=6`), so without scripts it is plain links.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from gridwise.core.narration import Names
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.review import Review, in_words, worth_text
from gridwise.errors import GridwiseError
from gridwise.play.records import Record, recorded_positions
from gridwise.web.errors import Conflict
from gridwise.web.game import LiveGame
from gridwise.web.game.announce import names_for
from gridwise.web.game.move_event import move_event
from gridwise.web.http.api import GameId
from gridwise.web.http.dependencies import hub_of, token_of, while_connected
from gridwise.web.http.error_responses import error_body
from gridwise.web.http.rate_limit import spend, spend_on_review
from gridwise.web.pages.positions import playable
from gridwise.web.pages.study.story import arrow, move_list, review_story, scores_text
from gridwise.web.pages.templating import page
from gridwise.web.workers.game_review import Stories
from gridwise.web.workers.questions import positions_around, tried_moves

REVIEW_WAIT = 1.0  # seconds to wait for a review before the page asks again, 0.7 s later
PLAIN_WAIT = 20.0  # the same for a page without scripts, which asks only once

router = APIRouter(include_in_schema=False)

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
    record, state = await live.record(), live.state_for(token)
    names, over = names_for(live.snapshot.seats, state["you"]), live.snapshot.over
    last = len(record.moves)
    number = last if at is None else min(at, last)
    shown = await hub.workers.quick(_position_at, record, number, state, names)
    story = await _story(request, live, PLAIN_WAIT if comments else 0) if over and last else None
    # In a thread: after a thousand moves it takes 40 ms.
    return await hub.workers.quick(
        page,
        request,
        "look_back.html",
        game=record.game,
        state=state,
        names=names,
        position=shown,
        last=last,
        rows=move_list(state["moves"], state["first"]),
        story=story,
        comments=comments,
        played={
            "id": live.id,
            "moves": list(record.moves),
            "position": {name: shown[name] for name in ("at", "questions", "legal")},
            "review": over and last > 0,
            "story": story,
        },
    )


async def _story(request: Request, live: LiveGame, wait: float) -> dict[str, Any] | None:
    """The engine's review for this visitor; None if it is not there yet, or cannot be made."""
    if not wait and (not live.reviewing.has_begun or live.reviewing.is_going_on):
        return None
    if not live.reviewing.has_begun:
        spend(request, "thinking")
    try:
        found = await while_connected(request, live.review(wait))
    except GridwiseError:
        return None
    return found and await _story_of(request, live, found)


async def _story_of(request: Request, live: LiveGame, found: Review) -> dict[str, Any]:
    """A review in the words for this visitor; after a thousand moves it takes 80 ms."""
    names = names_for(live.snapshot.seats, live.snapshot.held_by(token_of(request)))
    stories = live.reviewing.stories
    story = stories.get(names)
    if story is None:
        record = await live.record()
        story = await hub_of(request).workers.quick(_make_story, stories, found, record, names)
    return story


def _make_story(stories: Stories, found: Review, record: Record, names: Names) -> dict[str, Any]:
    story = stories.get(names)  # while this one waited, another may have asked for the same
    if story is None:
        story = review_story(found, recorded_positions(record), names)
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
    live, token = await hub.game(game_id), token_of(request)
    record, state = await live.record(), live.state_for(token)
    names = names_for(live.snapshot.seats, state["you"])
    if not tried:
        return JSONResponse(await hub.workers.quick(_position_at, record, number, state, names))
    if not live.snapshot.over:
        raise Conflict("The game is not over yet. You can try other moves when it is.")
    spend(request, "thinking")
    asked = hub.workers.ask(record.game.key, tried_moves, record, number, tried.split(), reply)
    positions, evaluation = await while_connected(request, asked)
    return JSONResponse(_what_if(positions, evaluation, number, names))


@router.get("/g/{game_id}/review")
async def review(game_id: GameId, request: Request) -> Response:
    """The engine's story of a finished game, or how far it has come."""
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
    spend_on_review(request, live.snapshot.version)
    return JSONResponse({"ready": True} | await _story_of(request, live, found))


def _position_at(
    record: Record, number: int, state: dict[str, Any], names: Names
) -> dict[str, Any]:
    """The position after a number of moves, and what to say about it."""
    before, position = positions_around(record, number)
    ended = state["status"] == "over" and number == len(record.moves)
    notes = [state["status_text"] if ended else "", scores_text(position, names)]
    shown = _shown(position, number) | {"note": " ".join(filter(None, notes))}
    if before is None:
        return shown | {"where": "", "headline": "Start of the game.", "event": None}
    own = sum(each["player"] == before.turn for each in state["moves"][:number])
    whose = names[before.turn - 1].possessive
    return shown | {
        "where": f"{whose[0].upper()}{whose[1:]} move {own}",
        "headline": f"{before.log_line(position, names)}.",
        "event": move_event(before, position),
    }


def _what_if(
    positions: list[Position], evaluation: Evaluation | None, number: int, names: Names
) -> dict[str, Any]:
    """The positions after other moves than those of the game, and what the last is worth.

    `before` are those on the way to it: a move that was tried, before the engine's answer.
    """
    steps = [
        _shown(after, number)
        | {
            "headline": f"{before.log_line(after, names)}.",
            "event": move_event(before, after),
            "who": names[before.turn - 1].object,
        }
        for before, after in pairwise(positions)
    ]
    *earlier, shown = steps
    last = positions[-1]
    shown |= {"before": earlier, "tried": last.moves[number:], "note": scores_text(last, names)}
    shown |= {"over": bool(last.outcome), "worth": last.result_line(names), "options": []}
    shown["best"] = None
    if evaluation:
        shown["worth"] = worth_text(last.turn, evaluation, names)
        shown["best"] = arrow(last, evaluation.best.action)
        shown["options"] = [
            {"move": each.move, "worth": in_words(each)} for each in evaluation.moves
        ]
    return shown


def _shown(position: Position, number: int) -> dict[str, Any]:
    return {"at": number, "turn": position.turn, **playable(position)}
