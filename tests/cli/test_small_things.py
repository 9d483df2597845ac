"""What is said and done where a word is missing, too many, or not known here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .program import RUN_BOARD, Terminal, gridwise, is_one_complaint, recorded, resume_args


@pytest.mark.parametrize("option", ["--plain", "--linear"])
def test_the_way_back_has_the_same_console(home: Path, option: str) -> None:
    """After Ctrl-C at a terminal, and after leaving on purpose."""
    play = ("play", "number-run", "--board", RUN_BOARD, option)
    with Terminal(*play, home=home) as terminal:
        terminal.expect("Enter your move")
        terminal.type("0,1")
        terminal.expect("Player 2's turn")
        assert terminal.interrupt() == 130
        assert resume_args(terminal.text)[-1] == option
    run = gridwise(*play, home=home, typed=["0,1", "q"])
    assert run.resume_args[-1] == option
    again = gridwise(*run.resume_args, home=home, typed=["q"])
    assert again.status == 0
    assert "Player 2's turn" in again.out


def test_the_newest_unfinished_game_is_the_last_one(home: Path) -> None:
    """A game that is over is passed by."""
    gridwise("play", "number-run", "--board", RUN_BOARD, home=home, typed=["0,1", "q"])
    gridwise("play", "grid-runner", home=home, typed=["right", "resign", "q"])
    run = gridwise("play", "--resume", "last", home=home, typed=["q"])
    assert run.status == 0
    assert "Number Run" in run.out


def test_a_board_of_ones_own_is_not_dealt(home: Path) -> None:
    """To ask for both is refused."""
    run = gridwise("play", "number-run", "--board", RUN_BOARD, "--deal", "uniform", home=home)
    assert is_one_complaint(run)
    assert "--board or --deal, not both" in run.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("play", "run", "--seed"), "--seed needs a value. Try: gridwise play --help"),
        (("analyze", "run", "--at"), "--at needs a value. Try: gridwise analyze --help"),
        (("--game-module",), "--game-module needs a value. Try: gridwise --help"),
    ],
)
def test_a_missing_value_names_the_help_of_its_command(
    home: Path, args: tuple[str, ...], said: str
) -> None:
    """Where it is explained, and not the program's own help."""
    run = gridwise(*args, home=home)
    assert is_one_complaint(run)
    assert said in run.err


@pytest.mark.parametrize("command", ["review", "replay"])
def test_a_record_of_a_game_of_others_says_how_to_add_it(home: Path, command: str) -> None:
    """The game is named, and the option."""
    file = recorded(home)
    file.write_text(file.read_text().replace("number-run", "star-claim"))
    run = gridwise(command, file, home=home)
    assert is_one_complaint(run)
    assert 'There is no game "star-claim"' in run.err
    assert "--game-module PATH" in run.err


def test_an_export_without_a_name_is_the_record_here(home: Path) -> None:
    """Under its own name, in the folder one is in."""
    gridwise("play", "number-run", "--board", RUN_BOARD, home=home, typed=["0,1", "q"])
    (kept,) = (home / "games").glob("*.gwr")
    run = gridwise("games", "export", "last", home=home)
    assert re.fullmatch(rf"Written to {re.escape(kept.name)}\.\n", run.out)
    assert (home / kept.name).read_bytes() == kept.read_bytes()


def test_an_engine_that_is_not_there_is_noticed_at_the_start(home: Path) -> None:
    """Before anything is shown, and nothing is kept."""
    run = gridwise("play", "number-run", "--p2", "ugi:/no/such/engine", home=home, typed=["0,1"])
    assert is_one_complaint(run)
    assert 'The engine "/no/such/engine" cannot be started: no such program.' in run.err
    assert not run.out
    assert not (home / "games").exists()
