"""Connections that do nothing, or too slowly, cost nobody but their owner."""

from __future__ import annotations

import asyncio
import base64
import os
import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from gridwise.web.http.connections import GuardedHttp
from gridwise.web.server import OTHER_FILES, within_open_files
from gridwise.web.settings import ServerLimits

from .servers import (
    NO_CERTIFICATES,
    TIMEOUT,
    Browser,
    Json,
    Program,
    get,
    ok,
    receive,
    running,
    send,
)

SLOW: Json = {"header_time": 0.3, "body_time": 0.3, "idle_time": 1}
POST = b"POST /api/games HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"


def opened(address: str, source: str = "127.0.0.1") -> socket.socket:
    """A TCP connection to a server from an address of this machine."""
    server = urlsplit(address)
    assert server.port
    return socket.create_connection(("127.0.0.1", server.port), TIMEOUT, (source, 0))


def rest(connection: socket.socket) -> bytes:
    """Everything until the server closes."""
    found = b""
    try:
        while got := connection.recv(65_536):
            found += got
    except ConnectionResetError:
        pass
    return found


def play(address: str) -> None:
    """A bystander: two moves of a new game, by a request and by a socket."""
    with Browser(address) as ann:
        game_id = ann.create("grid-runner", opponent="same-screen")
        state = ok(ann.move(ann.state(game_id), "down"))
        with ann.socket(game_id) as watching:
            receive(watching, "state")
            send(watching, "move", move=state["legal"][0], version=state["version"], ref="r")
            receive(watching, "done", ref="r")


@pytest.fixture
def many_files() -> Iterator[int]:
    """As many open files as the system lets this process have; how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4_096 if hard == resource.RLIM_INFINITY else min(hard, 4_096)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield min(1_100, wanted - 300)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def files_of(server: Program) -> int:
    """How many files a server has open."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


@pytest.mark.parametrize("addresses", [1, 200])
def test_silent_connections_leave_room(tmp_path: Path, many_files: int, addresses: int) -> None:
    """More than files: the longest idle ones go, and even neighbours of whoever opens them play."""
    with Program(tmp_path, limits={"RLIMIT_NOFILE": 400}) as server, ExitStack() as stack:
        for number in range(many_files // 2):
            stack.enter_context(opened(server.address, f"127.0.1.{1 + number % addresses}"))
        play(server.address)
        one = httpx.HTTPTransport(NO_CERTIFICATES, local_address="127.0.1.1")
        with httpx.Client(transport=one, timeout=TIMEOUT) as neighbour:
            assert neighbour.get(server.address).status_code == 200
        assert files_of(server) <= 400 - OTHER_FILES + 60
        _, stderr = server.end(15)
        assert "Too many open files" not in stderr


def test_the_limit_of_open_files_is_raised_and_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as the system lets us; sockets leave room for pages."""
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_024, 2_048))
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: asked.append(both))
    found = within_open_files(ServerLimits())
    assert asked == [(2_048, 2_048)]
    assert found.all_connections == 2_048 - OTHER_FILES
    assert found.all_sockets < found.all_connections


def test_a_request_that_does_not_arrive_is_not_waited_for(database: str) -> None:
    """Whether nothing comes or a byte now and then, of the first request or a later one."""

    def answer(address: str, sent: bytes, later: bool) -> bytes:
        """What is said to a request of which so much has come."""
        with opened(address) as connection:
            if later:
                connection.sendall(b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
                answered = b""
                while not answered.endswith(b"}"):
                    answered += connection.recv(65_536)
            connection.settimeout(0.05)
            until = time.monotonic() + TIMEOUT
            while time.monotonic() < until:
                try:
                    connection.sendall(sent)
                    return connection.recv(65_536)
                except TimeoutError:
                    sent = sent[-1:]
                except OSError:
                    return b""
        raise AssertionError("it is waited for")

    headers, body = b"GET / HTTP/1.1\r\nX-Slow: x", POST + b'Content-Length: 3000\r\n\r\n{"a": '
    with running(database, **SLOW) as address, ThreadPoolExecutor(6) as pool:
        for sent in (b"", headers, body):
            assert list(pool.map(partial(answer, address, sent), (False, True))) == [b"", b""]


def test_answers_that_nobody_reads_are_given_up(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise their connections, which are not idle, would be there for ever."""
    made = GuardedHttp.connection_made

    def with_little_room(self: GuardedHttp, transport: asyncio.Transport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        made(self, transport)

    monkeypatch.setattr(GuardedHttp, "connection_made", with_little_room)
    with running(database, unread_time=0.3, **SLOW) as address, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.connect(("127.0.0.1", urlsplit(address).port))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            deaf.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n" * 500_000)
        play(address)


def test_what_is_sent_does_not_wait_for_more(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the system holds a message back for 40 ms when the one before is on its way."""
    found, made = [], GuardedHttp.connection_made

    def noted(self: GuardedHttp, transport: asyncio.Transport) -> None:
        made(self, transport)
        taken = transport.get_extra_info("socket")
        found.append(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(GuardedHttp, "connection_made", noted)
    with running(database) as address:
        get(f"{address}/health")
    assert set(found) == {1}


def test_half_a_request_is_none(database: str) -> None:
    """A body that breaks off is not taken for a whole one, even if it could be read."""
    with running(database) as address:
        with opened(address) as connection:
            body = b'{"game": "grid-runner", "listed": true}'
            connection.sendall(POST + b"Content-Length: 99\r\n\r\n" + body)
            connection.shutdown(socket.SHUT_WR)
            rest(connection)
        assert get(f"{address}/api/games").json()["games"] == []


def test_whoever_holds_a_body_back_gives_way(database: str) -> None:
    """Such a connection is as idle as a silent one; sockets are not."""
    body_to_come = POST + b"Content-Length: 30\r\nExpect: 100-continue\r\n\r\n"
    with running(database, all_connections=5) as address, ExitStack() as stack:
        ann = stack.enter_context(Browser(address))
        watching = stack.enter_context(ann.socket(ann.create("grid-runner")))
        for _ in range(8):
            busy = stack.enter_context(opened(address, "127.0.0.2"))
            busy.sendall(body_to_come)
            assert b"100" in busy.recv(1_000)  # it waits for the body
        play(address)
        send(watching, "ping")
        receive(watching, "pong")


def upgraded(address: str, game_id: str, source: str = "127.0.0.1") -> socket.socket:
    """A WebSocket of which nobody reads the frames."""
    connection = opened(address, source)
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET /api/games/{game_id}/socket HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
        "\r\n".encode()
    )
    answered = b""
    while b"\r\n\r\n" not in answered:
        answered += connection.recv(1)
    assert b"101 Switching Protocols" in answered
    return connection


@pytest.mark.parametrize("protocol", [H11Protocol, WebSocketsSansIOProtocol])
def test_connections_of_one_address_take_turns(
    database: str, monkeypatch: pytest.MonkeyPatch, protocol: type[Json]
) -> None:
    """Or many that send what takes long to read would be looked at before anybody else."""
    received = protocol.data_received

    def slowly(self: Json, data: bytes) -> None:
        if self.client[0] == "127.0.0.2" and not data.startswith(b"GET"):
            time.sleep(0.05)
        received(self, data)

    monkeypatch.setattr(protocol, "data_received", slowly)
    with running(database) as address, Browser(address) as ann, ExitStack() as stack:
        game_id = ann.create("grid-runner")
        rude = [
            stack.enter_context(
                opened(address, "127.0.0.2")
                if protocol is H11Protocol
                else upgraded(address, game_id, "127.0.0.2")
            )
            for _ in range(40)
        ]
        for each in rude:
            each.sendall(b"\x8a\x80" + bytes(4))  # a pong
        began = time.monotonic()
        get(f"{address}/health")
        assert time.monotonic() - began < 40 * 0.05 / 2


def test_a_socket_that_answers_no_ping_is_closed(database: str) -> None:
    """It may have been open for hours on a phone that is gone."""
    pings: Json = {"ping_interval": 0.2, "ping_time": 2.5}
    with running(database, **pings) as address, Browser(address) as ann:
        game_id = ann.create("grid-runner")
        with ann.socket(game_id) as watching:  # this one answers
            with upgraded(address, game_id) as silent:
                receive(watching, "presence", spectators=1)
                rest(silent)
            receive(watching, "presence", spectators=0)
            send(watching, "ping")
            receive(watching, "pong")


def test_pings_without_end_are_not_answered_without_end(database: str) -> None:
    """A client that sends pings and reads no pongs is cut off, before it fills the memory."""
    with running(database, **SLOW) as address, Browser(address) as ann:
        game_id = ann.create("grid-runner")
        ping = b"\x89\xfd" + bytes(4) + bytes(125)  # masked with zeros, the longest there is
        with upgraded(address, game_id) as rude:
            cut_off = False
            for _ in range(5_000):  # 66 MB, far more than the system buffers
                try:
                    rude.sendall(ping * 100)
                except OSError:
                    cut_off = True
                    break
            assert cut_off
        play(address)


def test_a_message_in_pieces_without_end_is_cut_off(address: str, ann: Browser) -> None:
    """Empty pieces would never reach the limit of its size."""
    with upgraded(address, ann.create("grid-runner")) as rude:
        first, empty = b"\x01\x81" + bytes(4) + b"x", b"\x00\x80" + bytes(4)
        with suppress(OSError):
            rude.sendall(first + empty * 5_000)
        rest(rude)  # it ends
    play(address)
