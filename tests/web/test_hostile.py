"""Two friends notice nothing while one client is hostile: a small `bench.hostile`, by no clock.

What each pattern does to the server is tested where its limit is; here it is what others notice.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench import faults
from bench.hostile import attacks
from bench.web_load.player import Address, Notes, Player, any_move
from bench.web_load.server import Server
from gridwise.web.storage import GameStore
from tests.sizes import sample

from .servers import ROOT, TIMEOUT, Program, running

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 as addresses"
)

MOVES = 8
SHARE = 0.3  # of the usual: CI runs everything on two processors
GROWTH = 150  # MB; an unbounded queue takes that in a second or two


async def _play(server: Server, notes: Notes) -> None:
    """Two friends at two addresses play, and begin games anew when one is over."""
    rng = random.Random(1)
    one, two = (Address((server.address,), f"127.0.0.{number}", notes) for number in (5, 6))
    moves = 0
    while moves < MOVES:
        made = await one.new_game({"game": "number-maze"})
        assert made
        taken = await two.take_seat(made[0])
        assert taken
        players = Player(one, *made), Player(two, made[0], taken)
        version = 1
        while moves < MOVES:
            states = [await player.sees(version) for player in players]
            if states[0]["status"] == "over":
                break
            mover = players[states[0]["turn"] - 1]
            answer = await mover.move(any_move(rng, mover.state), f"{version}")
            assert answer == {"type": "done", "ref": f"{version}", "version": version + 1}
            version, moves = version + 1, moves + 1
        for player in players:
            await player.leave()
    for address in (one, two):
        await address.close()


async def _beside(name: str, server: Server) -> Counter[str]:
    """What goes wrong for them meanwhile."""
    notes = Notes()
    more = {"seconds": 8 * TIMEOUT, "seed": 1, "share": SHARE}
    foe = await asyncio.create_subprocess_exec(
        *attacks.command(name, server.address, more), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    try:
        assert foe.stdout
        assert await foe.stdout.readline()  # it has begun
        async with asyncio.timeout(4 * TIMEOUT):
            await _play(server, notes)
        assert foe.returncode is None
    finally:
        foe.kill()
        await foe.communicate()
    return notes.errors(0, float("inf"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`gridwise serve` with its usual limits."""
    with Program(tmp_path_factory.mktemp("hostile")) as program:
        yield Server(program.address, program.process.pid)


@pytest.mark.parametrize("name", ["unread", "flood", "garbage"])
def test_friends_play_on_while_somebody_is_hostile(name: str, server: Server) -> None:
    """Every move is made and seen, no socket breaks, no request is refused."""
    before = server.memory()
    assert asyncio.run(_beside(name, server)) == {}
    assert server.memory() < before + GROWTH


@contextmanager
def served_here(_folder: Path, *options: str, program: str = "") -> Iterator[Server]:
    """As `bench.web_load.serving`, in a thread; instead of a `program`, writes fail here."""
    given = dict(zip(options[::2], options[1::2], strict=True))
    with pytest.MonkeyPatch.context() as patch:
        if program:
            patch.setattr(GameStore, "write", faults.failing(GameStore.write))
        with running(given["--database"], port=int(given["--port"])) as address:
            yield Server(address, os.getpid())


def test_nothing_acknowledged_is_lost_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One write in ten fails before it is done and one in ten after: then nobody knows."""
    monkeypatch.setattr(faults, "GAMES", 6)
    monkeypatch.setattr(faults, "WARM_UP_SECONDS", 0.1)
    monkeypatch.setattr(faults, "serving", served_here)
    scene = faults.Scene(tmp_path, sample(0.5, long=2.0), random.Random(1))
    measured = asyncio.run(faults.measure("write errors", scene))
    assert measured.acknowledged > 0
    assert measured.wrong == 0, measured
