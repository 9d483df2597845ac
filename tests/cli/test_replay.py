"""`replay` where it prints: through a pipe, and at a terminal without the full screen."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.sizes import sample

from .program import (
    EXAMPLES,
    GAMES,
    gridwise,
    is_one_complaint,
    recorded,
)


def test_the_delay_is_kept_through_a_pipe(home: Path) -> None:
    """Three moves, three pauses; and the text is what it is without them."""
    file = recorded(home)
    began = time.monotonic()
    slow = gridwise("replay", file, "--delay", "0.2", home=home)
    assert time.monotonic() - began >= 0.6
    assert slow.out == gridwise("replay", file, home=home).out


def test_a_delay_that_is_none_is_refused(home: Path) -> None:
    """One line that says what it takes."""
    for delay in ("0", "-1", "x", "nan", "inf", "100000", ""):
        run = gridwise("replay", recorded(home), "--delay", delay, home=home)
        assert is_one_complaint(run)
        assert "--delay" in run.err


@pytest.mark.parametrize("game", GAMES)
def test_every_move_is_told(home: Path, game: str) -> None:
    """Its number and who did what, in a sentence; and at the end how the game stands."""
    _, moves = EXAMPLES[game]
    run = gridwise("replay", recorded(home, game), home=home)
    assert (run.status, run.err) == (0, "")
    told = re.findall(r"^Move (\d+), (Player [12]): (\S+)\n(.*)$", run.out, re.MULTILINE)
    assert [(number, move) for number, _, move, _ in told] == [
        (str(number), move) for number, move in enumerate(moves, 1)
    ]
    assert all(re.match(rf"{player} .*\.$", sentence) for _, player, _, sentence in told)
    assert re.match("Unfinished: Player [12] to move|Player [12] won: ", run.lines[-1])


def test_one_position_can_be_printed(home: Path) -> None:
    """`--at`, `--json` and `--svg` are for one position; the last, unless another is named."""
    file = recorded(home)
    for options in (("--at", "-1"), ("--json",), ("--svg",)):
        last = gridwise("replay", file, *options, home=home)
        assert (last.status, last.err) == (0, "")
        assert last.out == gridwise("replay", file, *options, "--at", "3", home=home).out
        before = gridwise("replay", file, *options, "--at", "-2", home=home)
        assert before.out == gridwise("replay", file, *options, "--at", "2", home=home).out
        assert before.out != last.out
    said = {
        "0": ("Start of the game.", "Player 1 to move; 0,1 was played."),
        "1": ("Player 1: human", "Move 1, Player 1: 0,1.", "Player 2 to move; 3,4 was played."),
        "3": ("P1:5", "P2:2", "Unfinished: Player 2 to move."),
    }
    for at, texts in said.items():
        run = gridwise("replay", file, "--at", at, home=home)
        assert all(text in run.out for text in texts)


def test_a_finished_game_has_its_result(home: Path) -> None:
    """For people with the reason, for programs at every position."""
    file = recorded(home, "number-connect")
    shown = gridwise("replay", file, "--at", "-1", home=home)
    assert "Player 2 won: reached exactly 15." in shown.out
    for at, result in (("-1", "p2"), ("1", None)):
        found = json.loads(gridwise("replay", file, "--at", at, "--json", home=home).out)
        assert (found["result"], found["final_result"]) == (result, "0-1")
        assert (found["game"], found["players"]) == ("number-connect", ["human", "human"])


@pytest.mark.parametrize("game", sample(["grid-runner"], long=GAMES))
def test_the_picture_is_valid_xml(home: Path, game: str) -> None:
    """An SVG document and nothing else."""
    run = gridwise("replay", "--svg", recorded(home, game), home=home)
    assert (run.status, run.err) == (0, "")
    root = ET.fromstring(run.out)  # noqa: S314 - our own output
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(root.iter())) > 16
