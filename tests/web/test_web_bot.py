"""The example bot takes a seat over the network, as the documents say."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.sizes import sample

from .servers import GAMES, ROOT, TIMEOUT, Browse, Browser, ok, receive, same_deal, send

BOT = ROOT / "examples" / "web_bot.py"


@contextmanager
def started(*options: str) -> Iterator[subprocess.Popen[str]]:
    """Run the example; a test that fails leaves no process behind."""
    with subprocess.Popen(
        [sys.executable, str(BOT), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as bot:
        try:
            yield bot
        finally:
            bot.kill()


@pytest.mark.parametrize(
    ("game", "level"),
    sample(
        [("number-run", "novice"), ("grid-conquest", "random")],
        long=list(zip(GAMES, ["novice", "random"] * 3, strict=False)),
    ),
)
def test_it_plays_any_game_to_the_end(address: str, ann: Browser, game: str, level: str) -> None:
    """With a level of the engine or at random; it says yes to what it is asked."""
    game_id = ann.create(game, side=1, **same_deal(game))
    rng = random.Random(game)
    with (
        started(f"{address}/g/{game_id}", "--level", level) as bot,
        ann.socket(game_id) as socket,
    ):
        state = receive(socket, "state", status="playing")
        assert state["players"][1]["name"] == "web_bot.py"
        while state["status"] != "over":
            if state["turn"] == 1 and not state["offers"]["stop"]:
                kind = "stop" if len(state["moves"]) > 30 else "move"
                more = {} if kind == "stop" else {"move": rng.choice(state["legal"])}
                send(socket, kind, version=state["version"], **more)
            state = receive(socket, "state")
        out, err = bot.communicate(timeout=TIMEOUT)
    assert (bot.returncode, err) == (0, "")
    won = {"p1": "You lost: ", "p2": "You won: ", "draw": "A draw: ", None: "Nobody has won: "}
    assert out.startswith(won[state["result"]])


def test_it_starts_a_game_and_plays_the_opponent(address: str, browse: Browse) -> None:
    """The link it prints has the free seat."""
    with started(address, "--new", "number-connect", "--level", "casual") as bot:
        assert bot.stdout
        link = bot.stdout.readline().split()[-1]
        bob = browse(address)
        game_id = bob.take_seat(link.rsplit("/", 1)[-1])["id"]
        with bob.socket(game_id) as socket:
            # It begins; a request made before it has moved would come too late.
            state = receive(socket, "state", turn=2)
        ok(bob.request("resign", state))
        out, err = bot.communicate(timeout=TIMEOUT)
    assert (bot.returncode, err, out) == (0, "", "You won: your opponent resigned.\n")


def test_it_says_what_is_wrong(address: str) -> None:
    """In one line."""
    with started(f"{address}/g/AAAAAAAAAAAA") as bot:
        _, err = bot.communicate(timeout=TIMEOUT)
    assert bot.returncode == 1
    assert err == "There is no such game. The link may be incomplete.\n"
