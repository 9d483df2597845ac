"""A game of one's own: `new-game` writes it, and `--game-module` brings it to every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .program import Terminal, gridwise, is_one_complaint


@pytest.fixture
def own(home: Path) -> tuple[str, str]:
    """The option that brings a new game, just written, along."""
    run = gridwise("new-game", "star-claim", home=home)
    assert (run.status, run.err) == (0, "")
    assert "gridwise --game-module star-claim play star-claim" in run.out
    return ("--game-module", "star-claim")


def test_every_command_has_the_game(home: Path, own: tuple[str, str]) -> None:
    """The help, by its short name the rules, a game that is played and kept, an analysis."""
    assert "star-claim (claim)" in " ".join(gridwise(*own, "--help", home=home).out.split())
    assert "# Star Claim" in gridwise(*own, "rules", "claim", home=home).out
    played = gridwise(*own, "play", "claim", "--p2", "random", home=home, typed=["1,1", "quit"])
    assert (played.status, played.err) == (0, "")
    assert "star-claim" in gridwise(*own, "games", "--json", home=home).out
    analysis = gridwise(*own, "analyze", "claim", "--board", "123/451/234", "--json", home=home)
    assert json.loads(analysis.out)["game"] == "star-claim"


def test_child_processes_and_the_app_have_it_too(home: Path, own: tuple[str, str]) -> None:
    """An arena's workers, and the full screen."""
    players = ("arena", "casual", "random", "--game", "claim")
    words = (*players, "--pairs", "2", "--workers", "2", "--seed", "1", "--json")
    run = gridwise(*own, *words, home=home)
    assert (run.status, run.err) == (0, "")
    with Terminal(*own, "play", "claim", home=home, env={"GRIDWISE_DIALOGUE": ""}) as terminal:
        terminal.expect("Star Claim")
        terminal.interrupt()


def test_what_cannot_be_used_is_said(home: Path, own: tuple[str, str]) -> None:
    """In one line: nothing there, no game in it, a name that is taken, a folder with files."""
    (home / "empty.py").touch()
    for words, said in (
        (("--game-module", "nowhere/at/all", "games"), "nowhere/at/all"),
        (("--game-module", "empty.py", "games"), "no GAME"),
        (("new-game", "number-run"), "already"),
        (("new-game", "other-claim", "--folder", "star-claim"), "not an empty folder"),
    ):
        run = gridwise(*words, home=home)
        assert is_one_complaint(run), run
        assert said in run.err


def test_new_game_as_json(home: Path) -> None:
    """The files, and what to type next."""
    run = gridwise("new-game", "Star Claim", "--folder", "here", "--json", home=home)
    written = json.loads(run.out)
    assert all((home / file).is_file() for file in written["files"])
    assert written["next"][0] == "gridwise --game-module here play star-claim"
