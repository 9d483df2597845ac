"""Friendly people on the server: they play a move every few seconds, and note what they notice."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from bench.web_load.player import Address, Notes, Player, any_board, any_move
from gridwise import games

PACE_SECONDS = 2.5  # seconds between the moves of a game
CLASS = 15  # games of a class of 30, all behind one address
PAIRS = 5  # other games between two people, each at an address of their own
BOTS = 6  # games against a bot
STUDENTS = 2  # people who ask the engine about positions
VICTIMS = 3  # games against somebody hostile
NEWCOMER_SECONDS = 1.0  # seconds between people who look at the start page and begin a game

CLASS_ADDRESS = "127.0.0.30"
NEWCOMERS = [f"127.0.1.{number}" for number in range(1, 41)]  # they arrive from many addresses


class Friends:
    """All of them."""

    def __init__(self, server: str, seed: int) -> None:
        self.server = server
        self.notes = Notes()
        self.victims: list[str] = []  # games whose second seat is left to somebody hostile
        self._rng = random.Random(seed)
        self._addresses: dict[str, Address] = {}
        self._kinds = itertools.cycle([game.key for game in games()])
        self._tokens: dict[str, str] = {}  # of newcomers, who come again
        self._tasks: list[asyncio.Task[None]] = []

    def address(self, source: str) -> Address:
        """Everybody at an address shares it."""
        if source not in self._addresses:
            self._addresses[source] = Address((self.server,), source, self.notes)
        return self._addresses[source]

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let them play."""
        plays = [(CLASS_ADDRESS, CLASS_ADDRESS)] * CLASS
        plays += [(f"127.0.0.{100 + each}", f"127.0.0.{150 + each}") for each in range(PAIRS)]
        try:
            for one, two in plays:
                self._start(self._play_friend(self.address(one), self.address(two)))
            for each in range(BOTS):
                self._start(self._play_bot(self.address(f"127.0.0.{200 + each}")))
            for each in range(STUDENTS):
                self._start(self._study(self.address(f"127.0.0.{240 + each}")))
            self._start(self._arrive())
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for address in self._addresses.values():
                await address.close()

    def check(self) -> None:
        """Raise what went wrong in the bench itself."""
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()

    async def meet_victims(self) -> None:
        """Let some begin games whose links somebody hostile gets."""
        for each in range(VICTIMS):
            address = self.address(f"127.0.0.{220 + each}")
            made = await address.new_game({"game": "number-maze"})
            if made:
                self.victims.append(made[0])
                self._start(self._play_victim(Player(address, *made)))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    async def _think(self) -> None:
        await asyncio.sleep(self._rng.uniform(0, 2 * PACE_SECONDS))

    async def _play_friend(self, one: Address, two: Address) -> None:
        """Two people, one game after the other."""
        await self._think()  # people do not all come at once
        while True:
            made = await one.new_game({"game": next(self._kinds)})
            taken = await two.take_seat(made[0]) if made else None
            if not made or not taken:
                await asyncio.sleep(NEWCOMER_SECONDS)
                continue
            players = Player(one, *made), Player(two, made[0], taken)
            try:
                await self._alternate(*players)
            finally:
                for player in players:
                    await player.leave()

    async def _alternate(self, one: Player, two: Player) -> None:
        """Play to the end: a move is noticed when both have it on their screens."""
        version = 1  # the second has sat down
        while True:
            state = await one.sees(version)
            await two.sees(version)
            if state["status"] == "over":
                return
            mover, other = (one, two) if state["turn"] == 1 else (two, one)
            await self._think()
            async with self.notes.timed("move"):
                answer = await mover.move(any_move(self._rng, mover.state), _ref())
                version = answer.get("version", version)
                await other.sees(version)

    async def _play_bot(self, address: Address) -> None:
        """Against a bot; how long it lets one wait is noted apart."""
        await self._think()
        while True:
            request = {"game": next(self._kinds), "opponent": "bot", "level": "casual"}
            made = await address.new_game(request)
            if not made:
                await asyncio.sleep(NEWCOMER_SECONDS)
                continue
            player = Player(address, *made)
            try:
                going_on = await player.turn()
                while going_on:
                    await self._think()
                    async with self.notes.timed("move"):
                        await player.move(any_move(self._rng, player.state), _ref())
                    async with self.notes.timed("bot"):
                        going_on = await player.turn()
            finally:
                await player.leave()

    async def _play_victim(self, player: Player) -> None:
        """Somebody whose refs can be guessed: a move that is answered `done` must be made."""
        try:
            while await player.turn():
                version = player.version
                async with self.notes.timed("move"):
                    answer = await player.move(any_move(self._rng, player.state), f"m{version}")
                if answer["type"] == "done" and answer["version"] == version:
                    self.notes.wrong("move swallowed")
                    answer = await player.move(any_move(self._rng, player.state), _ref())
                await player.sees(version + 1)
        finally:
            await player.leave()

    async def _study(self, address: Address) -> None:
        """Somebody who asks what a position is worth."""
        for kind in itertools.cycle(["grid-conquest", "number-run"]):
            asked = {"game": kind, "board": any_board(self._rng, 5, 5)}
            async with self.notes.timed("question"):
                await address.send("POST", "/api/positions", asked)
            await self._think()

    async def _arrive(self) -> None:
        """Newcomers look at the start page and begin a game."""
        for source in itertools.cycle(NEWCOMERS):
            self._start(self._begin(self.address(source)))
            await asyncio.sleep(NEWCOMER_SECONDS)

    async def _begin(self, address: Address) -> None:
        token = self._tokens.setdefault(address.source, secrets.token_urlsafe(32))
        async with self.notes.timed("page"):
            await address.send("GET", "/", token=token)
        await address.new_game({"game": next(self._kinds)}, token)


def _ref() -> str:
    return secrets.token_hex(6)
