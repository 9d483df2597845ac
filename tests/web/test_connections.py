"""Connections that do nothing, too much or nonsense, or too slowly, cost nobody but their owner."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from gridwise.web.http.connections import MOST_PIECES, READ_SIZE, GuardedHttp
from gridwise.web.http.socket_protocol import SocketProtocol
from gridwise.web.server import OTHER_FILES, within_open_files
from gridwise.web.settings import ServerLimits

from .servers import (
    NO_CERTIFICATES,
    TIMEOUT,
    Browse,
    Browser,
    Json,
    Program,
    get,
    ok,
    open_by_hand,
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
    received = b""
    try:
        while got := connection.recv(65_536):
            received += got
    except ConnectionResetError:
        pass
    return received


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
    limits = within_open_files(ServerLimits())
    assert asked == [(2_048, 2_048)]
    assert limits.all_connections == 2_048 - OTHER_FILES
    assert limits.all_sockets < limits.all_connections


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
    options, made = [], GuardedHttp.connection_made

    def noted(self: GuardedHttp, transport: asyncio.Transport) -> None:
        made(self, transport)
        taken = transport.get_extra_info("socket")
        options.append(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(GuardedHttp, "connection_made", noted)
    with running(database) as address:
        get(f"{address}/health")
    assert set(options) == {1}


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


def test_a_message_in_pieces_without_end_is_cut_off(address: str, ann: Browser) -> None:
    """Empty pieces would never reach the limit of its size."""
    with upgraded(address, ann.create("grid-runner")) as rude:
        first, empty = b"\x01\x81" + bytes(4) + b"x", b"\x00\x80" + bytes(4)
        with suppress(OSError):
            rude.sendall(first + empty * 5_000)
        rest(rude)  # it ends
    play(address)


# Requests and frames that are wrong, or in tiny pieces: they end, and nobody else notices


UPGRADE = (
    b"GET /api/games/abcdefghijkl/socket HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
TOO_MANY = b"a1: b\r\n" * 130  # headers
TOO_LONG = b"Cookie: " + b"x" * 9_000 + b"\r\n"


@pytest.mark.parametrize("more", [TOO_MANY, TOO_LONG], ids=["many headers", "long header"])
def test_a_handshake_with_too_much_is_answered(address: str, more: bytes) -> None:
    """It is told why, and closed."""
    with opened(address) as connection:
        connection.sendall(UPGRADE + more + b"\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 431")
    play(address)


@pytest.mark.parametrize("length", [b"5", b"0"])
def test_a_body_of_two_lengths_is_refused(address: str, length: bytes) -> None:
    """A proxy may believe the other one: then half of a body is somebody's next request."""
    body = b"16\r\n" + b'{"game":"grid-runner"}' + b"\r\n0\r\n\r\n"
    chunked = b"Transfer-Encoding: chunked\r\n"
    with opened(address) as connection:
        connection.sendall(POST + chunked + b"Connection: close\r\n\r\n" + body)
        assert rest(connection).startswith(b"HTTP/1.1 201")
    for both in (b"Content-Length: %s\r\n" + chunked, chunked + b"content-length: %s\r\n"):
        with opened(address) as connection:
            connection.sendall(POST + both % length + b"\r\n" + body)
            answer = rest(connection)
            assert answer.startswith(b"HTTP/1.1 400")
            assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("opcode", [0x89, 0x8A], ids=["pings", "pongs"])
def test_control_frames_without_end_are_cut_off(address: str, ann: Browser, opcode: int) -> None:
    """Some are fine; the answers to our own pings are not counted."""
    frame = bytes([opcode, 0x80]) + bytes(4)  # empty
    with upgraded(address, ann.create("grid-runner")) as rude:
        rude.sendall(frame * 10)
        rude.sendall(frame * 60)  # one read of the server: 360 bytes
        assert b"\x03\xf0Too many p" in rest(rude)  # 1008
    play(address)


@pytest.fixture
def broken() -> Iterator[list[str]]:
    """What asyncio and uvicorn log: errors that came out of a protocol."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    loggers = [logging.getLogger(name) for name in ("asyncio", "uvicorn.error")]
    for logger in loggers:
        logger.addHandler(handler)
    yield said
    for logger in loggers:
        logger.removeHandler(handler)


def test_a_message_that_is_no_text_is_refused(
    address: str, ann: Browser, broken: list[str]
) -> None:
    """It is no error of the server, whose log it would fill."""
    with upgraded(address, ann.create("grid-runner")) as rude:
        rude.sendall(b"\x81\x81" + bytes(4) + b"\xff")
        received = b""
        while b"not JSON" not in received:
            more = rude.recv(65_536)
            assert more, received
            received += more
    assert broken == []


def test_a_wrong_frame_before_the_handshake_is_cut_off(
    database: str, monkeypatch: pytest.MonkeyPatch, broken: list[str]
) -> None:
    """It is no error of the server."""
    connect = SocketProtocol.handle_connect

    def with_a_frame(self: SocketProtocol, event: Request) -> None:
        connect(self, event)
        self.data_received(b"\xff\xff" + bytes(20))  # before the app has accepted

    monkeypatch.setattr(SocketProtocol, "handle_connect", with_a_frame)
    with running(database) as address, opened(address) as connection:
        connection.sendall(UPGRADE + b"\r\n")
        assert rest(connection) == b""
    assert broken == []


TOO_LARGE = POST + b"Content-Length: 99999999\r\n\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


def answer(connection: socket.socket, status: int) -> None:
    """Read an answer with a body in JSON; its end is not waited for."""
    received = b""
    while not received.endswith(b"}"):
        more = connection.recv(65_536)
        assert more, received
        received += more
    assert received.startswith(b"HTTP/1.1 %d" % status)


def test_a_body_in_tiny_chunks_is_refused(address: str) -> None:
    """Each takes time, in which everybody waits; few are read at once."""
    with opened(address) as connection:
        connection.sendall(CHUNKED + b"1\r\na\r\n" * (MOST_PIECES + 1))
        assert rest(connection).startswith(b"HTTP/1.1 400")
    with opened(address) as connection:
        game = b'17\r\n{"game": "grid-runner"}\r\n'
        connection.sendall(CHUNKED + b"1\r\n \r\n" * (MOST_PIECES - 1) + game + b"0\r\n\r\n")
        answer(connection, 201)
    play(address)


def test_a_body_is_read_in_small_parts(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is there: in between, others have their turn."""
    sizes, received = [], GuardedHttp.data_received

    def noted(self: GuardedHttp, data: bytes) -> None:
        sizes.append(len(data))
        received(self, data)

    monkeypatch.setattr(GuardedHttp, "data_received", noted)
    with running(database) as address, opened(address) as connection:
        connection.sendall(POST + b"Content-Length: 16000\r\n\r\n" + b"x" * 16_000)
        answer(connection, 400)
    assert 0 < max(sizes) <= READ_SIZE


def test_a_body_that_is_too_large_is_not_read_to_its_end(database: str) -> None:
    """The answer can be read; then the connection ends, however much is still to come."""
    with running(database, body_time=1_000) as address:
        with opened(address) as connection:
            connection.sendall(TOO_LARGE)
            answer(connection, 413)
            connection.sendall(bytes(2 * MOST_PIECES * READ_SIZE))
            assert rest(connection) == b""
        play(address)


def test_a_connection_goes_on_after_a_small_body_that_nobody_wanted(address: str) -> None:
    """Another request can follow."""
    with opened(address) as connection:
        connection.sendall(POST + b"Content-Length: 20000\r\n\r\n")
        answer(connection, 413)
        connection.sendall(bytes(20_000) + b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
        answer(connection, 200)


def test_a_wrong_chunk_after_the_answer_is_cut_off(address: str, broken: list[str]) -> None:
    """It is no error of the server."""
    with opened(address) as connection:
        connection.sendall(CHUNKED + b"4e21\r\n" + bytes(20_001) + b"\r\n")
        answer(connection, 413)
        connection.sendall(b"zz!!\r\n")
        assert rest(connection) == b""
    play(address)
    assert broken == []


# Clients that do not read what they are sent: what waits for them is bounded, and ends


# A message that is refused with some 250 bytes.
MESSAGE = json.dumps({"type": "resign", "version": 999, "ref": "r" * 60}).encode()
MANY = 20_000  # of them: 5 MB of answers
FRAME = bytes([0x81, 0x80 | len(MESSAGE)]) + bytes(4) + MESSAGE  # masked with zeros
UNREAD = 20_000  # bytes


def send_until_cut_off(deaf: socket.socket) -> None:
    """The server stops reading, and after a while it gives up."""
    while True:
        deaf.sendall(FRAME)


def test_a_socket_that_does_not_read_is_cut_off(database: str, browse: Browse) -> None:
    """The others in the game go on meanwhile and afterwards."""
    with running(database, unread=UNREAD, stalled=0.2) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner")
        state = bob.take_seat(game_id)
        with (
            closing(open_by_hand(address, game_id, ann)) as deaf,
            bob.socket(game_id) as hearing,
        ):
            with pytest.raises((ConnectionResetError, BrokenPipeError)):
                send_until_cut_off(deaf)
            ok(ann.move(state, "down"))
            send(hearing, "ping")
            receive(hearing, "pong")


def test_whoever_reads_after_all_gets_the_reason(database: str, browse: Browse) -> None:
    """And no more than the server holds back for them: some 200 kB, not 5 MB."""
    with running(database, unread=UNREAD) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner", opponent="same-screen")
        with (
            bob.socket(game_id) as watching,
            closing(open_by_hand(address, game_id, ann)) as deaf,
        ):
            deaf.settimeout(5)
            with suppress(TimeoutError):  # the server stops reading
                for _ in range(MANY):
                    deaf.sendall(FRAME)
            while any(each["present"] for each in receive(watching, "presence")["players"]):
                pass  # until the server has given up on her
            deaf.settimeout(TIMEOUT)
            got = b""
            while b"without reading" not in got:
                more = deaf.recv(65_536)
                assert more, "closed without a reason"
                got += more
                assert len(got) < 400_000
