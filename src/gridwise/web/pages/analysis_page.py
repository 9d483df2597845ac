"""The analysis board in the browser: any position, edited, played freely, shared by its link.

Nothing is stored: the address has the board and the moves. Without scripts the moves are links, and
what they are worth is worked out when it is asked for.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Evaluation, evaluate
from gridwise.engine.explain import explain as reasons_for
from gridwise.engine.lines import best_line, line_moves
from gridwise.engine.review import what_if_limits, worth_text
from gridwise.errors import BadRequest, GridwiseError
from gridwise.play.analysis_board import AnalysisBoard, from_query, whole_number
from gridwise.web.errors import explain
from gridwise.web.game.move_effects import move_event
from gridwise.web.http.dependencies import form_of, hub_of, while_connected
from gridwise.web.http.rate_limit import spend
from gridwise.web.pages.positions import (
    choices,
    line_shown,
    picture,
    playable,
    scores_text,
    values_shown,
)
from gridwise.web.pages.templating import Key, page

MOST_QUERY = 4_000  # characters: 63 cells, and more moves than a game on them has
MOST_PASTED = 20_000

router = APIRouter(include_in_schema=False)


@router.get("/analysis")
async def analysis_games(request: Request) -> Response:
    """The games to choose from."""
    return page(request, "analysis_games.html")


@router.get("/analysis/{key}")
async def analysis(key: Key, request: Request, worth: bool = False) -> Response:
    """The board that the address describes; with `worth`, after working out what it is worth."""
    board = await _asked_board(game_named(key), request)
    if not worth:
        return _page(request, board)
    return _page(request, board, await _evaluated(request, board), await _reason(request, board))


@router.post("/analysis/{key}")
async def paste(key: Key, request: Request) -> Response:
    """Go to the board, the record or the link that was pasted."""
    board = await _asked_board(game_named(key), request)
    text = (await form_of(request, 5)).get("text", "")[:MOST_PASTED]
    try:
        pasted = await hub_of(request).workers.quick(board.read, text)
    except GridwiseError as error:
        return _page(request, board, error=error, pasted=text)
    return RedirectResponse(pasted.link, 303)


@router.get("/analysis/{key}/position")
async def position(
    key: Key, request: Request, edit: bool = False, rows: str = "", cols: str = ""
) -> Response:
    """A position for the page's script; of the moves, those that can be made on this board.

    With `rows` and `cols` the board gets that size. With `edit`, all that was entered is seen.
    """
    board = await _asked_board(game_named(key), request, strict=False)
    if rows or cols:
        board = board.with_size(whole_number("Rows", rows), whole_number("Columns", cols))
    shown = await hub_of(request).workers.quick(_shown, board)
    return JSONResponse(shown | ({"svg": picture(board.edited_view)} if edit else {}))


@router.get("/analysis/{key}/worth")
async def worth(key: Key, request: Request) -> Response:
    """What each move of a position is worth."""
    board = await _asked_board(game_named(key), request)
    return JSONResponse(_worth(board, await _evaluated(request, board)))


@router.get("/analysis/{key}/why")
async def why(key: Key, request: Request) -> Response:
    """Why the last move was good or bad."""
    board = await _asked_board(game_named(key), request)
    return JSONResponse({"why": await _reason(request, board)})


@router.get("/analysis/{key}/line")
async def line(key: Key, request: Request) -> Response:
    """Best play from a position on."""
    board = await _asked_board(game_named(key), request)
    spend(request, "thinking")
    start = board.position
    asked = hub_of(request).workers.ask(key, best_line, start)
    return JSONResponse(line_shown(line_moves(start, await while_connected(request, asked))))


async def _asked_board(game: Game, request: Request, *, strict: bool = True) -> AnalysisBoard:
    if len(request.url.query) > MOST_QUERY:
        raise BadRequest("The address is too long.")
    query = dict(request.query_params)
    # In a thread: four hundred moves take 20 ms.
    return await hub_of(request).workers.quick(from_query, game, query, strict=strict)


async def _evaluated(request: Request, board: AnalysisBoard) -> Evaluation | None:
    if board.position.outcome:
        return None
    spend(request, "thinking")
    game = board.game
    asked = hub_of(request).workers.ask(game.key, evaluate, board.position, what_if_limits(game))
    return await while_connected(request, asked)


async def _reason(request: Request, board: AnalysisBoard) -> str:
    before = board.before
    if before is None:
        return ""
    spend(request, "thinking")
    move = board.position.history[-1]
    asked = hub_of(request).workers.ask(board.game.key, reasons_for, before, move)
    told = await while_connected(request, asked)
    return f"{told.move}: {told.text(COLOURS)}" if told.facts else ""


def _shown(board: AnalysisBoard) -> dict[str, Any]:
    """A position, and where it is on the board's way."""
    shown, here = board.position, board.place
    before = board.before
    turn = COLOURS[shown.turn - 1].subject if shown.turn else ""
    said = shown.result_line(COLOURS) or f"{turn} to move"
    return playable(shown) | {
        "link": board.link,
        "board": board.game.board_text(board.board),
        "rows": board.board.rows,
        "cols": board.board.cols,
        "moves": board.moves,
        "at": here,
        "headline": said if said.endswith(".") else f"{said}.",
        "news": f"{shown.last_line(COLOURS)}." if here else "Start of the game.",
        "event": move_event(before, shown) if before else None,
        "note": scores_text(shown, COLOURS),
        "over": shown.outcome is not None,
    }


def _worth(board: AnalysisBoard, evaluation: Evaluation | None) -> dict[str, Any]:
    said = worth_text(board.position.turn, evaluation, COLOURS) if evaluation else ""
    return values_shown(board.position, evaluation) | {"worth": said}


def _page(
    request: Request,
    board: AnalysisBoard,
    evaluation: Evaluation | None = None,
    reason: str = "",
    error: GridwiseError | None = None,
    pasted: str = "",
) -> Response:
    status, _, message = explain(error) if error else (200, "", "")
    shown = _shown(board)
    return page(
        request,
        "analysis.html",
        status,
        game=board.game,
        shown=shown,
        worth=_worth(board, evaluation),
        why=reason,
        # Where each move leads, for browsers without scripts.
        choices=[(board.after(move).link, said) for move, said in choices(shown)],
        glyphs=board.glyphs,
        first=board.record.first,
        target=board.board.target,
        handicap=board.board.handicap,
        error=message,
        pasted=pasted,
        slim={name: value for name, value in shown.items() if name != "svg"},
    )
