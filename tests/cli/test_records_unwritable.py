"""Places a record cannot be written to: refused at once, or the game is saved elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .program import PLAY_RUN, PROMPTS, Piped, Run, gridwise, is_one_complaint, moves_in

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


def test_output_that_cannot_be_written_is_said(home: Path) -> None:
    """A full disk behind standard output: one line says so, in the midst of a game too."""
    command = [sys.executable, "-m", "gridwise", *PLAY, "--p1", "random", "--p2", "random"]
    with open("/dev/full", "w", encoding="utf-8") as full:
        environment = {**os.environ, "HOME": str(home)}
        run = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False, text=True
        )
    assert run.returncode == 2
    assert run.stderr.endswith("gridwise: Cannot write the output: No space left on device.\n")


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


# A disk that fills up while a game is on


@pytest.fixture
def small_disk(home: Path) -> Iterator[tuple[Path, list[str]]]:
    """A disk of 64 kilobytes, and the command that runs others where it is mounted."""
    if os.geteuid() != 0 or not (shutil.which("unshare") and shutil.which("nsenter")):
        pytest.skip("mounting a small disk needs root, unshare and nsenter")
    place = home / "disk"
    place.mkdir()
    mount = f"mount -t tmpfs -o size=64k none {place} && echo ready && cat"
    with subprocess.Popen(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount],  # noqa: S607
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as keeper:
        assert keeper.stdout
        if keeper.stdout.readline() != b"ready\n":
            pytest.skip("this machine does not let even root mount a disk")
        yield place, ["nsenter", "--target", str(keeper.pid), "--mount", "--"]
        keeper.communicate()


def on_disk(through: list[str], *command: str) -> str:
    """What a command says where the disk is mounted."""
    done = subprocess.run([*through, *command], capture_output=True, check=False)
    return done.stdout.decode()


def test_a_full_disk_is_reported_and_the_game_continues(
    home: Path, small_disk: tuple[Path, list[str]]
) -> None:
    """The old record stays whole, and on leaving the game is saved elsewhere."""
    place, through = small_disk
    file = place / "game.gwr"
    with Piped(*PLAY, "--record", file, home=home, through=through) as game:
        game.send("0,1\n")
        game.expect(PROMPTS["number-run"], 2)
        on_disk(through, "sh", "-c", f"cat /dev/zero > {place}/filler")
        game.send("3,4\n1,1\n")
        run = game.finish()
    assert run.status == 0
    assert not run.err
    assert run.out.count("No space left") == 1
    assert on_disk(through, "tail", "-n1", str(file)) == "1. 0,1 *\n"
    *_, saved, option = run.resume_args
    assert option == "--plain"
    assert moves_in(Path(saved)) == ["0,1", "3,4", "1,1"]


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


# A place that belongs to somebody else


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder that may be read but not written to, with a record in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "home").mkdir(mode=0o777)
        (folder / "home").chmod(0o777)
        locked = folder / "locked"
        locked.mkdir()
        gridwise(*PLAY, "--record", locked / "game.gwr", home=folder, typed=["0,1"])
        (locked / "game.gwr").chmod(0o444)
        locked.chmod(0o555)
        folder.chmod(0o755)
        yield locked
        locked.chmod(0o755)


def as_nobody(home: Path, *args: str | Path, typed: list[str]) -> Run:
    """The program run by somebody without rights, if we have any to give up."""
    through: list[str] = []
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if not setpriv:
            pytest.skip("giving up root's rights needs setpriv")
        through = [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
        test = [*through, sys.executable, "-c", "import gridwise"]
        if subprocess.run(test, capture_output=True, check=False).returncode:
            pytest.skip("somebody without rights cannot reach this Python")
    return gridwise(*args, home=home, typed=typed, through=through)


@pytest.mark.untraced
def test_a_locked_folder_is_refused_at_once(locked: Path) -> None:
    """A new record, or the old one's place, in a folder that is not ours."""
    home = locked.parent / "home"
    before = (locked / "game.gwr").read_bytes()
    for name in ("new.gwr", "game.gwr"):
        run = as_nobody(home, *PLAY, "--record", locked / name, typed=["0,1"])
        assert is_one_complaint(run)
        assert "Permission denied" in run.err
    assert [path.name for path in locked.iterdir()] == ["game.gwr"]
    assert (locked / "game.gwr").read_bytes() == before


def test_a_record_in_a_locked_folder_can_be_continued_elsewhere(locked: Path) -> None:
    """--resume reads what it may only read, if the rest goes to another file."""
    home = locked.parent / "home"
    new = home / "new.gwr"
    run = as_nobody(
        home, "play", "--resume", locked / "game.gwr", "--record", new, typed=["3,4", "quit"]
    )
    assert run.status == 0, run.err
    assert moves_in(new) == ["0,1", "3,4"]
