"""Places a record cannot be written to: refused at once, or the game is saved elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from .program import PLAY_RUN, PROMPTS, Piped, gridwise, is_one_complaint, moves_in

PLAY = (*PLAY_RUN, "--plain")


@pytest.mark.parametrize(
    "place", ["not/there/game.gwr", "file/game.gwr", ".", "/dev/full", "x" * 300, "", "/"]
)
def test_a_place_that_cannot_be_written_is_refused_at_once(home: Path, place: str) -> None:
    """Before the first move, not after it."""
    (home / "file").touch()
    run = gridwise(*PLAY, "--record", place, home=home, typed=["0,1"])
    assert is_one_complaint(run)
    assert not run.out


def test_an_empty_file_is_simply_used(home: Path) -> None:
    """As `mktemp` makes them."""
    (home / "game.gwr").touch()
    run = gridwise(*PLAY, "--record", "game.gwr", home=home, typed=["0,1"])
    assert run.status == 0
    assert moves_in(home / "game.gwr") == ["0,1"]


def test_a_link_stays_a_link(home: Path) -> None:
    """The record goes to where the link leads."""
    (home / "real").mkdir()
    (home / "game.gwr").symlink_to(home / "real" / "game.gwr")
    gridwise(*PLAY, "--record", "game.gwr", home=home, typed=["0,1"])
    assert (home / "game.gwr").is_symlink()
    assert moves_in(home / "real" / "game.gwr") == ["0,1"]


@pytest.mark.parametrize(
    "place", ["game of mine.gwr", "it's.gwr", "-game.gwr", "g\u00e4me.gwr", "$HOME.gwr"]
)
def test_the_command_to_continue_is_quoted_for_the_shell(home: Path, place: str) -> None:
    """Odd names survive being typed into a shell."""
    run = gridwise(*PLAY, f"--record={place}", home=home, typed=["0,1", "quit"])
    assert run.status == 0
    again = gridwise(*run.resume_args, home=home, typed=["3,4", "quit"])
    assert again.status == 0, again.err
    assert moves_in(home / place) == ["0,1", "3,4"]


def test_no_temporary_files_stay_behind(home: Path) -> None:
    """After a game there is the record and nothing else."""
    folder = home / "records"
    folder.mkdir()
    gridwise(*PLAY, "--record", "records/game.gwr", home=home, typed=["0,1", "3,4", "quit"])
    assert [path.name for path in folder.iterdir()] == ["game.gwr"]


def test_save_to_a_bad_place_is_reported_and_the_game_continues(home: Path) -> None:
    """Each failed save is one message, and the prompt comes again."""
    places = ["/dev/full", "not/there.gwr", ".", "~nobody-of-that-name/x", "x" * 300, ""]
    run = gridwise(*PLAY, home=home, typed=["0,1", *(f"save {place}" for place in places), "3,4"])
    assert run.status == 0
    assert not run.err
    assert run.out.count(PROMPTS["number-run"]) == 3 + len(places)
    assert run.out.count("Cannot write") >= 4
    assert "Moved to (3,4)." in run.out


@pytest.mark.untraced
def test_where_nothing_can_be_written_the_record_is_printed(home: Path) -> None:
    """When no file can be written at all, the record itself is printed, and it can be used."""
    with Piped(*PLAY, home=home, largest_file=0) as game:
        game.send("0,1\n3,4\n")
        run = game.finish()
    assert (run.status, run.err) == (0, "")
    assert "1. 0,1 3,4 *" in run.out
    assert not list((home / "games").iterdir())  # no empty file stays behind
    _, found, rest = run.out.partition('[Game "number-run"]')
    assert found
    file = home / "copied.gwr"
    file.write_text(found + rest)
    again = gridwise("play", "--resume", file, home=home, typed=["1,1", "quit"])
    assert again.status == 0
    assert moves_in(file) == ["0,1", "3,4", "1,1"]
