"""`gridwise census`: its figures, its files, and going on after a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.program import PATIENCE, PROGRAM, Terminal, gridwise, is_one_complaint, settings

# 2x2 by hand. Any number above 1 is a dead end, so Player 1 is lost at once on 3 * 4^3 boards.
# Else Player 1 steps to a side cell, and wins if Player 2 stands on a dead end: 3 * 4^2 boards.
# Else Player 2 steps to the other side cell, the only way, and Player 1 goes on to the goal from
# a 1. There is a choice of two cells: only if both are dead ends is it lost, on 3 * 3 boards of the
# last 4 * 4.
SMALL = {
    "game": "number-maze",
    "size": "2x2",
    "boards": 256,
    "p1": 55,
    "p2": 201,
    "endless": 0,
    "plies": {"p1": {"1": 48, "3": 7}, "p2": {"0": 192, "2": 9}},
}


def test_the_json_has_the_agreed_shape(home: Path) -> None:
    """Boards, both sides and endless ones, and the plies from the start of the game."""
    run = gridwise("census", "number-maze", "--size", "2x2", "--json", home=home)
    assert (run.status, run.err) == (0, "")
    assert json.loads(run.out) == SMALL


def test_the_table_has_the_same_figures(home: Path) -> None:
    """With shares, for people; the short name and another way to write the size will do."""
    run = gridwise("census", "maze", "--size", "3X3", home=home)
    assert (run.status, run.err) == (0, "")
    found = json.loads(gridwise("census", "maze", "--size", "3x3", "--json", home=home).out)
    assert "all 262,144 boards of 3x3" in run.out
    for side in ("p1", "p2", "endless"):
        assert f"{found[side]:,} " in run.out
        assert f"{found[side] / 262_144:.3%}" in run.out
    rows = [line.split() for line in run.lines if line.startswith("   ")]
    assert ["0", f"{4**8 * 2:,}"] in rows  # a 3 is a dead end as well
    assert ["1", f"{4**8:,}"] in rows


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "chess"),
        (("number-connect",), "Number Connect cannot be counted: its positions are more than"),
        (("grid-conquest",), "hidden cells"),
        (("maze", "--size", "5x5"), "4^25 boards"),
        (("maze", "--size", "1x1"), "at least 2 cells"),
        (("maze", "--size", "99x99"), "at most 63 cells"),
        (("maze", "--size", "big"), "rows x columns"),
        (("maze", "--workers", "0"), "--workers takes a whole number"),
        (("maze", "--workers", "many"), "--workers takes a whole number"),
        (("maze", "--size", "3x4", "--workers", "9999"), "1 to 256"),
        (("maze", "--size", "2x2", "--plot", "plot.docx"), "cannot be of the kind"),
        (("maze", "--size", "2x2", "--cluster", "tcp://127.0.0.1:9"), "No Dask scheduler"),
        (("maze", "--size", "2x2", "--cluster", "nowhere"), "Dask scheduler"),
        (("maze", "--size", "2x2", "--out", "/proc/nowhere"), "Cannot use the folder"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    home: Path, words: tuple[str, ...], message: str
) -> None:
    """Before anything is counted."""
    run = gridwise("census", *words, home=home)
    assert is_one_complaint(run)
    assert message in run.err


def test_results_are_kept_and_used_again(home: Path) -> None:
    """The second run reads the files of the first; the folder of another size is refused."""
    words = ("census", "maze", "--size", "3x4", "--out", home / "kept", "--json")
    first = gridwise(*words, home=home)
    assert (first.status, first.err) == (0, "")
    files = sorted((home / "kept" / "results").iterdir())
    before = [file.stat().st_mtime_ns for file in files]
    assert gridwise(*words, home=home).out == first.out
    assert [file.stat().st_mtime_ns for file in files] == before
    assert json.loads((home / "kept" / "census.json").read_text()) == json.loads(first.out)
    other = gridwise("census", "maze", "--size", "2x2", "--out", home / "kept", home=home)
    assert is_one_complaint(other)
    assert "another run: parts 8 there, 1 here; size 3x4 there, 2x2 here" in other.err


def started(home: Path, *words: str | Path) -> subprocess.Popen[bytes]:
    """A census that is under way."""
    return subprocess.Popen(
        [*PROGRAM, "census", "maze", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=home,
        env=settings(home),
    )


def wait_for_results(folder: Path, count: int) -> None:
    """Wait until some parts are done."""
    end = time.monotonic() + 2 * PATIENCE
    while len(list(folder.glob("results/*.json"))) < count:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_kill_loses_nothing(home: Path) -> None:
    """Killed twice in the midst, it ends with the same figures as undisturbed."""
    whole = gridwise("census", "maze", "--size", "3x4", "--json", home=home)
    out = home / "kept"
    for done in (1, 4):
        run = started(home, "--size", "3x4", "--out", out)
        wait_for_results(out, done)
        run.kill()
        run.communicate()
    resumed = gridwise("census", "maze", "--size", "3x4", "--out", out, "--json", home=home)
    assert (resumed.status, resumed.err) == (0, "")
    assert resumed.out == whole.out


def test_ctrl_c_names_the_way_back(home: Path) -> None:
    """Status 130, one line, no traceback."""
    run = started(home, "--size", "3x5", "--out", home / "kept")
    wait_for_results(home / "kept", 1)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (130, b"")
    assert err.decode().splitlines() == [f"Stopped. The same command goes on from {home / 'kept'}."]


def test_progress_shows_boards_and_their_rate(home: Path) -> None:
    """At a terminal, while it counts."""
    with Terminal("census", "maze", "--size", "3x5", home=home) as run:
        run.expect("of 1,073,741,824 boards, ")
        run.expect(" a second")
        assert run.interrupt() == 130


def test_a_plot_is_drawn(home: Path) -> None:
    """Its text stays text, and the same census gives the same file."""
    for name in ("one.svg", "two.svg"):
        run = gridwise("census", "maze", "--size", "3x3", "--plot", home / name, home=home)
        assert (run.status, run.err) == (0, "")
    drawn = (home / "one.svg").read_bytes()
    assert b"all 262,144 boards of 3x3" in drawn
    assert (home / "two.svg").read_bytes() == drawn
