"""What players were told, and whether the database and the server still say the same."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx
import sqlalchemy as sa

from bench.web_load.player import PATIENCE_SECONDS, RETRY_SECONDS, Address, Notes, Player, any_move
from gridwise import games

PACE_SECONDS = 0.1  # seconds between moves, at the least
OPPONENTS = ("same-screen", "bot", "link")


@dataclass
class GameNotes:
    """What was said of one game."""

    token: str
    acknowledged: dict[str, tuple[str, int]] = field(default_factory=dict)  # move, version; by ref
    shown: list[str] = field(default_factory=list)  # the longest list of moves that anybody saw

    def show(self, state: dict[str, Any]) -> None:
        """Somebody saw this."""
        moves = [each["move"] for each in state["moves"]]
        assert moves[: len(self.shown)] == self.shown[: len(moves)], "a shown move has changed"
        if len(moves) > len(self.shown):
            self.shown = moves


@dataclass
class Ledger:
    """All games, by id."""

    games: dict[str, GameNotes] = field(default_factory=dict)

    @property
    def acknowledged(self) -> int:
        """How many moves."""
        return sum(len(each.acknowledged) for each in self.games.values())


class Played:
    """Somebody who plays one game after the other, as fast as they go, and notes what was said."""

    def __init__(self, servers: tuple[str, ...], number: int, ledger: Ledger, notes: Notes) -> None:
        self.moved = 0
        self._rng = random.Random(number)
        self._kinds = itertools.cycle([game.key for game in games()][number % 5 :])
        self._opponent = OPPONENTS[number % len(OPPONENTS)]
        self._ledger = ledger
        self._address = Address(servers, f"127.0.2.{number + 1}", notes)

    async def go_on(self) -> None:
        """Play for ever."""
        while True:
            players = await self._new_game()
            try:
                while await self._moved(players):
                    pass
            finally:
                for player in players:
                    await player.leave()

    async def close(self) -> None:
        """Leave."""
        await self._address.close()

    async def _new_game(self) -> list[Player]:
        request = {"game": next(self._kinds), "opponent": self._opponent, "level": "random"}
        made = None
        while made is None:
            made = await self._address.new_game(request)
            await asyncio.sleep(0 if made else RETRY_SECONDS)
        game_id, token = made
        self._ledger.games[game_id] = GameNotes(token)
        players = [Player(self._address, game_id, token)]
        if self._opponent == "link":
            # An answer that was lost leaves a seat that nobody holds the cookie of.
            if not (taken := await self._address.take_seat(game_id)):
                await players[0].leave()
                return await self._new_game()
            players.append(Player(self._address, game_id, taken))
        return players

    async def _moved(self, players: list[Player]) -> bool:
        """Make the next move; False if the game is over."""
        notes = self._ledger.games[players[0].game_id]
        state = await players[0].sees(1 if len(players) > 1 else 0)
        mover = players[state["turn"] - 1] if len(players) > 1 and state["turn"] else players[0]
        if not await mover.turn():
            return False
        version, move, ref = mover.version, any_move(self._rng, mover.state), secrets.token_hex(6)
        async with self._address.notes.timed("move"):
            answer = await mover.move(move, ref)
        if answer["type"] == "done":
            notes.acknowledged[ref] = move, answer["version"]
            self.moved += 1
            version += 1
        for player in players:
            await player.sees(version)
            notes.show(player.state)
        await asyncio.sleep(PACE_SECONDS)
        return True


class Compared(NamedTuple):
    """What is not as it should be."""

    lost: int  # acknowledged moves that are not in the database
    twice: int
    unlike: int  # games


async def compare(ledger: Ledger, database: str, server: str) -> Compared:
    """The ledger with the database, and with what a server says that has just started."""
    stored = await asyncio.to_thread(_stored, database)
    lost = twice = unlike = 0
    async with httpx.AsyncClient(base_url=server, timeout=PATIENCE_SECONDS) as http:
        for game_id, notes in ledger.games.items():
            rows = stored.get(game_id, [])
            by_ref = {row.ref: row for row in rows if row.ref}
            twice += sum(count - 1 for count in Counter(r.ref for r in rows if r.ref).values())
            for ref, (move, version) in notes.acknowledged.items():
                row = by_ref.get(ref)
                lost += not (row and row.move == move and row.number <= version)
            moves = [row.move for row in rows if row.move]
            answer = await http.get(
                f"/api/games/{game_id}", headers={"Cookie": f"gridwise={notes.token}"}
            )
            told = answer.json().get("moves", []) if answer.is_success else None
            alike = (
                told is not None
                and [each["move"] for each in told][: len(moves)] == moves
                and moves[: len(notes.shown)] == notes.shown
                and [row.number for row in rows] == list(range(1, len(rows) + 1))
            )
            unlike += not alike
            await asyncio.sleep(0.03)  # within the limit of one address
    return Compared(lost, twice, unlike)


class _Row(NamedTuple):
    number: int
    ref: str | None
    move: str  # empty if it is something else


def _stored(database: str) -> dict[str, list[_Row]]:
    """All events by game, as they are in the database."""
    engine = sa.create_engine(database)
    found: dict[str, list[_Row]] = {}
    chosen = "SELECT game_id, number, ref, kind, data FROM events ORDER BY game_id, number"
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            assert connection.execute(sa.text("PRAGMA integrity_check")).scalar() == "ok"
        for row in connection.execute(sa.text(chosen)):
            data = json.loads(row.data) if isinstance(row.data, str) else row.data
            move = data["move"] if row.kind == "move" else ""
            found.setdefault(row.game_id, []).append(_Row(row.number, row.ref, move))
    engine.dispose()
    return found
