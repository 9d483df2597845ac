"""Connections that keep to no rules: bytes as they are, and sockets that are not read."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

SMALL = 4_096  # bytes that the system keeps of what is not read


@dataclass
class Target:
    """The server, from where it is attacked, and what came of it."""

    server: str
    source: str
    seconds: float
    seed: int
    more: dict[str, Any] = field(default_factory=dict)
    did: Counter[str] = field(default_factory=Counter)

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
