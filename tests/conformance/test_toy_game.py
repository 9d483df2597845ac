"""Adding a game is one folder and one line: tic-tac-toe, added here, plays in the console."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Registered in another process, so that the whole program runs with it.
PROGRAM = """
import sys
from gridwise.cli.main import run
from gridwise.core.registry import register
register("tic-tac-toe", "tests.conformance.toy")
sys.argv[0] = "gridwise"
run()
"""


def gridwise(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The program with the toy game in it."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )


def test_it_plays_to_a_win() -> None:
    """Player 1 fills the top row; the record and the picture follow from the game alone."""
    run = gridwise("play", "tic-tac-toe", typed="1,1\n2,2\n1,2\n1,1\n3,3\n1,3\nno\n")
    assert run.returncode == 0
    assert "That cell is taken." in run.stdout
    assert "| X | X | X |" in run.stdout
    assert "Player 1 wins." in run.stdout


def test_it_is_drawn_by_two_bots_or_won(tmp_path: Path) -> None:
    """Bots play it, the record is written, shown and replayed."""
    path = tmp_path / "toy.gwr"
    run = gridwise(
        "play", "tic-tac-toe", "--p1", "bot:random", "--p2", "bot:random", "--record", str(path)
    )
    assert run.returncode == 0
    for command in ("show", "replay"):
        shown = gridwise(command, str(path))
        assert shown.returncode == 0
        assert "Result: " in shown.stdout


@pytest.mark.parametrize(
    "command", [["rules", "tic-tac-toe"], ["analyze", "tic-tac-toe", "--board", "111/111/111"]]
)
def test_the_other_commands_know_it(command: list[str]) -> None:
    """It has a rules page and can be analyzed."""
    run = gridwise(*command)
    assert run.returncode == 0
    assert "+---+---+---+" in run.stdout
