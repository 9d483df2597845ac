"""Clients that do not read what they are sent: what waits for them is bounded, and ends."""

from __future__ import annotations

import json
import socket
from contextlib import closing, suppress

import pytest

from .servers import TIMEOUT, Browse, ok, open_by_hand, receive, running, send

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
