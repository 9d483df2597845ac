"""Somebody who plays over a socket, connects again when it breaks, and notes what was noticed."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

Json: TypeAlias = dict[str, Any]
PATIENCE_SECONDS = 30.0  # seconds until somebody gives a request up and tries again
RETRY_SECONDS = 0.2  # seconds before that
GAME = re.compile(r"/games/([A-Za-z0-9_-]{12})")  # in a path: the id of a game


@dataclass(frozen=True)
class Noticed:
    """Something that took time, or went wrong."""

    what: str  # move, new game, page, or what went wrong
    began: float
    took: float
    wrong: bool = False


@dataclass
class Notes:
    """What people have noticed."""

    noticed: list[Noticed] = field(default_factory=list)

    @asynccontextmanager
    async def timed(self, what: str) -> AsyncIterator[None]:
        """Note how long it takes, to the end or until it is given up."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.noticed.append(Noticed(what, began, time.perf_counter() - began))

    def wrong(self, what: str) -> None:
        """Something went wrong."""
        self.noticed.append(Noticed(what, time.perf_counter(), 0.0, wrong=True))

    def times(self, since: float, until: float) -> dict[str, list[float]]:
        """How long each kind of thing took, each time it was begun in between."""
        found: dict[str, list[float]] = defaultdict(list)
        for each in self.noticed:
            if not each.wrong and since <= each.began < until:
                found[each.what].append(each.took)
        return found

    def errors(self, since: float, until: float) -> Counter[str]:
        """What went wrong in between, and how often."""
        return Counter(
            each.what for each in self.noticed if each.wrong and since <= each.began < until
        )


class Address:
    """A client's address: requests and sockets that come from it.

    With several servers each game is sent to one of them, as nginx does it by the game's id, and to
    the next one while that one is not there.
    """

    def __init__(self, servers: tuple[str, ...], source: str, notes: Notes) -> None:
        self.servers = servers
        self.source = source
        self.notes = notes
        transport = httpx.AsyncHTTPTransport(local_address=source, verify=False)
        self._http = httpx.AsyncClient(transport=transport, timeout=PATIENCE_SECONDS)

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def send(
        self, method: str, path: str, body: Json | None = None, token: str = ""
    ) -> httpx.Response | None:
        """The answer to a request; None, and a note, if there is none or a refusal."""
        headers = {"Cookie": f"gridwise={token}"} if token else {}
        self._http.cookies.clear()
        wrong = ""
        for server in self._in_turn(path):
            try:
                answer = await self._http.request(method, server + path, json=body, headers=headers)
            except httpx.TransportError as error:
                wrong = type(error).__name__
                if isinstance(error, httpx.ConnectError):
                    continue
            else:
                if answer.is_success:
                    return answer
                wrong = f"{answer.status_code} {_kind(answer)}"
            break
        self.notes.wrong(f"{method}: {wrong}")
        return None

    def _in_turn(self, path: str) -> tuple[str, ...]:
        """The servers, the one that a path is sent to first."""
        found = GAME.search(path)
        first = zlib.crc32((found[1] if found else self.source).encode()) % len(self.servers)
        return self.servers[first:] + self.servers[:first]

    async def new_game(self, request: Json, token: str = "") -> tuple[str, str] | None:
        """Start a game; its id and the token of the seat."""
        async with self.notes.timed("new game"):
            made = await self.send("POST", "/api/games", request, token)
        return (made.json()["id"], token or made.cookies["gridwise"]) if made else None

    async def take_seat(self, game_id: str) -> str | None:
        """Sit down on the free seat; its token."""
        taken = await self.send("POST", f"/api/games/{game_id}/seats", {})
        return taken.cookies["gridwise"] if taken else None

    async def connect(
        self, game_id: str, token: str, wait: float = PATIENCE_SECONDS
    ) -> ClientConnection:
        """A socket of a game, as a browser has it."""
        path = f"/api/games/{game_id}/socket"
        *others, last = self._in_turn(path)
        for server in others:
            with suppress(ConnectionRefusedError):
                return await self._connect(server + path, token, wait)
        return await self._connect(last + path, token, wait)

    async def _connect(self, url: str, token: str, wait: float) -> ClientConnection:
        return await connect(
            url.replace("http", "ws", 1),
            additional_headers={"Cookie": f"gridwise={token}"} if token else {},
            local_addr=(self.source, 0),
            open_timeout=wait,
        )


def _kind(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["error"]["kind"])
    except (ValueError, KeyError):
        return ""


class Player:
    """One player of a game, with a socket that is kept open and the state that came over it."""

    def __init__(self, address: Address, game_id: str, token: str) -> None:
        self.address = address
        self.game_id = game_id
        self.token = token
        self.state: Json = {}
        self._socket: ClientConnection | None = None
        self._news = asyncio.Event()
        self._answers: dict[str, asyncio.Future[Json]] = {}
        self._task = asyncio.create_task(self._stay_connected())

    async def leave(self) -> None:
        """Close the socket."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    @property
    def version(self) -> int:
        """The version of the game that is on the screen; -1 before the first."""
        return int(self.state.get("version", -1))

    async def sees(self, version: int) -> Json:
        """The state, once it has that version or a later one."""
        while self.version < version:
            self._news.clear()
            await self._news.wait()
        return self.state

    async def turn(self) -> bool:
        """Wait until it is this player's turn; False if the game is over."""
        await self.sees(0)
        while self.state["status"] != "over" and self.state["turn"] not in self.state["you"]:
            await self.sees(self.version + 1)
        return bool(self.state["status"] != "over")

    async def ask(self, kind: str, ref: str, **more: Any) -> Json:  # noqa: ANN401 - JSON
        """The answer to a message; the same message again if the connection breaks."""
        message = json.dumps({"type": kind, "ref": ref, **more})
        while True:
            while self._socket is None:
                self._news.clear()
                await self._news.wait()
            answer = self._answers[ref] = asyncio.get_running_loop().create_future()
            try:
                await self._socket.send(message)
                async with asyncio.timeout(PATIENCE_SECONDS):
                    found: Json = await answer
            except (ConnectionClosed, ConnectionError, TimeoutError):
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return found

    async def move(self, move: str, ref: str) -> Json:
        """Play a move until it is made; what the server said to it in the end."""
        while True:
            version = self.version
            answer = await self.ask("move", ref, move=move, version=version)
            if answer["type"] == "done" or answer["kind"] == "stale":
                return answer
            self.address.notes.wrong(f"refused: {answer['kind']}")
            if answer["kind"] != "unavailable":
                return answer
            await asyncio.sleep(RETRY_SECONDS)

    async def _stay_connected(self) -> None:
        notes = self.address.notes
        while True:
            try:
                self._socket = await self.address.connect(self.game_id, self.token)
                async for text in self._socket:
                    self._take(json.loads(text))
                notes.wrong("socket closed")
            except ConnectionClosed as closed:
                notes.wrong(f"socket closed: {closed.rcvd.code if closed.rcvd else 'broken'}")
            except (OSError, WebSocketException) as error:  # a TimeoutError is an OSError
                notes.wrong(f"no socket: {type(error).__name__}")
            finally:
                if self._socket:
                    await self._socket.close()
                self._socket = None
                for answer in self._answers.values():
                    if not answer.done():
                        answer.set_exception(ConnectionError())
                        answer.exception()  # whoever waited may be gone
            await asyncio.sleep(RETRY_SECONDS)

    def _take(self, message: Json) -> None:
        kind = message.pop("type")
        if kind in ("state", "change"):
            self._show(message)
        elif message.get("ref") in self._answers:
            answer = self._answers.pop(message["ref"])
            if not answer.done():
                answer.set_result({"type": kind, **message})
        if "state" in message:  # of a refusal, for a server that sends it
            self._show(message["state"])
        self._news.set()

    def _show(self, changed: Json) -> None:
        """Take over the fields of a state that differ."""
        moves = changed.get("moves")
        if isinstance(moves, dict):
            changed["moves"] = self.state["moves"][: moves["keep"]] + moves["add"]
        if isinstance(changed.get("cells"), dict):
            del changed["cells"]  # nobody here looks at them
        self.state |= changed


def any_board(rng: random.Random, rows: int, columns: int) -> str:
    """A board of Number Run or Grid Conquest."""
    return "/".join("".join(rng.choices("12345", k=columns)) for _ in range(rows))


def any_move(rng: random.Random, state: Json) -> str:
    """A move that is possible."""
    return str(rng.choice(state["legal"]))
