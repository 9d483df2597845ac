"""Engines that stop reading, flood us, hang or leave children behind cannot hang the program.

All of it with real processes. An engine's process group has the number of its first process, and is
looked up in /proc: nothing of it may be left.
"""

from __future__ import annotations

import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gridwise import Match, read_record, write_record
from tests.cli.program import Piped, stop, wait_for
from tests.sizes import sample

# Each says that it is ready without having read anything, and then does what its name says.
READY = """\
import os, signal, subprocess, sys, time, fcntl
print(os.getpid(), file=open({note!r}, "w"), flush=True)
fcntl.fcntl(0, 1031, 4096)  # F_SETPIPE_SZ: a pipe that a long game fills
print("ugiok\\nreadyok", flush=True)
"""
ENGINES = {
    "never reads": "time.sleep(600)",
    "floods with lines": "while True: sys.stdout.write('info string ' + 80 * 'x' + chr(10))",
    "floods without a line": "while True: sys.stdout.write(4096 * 'x')",
    "floods both ways": """\
subprocess.Popen(["cat", "/dev/zero"], stdout=2)
while True: sys.stdout.write(4096 * "x")
""",
    "ignores signals": """\
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
while True: time.sleep(600)
""",
    "has children": """\
subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 600 & wait"])
subprocess.Popen(["sleep", "600"])
time.sleep(600)
""",
}


@pytest.fixture
def hung(tmp_path: Path) -> Callable[[str], str]:
    """A way to make one of the engines: the player that it is."""

    def make(name: str) -> str:
        path = tmp_path / "engine.py"
        path.write_text(READY.format(note=str(tmp_path / "pid")) + ENGINES[name])
        return f"ugi:{shlex.join([sys.executable, str(path)])}"

    return make


def members(group: int) -> list[str]:
    """The processes of a group that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        state, _, its_group = rest.split()[:3]
        if int(its_group) == group and state not in "ZX":
            found.append(name)
    return found


def wait_for_end(tmp_path: Path) -> None:
    """Wait until nothing is left of the engine's process group; by itself it would sleep longer."""
    wait_for(lambda: not members(int((tmp_path / "pid").read_text())))


def wait_for_moves(record: Path, count: int) -> None:
    """Wait until a record has that many moves."""
    wait_for(lambda: record.exists() and len(read_record(record).moves) == count)


def wait_for_note(note: Path) -> None:
    """Wait until an engine has written its number down."""
    wait_for(lambda: note.exists() and note.read_text())


CASES = [(name, number) for name in ENGINES for number in (signal.SIGINT, signal.SIGTERM)]


@pytest.mark.parametrize(("name", "number"), sample(CASES[::3] + CASES[4::6], long=CASES))
def test_a_signal_ends_a_game_that_waits_for_an_engine(
    name: str, number: signal.Signals, hung: Callable[[str], str], tmp_path: Path
) -> None:
    """At once, with status 130; the game is saved and no process is left."""
    record = tmp_path / "game.gwr"
    words = ("play", "grid-runner", "--p2", hung(name), "--record", record, "--plain")
    with Piped(*words, home=tmp_path) as game:
        game.send("right\n")
        wait_for_moves(record, 1)
        time.sleep(0.1)  # the engine has been asked
        stop(game.process, number)
        run = game.finish()
    assert run.status == 130
    wait_for_end(tmp_path)
    assert f"gridwise play --resume {record}" in run.out
    assert read_record(record).moves == ("right",)


@pytest.fixture
def long_game(tmp_path: Path) -> Path:
    """A record whose moves are more than the engine's pipe can hold."""
    match = Match("grid-runner")
    for _ in range(300):
        for move in ("right", "left", "left", "right"):
            match.move(move)
    assert len(" ".join(match.moves)) > 4096
    path = tmp_path / "long.gwr"
    write_record(match.record(), path)
    return path


def test_an_engine_that_does_not_read_is_given_up(
    hung: Callable[[str], str], long_game: Path, tmp_path: Path
) -> None:
    """A write into a full pipe has a time limit; then one line says why, and the game is saved."""
    words = ("play", "--resume", long_game, "--p1", hung("never reads"), "--plain")
    with Piped(*words, home=tmp_path) as game:
        run = game.finish()
    assert run.status == 2
    assert run.err.endswith(" has not read its input for 3 seconds.\n")
    assert run.err.count("\n") == 1
    assert f"gridwise play --resume {long_game}" in run.out
    wait_for_end(tmp_path)


def test_a_signal_ends_a_write_into_a_full_pipe(
    hung: Callable[[str], str], long_game: Path, tmp_path: Path
) -> None:
    """It is not given up after three seconds then, with status 2."""
    words = ("play", "--resume", long_game, "--p1", hung("never reads"), "--plain")
    with Piped(*words, home=tmp_path) as game:
        wait_for_note(tmp_path / "pid")
        time.sleep(0.5)  # the pipe is full
        stop(game.process)
        run = game.finish()
    assert (run.status, run.err) == (130, "")
    wait_for_end(tmp_path)


@pytest.mark.parametrize("sender", ["somebody", "engine"])
def test_a_signal_ends_the_wait_for_an_engine_to_get_ready(sender: str, tmp_path: Path) -> None:
    """Nothing has been played, so there is nothing to save; no process is left either.

    Also if the engine sends it, as the first thing it does: we may not even know of it yet.
    """
    note = tmp_path / "pid"
    first = "kill -TERM $PPID; " if sender == "engine" else ""
    shell = f"{first}echo $$ > {shlex.quote(str(note))}; sleep 600"
    words = ("play", "grid-runner", "--p2", f"ugi:{shlex.join(['sh', '-c', shell])}", "--plain")
    with Piped(*words, home=tmp_path) as game:
        if sender == "somebody":
            wait_for_note(note)
            stop(game.process, signal.SIGTERM)
        run = game.finish()
    assert (run.status, run.out.strip(), run.err) == (130, "", "")
    if note.exists():
        wait_for_end(tmp_path)
