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
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple

from bench.hostile import greedy
from bench.hostile.raw import (
    LARGEST_BOARD,
    RECEIVE_BYTES,
    Target,
    ask,
    frame,
    message,
    new_game,
    question,
    watch,
)
from bench.web_load.player import Player, any_board

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

    made = await new_game(target, "grid-runner")
    # First there must be something to replay.
    playing = _play_on(target, made, lambda number, moves: moves > 0 and number % 30 == 29)
    await asyncio.gather(load(), load(), playing)


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
                            await reader.read(RECEIVE_BYTES)
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
            if await target.send(question(target, kind, any_board(rng, *LARGEST_BOARD))) != 200:
                await asyncio.sleep(0.25)

    await asyncio.gather(*(ask() for _ in target.some(QUESTIONS)))


async def unread(target: Target) -> None:
    """Sockets that send and do not read, in a game whose state is as large as it gets."""
    board = any_board(random.Random(target.seed), *LARGEST_BOARD)
    game_id, token = await new_game(target, "number-run", board=board)

    async def send(number: int) -> None:
        while True:
            try:
                _, writer = await target.socket(game_id, token, RECEIVE_BYTES)
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
    game_id, token = await new_game(target, "number-run")
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

    asking = [ask(target, paths) for _ in target.some(CONNECTIONS)]
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
    await asyncio.gather(*(ask(target, paths) for _ in target.some(CONNECTIONS)))


async def audience(target: Target) -> None:
    """Moves in a game that many sockets of the same client watch: each goes to all of them."""
    made = await new_game(target, "grid-runner")
    playing = _play_on(target, made, lambda _, moves: moves > 10, 0.0)
    await asyncio.gather(playing, *(watch(target, *made) for _ in target.some(SOCKETS)))


async def _play_on(
    target: Target,
    made: tuple[str, str],
    takes_back: Callable[[int, int], bool],
    pause: float = 1 / PER_SECOND,
) -> None:
    """Moves in a game of one's own, or take-backs, by their number and the moves on the board."""
    player = Player(target.new_client(), *made)
    for number in itertools.count():
        state = await player.sees(0)
        asked = "takeback" if takes_back(number, len(state["moves"])) else "move"
        move = {"move": state["legal"][number % 2]} if asked == "move" else {}
        answer = await player.ask(asked, f"{number}", version=player.version, **move)
        target.did[answer["type"]] += 1
        if state["status"] == "over":
            return
        await asyncio.sleep(pause)


async def start_page(target: Target) -> None:
    """Look at the lists of games, as often as one may."""
    paths = itertools.cycle(["/", "/api/games?status=recent", "/api/games?status=open"])
    cookie = f"gridwise={secrets.token_urlsafe(32)}"
    await asyncio.gather(*(ask(target, paths, 0.2, Cookie=cookie) for _ in range(8)))


async def refs(target: Target) -> None:
    """Use the refs that the other player is about to use."""
    address = target.new_client()
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
    game_id, token = await new_game(target, "number-run")
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
                    await reader.read(RECEIVE_BYTES)
                    writer.close()
            except OSError:
                pass
            target.did["frames"] += 1
            await asyncio.sleep(0.1)

    await asyncio.gather(*(ask(requests[each::4]) for each in range(4)), talk(), talk())


class Pattern(NamedTuple):
    """What somebody hostile does, for how long at least, and with which limits of the server."""

    work: Callable[[Target], Awaitable[None]]
    seconds: float = 0.0
    caps: Mapping[str, int] = MappingProxyType({})


ATTACKS = {
    "poison": Pattern(poison),
    "idle": Pattern(idle),
    "questions": Pattern(questions),
    "unread": Pattern(unread),
    "flood": Pattern(flood),
    "look-back": Pattern(look_back),
    "audience": Pattern(audience),
    "start-page": Pattern(start_page),
    "own-games": Pattern(greedy.own_games),
    "burst": Pattern(greedy.burst),
    "lobby": Pattern(greedy.lobby, 10.0),
    "class": Pattern(greedy.classmates, greedy.CLASS_TIME + 5),
    "refs": Pattern(refs),
    "lock": Pattern(lock, LOCKED + 2),
    "garbage": Pattern(garbage),
    "past": Pattern(greedy.past),  # the last: it once went on for longer than the pause after it
    "fill": Pattern(greedy.fill, caps={"all_games": 200}),
    "sockets": Pattern(greedy.sockets, caps={"all_sockets": 150}),
}


async def attack(name: str, target: Target) -> None:
    """Attack for as long as asked."""
    with suppress(TimeoutError):
        async with asyncio.timeout(target.seconds):
            await ATTACKS[name].work(target)
            await asyncio.sleep(target.seconds)  # it came to an end of its own


def command(name: str, server: str, more: dict[str, Any]) -> list[str]:
    """What starts the process; `more` has the seconds, the seed, and what the pattern needs."""
    return [sys.executable, "-m", "bench.hostile.attacks", name, server, json.dumps(more)]


def main(name: str, server: str, more: dict[str, Any]) -> None:
    """Attack, and print what was done as JSON, after a line when it begins."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.nice(5)  # it stands for a machine elsewhere, and must not slow the server down by itself
    source = (
        f"127.0.{10 + list(ATTACKS).index(name)}.66"  # of its own: rates are counted by address
    )
    target = Target(server, source, more.pop("seconds"), more.pop("seed"), more)
    print("Attacking", flush=True)
    began = time.monotonic()
    asyncio.run(attack(name, target))
    target.did.update(target.notes.errors(0, float("inf")))
    done = {
        "did": {"seconds": time.monotonic() - began, **target.did},
        "took": target.notes.times(0, float("inf")),
        "claims": {what: (claim.held, claim.tried) for what, claim in target.claims.items()},
    }
    print(json.dumps(done))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
