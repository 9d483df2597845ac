"""What one hostile client does, each pattern by itself; run as a process of its own."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import resource
import secrets
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

from websockets.exceptions import WebSocketException

from bench.hostile.raw import SMALL, Target, answered, frame, message
from bench.web_load.player import Address, Notes, Player

SOURCE = "127.0.0.66"
IDLE = 1_100  # silent connections
SOCKETS = 95  # of one client, within the limit
PER_SECOND = 19  # messages on each, within the limit
QUESTIONS = 12  # heavy questions at the same time
CONNECTIONS = 40  # of a flood
LOCKED, FREE = 12.0, 30.0  # seconds; longer than a server waits for a lock


async def poison(target: Target) -> None:
    """Load games with many take-backs, and take a move back again and again in another."""
    games = itertools.cycle(target.more["games"])

    async def load() -> None:
        while True:
            await target.send(target.request("GET", f"/api/games/{next(games)}"))
            await asyncio.sleep(0.2)

    async def take_back() -> None:
        player = await _player(target, "grid-runner")
        for number in itertools.count():
            state = await player.sees(0)
            if state["moves"] and number % 30 == 29:  # first there must be something to replay
                answer = await player.ask("takeback", f"{number}", version=player.version)
            else:
                move = {"move": state["legal"][number % 2], "version": player.version}
                answer = await player.ask("move", f"{number}", **move)
            target.did[answer["type"]] += 1
            if state["status"] == "over":
                return
            await asyncio.sleep(1 / PER_SECOND)

    await asyncio.gather(load(), load(), take_back())


async def idle(target: Target) -> None:
    """Connections that say nothing, headers a byte at a time, bodies a byte at a time."""
    head = f"GET / HTTP/1.1\r\nHost: {target.host}\r\nX-Slow: "
    body = f"POST /api/games HTTP/1.1\r\nHost: {target.host}\r\nContent-Length: 9999\r\n\r\n"

    async def hold(start: str) -> None:
        while True:
            try:
                reader, writer = await target.open()
                target.did["connected"] += 1
                writer.write(start.encode())
                while not reader.at_eof():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(1):
                            await reader.read(SMALL)
                    if start:
                        writer.write(b"1")
                writer.close()
                target.did["closed by the server"] += 1
            except OSError:
                target.did["not connected"] += 1
            await asyncio.sleep(1)

    await asyncio.gather(*(hold(("", head, body)[each % 3]) for each in target.some(IDLE)))


async def questions(target: Target) -> None:
    """Positions on boards of 63 cells, which take the engine seconds."""
    rng = random.Random(target.seed)

    async def ask() -> None:
        while True:
            kind = rng.choice(("number-run", "grid-conquest"))
            asked = json.dumps({"game": kind, "board": _large_board(rng)}).encode()
            headers = {"Content_Type": "application/json"}
            if await target.send(target.request("POST", "/api/positions", asked, **headers)) != 200:
                await asyncio.sleep(0.25)

    await asyncio.gather(*(ask() for _ in target.some(QUESTIONS)))


async def unread(target: Target) -> None:
    """Sockets that send and do not read, in a game whose state is as large as it gets."""
    player = await _player(target, "number-run", board=_large_board(random.Random(target.seed)))
    game_id, token = player.game_id, player.token
    await player.leave()

    async def send(number: int) -> None:
        while True:
            try:
                _, writer = await target.socket(game_id, token, SMALL)
                for ref in itertools.count():
                    stale = {"move": "0,1", "version": 10**6, "ref": f"{number}-{ref}"}
                    writer.write(message("move", **stale))
                    async with asyncio.timeout(5):
                        await writer.drain()
                    target.did["messages"] += 1
                    await asyncio.sleep(1 / PER_SECOND)
            except OSError:
                target.did["socket closed"] += 1
            await asyncio.sleep(0.5)

    await asyncio.gather(*(send(number) for number in target.some(SOCKETS)))


async def flood(target: Target) -> None:
    """Requests as fast as they are answered, and messages over many sockets."""
    player = await _player(target, "number-run")
    game_id, token = player.game_id, player.token
    await player.leave()
    paths = itertools.cycle(["/", f"/api/games/{game_id}", f"/g/{game_id}", "/api/games"])

    async def talk() -> None:
        while True:
            try:
                reader, writer = await target.socket(game_id, token)
                while not reader.at_eof():
                    writer.write(message("move", move="0,1", version=10**6))
                    target.did["messages"] += 1
                    with suppress(TimeoutError):
                        async with asyncio.timeout(1 / PER_SECOND):
                            while await reader.read(2**16):
                                pass
                writer.close()
            except OSError:
                pass
            target.did["socket closed"] += 1
            await asyncio.sleep(0.2)

    asking = [_ask(target, paths) for _ in target.some(CONNECTIONS)]
    await asyncio.gather(*asking, *(talk() for _ in target.some(SOCKETS)))


async def look_back(target: Target) -> None:
    """Pages about a game of a thousand moves, as fast as they are answered."""
    game_id = target.more["long"]
    ways = (
        "/g/{}/back",
        "/g/{}/back?comments=yes",
        "/g/{}/review",
        "/api/games/{}/review",
        "/g/{}",
    )
    paths = itertools.cycle([way.format(game_id) for way in ways])
    await asyncio.gather(*(_ask(target, paths) for _ in target.some(CONNECTIONS)))


async def _ask(target: Target, paths: Iterator[str]) -> None:
    """Requests over one connection, as fast as they are answered."""
    while True:
        try:
            reader, writer = await target.open()
            while True:
                writer.write(target.request("GET", next(paths)))
                async with asyncio.timeout(30):
                    target.did[f"HTTP {await answered(reader)}"] += 1
        except (OSError, EOFError, ValueError, IndexError):
            target.did["connection closed"] += 1
            await asyncio.sleep(0.05)


async def audience(target: Target) -> None:
    """Moves in a game that many sockets of the same client watch: each goes to all of them."""
    player = await _player(target, "grid-runner")

    async def look_on() -> None:
        while True:
            with suppress(OSError, WebSocketException):
                socket = await player.address.connect(player.game_id, player.token)
                async for _ in socket:
                    target.did["changes read"] += 1
            await asyncio.sleep(0.5)

    async def play() -> None:
        for number in itertools.count():
            state = await player.sees(0)
            asked = "takeback" if len(state["moves"]) > 10 else "move"
            move = {"move": state["legal"][number % 2]} if asked == "move" else {}
            answer = await player.ask(asked, f"{number}", version=player.version, **move)
            target.did[answer["type"]] += 1
            if state["status"] == "over":
                return

    await asyncio.gather(play(), *(look_on() for _ in target.some(SOCKETS)))


async def fill(target: Target) -> None:
    """Begin games without a cookie, as many as one may."""
    while True:
        body = b'{"game": "number-run", "listed": true}'
        wanted = target.request("POST", "/api/games", body, Content_Type="application/json")
        if await target.send(wanted) != 201:
            await asyncio.sleep(0.1)


async def start_page(target: Target) -> None:
    """Look at the lists of games, as often as one may."""
    paths = itertools.cycle(["/", "/api/games?status=recent", "/api/games?status=open"])
    cookie = f"gridwise={secrets.token_urlsafe(32)}"

    async def look() -> None:
        while True:
            await target.send(target.request("GET", next(paths), Cookie=cookie))
            await asyncio.sleep(0.2)

    await asyncio.gather(*(look() for _ in range(8)))


async def refs(target: Target) -> None:
    """Use the refs that the other player is about to use."""
    address = Address((target.server,), target.source, Notes())
    rng = random.Random(target.seed)

    async def play(game_id: str) -> None:
        token = await address.take_seat(game_id)
        assert token
        player = Player(address, game_id, token)
        while await player.turn():
            version = player.version
            answer = await player.move(rng.choice(player.state["legal"]), f"m{version + 1}")
            target.did[answer["type"]] += 1
            await player.sees(version + 1)
            await asyncio.sleep(0.5)

    await asyncio.gather(*(play(each) for each in target.more["games"]))


async def lock(target: Target) -> None:
    """Lock the database from another process."""
    connection = sqlite3.connect(target.more["database"], isolation_level=None)
    while True:
        connection.execute("BEGIN IMMEDIATE")
        target.did["locked"] += 1
        await asyncio.sleep(LOCKED)
        connection.execute("ROLLBACK")
        await asyncio.sleep(FREE)


async def garbage(target: Target) -> None:
    """Whatever is too large, no JSON, no HTTP, or meant for somebody else."""
    player = await _player(target, "number-run")
    game_id, token = player.game_id, player.token
    await player.leave()
    big, deep = b"x" * 2**20, b"[" * 16_000
    games = "/api/games"
    requests = [
        target.request("POST", games, big),
        target.request("POST", games, deep),
        target.request("POST", games, b'{"game": "\xff\xfe'),
        target.request("POST", games, b"", Transfer_Encoding="chunked") + b"ffffffff\r\n" + big,
        target.request("GET", "/", Host="evil.example"),
        target.request("POST", games, b"{}", Origin="http://evil.example"),
        target.request("GET", "/", Cookie=f"gridwise={'a' * 60_000}"),
        target.request("GET", "/" + "a" * 100_000),
        target.request("GET", "/../../etc/passwd"),
        target.request("GET", "/", X_1="1" + "\r\nX-2: 1" * 2_000),
        os.urandom(4_096),
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 10_000,
    ]
    frames = [
        frame(b"{" * 4_000), frame(b"x" * 4_097), frame(b"", length=2**40), frame(b"\xff"),
        frame(b"null"), frame(b"{}", 0x82), frame(b"x" * 200, 0x89), b"\x81\x05hello",
        frame(b'{"type": "move", "move": "' + b"9" * 3_000 + b'", "version": 1e400}'),
        frame(b"[" * 4_000), os.urandom(512), message("move", move="0,1", version=-1),
    ]  # fmt: skip

    async def ask(share: list[bytes]) -> None:
        for each in itertools.cycle(share):
            await target.send(each, 5)
            await asyncio.sleep(0.1)

    async def talk() -> None:
        for each in itertools.cycle(frames):
            try:
                async with asyncio.timeout(5):
                    reader, writer = await target.socket(game_id, token)
                    writer.write(each)
                    await reader.read(SMALL)
                    writer.close()
            except OSError:
                pass
            target.did["frames"] += 1
            await asyncio.sleep(0.1)

    await asyncio.gather(*(ask(requests[each::4]) for each in range(4)), talk(), talk())


async def nothing(_target: Target) -> None:
    """Nobody is hostile: what the server does by itself."""
    await asyncio.sleep(10**6)


def _large_board(rng: random.Random) -> str:
    return "/".join("".join(rng.choices("12345", k=9)) for _ in range(7))


async def _player(target: Target, kind: str, **options: str) -> Player:
    """A player of both sides of a new game."""
    address = Address((target.server,), target.source, Notes())
    made = await address.new_game({"game": kind, "opponent": "same-screen", **options})
    assert made, address.notes.noticed
    return Player(address, *made)


ATTACKS: dict[str, Callable[[Target], Awaitable[None]]] = {
    "nothing": nothing,
    "poison": poison,
    "idle": idle,
    "questions": questions,
    "unread": unread,
    "flood": flood,
    "look-back": look_back,
    "audience": audience,
    "fill": fill,
    "start-page": start_page,
    "refs": refs,
    "lock": lock,
    "garbage": garbage,
}


async def attack(name: str, target: Target) -> None:
    """Attack for as long as asked."""
    try:
        async with asyncio.timeout(target.seconds):
            await ATTACKS[name](target)
    except TimeoutError:
        return
    await asyncio.sleep(target.seconds)  # it came to an end of its own


def command(name: str, server: str, more: dict[str, Any]) -> list[str]:
    """What starts the process; `more` has the seconds, the seed, and what the pattern needs."""
    return [sys.executable, "-m", "bench.hostile.attacks", name, server, json.dumps(more)]


def main(name: str, server: str, more: dict[str, Any]) -> None:
    """Attack, and print what was done as JSON, after a line when it begins."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.nice(5)  # it stands for a machine elsewhere, and must not slow the server down by itself
    target = Target(server, SOURCE, more.pop("seconds"), more.pop("seed"), more)
    print("Attacking", flush=True)
    began = time.monotonic()
    asyncio.run(attack(name, target))
    print(json.dumps({"seconds": time.monotonic() - began, **target.did}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
