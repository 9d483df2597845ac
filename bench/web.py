"""How many moves a second the server takes, each on disk before it is announced.

Beside it, in the same run, a bare Starlette WebSocket echo under the same uvicorn: what a round
trip costs at all. Real processes, real sockets; the clients run in this process. See docs/web.md
for what limits it.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect

from gridwise import Match, games

GAMES = 200  # games at a time, each with both players connected
PLIES = 30  # of a game; some are over sooner
ROUNDS = 2
PACE = 4.0  # seconds between the moves of a game when the server is not pressed
SECONDS = 12.0  # of that

SERVER = """
import pathlib, sys
from gridwise.web.server import run
from gridwise.web.settings import ServerLimits, Rate
plenty = Rate(1e9, 1e9)
limits = ServerLimits(requests=plenty, games=plenty, thinking=plenty, messages=plenty,
                      sockets=10**6, open_games=10**6, all_games=10**6)
run("127.0.0.1", 0, "", pathlib.Path(sys.argv[1]), limits)
"""
ECHO = """
import socket
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
async def echo(websocket):
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(1000)
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
app = Starlette(routes=[WebSocketRoute("/", echo)])
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
"""


class PlayedGame(NamedTuple):
    """A game to be played: the sockets of both players, and the moves with who makes them."""

    players: tuple[ClientConnection, ClientConnection]
    moves: list[tuple[int, str]]


class Server(NamedTuple):
    """A server as a process of its own."""

    address: str
    process: int

    def cpu(self) -> float:
        """The seconds of processor time it has used, where the system tells."""
        try:
            stat = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii")
        except OSError:
            return float("nan")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(program: str, *arguments: str) -> Iterator[Server]:
    """Start a server, and end it."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield Server(found[0], process.pid)
    finally:
        process.kill()
        process.communicate()


async def open_socket(address: str, cookie: str = "") -> ClientConnection:
    """Connect as a program does: without compression."""
    return await connect(
        address.replace("http", "ws", 1),
        additional_headers={"Cookie": cookie} if cookie else {},
        compression=None,
        open_timeout=60,
    )


async def seat_two(http: httpx.AsyncClient, number: int) -> PlayedGame:
    """A game of a kind that goes round, on a board whose moves are known beforehand."""
    kind = games()[number % len(games())]
    rng = random.Random(number)
    match = Match(kind, seed=number)
    while match.outcome:  # lost before the first move, as some boards are
        match = Match(kind, seed=rng.random().hex())
    board = kind.board_text(match.true_board)
    while not match.outcome and len(match.actions) < PLIES:
        match.move(rng.choice(match.legal_moves))
    request = {"game": kind.key, "board": board} | (
        {"first": match.first} if kind.coin_toss else {}
    )
    http.cookies.clear()
    made = await http.post("/api/games", json=request)
    game_id, first = made.json()["id"], made.cookies["gridwise"]
    http.cookies.clear()
    taken = await http.post(f"/api/games/{game_id}/seats", json={})
    http.cookies.clear()
    address = f"{http.base_url}/api/games/{game_id}/socket".replace("//api", "/api")
    sockets = [
        await open_socket(address, f"gridwise={token}")
        for token in (first, taken.cookies["gridwise"])
    ]
    for socket in sockets:
        await until(socket, '{"type": "state"')
    return PlayedGame((sockets[0], sockets[1]), list(zip(match.movers, match.moves, strict=True)))


async def until(socket: ClientConnection, start: str) -> str:
    """The next message that starts so; what is in it is not looked at."""
    while True:
        text = await socket.recv()
        assert isinstance(text, str)
        if text.startswith(start):
            return text
        assert not text.startswith('{"type": "refused"'), text


async def play(
    game: PlayedGame, times: list[float], pace: float = 0.0, until_then: float = 0.0
) -> int:
    """Play a game, each player when the other's move has come; how many moves."""
    version = 1  # the second player has sat down
    for mover, move in game.moves:
        if pace:
            await asyncio.sleep(random.uniform(0, 2 * pace))
            if time.perf_counter() > until_then:
                break
        mine, theirs = game.players[mover - 1], game.players[2 - mover]
        began = time.perf_counter()
        await mine.send(json.dumps({"type": "move", "move": move, "version": version}))
        version += 1
        wanted = f'"version": {version}, '
        while wanted not in (await until(theirs, '{"type": "state"'))[:120]:
            pass
        await until(mine, '{"type": "done"')
        times.append(time.perf_counter() - began)
    return version - 1


async def close(games: list[PlayedGame]) -> None:
    """Leave."""
    await asyncio.gather(*(socket.close() for game in games for socket in game.players))


class Pressed(NamedTuple):
    """What a server does when all go as fast as they can."""

    rate: float  # a second
    cpu: float  # of the server, in seconds for each
    times: list[float]


async def moves_a_second(server: Server) -> Pressed:
    """All games at once, as fast as they go; and how long each move took."""
    played, spent, cpu, times = 0, 0.0, 0.0, list[float]()
    async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
        for turn in range(ROUNDS):
            games = [await seat_two(http, turn * GAMES + each) for each in range(GAMES)]
            began, used = time.perf_counter(), server.cpu()
            played += sum(await asyncio.gather(*(play(game, times) for game in games)))
            spent += time.perf_counter() - began
            cpu += server.cpu() - used
            await close(games)
    return Pressed(played / spent, cpu / played, times)


async def round_trips(server: Server) -> list[float]:
    """How long a move takes when people play: one every few seconds in each of the games."""
    times: list[float] = []
    async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
        games = [await seat_two(http, each) for each in range(GAMES)]
        until_then = time.perf_counter() + SECONDS
        await asyncio.gather(*(play(game, times, PACE, until_then) for game in games))
        await close(games)
    return times


async def echoes_a_second(server: Server) -> Pressed:
    """The same traffic without a game: two sockets a game, each message there and back."""
    sockets = [await open_socket(server.address) for _ in range(2 * GAMES)]
    message = json.dumps({"type": "move", "move": "0,1", "version": 1})

    async def talk(one: ClientConnection, two: ClientConnection) -> None:
        for ply in range(PLIES):
            socket = (one, two)[ply % 2]
            await socket.send(message)
            await socket.recv()

    began, used = time.perf_counter(), server.cpu()
    for _ in range(ROUNDS):
        await asyncio.gather(
            *(talk(one, two) for one, two in zip(sockets[::2], sockets[1::2], strict=True))
        )
    spent, cpu = time.perf_counter() - began, server.cpu() - used
    await asyncio.gather(*(socket.close() for socket in sockets))
    trips = ROUNDS * GAMES * PLIES
    return Pressed(trips / spent, cpu / trips, [])


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    return sorted(times)[int(share * (len(times) - 1))] * 1_000


def main() -> None:
    """Measure, and print."""
    with running(ECHO) as server:
        echo = asyncio.run(echoes_a_second(server))
    with tempfile.TemporaryDirectory() as folder, running(SERVER, folder) as server:
        moves = asyncio.run(moves_a_second(server))
        calm = asyncio.run(round_trips(server))
    print(f"{GAMES} games, both players connected, every move on disk before it is announced")
    for name, each in (("bare Starlette echo", echo), ("moves", moves)):
        print(f"  {name:20} {each.rate:7,.0f} a second, {each.cpu * 1e3:.2f} ms of CPU each")
    print(f"  moves / echo         {moves.rate / echo.rate:7.3f}")
    for name, times in (("as fast as it goes", moves.times), (f"every {PACE:.0f} s", calm)):
        middle, slow = percentile(times, 0.5), percentile(times, 0.99)
        print(f"  a move, {name:18} p50 {middle:.1f} ms, p99 {slow:.1f} ms")


if __name__ == "__main__":
    main()
