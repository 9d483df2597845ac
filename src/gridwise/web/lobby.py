"""Lobby: games that can be joined or watched at this moment, and how many people are here.

Only games that somebody is connected to are in it, at this process or another: who has closed the
page does not wait any more. What it shows is read once a second at the most, however many ask.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from gridwise.core.registry import game as game_named
from gridwise.web.game import LiveGame, Presence
from gridwise.web.game.model import HUMAN, OPEN, StoredGame, seated
from gridwise.web.peers import NOBODY, Peers

VISITOR = "lobby_"  # how the key of a visitor begins; processes tell each other these like games
LASTS = 12.0  # seconds that a visitor is here; pages ask every five
FRESH = 1.0  # seconds before it is read again
MOST_VISITORS = 20_000

Find = Callable[[Sequence[str]], Awaitable[list[StoredGame]]]


class Lobby:
    """Who is here, and what they play; `find` reads those of some games that are listed."""

    def __init__(self, games: Mapping[str, LiveGame], peers: Peers, find: Find) -> None:
        self._games, self._peers, self._find = games, peers, find
        self._visitors: dict[str, float] = {}  # when each last asked, by key
        self._elsewhere: set[str] = set()  # those who have asked other processes alone
        self._timer: asyncio.TimerHandle | None = None  # until the next may have left
        self._found: list[StoredGame] = []
        self._present: dict[str, Presence] = {}
        self._read_at = -FRESH
        self._reading = asyncio.Lock()

    async def state(self, token: str | None, visitor: str) -> dict[str, Any]:
        """The lobby as somebody sees it who has come or is still here: without own games."""
        self._note(visitor)
        async with self._reading:
            if time.monotonic() > self._read_at + FRESH:
                self._present = self._who_is_where()
                others = {key for key in self._peers.present if key.startswith(VISITOR)}
                self._elsewhere = others - self._visitors.keys()
                waits = [game_id for game_id, who in self._present.items() if who.one or who.two]
                self._found = await self._find(waits)
                self._read_at = time.monotonic()
        games = [
            each
            for each in self._found
            if not token or token not in [seat.token for seat in each.seats]
        ]
        is_open = {each.setup.id for each in games if OPEN in [seat.kind for seat in each.seats]}
        return {
            "open": [_shown(each) for each in games if each.setup.id in is_open],
            "playing": [_shown(each) for each in games if each.setup.id not in is_open],
            "people": self._people(),
        }

    def _note(self, visitor: str) -> None:
        key = _key(visitor)
        self._elsewhere.discard(key)
        self._visitors.pop(key, None)
        self._visitors[key] = time.monotonic()  # the one who asked last is at the end
        self._peers.show_presence(key, Presence(spectators=1))
        self._remove_gone()

    def _remove_gone(self) -> None:
        """Remove who has not asked for a while, now and as long as somebody is here."""
        long_ago = time.monotonic() - LASTS
        for key, asked in list(self._visitors.items()):
            if asked > long_ago and len(self._visitors) <= MOST_VISITORS:
                break
            del self._visitors[key]
            self._peers.show_presence(key, NOBODY)
        if self._timer:
            self._timer.cancel()
        later = asyncio.get_running_loop().call_later
        self._timer = later(LASTS, self._remove_gone) if self._visitors else None

    def _who_is_where(self) -> dict[str, Presence]:
        """The games that somebody is connected to."""
        found = {game.id: game.audience.presence for game in self._games.values()}
        for game_id in self._peers.present - found.keys():
            if not game_id.startswith(VISITOR):
                found[game_id] = self._peers.presence(game_id)
        return {game_id: present for game_id, present in found.items() if present != NOBODY}

    def _people(self) -> int:
        """Everybody who is connected to a game, in two tabs twice, or looks at the lobby, once."""
        in_games = sum(one + two + spectators for one, two, spectators in self._present.values())
        return in_games + len(self._visitors) + len(self._elsewhere)


def _key(visitor: str) -> str:
    """What stands for a visitor at all processes: of the form of a game's id, and no secret.

    The id of a game begins like this once in 69 billion times.
    """
    return VISITOR + hashlib.blake2b(visitor.encode(), digest_size=3).hexdigest()


def _shown(stored: StoredGame) -> dict[str, Any]:
    setup = stored.setup
    people = [seat for seat in stored.seats if seat.kind == HUMAN]
    return {
        "id": setup.id,
        "url": f"/g/{setup.id}",
        "game": setup.game,
        "title": game_named(setup.game).title,
        "name": people[0].label if people else "",
        "names": seated(stored.seats),
        "clock": setup.clock
        and {"minutes": setup.clock.seconds / 60, "increment": setup.increment},
        "series": {"best_of": setup.best_of} if setup.best_of > 1 else None,
    }
