"""What the server keeps in memory: the fewer objects, the shorter a collection of garbage."""

from __future__ import annotations

import gc
import socket
from contextlib import ExitStack, closing

from gridwise.web.http.socket_protocol import SocketProtocol
from tests.loaded_program import LOADED_WEB, Child

from .servers import TIMEOUT, Browser, eventually, open_by_hand

SOCKETS = 30


def wait_for_state(made: socket.socket) -> None:
    """Read until the whole state has begun to arrive."""
    got = b""
    while b'"type":"state"' not in got:
        more = made.recv(65_536)
        assert more, f"closed after {got!r}"
        got += more


def open_sockets() -> int:
    """How many sockets the server of this process has, or has not forgotten."""
    return sum(isinstance(each, SocketProtocol) for each in gc.get_objects())


def test_a_socket_keeps_few_objects_alive(ann: Browser, address: str) -> None:
    """With the framework's layers for requests around it, it was 180."""
    game_id = ann.create("grid-runner", opponent="same-screen")
    with ExitStack() as stack:

        def connect() -> None:
            wait_for_state(stack.enter_context(closing(open_by_hand(address, game_id, ann))))

        connect()  # what is made once
        gc.collect()
        before = len(gc.get_objects())
        for _ in range(SOCKETS):
            connect()
        gc.collect()
        assert (len(gc.get_objects()) - before) / SOCKETS < 150


def test_a_closed_socket_is_gone_without_a_collection(ann: Browser, address: str) -> None:
    """Collections are rare, and a socket with compression has 60 kB."""
    game_id = ann.create("grid-runner", opponent="same-screen")
    gc.collect()
    before = open_sockets()
    gc.disable()
    try:
        for _ in range(10):
            with closing(open_by_hand(address, game_id, ann)) as made:
                wait_for_state(made)
        eventually(lambda: open_sockets() <= before, "a closed socket is still there")
    finally:
        gc.enable()


def test_garbage_is_collected_rarely_and_not_in_what_is_there_from_the_start(
    database: str,
) -> None:
    """A full collection over 1,000 games took half a second, in which nobody could move."""
    child = Child(LOADED_WEB, [database], runs="tests.web.runs:tune_garbage")
    young, middle, old, frozen = map(int, child.communicate(TIMEOUT)[0].split()[-4:])
    # Objects between two full collections: 70,000 as Python 3.11 comes, 200,000 in 3.13. From 3.14
    # on the third number has no meaning.
    assert young * middle * (old or 20) >= 1_000_000
    assert frozen > 50_000
