"""Handing connections over: one process accepts them and gives each to the process that serves it.

All who are connected to a game come to the same process as long as it runs, so that only one has to
work out what a move leads to: with the two players at different ones, both do, and two processes
make no more moves than one. Which game it is says the first line of the request, which is looked at
and left where it is. It decides nothing but the speed: every process can serve every request.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import socket
import zlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

AT_ONCE = 64  # connections that are accepted before something else is looked at
_GAME = re.compile(rb"[A-Z]+ /(?:g|api/games)/([A-Za-z0-9_-]{12})[/? ]")
_turns = itertools.count()


class HandedConnections(socket.socket):
    """The end at which connections arrive; to asyncio it is a socket that listens."""

    def listen(self, _backlog: int = 0) -> None:
        """They come without it."""

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; raises BlockingIOError if there is none."""
        data, files, _, _ = socket.recv_fds(self, 1, 1)
        if not data:  # the parent is gone
            asyncio.get_running_loop().remove_reader(self.fileno())
            raise BlockingIOError
        try:
            connection = socket.socket(fileno=files[0])
            return connection, connection.getpeername()
        except (IndexError, OSError) as error:  # no room for it, or it is closed already
            raise ConnectionAbortedError from error


class Distributor:
    """The end at which connections are accepted and handed over."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        listening.setblocking(False)
        # Where the system can, a connection is not accepted before its first request has come.
        if hasattr(socket, "TCP_DEFER_ACCEPT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 1)
        self._held: socket.socket | None = None  # accepted when all processes were busy

    def hand_over(self, ends: Sequence[socket.socket | None]) -> bool:
        """Accept some connections for the processes that have an end; whether all were taken."""
        for _ in range(AT_ONCE):
            connection = self._held or self._accepted()
            if connection is None:
                return True
            self._held = connection
            place = _place(connection)
            order = [ends[(place + each) % len(ends)] for each in range(len(ends))]
            if not any(end and _sent(end, connection) for end in order):
                return False
            connection.close()  # here; the other process has it
            self._held = None
        return True

    def _accepted(self) -> socket.socket | None:
        with suppress(OSError):  # none is there, it was closed, or no more files may be open
            return self._listening.accept()[0]
        return None


def _place(connection: socket.socket) -> int:
    """A number that is the same for all connections of a game; for others, the next one."""
    begins = b""
    with suppress(OSError):
        begins = connection.recv(100, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    found = _GAME.match(begins)
    return zlib.crc32(found[1]) if found else next(_turns)


def _sent(end: socket.socket, connection: socket.socket) -> bool:
    try:
        socket.send_fds(end, [b"."], [connection.fileno()], socket.MSG_DONTWAIT)
    except OSError:  # it is full, or its process has died
        return False
    return True
