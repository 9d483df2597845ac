"""`gridwise arena` and `gridwise ugi --check` as people run them: output, kills, bad input."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gridwise import read_record
from gridwise.lab.store import FILE_NAME
from tests.fake_engine import gone, smallest_engine
from tests.lab.executor_tasks import kept_keys
from tests.sizes import sample

from .program import Piped, Terminal, gridwise, is_one_complaint, stop, wait_for

PAIRS = sample(150, long=400)
MATCH = (
    "arena", "bot:strong", "bot:casual", "--pairs", str(PAIRS), "--seed", "0", "--game",
    "number-connect",
)  # fmt: skip

HANGS = """
import os, sys, time
print(os.getpid(), file=open({note!r}, "a"), flush=True)
for line in sys.stdin:
    if line == "ugi\\n": print("ugiok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    while line.startswith("go"): time.sleep(60)
"""


# It does not answer the quick moves of a check, nor end when it is told to.
STUBBORN = """
import os, sys, time
print(os.getpid(), file=open({note!r}, "a"), flush=True)
for line in sys.stdin:
    if line == "ugi\\n": print("ugiok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    if line.startswith("go") and line != "go movetime 50\\n": print("bestmove down", flush=True)
    while line == "quit\\n": time.sleep(60)
"""


def hanging_engine(home: Path) -> str:
    """An engine that gets ready and then hangs; its ids are in the file `pids`."""
    (home / "engine.py").write_text(HANGS.format(note=str(home / "pids")))
    return f"ugi:{shlex.join([sys.executable, str(home / 'engine.py')])}"


def pids(home: Path) -> list[int]:
    """The engines that were started: one to see whether it can be, then those that play."""
    path = home / "pids"
    return [int(pid) for pid in path.read_text().split()] if path.exists() else []


def in_json(*args: str | Path, home: Path) -> Any:  # noqa: ANN401 - JSON
    """What a run reports."""
    run = gridwise(*args, "--json", home=home)
    assert (run.status, run.err) == (0, "")
    return json.loads(run.out)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The home of a match that was kept in the folder `kept`, and the terminal it was seen at."""
    home = tmp_path_factory.mktemp("played")
    with Terminal(*MATCH, "--out", "kept", home=home, columns=120) as terminal:
        assert terminal.finish() == 0
        return home, terminal.text


def test_a_terminal_shows_the_table_as_it_grows(played: tuple[Path, str]) -> None:
    """While games are played there is a live table; at the end the whole result."""
    _, live, end = played[1].partition(f"of {PAIRS} pairs")
    assert live
    assert f"{PAIRS} pairs, {2 * PAIRS} games" in end


def test_a_match_is_reported_as_engine_testers_know_it(played: tuple[Path, str]) -> None:
    """Score, Elo, nElo, LOS, games, pairs by result: and the figures agree with each other."""
    home, _ = played
    run = gridwise(*MATCH, "--out", "kept", home=home)
    assert (run.status, run.err) == (0, "")
    title = f"bot:strong against bot:casual at Number Connect: {PAIRS} pairs, {2 * PAIRS} games"
    assert run.lines[0] == title
    for name in ("Score", "Elo", "nElo", "LOS", "Games", "Pairs", "Sides"):
        assert any(line.startswith(f"  {name} ") for line in run.lines)
    found = in_json(*MATCH, "--out", "kept", home=home)
    assert sum(found["pairs"]) == PAIRS
    ll, ld, middle, wd, ww = found["pairs"]
    points = (ld + 2 * middle + 3 * wd + 4 * ww) / 2
    assert found["score"]["value"] == pytest.approx(points / 2 / PAIRS)
    assert found["elo"]["low"] < found["elo"]["value"] < found["elo"]["high"]
    assert found["nelo"]["low"] < found["nelo"]["value"] < found["nelo"]["high"]
    assert 0.5 < found["los"] <= 1.0
    assert [each["name"] for each in found["players"]] == ["bot:strong", "bot:casual"]
    assert [each["points"] for each in found["players"]] == [points, 2 * PAIRS - points]
    assert ll < ww


def test_a_test_stops_the_match(home: Path) -> None:
    """With --sprt there are the LLR, its bounds and a verdict, after fewer pairs."""
    found = in_json(*MATCH, "--sprt", "0", "50", home=home)
    assert found["verdict"] == "H1"
    assert found["bounds"] == pytest.approx([-2.944, 2.944], abs=0.001)
    assert found["llr"] >= found["bounds"][1]
    assert sum(found["pairs"]) == found["sprt"]["pairs"] < PAIRS


def test_a_pool_has_ratings_a_page_and_a_plot(home: Path) -> None:
    """Three players at two games: ratings in order, a page that needs nothing else, a picture."""
    files = ("--html", "a.html", "--plot", "a.svg", "--names", "<R&D>,Cas,Nov")
    run = gridwise(
        *("arena", "random", "casual", "novice", "--game", "run", "--game", "maze"),
        *("--pairs", sample("20", long="40"), *files),
        home=home,
    )
    assert (run.status, run.err) == (0, "")
    order = [line.split()[1] for line in run.lines if re.match(r" *\d\. ", line)]
    assert order == ["Cas", "Nov", "<R&D>"]
    page = (home / "a.html").read_text()
    assert "&lt;R&amp;D&gt;" in page
    assert "<R&D>" not in page
    assert not re.search(r"(src|href)=(?!\"data:)|@import|url\(|<script", page)
    HTMLParser().feed(page)
    assert "data:image/svg+xml;base64," in page
    assert (home / "a.svg").read_text().startswith("<?xml")


def test_a_gauntlet_is_the_first_against_the_others(home: Path) -> None:
    """Three players have two matches in it."""
    players = ("arena", "casual", "random", "novice", "--gauntlet")
    found = in_json(*players, "--game", "maze", "--pairs", "1", home=home)
    assert [(m["one"], m["two"]) for m in found["matches"]] == [
        ("bot:casual", "bot:random"),
        ("bot:casual", "bot:novice"),
    ]


@pytest.mark.parametrize("when", sample([1], long=[1, 4]))
def test_a_run_that_is_killed_goes_on_where_it_stopped(
    home: Path, played: tuple[Path, str], when: int
) -> None:
    """`kill -9` after some results, the same command again: the result of one whole run.

    Two processes do the same as one; every game has a record.
    """
    args = (*MATCH, "--workers", "2", "--out", "kept")
    with Piped(*args, home=home) as run:
        wait_for(lambda: len(kept_keys(home / "kept" / FILE_NAME)) >= when)
        run.kill()
    assert in_json(*args, home=home) == in_json(*MATCH, "--out", "kept", home=played[0])
    records = list(home.glob("kept/games/number-connect/*.gwr"))
    assert len(records) == 2 * PAIRS
    for path in records[::40]:
        assert read_record(path).finished


def test_a_seed_that_nobody_gave_is_drawn_and_recorded(home: Path) -> None:
    """No program can guess it; whoever gives it, or continues the run, has the same boards."""
    args = ("arena", "casual", "novice", "--pairs", "4", "--game", "conquest")
    first, other = (in_json(*args, "--out", each, home=home) for each in ("one", "two"))
    assert min(first["seed"], other["seed"]) > 1 << 32
    assert first["seed"] != other["seed"]
    assert in_json(*args, "--seed", str(first["seed"]), home=home) == first
    assert in_json(*args, "--out", "one", home=home) == first
    assert f"Seed {first['seed']}:" in gridwise(*args, "--out", "one", home=home).out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_engine_outlives_the_arena(home: Path, number: signal.Signals) -> None:
    """Though it hangs and notices nothing. Ctrl-C is status 130 and says how to go on."""
    args = ("arena", hanging_engine(home), "random", "--game", "runner", "--movetime", "60000")
    with Piped(*args, "--out", "kept", home=home) as run:
        wait_for(lambda: len(pids(home)) > 1)
        stop(run.process, number)
        done = run.finish()
    if number == signal.SIGINT:
        assert done.status == 130
        assert done.err.splitlines() == [
            "Stopped after 0 of 100 pairs. The same command goes on from kept."
        ]
        assert all(map(gone, pids(home)))
    wait_for(lambda: all(map(gone, pids(home))))


@pytest.mark.parametrize(
    ("args", "differs"),
    [
        ((*MATCH, "--seed", "5"), "seed 0 there, 5 here"),
        ((*MATCH[:-1], "maze"), ": boards number-connect there, number-maze here."),
        (("arena", "novice", *MATCH[2:]), ": players 1 bot:strong there, bot:novice here."),
    ],
)
def test_the_folder_of_another_run_is_refused(
    played: tuple[Path, str], args: tuple[str, ...], differs: str
) -> None:
    """What differs is named, and nothing in the folder is touched."""
    home, _ = played
    before = (home / "kept" / FILE_NAME).read_bytes()
    run = gridwise(*args, "--out", "kept", home=home)
    assert is_one_complaint(run)
    assert differs in run.err
    assert (home / "kept" / FILE_NAME).read_bytes() == before


def test_a_full_disk_is_one_line_and_loses_nothing(home: Path, played: tuple[Path, str]) -> None:
    """Where files cannot be written any more; with room again, the same command goes on."""
    args = (*MATCH, "--out", "kept")
    run = gridwise(*args, home=home, largest_file=40 << 10)
    assert is_one_complaint(run)
    assert "Cannot write" in run.err
    assert in_json(*args, home=home) == in_json(*args, home=played[0])


@pytest.mark.parametrize(
    "args",
    [
        ("nobody", "casual", "--game", "run"),
        ("human", "casual", "--game", "run"),
        ("casual", "--game", "run"),
        ("casual", "strong"),
        ("casual", "strong", "--game", "chess"),
        ("casual", "strong", "--game", "run", "--pairs", "0"),
        ("casual", "strong", "--game", "run", "--pairs", str(10**12)),
        ("casual", "strong", "--game", "run", "--workers", "0"),
        ("casual", "strong", "--game", "run", "--sprt", "5", "0"),
        ("casual", "strong", "--game", "run", "--sprt", "a", "b"),
        ("casual", "strong", "novice", "--game", "run", "--sprt", "0", "5"),
        ("casual", "strong", "--game", "run", "--time", "soon"),
        ("casual", "strong", "--game", "run", "--movetime", "0"),
        ("casual", "strong", "--game", "run", "--names", "one"),
        ("casual", "strong", "--game", "run", "--names", "perfect,bot:strong"),
        ("casual", "strong", "--game", "run", "--plot", "a.nothing"),
        ("casual", "strong", "--game", "run", "--html", "/no/such/folder/a.html"),
        ("casual", "strong", "--game", "run", "--out", "/proc/nothing"),
        ("casual", "strong", "--game", "maze", "--board", "4444/4444/4444/4444"),
        ("casual", "strong", "--game", "conquest", "--adjudicate", "4"),
        ("ugi:/no/such/engine", "strong", "--game", "run"),
        ("casual", "strong", "--game", "run", "--cluster", "tcp://127.0.0.1:1"),
    ],
)
def test_bad_input_is_one_clear_line(home: Path, args: tuple[str, ...]) -> None:
    """Status 2, one line, no traceback, no result."""
    assert is_one_complaint(gridwise("arena", *args, home=home))


def test_an_engine_is_checked(home: Path) -> None:
    """Ours passes all, the smallest what is needed to play: status 0. One that hangs has 1."""
    ours = shlex.join([sys.executable, "-m", "gridwise", "ugi", "runner", "--level", "casual"])
    found = in_json("ugi", "--check", ours, "runner", home=home)
    assert (found["needed"], found["manners"]) == ("passed", "passed")
    assert found["engine"]["author"] == "the Gridwise authors"
    run = gridwise("ugi", "--check", smallest_engine(home), "runner", home=home)
    assert (run.status, run.err) == (0, "")
    assert run.lines[0] == "Needed to play: ok (5 passed, 0 failed, 1 skipped)"
    assert "Good manners: FAILED (7 passed, 8 failed, 4 skipped)" in run.lines
    script = home / "engine.py"
    for source in sample([STUBBORN], long=[STUBBORN, HANGS]):
        script.write_text(source.format(note=str(home / "pids")))
        hangs = shlex.join([sys.executable, str(script)])
        run = gridwise("ugi", "--check", hangs, "runner", "--patience", "0.3", home=home)
        assert run.status == 1
        assert run.err == ""
        assert re.match(r"Needed to play: FAILED \(4 passed, 1 failed, ", run.out)
        assert re.search(r"  FAILED +bestmove", run.out)
        assert "          sent      go movetime 50" in run.lines or source == HANGS
        assert source == HANGS or re.search(r"FAILED +quit", run.out)
        assert all(map(gone, pids(home)))


@pytest.mark.parametrize(
    "args", [("", "run"), ("engine", "chess"), ("true", "run", "--patience", "x"), ("true",)]
)
def test_a_check_that_cannot_be_made_is_one_clear_line(home: Path, args: tuple[str, ...]) -> None:
    """No command, no such game, no number."""
    assert is_one_complaint(gridwise("ugi", "--check", *args, home=home))
