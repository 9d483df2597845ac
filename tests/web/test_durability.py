"""A move is committed before it is announced, whatever happens to the server."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from gridwise.web.game.stored_game import Change
from gridwise.web.storage import GameStore
from tests.sizes import sample

from .servers import (
    GAMES,
    NO_CERTIFICATES,
    TIMEOUT,
    Browse,
    Program,
    changed,
    eventually,
    ok,
    receive,
    running,
    send,
    transaction,
)

KILLS = sample(2, long=3)
GAMES_AT_ONCE = sample(10, long=15)  # each game on one screen, and against a bot


class Play:
    """One game, played at random by one client, who remembers what was announced."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)
        self.game = GAMES[number % len(GAMES)]
        self.opponent = ("same-screen", "bot")[number // len(GAMES) % 2]
        self.id = ""
        self.cookies: dict[str, str] = {}
        self.announced: list[str] = []  # the longest list of moves that was sent to anybody
        self.over = False
        self.state: dict[str, Any] = {}

    async def create(self, address: str) -> None:
        """Start it; a game that was not acknowledged may be missing."""
        request = {"game": self.game, "opponent": self.opponent, "level": "novice"}
        async with httpx.AsyncClient(
            base_url=address, timeout=TIMEOUT, verify=NO_CERTIFICATES
        ) as http:
            made = await http.post("/api/games", json=request)
        self.id, self.cookies = made.json()["id"], dict(made.cookies)

    async def go_on(self, address: str, *, to_the_end: bool) -> None:
        """Play until the server is gone, or the game is over."""
        try:
            if not self.id:
                await self.create(address)
            headers = {"Cookie": f"gridwise={self.cookies['gridwise']}"}
            ws = f"{address.replace('http', 'ws', 1)}/api/games/{self.id}/socket"
            async with connect(ws, additional_headers=headers, open_timeout=TIMEOUT) as socket:
                while not self.over:
                    async with asyncio.timeout(TIMEOUT):
                        await self._step(socket, to_the_end=to_the_end)
        except (OSError, httpx.TransportError, WebSocketException):
            assert not to_the_end

    async def _step(self, socket: ClientConnection, *, to_the_end: bool) -> None:
        message = json.loads(await socket.recv())
        if message["type"] not in ("state", "change"):
            return
        state = self.state = (
            changed(self.state, message) if message["type"] == "change" else message
        )
        moves = [each["move"] for each in state["moves"]]
        assert moves[: len(self.announced)] == self.announced, "an announced move is missing"
        self.announced = moves
        self.over = state["status"] == "over"
        if self.over or state["turn"] not in state["you"]:
            return
        request = {"version": state["version"], "ref": f"{state['version']}"}
        if to_the_end and len(moves) > 40:
            await socket.send(json.dumps({"type": "stop", **request}))
        else:
            move = self.rng.choice(state["legal"])
            await socket.send(json.dumps({"type": "move", "move": move, **request}))


async def _play_all(plays: list[Play], address: str, *, to_the_end: bool) -> None:
    await asyncio.gather(*(play.go_on(address, to_the_end=to_the_end) for play in plays))


async def _play_and_kill(plays: list[Play], server: Program, moves: int) -> None:
    """Kill it in the midst of many games, when that many more moves have been announced."""
    before = sum(len(play.announced) for play in plays)
    playing = asyncio.create_task(_play_all(plays, server.address, to_the_end=False))
    done: set[asyncio.Task[None]] = set()
    while not done and sum(len(play.announced) for play in plays) < before + moves:
        done, _ = await asyncio.wait({playing}, timeout=0.003)
    server.process.send_signal(signal.SIGKILL)
    await playing


def test_no_announced_move_is_lost_when_the_server_is_killed(tmp_path: Path, database: str) -> None:
    """Kill -9 at random moments of many games; after each restart they all go on, to the end."""
    rng = random.Random(20)
    plays = [Play(number) for number in range(GAMES_AT_ONCE)]
    for _ in range(KILLS):
        with Program(tmp_path, database=database) as server:
            asyncio.run(_play_and_kill(plays, server, rng.randrange(10, 120)))
            server.process.communicate(timeout=TIMEOUT)
        plays = [play if not play.over else Play(rng.randrange(10**6)) for play in plays]
    with Program(tmp_path, database=database) as server:
        asyncio.run(_play_all(plays, server.address, to_the_end=True))
        assert all(play.over for play in plays)
    with transaction(database) as connection:
        assert connection.execute(sa.text("PRAGMA integrity_check")).scalar_one() == "ok"


def test_a_bot_that_was_due_moves_after_a_restart(database: str, browse: Browse) -> None:
    """Nobody has to ask it."""
    with running(database) as address:
        ann = browse(address)
        state = ann.state(ann.create("number-run", opponent="bot", level="random", seed=1))
        ok(ann.move(state, state["legal"][0]))
        eventually(lambda: len(ann.state(state["id"])["moves"]) == 2, "the bot does not move")
    with transaction(database) as connection:  # as if the server had died before the bot's answer
        connection.execute(sa.text("DELETE FROM events WHERE number = 2"))

    def players() -> list[int]:
        with transaction(database) as connection:
            rows = connection.execute(sa.text("SELECT player FROM events ORDER BY number"))
            return list(rows.scalars())

    assert players() == [1]
    with running(database):
        eventually(lambda: players() == [1, 2], "the bot has not moved")


def test_games_nobody_looks_at_are_let_go_and_read_again(database: str, browse: Browse) -> None:
    """Memory holds what is being played; the store holds everything, also what was taken back."""
    with running(database, idle=0.05, unload_interval=0.05) as address:
        ann = browse(address)
        state = ann.state(ann.create("grid-conquest", opponent="same-screen"))
        state = ok(ann.request("takeback", ok(ann.move(state, "A1"))))
        state = ok(ann.move(state, "C3"))
        eventually(lambda: ok(ann.http.get("/health"))["live"] == 0, "it is not let go")
        assert ann.state(state["id"]) == state


def test_nothing_is_announced_before_it_is_on_disk(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a move is being written everybody still sees the game as it was."""
    write, on_disk = GameStore.write, threading.Event()
    on_disk.set()

    def write_slowly(self: GameStore, changes: list[Change]) -> None:
        assert on_disk.wait(TIMEOUT)
        write(self, changes)

    monkeypatch.setattr(GameStore, "write", write_slowly)
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner")
        state = bob.take_seat(game_id)
        with ann.socket(game_id) as one, bob.socket(game_id) as two:
            receive(one, "state")
            receive(two, "state")
            on_disk.clear()
            send(one, "move", move="down", version=state["version"])
            for _ in range(10):
                assert bob.state(game_id)["version"] == state["version"]
                assert bob.http.get(f"/api/games/{game_id}/picture.svg").is_success
            send(two, "ping")
            kinds = set()
            while "pong" not in kinds:
                kinds.add(json.loads(two.recv(timeout=TIMEOUT))["type"])
            assert not kinds & {"state", "change"}
            on_disk.set()
            receive(two, "state", version=state["version"] + 1)
            receive(one, "done", version=state["version"] + 1)
