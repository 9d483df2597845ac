"""Listener: one socket that watches a game, as the table sees it.

What it is to be sent is noted, not queued: whoever is slow gets the newest state and misses none
that still matters, and nobody waits for anybody.
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
    """What one socket has still to be told."""

    def __init__(self, token: str | None) -> None:
        self.token = token  # hashed
        self.private: list[str] = []  # answers to this socket alone
        self.state_due = True
        self.presence_due = False
        self.closing: Closing | None = None
        self._wake = asyncio.Event()
        self._wake.set()

    def tell(self, text: str) -> None:
        """Something for this socket alone."""
        if len(self.private) >= MOST_UNREAD:
            self.close(1008, "You send, but you do not read.")
        else:
            self.private.append(text)
        self._wake.set()

    def note_state(self) -> None:
        """The game has changed."""
        self.state_due = True
        self._wake.set()

    def note_presence(self) -> None:
        """Somebody has come or gone."""
        self.presence_due = True
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Nothing more is to come."""
        self.closing = self.closing or Closing(code, reason)
        self._wake.set()

    async def due(self) -> None:
        """Wait until there is something to be sent."""
        await self._wake.wait()
        self._wake.clear()
