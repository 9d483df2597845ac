"""Subscriber: one socket that is connected to a game. Audience: all of them.

What it has to be sent is noted, not queued: one that keeps up gets each change, a slow one gets the
newest state and misses none that still matters, and nobody waits for anybody.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from gridwise.web.game.snapshot import Presence, Snapshot, encode


class Subscriber:
    """What has to be sent to one socket."""

    def __init__(
        self,
        token: str | None,
        most_unread: int = 65_536,
        *,
        picture: bool = False,
        address: str = "",
    ) -> None:
        """With `picture` it is a page, which gets the cells drawn; otherwise they come as data."""
        self.token = token  # hashed
        self.address = address
        self.picture = picture
        self._answers: deque[str] = deque()  # to this socket alone
        self._most_unread = most_unread
        self._unread = 0  # characters, which are ASCII but for names
        self.version = -1  # what it has been sent
        self.presence_due = False
        self.closing: tuple[int, str] | None = None  # a code, and the reason
        self.thinking: asyncio.Task[None] | None = None  # a hint that is being worked out
        self._wake = asyncio.Event()
        self._wake.set()

    def next_state(self, snapshot: Snapshot, presence: Presence) -> str:
        """What it has to be sent to have this version; empty if it has it."""
        if self.version == snapshot.version:
            return ""
        you = snapshot.held_by(self.token)
        follows = self.version == snapshot.version - 1
        change = snapshot.change(you, picture=self.picture) if follows else ""
        self.version = snapshot.version
        if change:
            return change
        self.presence_due = False
        present = snapshot.present(presence, watching=not you)
        return f'{{"type":"state",{snapshot.text(you, present, picture=self.picture)[1:]}'

    def next_presence(self, snapshot: Snapshot, presence: Presence) -> str:
        """Who is connected, if that has to be sent; empty if not."""
        if not self.presence_due:
            return ""
        self.presence_due = False
        present = snapshot.present(presence, watching=not snapshot.held_by(self.token))
        return encode({"type": "presence", **present})

    def answer(self, text: str) -> None:
        """Send something to this socket alone."""
        if self._unread + len(text) > self._most_unread:
            self.close(1008, "You are sending without reading the answers.")
        else:
            self._answers.append(text)
            self._unread += len(text)
        self._wake.set()

    def next_answer(self) -> str:
        """The next answer to send; empty if there is none."""
        text = self._answers.popleft() if self._answers else ""
        self._unread -= len(text)
        return text

    def note_change(self) -> None:
        """The game has changed, or who is connected."""
        self._wake.set()

    def send_state(self) -> None:
        """Send the whole state, even if it has been sent before."""
        self.version = -1
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close the socket once the answers are sent."""
        self.closing = self.closing or (code, reason)
        self._wake.set()

    async def wait(self) -> None:
        """Wait until there is something to send."""
        await self._wake.wait()
        self._wake.clear()


class Audience:
    """Everybody who is connected to a game, here or at another process."""

    def __init__(self, show: Callable[[Presence], None]) -> None:
        self.subscribers: set[Subscriber] = set()
        self.presence = Presence()  # of all together
        self.elsewhere = Presence()
        self._here = Presence()
        self.player_at: str | None = None  # the address of a player who is connected here
        self._show = show  # to the other processes

    def emote(self, player: int, emote: str) -> None:
        """Tell everybody here what a player has said."""
        text = encode({"type": "emote", "player": player, "emote": emote})
        for subscriber in self.subscribers:
            subscriber.answer(text)

    def update(self, snapshot: Snapshot) -> None:
        """Work out who is present, and tell everybody if that has changed."""
        held = {subscriber: snapshot.held_by(subscriber.token) for subscriber in self.subscribers}
        present = {number for numbers in held.values() for number in numbers}
        # Somebody who watches in two tabs is one, by the token; without one, each is another.
        watching = {each.token or each for each, numbers in held.items() if not numbers}
        self.player_at = min((each.address for each in held if held[each]), default=None)
        here = Presence(1 in present, 2 in present, len(watching))
        if here != self._here:
            self._here = here
            self._show(here)
        presence = here.with_others(self.elsewhere)
        if presence != self.presence:
            self.presence = presence
            for subscriber in self.subscribers:
                subscriber.presence_due = True
                subscriber.note_change()
