"""Somebody hostile at the server: connections that keep to no rules, and what patterns share."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException

from bench.web_load.player import Address, Notes

RECEIVE_BYTES = 4_096  # bytes that the system keeps of what is not read
LARGEST_BOARD = (7, 9)  # rows and columns of a board that takes the engine seconds


@dataclass
class Claim:
    """Something that should be so each time it is tried."""

    held: int = 0
    tried: int = 0

    def check(self, *, holds: bool) -> None:
        """It was tried once more."""
        self.held += holds
        self.tried += 1


@dataclass
class Target:
    """The server, from where it is attacked, and what came of it."""

    server: str
    source: str
    seconds: float
    seed: int
    more: dict[str, Any] = field(default_factory=dict)
    did: Counter[str] = field(default_factory=Counter)
    notes: Notes = field(default_factory=Notes)
    claims: dict[str, Claim] = field(default_factory=dict)

    def at(self, number: int) -> Self:
        """The server, attacked from another address."""
        return replace(self, source=f"{self.source.rpartition('.')[0]}.{number}")

    def new_client(self) -> Address:
        """Somebody at its address who speaks HTTP as one should."""
        return Address((self.server,), self.source, self.notes)

    def claim(self, what: str) -> Claim:
        """What others should be able to do meanwhile."""
        return self.claims.setdefault(what, Claim())

    def some(self, usual: int) -> range:
        """As many as usual, or a share of them."""
        return range(round(usual * self.more.get("share", 1)))

    @property
    def host(self) -> str:
        """What a well-meant request has as its Host."""
        return urlsplit(self.server).netloc

    async def open(self, receive: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection."""
        where = urlsplit(self.server)
        raw = socket.socket()
        raw.setblocking(False)
        if receive:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        raw.bind((self.source, 0))
        try:
            async with asyncio.timeout(10):
                await asyncio.get_running_loop().sock_connect(raw, (where.hostname, where.port))
        except BaseException:
            raw.close()
            raise
        return await asyncio.open_connection(sock=raw, limit=receive or 2**20)

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
        """A request as bytes."""
        lines = {"Host": self.host, "Content-Length": str(len(body))}
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body

    async def send(self, sent: bytes, wait: float = 30.0) -> int:
        """Send bytes over a new connection; the status of the answer, 0 if there is none."""
        try:
            async with asyncio.timeout(wait):
                reader, writer = await self.open()
                try:
                    writer.write(sent)
                    status = await answered(reader)
                finally:
                    writer.close()
        except (OSError, EOFError, ValueError):
            status = 0
        self.did[f"HTTP {status}" if status else "no answer"] += 1
        return status

    async def socket(
        self, game_id: str, token: str, receive: int = 0
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A WebSocket after its handshake; what it sends is read only by who wants to."""
        reader, writer = await self.open(receive)
        writer.write(
            self.request(
                "GET",
                f"/api/games/{game_id}/socket",
                Upgrade="websocket",
                Connection="Upgrade",
                Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
                Sec_WebSocket_Version="13",
                Cookie=f"gridwise={token}",
            )
        )
        return reader, writer


async def answered(reader: asyncio.StreamReader) -> int:
    """Read a whole answer; its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status = int(head.split()[1])
    for line in head.lower().split("\r\n"):
        if line.startswith("content-length:"):
            await reader.readexactly(int(line.split(":")[1]))
    return status


def frame(payload: bytes, first: int = 0x81, length: int | None = None) -> bytes:
    """A WebSocket frame; the mask is zero, which leaves the payload as it is."""
    length = len(payload) if length is None else length
    if length < 126:
        head = bytes([first, 0x80 | length])
    elif length < 2**16:
        head = bytes([first, 0x80 | 126]) + length.to_bytes(2)
    else:
        head = bytes([first, 0x80 | 127]) + length.to_bytes(8)
    return head + bytes(4) + payload


def message(kind: str, **more: Any) -> bytes:  # noqa: ANN401 - JSON
    """A message of the game's socket."""
    return frame(json.dumps({"type": kind, **more}).encode())


def question(target: Target, kind: str, board: str, token: str = "") -> bytes:
    """A request to evaluate a position."""
    asked = json.dumps({"game": kind, "board": board}).encode()
    cookie = f"gridwise={token}"
    return target.request(
        "POST", "/api/positions", asked, Content_Type="application/json", Cookie=cookie
    )


async def new_game(target: Target, kind: str, **options: object) -> tuple[str, str]:
    """A new game, of both sides unless the options say otherwise: its id and its token."""
    client, made = Address((target.server,), target.source, Notes()), None
    while made is None:
        made = await client.new_game({"game": kind, "opponent": "same-screen", **options})
    await client.close()
    return made


async def ask(target: Target, paths: Iterator[str], pause: float = 0.0, **headers: str) -> None:
    """Requests over one connection, as fast as they are answered, or with pauses."""
    while True:
        try:
            reader, writer = await target.open()
            while True:
                writer.write(target.request("GET", next(paths), b"", **headers))
                async with asyncio.timeout(30):
                    target.did[f"HTTP {await answered(reader)}"] += 1
                await asyncio.sleep(pause)
        except (OSError, EOFError, ValueError, IndexError):
            target.did["connection closed"] += 1
            await asyncio.sleep(0.05)


async def watch(target: Target, game_id: str, token: str = "") -> None:
    """A socket of a game, again and again; without a token, of a spectator."""
    client = target.new_client()
    while True:
        with suppress(OSError, WebSocketException):
            async for _ in await client.connect(game_id, token):
                target.did["messages read"] += 1
        target.did["socket closed"] += 1
        await asyncio.sleep(0.5)
