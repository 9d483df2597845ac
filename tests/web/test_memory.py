"""What the server keeps in memory: the fewer objects, the shorter a collection of garbage."""

from __future__ import annotations

import gc
import math
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from subprocess import PIPE

from gridwise.web.http.socket_protocol import SocketProtocol

from .servers import TIMEOUT, Browser, open_by_hand

SOCKETS = 30
# A server is made: the thresholds before and after, and how many objects are left out.
TUNED = """
import gc, sys
from gridwise.web.server import make_server
from gridwise.web.settings import Settings
usual = gc.get_threshold()
make_server(Settings(sys.argv[1]))
print(*usual, *gc.get_threshold(), gc.get_freeze_count())
"""


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
        until = time.monotonic() + TIMEOUT
        while open_sockets() > before and time.monotonic() < until:
            time.sleep(0.05)
        assert open_sockets() <= before
    finally:
        gc.enable()


def test_garbage_is_collected_rarely_and_not_in_what_is_there_from_the_start(
    database: str,
) -> None:
    """A full collection over 1,000 games took half a second, in which nobody could move."""
    done = subprocess.run([sys.executable, "-c", TUNED, database], stdout=PIPE, check=True)
    *thresholds, frozen = map(int, done.stdout.split())
    usual, tuned = math.prod(thresholds[:3]), math.prod(thresholds[3:])
    assert tuned >= 10 * usual  # objects between two full collections
    assert frozen > 50_000
