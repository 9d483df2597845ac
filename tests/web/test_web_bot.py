"""The example bot takes a seat over the network, as the documents say."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from .serving import GAMES, PATIENCE, ROOT, Browse, Browser, answered, heard, same_deal, say

BOT = ROOT / "examples" / "web_bot.py"


def start(*options: str) -> subprocess.Popen[str]:
    """Run the example."""
    return subprocess.Popen(
        [sys.executable, str(BOT), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


@pytest.mark.parametrize(
    ("game", "level"), list(zip(GAMES, ["novice", "random"] * 3, strict=False))
)
def test_it_plays_any_game_to_the_end(address: str, ann: Browser, game: str, level: str) -> None:
    """With a level of the engine or at random; it says yes to what it is asked."""
    game_id = ann.create(game, side=1, **same_deal(game))
    rng = random.Random(game)
    bot = start(f"{address}/g/{game_id}", "--level", level)
    with ann.socket(game_id) as socket:
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
    bot = start(address, "--new", "number-connect", "--level", "casual")
    assert bot.stdout
    link = bot.stdout.readline().split()[-1]
    bob = browse(address)
    state = bob.take_seat(link.rsplit("/", 1)[-1])
    answered(bob.wish("resign", state))
    out, err = bot.communicate(timeout=PATIENCE)
    assert (bot.returncode, err, out) == (0, "", "Player 1 wins: Player 2 resigned.\n")


def test_it_says_what_is_wrong(address: str) -> None:
    """In one line."""
    bot = start(f"{address}/g/AAAAAAAAAAAA")
    _, err = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 1
    assert err == "There is no such game. Its link may have been cut short.\n"
