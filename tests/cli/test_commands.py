"""The commands beside `play`: version, help, rules, show, replay."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import gridwise as package
from tests.sizes import sample

from .program import AFTER_GAME, EXAMPLES, GAMES, PLAY_RUN, RUN_BOARD, gridwise, recorded


def test_the_version_is_printed(home: Path) -> None:
    """One line with the name and the number."""
    run = gridwise("--version", home=home, fresh=True)
    assert (run.status, run.err) == (0, "")
    assert run.out == f"gridwise {package.__version__}\n"


# Records


def test_show_draws_the_last_position(home: Path) -> None:
    """The board as it was left, who is to move, and who played."""
    run = gridwise("show", recorded(home, "number-run"), home=home)
    assert run.status == 0
    assert "P1:5" in run.out
    assert "P2:2" in run.out
    assert "Player 2 to move" in run.out
    assert "Player 1: human" in run.out


def test_show_gives_the_result(home: Path) -> None:
    """A finished game has one, and its reason."""
    run = gridwise("show", recorded(home, "number-connect"), home=home)
    assert "Player 2 won: reached exactly 15." in run.out


@pytest.mark.parametrize("game", sample(["grid-runner"], long=GAMES))
def test_the_picture_is_valid_xml(home: Path, game: str) -> None:
    """An SVG document and nothing else; without --svg the same record is drawn as text."""
    file = recorded(home, game)
    run = gridwise("show", "--svg", file, home=home)
    assert (run.status, run.err) == (0, "")
    root = ET.fromstring(run.out)  # noqa: S314 - our own output
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(root.iter())) > 16
    drawn = gridwise("show", file, home=home)
    assert (drawn.status, drawn.err) == (0, "")
    assert game.replace("-", " ").title() in drawn.out


def test_no_cell_that_nobody_has_seen_is_shown(home: Path) -> None:
    """Two games that differ in hidden cells have one picture, and are replayed in the same words.

    In a finished game too, earlier positions show what was known then.
    """
    said = []
    for number, board in enumerate(("53152/24251/43453", "11112/24251/43453")):
        file = home / f"{number}.gwr"
        play = ("play", "grid-conquest", "--board", board, "--first", "1", "--record", file)
        gridwise(*play, home=home, typed=["C3"])
        commands = (("show", "--svg", file), ("replay", file))
        said.append([gridwise(*command, home=home).out for command in commands])
    assert said[0] == said[1]
    run = gridwise("replay", recorded(home, "grid-conquest"), home=home)
    first, _, later = run.out.partition("Move 1,")
    assert first.count("[  ][  ][  ][  ][  ]") == 5
    assert "[  ][4 ][2 ][5 ][  ]" in later


@pytest.mark.parametrize("game", GAMES)
def test_replay_shows_every_position(home: Path, game: str) -> None:
    """Through a pipe: the beginning, then each move with its number."""
    _, moves = EXAMPLES[game]
    run = gridwise("replay", recorded(home, game), home=home)
    assert (run.status, run.err) == (0, "")
    found = re.findall(r"^Move (\d+), Player [12]: (\S+)$", run.out, re.MULTILINE)
    assert found == [(str(number), move) for number, move in enumerate(moves, 1)]


# The same game everywhere


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_game(home: Path, game: str) -> None:
    """Deal, toss and bots: equal seeds, equal transcripts; other seeds, other games."""
    bots = ("play", game, "--p1", "bot:random", "--p2", "bot:random", "--seed")
    one, other = (gridwise(*bots, seed, home=home).out for seed in ("7", "8"))
    assert one == gridwise(*bots, "7", home=home, fresh=True).out  # by an interpreter of its own
    assert one != other


def test_endless_games_of_bots_are_stopped(home: Path) -> None:
    """A Grid Runner game nobody can win ends after 200 plies, unfinished and without a winner.

    Nobody is asked anything. Nobody waits either, through a pipe: pauses as at a terminal, of 0.8
    seconds, would take longer than a run may.
    """
    file = home / "game.gwr"
    run = gridwise(
        *("play", "grid-runner", "--board", "..X../..X../..X..", "--record", file),
        *("--p1", "bot:random", "--p2", "bot:random", "--seed", "1"),
        home=home,
    )
    assert run.status == 0
    assert "unfinished after 200 plies" in run.out
    assert run.out.count("(random bot):") == 200
    assert AFTER_GAME not in run.out
    assert "wins" not in run.out
    assert "draw" not in run.out
    shown = gridwise("show", file, home=home)
    assert shown.status == 0


def test_resume_needs_no_game(home: Path) -> None:
    """The record knows which game it is; naming it as well does no harm."""
    file = recorded(home, "number-run")
    for args in (("play", "--resume", file), ("play", "number-run", "--resume", file)):
        run = gridwise(*args, home=home, typed=["quit"])
        assert run.status == 0
        assert "Current position: (3,4)" in run.out


def test_the_board_option_is_used(home: Path) -> None:
    """The cells are where they were put, and spaces between rows do no harm."""
    run = gridwise(*PLAY_RUN[:-1], RUN_BOARD.replace("/", " / "), home=home)
    assert "0 |P1:3 |  1  |  4  |  2  |  5  |" in run.out
