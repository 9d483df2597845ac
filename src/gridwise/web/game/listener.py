"""Listener: one socket that is connected to a game.

What it has to be sent is noted, not queued: a slow one gets the newest state and misses none that
still matters, and nobody waits for anybody.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

MOST_UNREAD = 200  # answers that wait for a socket to be read


class Closing(NamedTuple):
    """Why a socket is closed."""

    code: int
    reason: str


class Listener:
    """What has to be sent to one socket."""

    def __init__(self, token: str | None) -> None:
        self.token = token  # hashed
        self.answers: list[str] = []  # to this socket alone
        self.state_due = True
        self.presence_due = False
        self.closing: Closing | None = None
        self._wake = asyncio.Event()
        self._wake.set()

    def answer(self, text: str) -> None:
        """Send something to this socket alone."""
        if len(self.answers) >= MOST_UNREAD:
            self.close(1008, "You are sending without reading the answers.")
        else:
            self.answers.append(text)
        self._wake.set()

    def note_state(self) -> None:
        """The game has changed."""
        self.state_due = True
        self._wake.set()

    def note_presence(self) -> None:
        """Somebody has connected or disconnected."""
        self.presence_due = True
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close the socket once the answers are sent."""
        self.closing = self.closing or Closing(code, reason)
        self._wake.set()

    async def wait(self) -> None:
        """Wait until there is something to send."""
        await self._wake.wait()
        self._wake.clear()
