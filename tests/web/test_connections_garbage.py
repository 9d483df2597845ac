"""Requests and frames that are wrong, or in tiny pieces: they end, and nobody else notices."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator

import pytest
from websockets.http11 import Request

from gridwise.web.http.connections import MOST_PIECES, READ_SIZE, GuardedHttp
from gridwise.web.http.socket_protocol import SocketProtocol

from .servers import Browser, running
from .test_connections import POST, opened, play, rest, upgraded

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
        found = b""
        while b"not JSON" not in found:
            more = rude.recv(65_536)
            assert more, found
            found += more
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
    found = b""
    while not found.endswith(b"}"):
        more = connection.recv(65_536)
        assert more, found
        found += more
    assert found.startswith(b"HTTP/1.1 %d" % status)


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
