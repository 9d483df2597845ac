"""The WebSocket of a game: messages in, states out.

One task reads, one writes. Whatever comes in is answered, and nothing that comes in can close the
socket but too much of it.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from gridwise.errors import GridwiseError, quoted
from gridwise.web.answers import validation_message
from gridwise.web.deps import hall_of, player_of
from gridwise.web.listener import Listener
from gridwise.web.messages import Move, Wish
from gridwise.web.rates import Bucket, spend
from gridwise.web.refusals import Refused, Stale, kind_and_status
from gridwise.web.rulings import WISHES
from gridwise.web.table import Table

router = APIRouter()

TOO_BIG, TOO_MANY, TRY_LATER, NO_GAME = 1009, 1008, 1013, 4404
KINDS = ("move", *WISHES, "hint", "rematch", "ping")


@router.websocket("/api/games/{game_id}/socket")
async def socket(websocket: WebSocket, game_id: str) -> None:
    """Watch a game, and play in it with a seat."""
    await websocket.accept()
    try:
        table = await hall_of(websocket).table(game_id)
    except Refused as error:
        await websocket.close(NO_GAME if error.status == 404 else TRY_LATER, str(error))
        return
    listener = Listener(player_of(websocket))
    table.join(listener)
    writer = asyncio.create_task(_write(websocket, table, listener))
    try:
        await _read(websocket, table, listener)
    except WebSocketDisconnect:
        pass
    finally:
        table.leave(listener)
        listener.close(1000, "")
        with suppress(WebSocketDisconnect, RuntimeError):
            await writer


async def _write(websocket: WebSocket, table: Table, listener: Listener) -> None:
    while listener.closing is None or listener.private:
        await listener.due()
        # What a wish has led to comes before the answer to the one who wished.
        if listener.state_due and not table.gone:
            listener.state_due = listener.presence_due = False
            await websocket.send_text(f'{{"type": "state", {table.text_for(listener.token)[1:]}')
        if listener.presence_due:
            listener.presence_due = False
            await websocket.send_text(_presence(table))
        while listener.private:
            await websocket.send_text(listener.private.pop(0))
    code, reason = listener.closing
    if websocket.application_state is WebSocketState.CONNECTED:
        await websocket.close(code, reason)


def _presence(table: Table) -> str:
    here = table.presence
    told = {
        "type": "presence",
        "players": table.told.players(here),
        "spectators": here.spectators,
    }
    return json.dumps(told, ensure_ascii=False)


async def _read(websocket: WebSocket, table: Table, listener: Listener) -> None:
    limits = hall_of(websocket).settings.limits
    bucket = Bucket(limits.messages)
    while listener.closing is None:
        got = await websocket.receive()
        if got["type"] != "websocket.receive":
            return
        raw = got.get("text") or got.get("bytes") or b""
        if len(raw) > limits.message:
            listener.close(TOO_BIG, f"A message has at most {limits.message:,} bytes.")
            return
        if bucket.spend():
            listener.close(TOO_MANY, "Too many messages; connect again, and send fewer.")
            return
        await _answer(websocket, table, listener, raw)


async def _answer(websocket: WebSocket, table: Table, listener: Listener, raw: str | bytes) -> None:
    """Do what a message asks for; whatever is wrong with it is answered."""
    told: dict[str, Any] = {}
    try:
        told = _object(raw)
        listener.tell(json.dumps(await _done(websocket, table, listener, told)))
    except ValidationError as error:
        _refuse(listener, told, "bad-request", validation_message(error.errors()))
    except Stale as error:
        _refuse(listener, told, error.kind, str(error), table.state_for(listener.token))
    except GridwiseError as error:
        _refuse(listener, told, kind_and_status(error)[0], str(error))


def _object(raw: str | bytes) -> dict[str, Any]:
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refused("The message is no JSON.") from None
    if not isinstance(told, dict) or told.get("type") not in KINDS:
        kind = told.get("type") if isinstance(told, dict) else None
        got = f", not {quoted(str(kind))}" if kind is not None else ""
        raise Refused(f"A message is an object whose type is one of {', '.join(KINDS)}{got}.")
    return told


async def _done(
    websocket: WebSocket, table: Table, listener: Listener, told: dict[str, Any]
) -> dict[str, Any]:
    """What the one who asked is answered; everybody else is told by the table."""
    kind = told["type"]
    rest = {name: value for name, value in told.items() if name != "type"}
    if kind == "ping":
        return {"type": "pong"}
    token = listener.token
    if kind == "move":
        move = Move.model_validate(rest)
        new = await table.move(token, move.move, move.version, move.ref)
        ref = move.ref
    else:
        wish = Wish.model_validate(rest)
        ref = wish.ref
        if kind == "hint":
            spend(websocket, "thinking")
            found = await table.hint(token, wish.version, ref)
            return {"type": "hint", "ref": ref, "move": found.move, "text": found.text}
        if kind == "rematch":
            spend(websocket, "games")
            next_id = await table.rematch(token, wish.version, ref)
            return {"type": "rematch", "ref": ref, "id": next_id, "url": f"/g/{next_id}"}
        new = await table.wish(kind, token, wish.version, ref)
    if not new:
        listener.note_state()  # it was lost on the way the first time
    return {"type": "done", "ref": ref, "version": table.told.version}


def _refuse(
    listener: Listener,
    told: dict[str, Any],
    kind: str,
    message: str,
    state: dict[str, Any] | None = None,
) -> None:
    ref = told.get("ref")
    refused: dict[str, Any] = {
        "type": "refused",
        "ref": ref if isinstance(ref, str) else None,
        "kind": kind,
        "message": message,
    }
    if state is not None:
        refused["state"] = state
    listener.tell(json.dumps(refused))
