"""`python -m research.census`: its figures, its files, and going on after a kill."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from gridwise.lab.store import FILE_NAME
from gridwise.show.progress import DELAY
from tests.cli.program import (
    Piped,
    Run,
    Terminal,
    gridwise,
    is_one_complaint,
    stalled,
    stop,
    wait_for,
)
from tests.lab.executor_tasks import kept_keys
from tests.sizes import sample

CENSUS = "research.census"
ONE = ("--workers", "1")

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


def census(*words: str | Path, home: Path) -> Run:
    """Run the census."""
    return gridwise(*words, home=home, module=CENSUS)


def test_the_json_has_the_agreed_shape(home: Path) -> None:
    """Boards, both sides and endless ones, and the plies from the start of the game.

    The earlier name does the same where the project's sources are, and says what to type.
    """
    words = ("number-maze", "--size", "2x2", "--json")
    run, earlier = census(*words, home=home), gridwise("census", *words, home=home)
    assert (run.status, run.err, json.loads(run.out)) == (0, "", SMALL)
    assert (earlier.status, earlier.out) == (0, run.out)
    note = "`gridwise census` is now `python -m research.census`, in the project's sources.\n"
    assert earlier.err == note


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "chess"),
        (("grid-conquest",), "hidden cells"),
        (("maze", "--size", "5x5"), "4^25 boards"),
        (("maze", "--size", "big"), "rows by columns"),
        (("maze", "--workers", "many"), "--workers takes a whole number"),
        (("maze", "--size", "3x4", "--workers", "9999"), "1 to 256"),
        (("maze", "--size", "2x2", "--plot", "plot.docx"), "cannot be of the kind"),
        (("maze", "--size", "2x2", "--cluster", "nowhere"), "Dask scheduler"),
        (("maze", "--size", "2x2", "--out", "/proc/nowhere"), "Cannot use the folder"),
        *sample(
            [],  # it is waited for, and as little there for `arena`
            long=[(("maze", "--size", "2x2", "--cluster", "tcp://127.0.0.1:9"), "No Dask")],
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    home: Path, words: tuple[str, ...], message: str
) -> None:
    """Before anything is counted."""
    run = census(*words, home=home)
    assert is_one_complaint(run)
    assert message in run.err


LARGER = ("maze", "--size", "3x4", *ONE, "--json", "--out")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A census that was kept in the folder `kept`, and what it has printed."""
    home = tmp_path_factory.mktemp("undisturbed")
    return home, census(*LARGER, "kept", home=home)


def test_results_are_kept_and_used_again(undisturbed: tuple[Path, Run]) -> None:
    """The second run reads the files of the first; the folder of another size is refused."""
    home, first = undisturbed
    assert (first.status, first.err) == (0, "")
    kept = home / "kept" / FILE_NAME
    before = kept.read_bytes()
    assert census(*LARGER, "kept", home=home).out == first.out
    assert kept.read_bytes() == before
    assert json.loads((home / "kept" / "census.json").read_text()) == json.loads(first.out)
    other = census("maze", "--size", "2x2", "--out", "kept", home=home)
    assert is_one_complaint(other)
    assert "another run: parts 8 there, 1 here; size 3x4 there, 2x2 here" in other.err


def test_the_table_and_the_plot_have_the_same_figures(undisturbed: tuple[Path, Run]) -> None:
    """With shares, for people; the short name and another way to write the size will do.

    The text of a plot stays text, and the same census gives the same file.
    """
    home, counted = undisturbed
    one, two = home / "one.svg", home / "two.svg"
    table = ("number-maze", "--size", "3X4", "--out", "kept", "--plot", one)
    run = census(*table, home=home)
    again = census(*LARGER, "kept", "--plot", two, home=home)
    assert (run.status, run.err, again.err) == (0, "", "")
    assert b"all 16,777,216 boards of 3x4" in one.read_bytes()
    assert one.read_bytes() == two.read_bytes()
    found = json.loads(counted.out)
    assert "all 16,777,216 boards of 3x4" in run.out
    for side in ("p1", "p2", "endless"):
        assert f"{found[side]:,} " in run.out
        assert f"{found[side] / 4**12:.3%}" in run.out
    rows = [line.split() for line in run.lines if line.startswith("   ")]
    assert ["0", f"{4**11:,}"] in rows  # a 4 is a dead end
    # So it is for Player 2; and from a 2 Player 1 steps into the only way out of a 3.
    assert ["1", f"{3 * 4**10 + 4**10:,}"] in rows


def test_a_kill_and_ctrl_c_lose_nothing(home: Path, undisturbed: tuple[Path, Run]) -> None:
    """Stopped in the midst, it ends with the same figures as undisturbed.

    Ctrl-C is status 130 and one line that names the way back.
    """
    kills = sample([], long=[(1, signal.SIGKILL), (4, signal.SIGKILL)])
    for done, number in (*kills, (sample(1, long=5), signal.SIGINT)):
        halted = stalled(home, done)
        with Piped(*LARGER, "disturbed", home=home, module=CENSUS, through=halted) as run:
            wait_for(lambda: len(kept_keys(home / "disturbed" / FILE_NAME)) >= done)  # noqa: B023
            stop(run.process, number)
            stopped = run.finish()
    assert (stopped.status, stopped.out) == (130, "")
    assert stopped.err == "Stopped. The same command goes on from disturbed.\n"
    assert census(*LARGER, "disturbed", home=home) == undisturbed[1]


def test_progress_shows_boards_and_their_rate(home: Path) -> None:
    """At a terminal, while it counts: after two seconds, which it is made to sleep through."""
    with Terminal("maze", "--size", "3x5", *ONE, "--out", "kept", home=home, module=CENSUS) as run:
        wait_for(lambda: kept_keys(home / "kept" / FILE_NAME))
        run.process.send_signal(signal.SIGSTOP)
        time.sleep(DELAY)
        run.process.send_signal(signal.SIGCONT)
        run.expect("of 1,073,741,824 boards, ")
        run.expect(" a second")
        assert run.interrupt() == 130
