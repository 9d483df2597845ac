"""Clients that keep to their limits and take what is meant for all: games, sockets, the lobby.

Each pattern tries meanwhile what others should still be able to do.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import secrets
from contextlib import suppress
from typing import Any

from websockets.exceptions import WebSocketException

from bench.hostile.raw import LARGEST_BOARD, Target, answered, ask, new_game, question, watch
from bench.web_load.player import any_board

FILLERS = 10  # addresses that begin games
INVITATIONS = 5  # games of others, from before
TABS = 16  # connections of a client that looks at its games
BURST = 190  # requests in one moment, within the limit
BETWEEN_BURSTS = 4.0  # seconds, in which all is as before
LISTED = 60  # games of one address in the lobby
INVENTED = 150  # visitors with a cookie that nobody gave them
SPECTATORS = 4  # addresses of them
CLASS = 30  # browsers behind one address, as of a school
GREEDY = 45  # questions of one of them
CLASS_TIME = 12.0  # seconds that a pupil waits for an answer


async def own_games(target: Target) -> None:
    """Three clients with 50 unfinished games each look at them, as often as they are let."""
    paths = itertools.cycle(["/", "/games"])
    asking = [
        ask(target.at(number), paths, Cookie=f"gridwise={token}")
        for number, token in enumerate(target.more["tokens"])
        for _ in range(TABS)
    ]
    await asyncio.gather(*asking)


async def burst(target: Target) -> None:
    """Those pages 190 times in one moment, by one such client after the other."""
    for number, token in itertools.cycle(enumerate(target.more["tokens"])):
        client = target.at(number)
        opened = await asyncio.gather(*(client.open() for _ in range(BURST)))
        for each, (_, writer) in enumerate(opened):
            path = ("/", "/games")[each % 2]
            writer.write(client.request("GET", path, Cookie=f"gridwise={token}"))
        for reader, writer in opened:
            with suppress(OSError, EOFError):  # closed without an answer
                target.did[f"HTTP {await answered(reader)}"] += 1
            writer.close()
        await asyncio.sleep(BETWEEN_BURSTS)


async def lobby(target: Target) -> None:
    """Sixty listed games of one address with open sockets, and visitors who are invented."""
    shows, invents = target.claim("another's game is listed"), target.claim("people are people")
    another, filler, visitor = target.at(1), target.new_client(), target.at(2).new_client()
    listed: dict[str, Any] = {"opponent": "link", "listed": True}
    waiting = await new_game(another, "number-maze", **listed)
    games: list[tuple[str, str]] = []
    while len(games) < LISTED and (made := await filler.new_game({"game": "number-run", **listed})):
        games.append(made)

    async def see() -> dict[str, Any]:
        answer = await visitor.send("GET", "/api/lobby")
        return answer.json() if answer else {"open": [], "people": 0}

    async def invent() -> int:
        """How many people more there are after many visitors have been invented."""
        before: int = (await see())["people"]
        cookies = [f"gridwise={secrets.token_urlsafe(32)}" for _ in range(INVENTED)]
        asked = [target.request("GET", "/api/lobby", Cookie=cookie) for cookie in cookies]
        await asyncio.gather(*(target.at(3).send(each) for each in asked))
        after: int = (await see())["people"]
        return after - before

    async def come() -> None:
        await asyncio.sleep(1.5)  # until all are connected; the lobby is read once a second
        target.did["people invented"] = await invent()
        invents.check(holds=target.did["people invented"] <= CLASS)
        while True:
            shown = [each["id"] for each in (await see())["open"]]
            target.did["games listed"] = len(shown)
            shows.check(holds=waiting[0] in shown)
            await asyncio.sleep(1)

    watching = [watch(target, *each) for each in games]
    await asyncio.gather(come(), watch(another, *waiting), *watching)


async def sockets(target: Target) -> None:
    """Twice as many spectators as there are sockets for all; then a player comes."""
    connects = target.claim("a player connects")
    game_id, token = await new_game(target, "number-run")
    player = target.at(SPECTATORS).new_client()

    async def come() -> None:
        while True:
            await asyncio.sleep(2)
            kind = ""
            with suppress(OSError, WebSocketException):
                socket = await player.connect(game_id, token)
                async with asyncio.timeout(5):
                    kind = json.loads(await socket.recv())["type"]
                await socket.close()
            connects.check(holds=kind == "state")

    spectators = range(2 * target.more["all_sockets"])
    watching = [watch(target.at(each % SPECTATORS), game_id) for each in spectators]
    await asyncio.gather(come(), *watching)


async def classmates(target: Target) -> None:
    """One browser asks 45 heavy questions; 29 others at the same address ask one each."""
    answers = target.claim("a classmate is answered")
    rng = random.Random(target.seed)

    async def ask_engine(kind: str, board: str, token: str) -> bool:
        asked = question(target, kind, board, token)
        return await target.send(asked, CLASS_TIME) == 200

    async def ask_once(pause: float) -> None:
        await asyncio.sleep(pause)
        async with target.notes.timed("a classmate's question"):
            holds = await ask_engine("number-run", any_board(rng, 5, 5), secrets.token_urlsafe(32))
        answers.check(holds=holds)

    token = secrets.token_urlsafe(32)
    boards = [any_board(rng, *LARGEST_BOARD) for _ in range(GREEDY)]  # 1.2 s of work each
    greedy = [ask_engine("grid-conquest", board, token) for board in boards]
    await asyncio.gather(*greedy, *(ask_once(1 + each / 10) for each in range(1, CLASS)))


async def past(target: Target) -> None:
    """Browsers with 10,000 finished games start games, change devices, and are erased."""
    starting, holder, *erased = target.more["tokens"]
    client = target.new_client()

    async def start() -> None:
        while True:
            await client.new_game({"game": "number-run"}, starting)
            await asyncio.sleep(0.5)

    async def change_device(holder: str) -> None:
        while True:
            heir = secrets.token_urlsafe(32)
            async with target.notes.timed("make a device link"):
                made = await client.send("POST", "/device", token=heir)
            if found := made and re.search(r"/device/[A-Za-z0-9_-]{22}", made.text):
                async with target.notes.timed("use a device link"):
                    await target.send(target.request("POST", found[0], Cookie=f"gridwise={holder}"))
                holder = heir
            await asyncio.sleep(1)

    async def erase() -> None:
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        for token in erased:
            await asyncio.sleep(2)
            wanted = target.request(
                "POST", "/forget", b"sure=yes", Cookie=f"gridwise={token}", **form
            )
            async with target.notes.timed("erase"):
                await target.send(wanted)

    await asyncio.gather(start(), change_device(holder), erase())


async def fill(target: Target) -> None:
    """Ten addresses begin games until the server is full; others start games and join them."""
    starts, joins = target.claim("others start a game"), target.claim("others join a game")
    host, guest = target.at(FILLERS).new_client(), target.at(FILLERS + 1).new_client()
    invitations = [await host.new_game({"game": "number-maze"}) for _ in range(INVITATIONS)]
    filled = asyncio.Event()

    async def begin(filler: Target) -> None:
        body = b'{"game": "number-run"}'
        wanted = filler.request("POST", "/api/games", body, Content_Type="application/json")
        while True:
            status = await filler.send(wanted)
            if status != 201 or target.did["HTTP 201"] >= target.more["all_games"]:
                filled.set()
                await asyncio.sleep(0.1)

    async def come() -> None:
        await filled.wait()
        while True:
            made = await host.new_game({"game": "number-maze"})
            starts.check(holds=made is not None)
            if made := made or (invitations.pop() if invitations else None):
                joins.check(holds=await guest.take_seat(made[0]) is not None)
            await asyncio.sleep(0.5)

    await asyncio.gather(come(), *(begin(target.at(each)) for each in range(FILLERS)))
