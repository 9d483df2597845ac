"""How many moves a second the server takes, each on disk before it is announced.

Beside it, in the same run, a bare Starlette WebSocket echo under the same uvicorn: what a round
trip costs at all; and the same with the messages of a move, one there, a change to each of the
players and an answer, without a game and a disk: what no game could be faster than. Real processes,
real sockets, the usual limits; the clients run in this process, those of each game at an address of
their own. See docs/web-measured.md for what limits it. Then the sizes of pages and messages, from
`web_load/pages.py`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench.comparison import Row, print_rows
from bench.web_load import pages
from bench.web_load.server import Server, from_address, percentile, running, serving
from gridwise import Match, games

GAMES = 200  # games at a time, each with both players connected
MANY_GAMES = 1_000  # as many as people may play on one process
PLIES = 30  # of a game; some are over sooner
ROUNDS = 2
PACE_SECONDS = 4.0  # seconds between the moves of a game when the server is not pressed
SECONDS = 20.0  # of that

BARE = """
import socket
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

async def echo(websocket):
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)

async def move(websocket):
    await websocket.accept()
    pair = pairs.setdefault(websocket.path_params["pair"], [])
    pair.append(websocket)
    async for text in websocket.iter_text():
        for each in pair:
            await each.send_text("x" * 860)  # a change: the middle of what pages.py finds
        await websocket.send_text("x" * 45)  # the answer

pairs = {}
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(1000)
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
app = Starlette(routes=[WebSocketRoute("/", echo), WebSocketRoute("/{pair}", move)])
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
"""


class PlayedGame(NamedTuple):
    """A game to be played: the sockets of both players, and the moves with who makes them."""

    players: tuple[ClientConnection, ClientConnection]
    moves: list[tuple[int, str]]


async def open_socket(
    address: str, headers: dict[str, str] | None = None, *, deflate: bool = False
) -> ClientConnection:
    """Connect as a program does, without compression, or as a browser does, with it."""
    return await connect(
        address.replace("http", "ws", 1),
        additional_headers=headers,
        compression="deflate" if deflate else None,
        open_timeout=60,
    )


async def seat_two(
    http: httpx.AsyncClient, number: int, server: str, *, deflate: bool = False
) -> PlayedGame:
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
    client, path, tokens = from_address(number), "/api/games", []
    for body in (request, {}):
        http.cookies.clear()
        answer = await http.post(f"{server}{path}", json=body, headers=client)
        tokens.append(answer.cookies["gridwise"])
        path = f"/api/games/{answer.json()['id']}/seats"
    path = path.replace("/seats", "/socket")
    sockets = [
        await open_socket(server + path, client | {"Cookie": f"gridwise={token}"}, deflate=deflate)
        for token in tokens
    ]
    for socket in sockets:
        await until(socket, "state")
    return PlayedGame((sockets[0], sockets[1]), list(zip(match.movers, match.moves, strict=True)))


KIND = re.compile(r'{"type": ?"([a-z]+)"')
VERSION = re.compile(r'"version": ?(\d+)')


async def until(socket: ClientConnection, *kinds: str) -> str:
    """The next message of such a kind; what else is in it is not looked at."""
    while True:
        text = await socket.recv()
        assert isinstance(text, str)
        found = KIND.match(text)
        assert found, text
        if found[1] in kinds:
            return text
        assert found[1] != "refused", text


async def until_version(socket: ClientConnection, version: int) -> None:
    """Wait until the game has come that far."""
    while True:
        found = VERSION.search(await until(socket, "state", "change"))
        if found and int(found[1]) >= version:
            return


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
        await until_version(theirs, version)
        await until(mine, "done")
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
    async with httpx.AsyncClient(timeout=60) as http:
        for number in range(0, ROUNDS * GAMES, GAMES):
            numbers = range(number, number + GAMES)
            games = [await seat_two(http, each, server.address) for each in numbers]
            began, used = time.perf_counter(), server.cpu()
            played += sum(await asyncio.gather(*(play(game, times) for game in games)))
            spent += time.perf_counter() - began
            cpu += server.cpu() - used
            await close(games)
    return Pressed(played / spent, cpu / played, times)


class Calm(NamedTuple):
    """What a server does when people play: a move every few seconds in each game."""

    cpu: float  # of the server, as a share of one core
    memory: float  # of the server, in megabytes
    times: list[float]


async def round_trips(server: Server, count: int = GAMES, *, deflate: bool = False) -> Calm:
    """How long a move takes when people play."""
    times: list[float] = []
    async with httpx.AsyncClient(timeout=60) as http:
        games = [
            await seat_two(http, each, server.address, deflate=deflate) for each in range(count)
        ]
        began, used = time.perf_counter(), server.cpu()
        until_then = began + SECONDS
        gc.disable()  # its own pauses are not the server's
        await asyncio.gather(*(play(game, times, PACE_SECONDS, until_then) for game in games))
        gc.enable()
        share, memory = (server.cpu() - used) / (time.perf_counter() - began), server.memory()
        await close(games)
    return Calm(share, memory, times)


async def bare_moves(server: Server, *, to_both: bool = False) -> Pressed:
    """Moves without a game: two sockets for each, and every message there and back.

    Or, `to_both`, as many messages back as a move makes.
    """
    pairs = [f"{server.address}/{number}" if to_both else server.address for number in range(GAMES)]
    sockets = [await open_socket(address) for address in pairs for _ in range(2)]
    message = json.dumps({"type": "move", "move": "0,1", "version": 1})

    async def talk(*pair: ClientConnection) -> None:
        for ply in range(PLIES):
            socket, other = pair[ply % 2], pair[1 - ply % 2]
            await socket.send(message)
            for each in (other, socket, socket) if to_both else (socket,):
                await each.recv()

    began, used = time.perf_counter(), server.cpu()
    for _ in range(ROUNDS):
        await asyncio.gather(
            *(talk(one, two) for one, two in zip(sockets[::2], sockets[1::2], strict=True))
        )
    spent, cpu = time.perf_counter() - began, server.cpu() - used
    await asyncio.gather(*(socket.close() for socket in sockets))
    trips = ROUNDS * GAMES * PLIES
    return Pressed(trips / spent, cpu / trips, [])


def percentiles(times: list[float]) -> str:
    """The middle, and what one in a hundred takes longer than."""
    return f"p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms"


def many_games() -> None:
    """Measure as many games as people may play on one process, compressed as browsers ask for."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        empty = server.memory()
        found = asyncio.run(round_trips(server, MANY_GAMES, deflate=True))
    each = (found.memory - empty) / MANY_GAMES * 1_000
    print(f"{MANY_GAMES:,} games, both connected, deflate, a move every {PACE_SECONDS:.0f} s each")
    print(f"  {len(found.times):,} moves, {percentiles(found.times)}")
    print(f"  {found.cpu:.2f} of a core; {found.memory:.0f} MB, {each:.0f} kB a game")


def main() -> None:
    """Measure, and print; with `many`, many games at a calm pace; with `pages`, only the sizes."""
    if "many" in sys.argv[1:]:
        many_games()
        return
    if "pages" not in sys.argv[1:]:
        throughput()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        pages.measure(server.address)


def throughput() -> None:
    """Measure how many moves there are a second, beside the bare echo."""
    with running(BARE) as server:
        echo = asyncio.run(bare_moves(server))
        messages = asyncio.run(bare_moves(server, to_both=True))
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        moves = asyncio.run(moves_a_second(server))
        calm = asyncio.run(round_trips(server))
    print(f"{GAMES} games, both players connected, every move on disk before it is announced")
    for name, each in (("echo", echo), ("bare messages", messages), ("moves", moves)):
        print(f"  {name:24} {each.cpu * 1e3:.2f} ms of CPU each")
    print_rows(
        [
            Row("moves / bare Starlette echo", moves.rate, echo.rate, "a second", at_least=0.25),
            Row("moves / bare messages of a move", moves.rate, messages.rate, "a second"),
        ]
    )
    for name, times in (
        ("as fast as it goes", moves.times),
        (f"every {PACE_SECONDS:.0f} s", calm.times),
    ):
        print(f"  a move, {name:18} {percentiles(times)}")


if __name__ == "__main__":
    main()
