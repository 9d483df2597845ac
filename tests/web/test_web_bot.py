"""The example bot takes a seat over the network, as the documents say."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from .serving import GAMES, PATIENCE, ROOT, Browse, Browser, answered, heard, same_deal, say

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
    ("game", "level"), list(zip(GAMES, ["novice", "random"] * 3, strict=False))
)
def test_it_plays_any_game_to_the_end(address: str, ann: Browser, game: str, level: str) -> None:
    """With a level of the engine or at random; it says yes to what it is asked."""
    game_id = ann.create(game, side=1, **same_deal(game))
    rng = random.Random(game)
    with (
        started(f"{address}/g/{game_id}", "--level", level) as bot,
        ann.socket(game_id) as socket,
    ):
        state = heard(socket, "state", status="playing")
        assert state["players"][1]["name"] == "web_bot.py"
        while state["status"] != "over":
            if state["turn"] == 1 and not state["offers"]["stop"]:
                kind = "stop" if len(state["moves"]) > 30 else "move"
                more = {} if kind == "stop" else {"move": rng.choice(state["legal"])}
                say(socket, kind, version=state["version"], **more)
            state = heard(socket, "state")
        out, err = bot.communicate(timeout=PATIENCE)
    assert (bot.returncode, err) == (0, "")
    assert out.strip() == state["said"][-1]


def test_it_starts_a_game_and_plays_whoever_comes(address: str, browse: Browse) -> None:
    """The link it prints has the free seat."""
    with started(address, "--new", "number-connect", "--level", "casual") as bot:
        assert bot.stdout
        link = bot.stdout.readline().split()[-1]
        bob = browse(address)
        game_id = bob.take_seat(link.rsplit("/", 1)[-1])["id"]
        with bob.socket(game_id) as socket:
            # It begins; a wish made before it has moved would come too late.
            state = heard(socket, "state", turn=2)
        answered(bob.wish("resign", state))
        out, err = bot.communicate(timeout=PATIENCE)
    assert (bot.returncode, err, out) == (0, "", "Player 1 wins: Player 2 resigned.\n")


def test_it_says_what_is_wrong(address: str) -> None:
    """In one line."""
    with started(f"{address}/g/AAAAAAAAAAAA") as bot:
        _, err = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 1
    assert err == "There is no such game. Its link may have been cut short.\n"
