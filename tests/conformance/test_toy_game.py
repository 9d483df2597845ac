"""Adding a game is one folder and one line: tic-tac-toe, from outside the package, plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import tic_tac_toe

from gridwise.testing import check_game
from tests.sizes import sample

EXAMPLES = Path(__file__).parents[2] / "examples"
GUIDE = EXAMPLES.parent / "docs" / "adding-a-game.md"


def run(module: str, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """A module run from the folder of examples, as the guide says."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        cwd=EXAMPLES,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent / "src")},
        check=False,
    )


def gridwise(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The program with tic-tac-toe in it."""
    return run("tic_tac_toe", *arguments, typed=typed)


def test_it_passes_the_checks_that_ship_with_the_package() -> None:
    """A game of another package keeps the same contract."""
    check_game(tic_tac_toe.GAME, games=sample(2, long=10), seed=2)


def test_the_checks_are_a_command() -> None:
    """`python -m gridwise.testing` names what holds, and is quick enough to be used."""
    checked = run("gridwise.testing", "tic_tac_toe", "--games", "1")
    assert checked.stdout.endswith("Tic-tac-toe passes.\n")
    assert checked.returncode == 0


def test_it_plays_to_a_win() -> None:
    """Player 1 fills the top row; the record and the picture follow from the game alone."""
    played = gridwise("play", "tic-tac-toe", typed="1,1\n2,2\n1,2\n1,1\n3,3\n1,3\nno\n")
    assert played.returncode == 0
    assert "That cell is taken." in played.stdout
    assert "| X | X | X |" in played.stdout
    assert "Player 1 wins." in played.stdout


def test_it_is_drawn_by_two_bots_or_won(tmp_path: Path) -> None:
    """Bots play it, the record is written, shown and replayed."""
    path = tmp_path / "toy.gwr"
    played = gridwise(
        "play", "tic-tac-toe", "--p1", "bot:random", "--p2", "bot:random", "--record", str(path)
    )
    assert played.returncode == 0
    for command in ("show", "replay"):
        shown = gridwise(command, str(path))
        assert shown.returncode == 0
        assert re.search(r"^(Player [12] won|A draw): ", shown.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    "command", [["rules", "tic-tac-toe"], ["analyze", "tic-tac-toe", "--board", "111/111/111"]]
)
def test_the_other_commands_know_it(command: list[str]) -> None:
    """It has a rules page and can be analyzed."""
    shown = gridwise(*command)
    assert shown.returncode == 0
    assert "+---+---+---+" in shown.stdout


def test_the_guide_shows_the_real_files() -> None:
    """Every file of the example that the guide quotes is quoted as it is."""
    pattern = r"`examples/(tic_tac_toe/\w+\.py)`:\n\n```python\n(.*?)```"
    quoted = re.findall(pattern, GUIDE.read_text("utf-8"), re.DOTALL)
    assert {name for name, _ in quoted} >= {f"tic_tac_toe/{each}.py" for each in ("rules", "text")}
    for name, code in quoted:
        assert code == (EXAMPLES / name).read_text("utf-8"), name
