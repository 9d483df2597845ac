"""The WebSocket of a game: requests in, states out.

One task reads, one writes. Every message is answered, and only too many or too large ones close the
socket.
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
from gridwise.web.errors import Refused, Stale
from gridwise.web.game import COMMANDS, Listener, LiveGame
from gridwise.web.http.dependencies import hub_of, token_of
from gridwise.web.http.error_responses import explain
from gridwise.web.http.messages import MoveRequest, PlayerRequest
from gridwise.web.http.rate_limit import TokenBucket, spend

router = APIRouter()

TOO_BIG, TOO_MANY, TRY_LATER, NO_GAME = 1009, 1008, 1013, 4404
KINDS = ("move", *COMMANDS, "hint", "rematch", "ping")


@router.websocket("/api/games/{game_id}/socket")
async def socket(websocket: WebSocket, game_id: str) -> None:
    """Watch a game, and play in it with a seat."""
    await websocket.accept()
    try:
        game = await hub_of(websocket).game(game_id)
    except Refused as error:
        await websocket.close(NO_GAME if error.status == 404 else TRY_LATER, str(error))
        return
    listener = Listener(token_of(websocket))
    game.join(listener)
    writer = asyncio.create_task(_write(websocket, game, listener))
    try:
        await _read(websocket, game, listener)
    except WebSocketDisconnect:
        pass
    finally:
        game.leave(listener)
        listener.close(1000, "")
        with suppress(WebSocketDisconnect, RuntimeError):
            await writer


async def _write(websocket: WebSocket, game: LiveGame, listener: Listener) -> None:
    while listener.closing is None or listener.answers:
        await listener.wait()
        # The state that a request leads to comes before the answer to the request.
        if listener.state_due and not game.dropped:
            listener.state_due = listener.presence_due = False
            await websocket.send_text(f'{{"type": "state", {game.text_for(listener.token)[1:]}')
        if listener.presence_due:
            listener.presence_due = False
            players, spectators = game.snapshot.players(game.presence), game.presence.spectators
            message = {"type": "presence", "players": players, "spectators": spectators}
            await websocket.send_text(json.dumps(message, ensure_ascii=False))
        while listener.answers:
            await websocket.send_text(listener.answers.pop(0))
    code, reason = listener.closing
    if websocket.application_state is WebSocketState.CONNECTED:
        await websocket.close(code, reason)


async def _read(websocket: WebSocket, game: LiveGame, listener: Listener) -> None:
    limits = hub_of(websocket).settings.limits
    bucket = TokenBucket(limits.messages)
    while listener.closing is None:
        received = await websocket.receive()
        if received["type"] != "websocket.receive":
            return
        raw = received.get("text") or received.get("bytes") or b""
        if len(raw) > limits.message:
            listener.close(TOO_BIG, f"A message can have at most {limits.message:,} bytes.")
            return
        if bucket.spend():
            listener.close(TOO_MANY, "Too many messages. Connect again, and send fewer.")
            return
        await _answer(websocket, game, listener, raw)


async def _answer(
    websocket: WebSocket, game: LiveGame, listener: Listener, raw: str | bytes
) -> None:
    """Do what a message asks for, or answer what is wrong with it."""
    message: dict[str, Any] = {}
    try:
        message = _object(raw)
        answer = await _handle(websocket, game, listener, message)
    except (ValidationError, GridwiseError) as error:
        _, kind, text = explain(error)
        ref = message.get("ref") if isinstance(message.get("ref"), str) else None
        answer = {"type": "refused", "ref": ref, "kind": kind, "message": text}
        if isinstance(error, Stale):
            answer["state"] = error.state
    listener.answer(json.dumps(answer))


def _object(raw: str | bytes) -> dict[str, Any]:
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refused("The message is not JSON.") from None
    kind = message.get("type") if isinstance(message, dict) else None
    if kind not in KINDS:
        got = f", not {quoted(str(kind))}" if kind is not None else ""
        raise Refused(f"A message is an object whose type is one of {', '.join(KINDS)}{got}.")
    return dict(message)


async def _handle(
    websocket: WebSocket, game: LiveGame, listener: Listener, message: dict[str, Any]
) -> dict[str, Any]:
    """The answer to the sender; everybody else hears of it from the game."""
    kind, token = message["type"], listener.token
    if kind == "ping":
        return {"type": "pong"}
    body = {name: value for name, value in message.items() if name != "type"}
    request = (MoveRequest if kind == "move" else PlayerRequest).model_validate(body)
    version, ref = request.version, request.ref
    if kind == "hint":
        spend(websocket, "thinking")
        found = await game.hint(token, version, ref)
        return {"type": "hint", "ref": ref, "move": found.move, "text": found.text}
    if kind == "rematch":
        spend(websocket, "games")
        next_id = await game.rematch(token, version, ref)
        return {"type": "rematch", "ref": ref, "id": next_id, "url": f"/g/{next_id}"}
    if isinstance(request, MoveRequest):
        is_new = await game.move(token, request.move, version, ref)
    else:
        is_new = await game.request(COMMANDS[kind], token, version, ref)
    if not is_new:
        listener.note_state()  # the answer was lost the first time
    return {"type": "done", "ref": ref, "version": game.snapshot.version}
