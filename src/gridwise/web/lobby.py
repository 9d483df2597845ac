"""Lobby: games that can be joined or watched at this moment, and how many people are here.

Only games that somebody is connected to are in it, at this process or another: who has closed the
page does not wait any more. What it shows is read once a second at the most, however many ask.

An address cannot have it to itself: games get their places in rounds, one of each address, then a
second of each; and however many cookies it invents, it counts as no more people than a class.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from contextvars import Context
from typing import Any

from gridwise.core.narration import NEUTRAL, Names
from gridwise.core.registry import game as game_named
from gridwise.web.game.event_sourced_game import known_games
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.snapshot import Presence
from gridwise.web.game.stored_game import HUMAN, OPEN, StoredGame, seated
from gridwise.web.peers import Peers
from gridwise.web.storage import GameStore
from gridwise.web.workers.fair_queue import Asker, asker

MOST_SHOWN = 50  # games
MOST_PEOPLE = 40  # of one address
LOOK_SECONDS = 12.0  # that somebody who has looked is here; pages ask every five
FRESH_SECONDS = 1.0  # before it is read again, and before others are told again
PEOPLE = "lobby_people"  # are told as spectators of this game; no id is likely to be the same
ELSEWHERE = ""  # instead of the address, for a game at another process


class Lobby:
    """Who is here, and what they play."""

    def __init__(self, games: Mapping[str, LiveGame], peers: Peers, store: GameStore) -> None:
        self._games, self._peers, self._store = games, peers, store
        self._looked: dict[Asker, float] = {}  # when each was last here
        self._shown: list[StoredGame] = []
        self._people = 0
        self._read_at = -FRESH_SECONDS
        self._reading = asyncio.Lock()

    async def state(self, token: str | None, sides: Names = NEUTRAL) -> dict[str, Any]:
        """The lobby as somebody sees it who has come or is still here: without own games.

        Players without a name are called by `sides`: numbers for a program, colours on a page.
        """
        self._looked[asker.get()] = time.monotonic()
        async with self._reading:
            if time.monotonic() > self._read_at + FRESH_SECONDS:
                clients = self.clients()
                asking = self._store.ask(self._store.present, list(clients))
                # By nobody: all wait for it, and not for what else who came first has asked.
                listed = known_games(await asyncio.create_task(asking, context=Context()))
                self._shown = _in_rounds(listed, clients)[:MOST_SHOWN]
                self._people = self._people_here() + self._peers.presence(PEOPLE).spectators
                self._read_at = time.monotonic()
        shown: dict[str, Any] = {"open": [], "playing": [], "people": self._people}
        for game in self._shown:
            if not token or token not in [seat.token for seat in game.seats]:
                is_open = OPEN in [seat.kind for seat in game.seats]
                shown["open" if is_open else "playing"].append(_shown(game, sides))
        return shown

    def clients(self) -> dict[str, str]:
        """The games that a player is connected to, and the address of that player."""
        present = {each: self._peers.presence(each) for each in self._peers.elsewhere}
        there = {each: ELSEWHERE for each, who in present.items() if who.one or who.two}
        here = {each: game.audience.player_at for each, game in self._games.items()}
        return there | {each: address for each, address in here.items() if address is not None}

    async def tell_others(self) -> None:
        """Tell the other processes how many people are here."""
        self._peers.show_presence(PEOPLE, Presence(spectators=self._people_here()))

    def _people_here(self) -> int:
        """Who is connected to a game, or has just looked; 3 ms for 5,000 sockets."""
        long_ago = time.monotonic() - LOOK_SECONDS
        self._looked = {who: at for who, at in self._looked.items() if at > long_ago}
        here: set[tuple[str, str]] = set(self._looked)
        for game in self._games.values():
            here.update((each.address, each.token or "") for each in game.audience.subscribers)
        counts = Counter(address for address, _ in here)
        return sum(min(count, MOST_PEOPLE) for count in counts.values())


def _in_rounds(listed: list[StoredGame], clients: Mapping[str, str]) -> list[StoredGame]:
    """The first game of each client, then the second of each, and so on."""
    before: Counter[str] = Counter()

    def its_round(game: StoredGame) -> int:
        before[clients[game.setup.id]] += 1
        return before[clients[game.setup.id]]

    return sorted(listed, key=its_round)


def _shown(stored: StoredGame, sides: Names) -> dict[str, Any]:
    setup = stored.setup
    people = [seat for seat in stored.seats if seat.kind == HUMAN]
    return {
        "id": setup.id,
        "url": f"/g/{setup.id}",
        "game": setup.game,
        "title": game_named(setup.game).title,
        "name": people[0].called(sides).object if people else "",
        "names": seated(stored.seats, sides),
        "clock": setup.clock
        and {"minutes": setup.clock.seconds / 60, "increment": setup.increment},
        "series": {"best_of": setup.best_of} if setup.best_of > 1 else None,
    }
