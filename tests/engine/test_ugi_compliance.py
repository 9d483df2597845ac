"""Checking engines: ours passes, and one that breaks a single promise fails a single check.

Every engine is a real process. The broken ones are a correct engine, a wrapper around our own
session, with one thing about its lines changed. Each plays a match too: what is needed to play is
what an engine loses games without, and nothing else.
"""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest

from gridwise.core.outcome import Termination
from gridwise.core.registry import game
from gridwise.engine.evaluation import prepare
from gridwise.engine.ugi import compliance
from gridwise.engine.ugi.compliance import CHECKS, Check, ComplianceReport, Status, check_engine
from gridwise.engine.ugi.position_text import parse_position, start_text
from gridwise.errors import BadRequest
from gridwise.lab.tournament.run import FAULTS
from gridwise.lab.tournament.schedule import MARGIN, MOVETIME, USUAL_LIMITS, TimeLimits
from gridwise.play.clock import TimeControl
from tests.cli.program import GAMES
from tests.fake_engine import gone, smallest_engine
from tests.lab.tournament import played
from tests.sizes import sample

T = TypeVar("T")

# `hear(line)` may change or swallow what comes in, `tell(line)` what goes out; `asked` is what
# came in last. `on(words, do)` does something instead of hearing a line that begins so.
ENGINE = """
import os
print(os.getpid(), file=open({note!r}, "w"), flush=True)
import random, sys, threading, time
from gridwise.core.registry import game
from gridwise.engine.ugi.protocol import Session
asked = ""
hear = lambda line: line
tell = lambda line: line
def on(words, do):
    global hear
    hear = lambda line: do() if line.startswith(words) else line
{body}
def emit(line):
    line = tell(line)
    if line is not None:
        print(line, flush=True)
session = Session(game("grid-runner"), emit, level="casual", prepare=None)
for line in sys.stdin:
    asked = line.strip()
    line = hear(asked)
    if line is not None and not session.receive(line):
        break
"""

LATE_SECONDS = 1.5  # that answers may come late, on a machine that has other things to do

# By the check that each fails, and no other. First what is needed to play.
BROKEN = {
    "ugi": 'on("ugi", lambda: os._exit(3))',
    "isready": 'on("isready", lambda: os._exit(3))',
    "seed": 'on("setoption name Seed", lambda: os._exit(3))',
    "newgame": 'on("uginewgame", lambda: os._exit(3))',
    "bestmove": 'tell = lambda line: "bestmove sideways" if line.startswith("bestmove") else line',
    "id": 'tell = lambda line: None if line.startswith("id author") else line',
    "options": 'tell = lambda line: line.replace("type spin", "kind spin")',
    "setoption": 'on("setoption name Level", lambda: os._exit(3))',
    "startpos": 'hear = lambda line: line.replace("startpos", "fen ...../...../...../.....")',
    "p1turn": 'tell = lambda line: "response false" if asked == "query p1turn" else line',
    "gameover": 'tell = lambda line: "response false" if asked == "query gameover" else line',
    "result": 'tell = lambda line: line.replace("p2win", "p1win")',
    "legal": 'tell = lambda line: "response up" if asked == "query legal" else line',
    "fen": 'tell = lambda line: line.replace("X", "o") if asked == "query fen" else line',
    "movetime": 'on("go movetime 200", lambda: time.sleep(2.5) or asked)',
    "clock": 'on("go p1time", lambda: time.sleep(4.5) or asked)',
    "limits": 'on("go nodes", lambda: None)',
    "infinite": 'hear = lambda line: line.replace("go infinite", "go depth 1")',
    "stop": 'on("stop", lambda: threading.Timer(3, session.receive, ["stop"]).start())',
    "unknown": 'tell = lambda line: None if "There is no command" in line else line',
    "bad-position": 'on("position fen %%%", lambda: 1 / 0)',
    "output": r'tell = lambda line: f"Thinking\n{line}" if line.startswith("bestmove") else line',
    "quit": 'on("quit", lambda: None)',
}
# By the check that an engine fails: how it loses all its games. Engines that fail others play.
LOSES = {
    **dict.fromkeys(("ugi", "isready", "seed", "newgame"), Termination.CRASH),
    "bestmove": Termination.ILLEGAL_MOVE,
}
# By the check: the limits under which an engine that fails it loses on time. Usually it plays.
TIMED = {
    "movetime": TimeLimits(200, None, MARGIN),
    "clock": TimeLimits(MOVETIME, TimeControl(2, 0), MARGIN),
}


class Engine(NamedTuple):
    """An engine that was written for a test."""

    command: str
    note: Path  # where its process notes its number

    @property
    def gone(self) -> bool:
        """Whether it has ended."""
        return gone(int(self.note.read_text()))


def write(body: str, folder: Path) -> Engine:
    """Write an engine with a body that changes its lines."""
    folder.mkdir()
    text = ENGINE.format(note=str(folder / "pid"), body=textwrap.dedent(body))
    (folder / "engine.py").write_text(text)
    return Engine(shlex.join([sys.executable, str(folder / "engine.py")]), folder / "pid")


def at_once(function: Callable[[str], T], engines: Iterable[Engine]) -> list[T]:
    """What a function makes of each command; most of the time they wait, so some run at once."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(function, [each.command for each in engines]))


def endings(command: str, limits: TimeLimits = USUAL_LIMITS, pairs: int = 1) -> set[str]:
    """How games of an engine end, against a bot and on both sides."""
    games = played(f"ugi:{command}", "bot:casual", pairs=pairs, limits=limits)
    return {each["ending"] for each in games}


@pytest.fixture(autouse=True)
def no_engine_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """For another match that does not come."""
    monkeypatch.setattr("gridwise.lab.tournament.play.IDLE_SECONDS", 0.01)


def failed(report: ComplianceReport) -> list[str]:
    """The names of the checks that failed."""
    return [check.name for check in report.checks if check.status is Status.FAILED]


def check(command: str, key: str = "grid-runner", patience: float = 2.0) -> ComplianceReport:
    """The report on an engine."""
    return check_engine(command, game(key), patience)


OURS = sample(("grid-runner",), long=GAMES)


@pytest.mark.parametrize("key", OURS)
def test_our_own_engine_passes(key: str) -> None:
    """`gridwise ugi GAME` does all that is asked of an engine; nothing is skipped but the coin."""
    # Compiled here: an engine has 60 seconds to get ready, and a busy machine takes longer.
    prepare(parse_position(game(key), start_text(game(key))))
    command = shlex.join([sys.executable, "-m", "gridwise", "ugi", key])
    report = check(command, key, 10.0)
    assert failed(report) == []
    skipped = [each.name for each in report.checks if each.status is Status.SKIPPED]
    assert skipped == ([] if game(key).coin_toss else ["first"])
    assert report.name.startswith("Gridwise")
    assert len(report.checks) == len(CHECKS)


@pytest.mark.parametrize("third", [0, 1, 2])
def test_a_broken_promise_fails_its_own_check(
    third: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each engine fails exactly one check, which says what was sent, expected and heard.

    It loses its games if that is needed to play, and otherwise plays them to their ends.
    """
    monkeypatch.setattr(compliance, "LATE_SECONDS", LATE_SECONDS)
    names = list(BROKEN)[third::3]
    engines = [write(BROKEN[name], tmp_path / name) for name in names]
    reports = at_once(partial(check, patience=2.0), engines)
    matches = at_once(endings, engines)
    for name, each, report, ends in zip(names, engines, reports, matches, strict=True):
        assert failed(report) == [name]
        assert ends == {LOSES[name]} if name in LOSES else not ends & set(FAULTS), name
        assert report.can_play == (name not in LOSES)
        (broken,) = (each for each in report.checks if each.status is Status.FAILED)
        assert broken.sent or name == "output"  # that one looks back at all that was said
        assert broken.expected
        assert each.gone
        said = json.loads(json.dumps(report.to_json()))
        assert said["needed"] == ("failed" if name in LOSES else "passed")
        assert (said["manners"] == "failed") == (name not in LOSES)


@pytest.mark.parametrize("name", TIMED)
def test_time_is_needed_where_somebody_keeps_it(name: str, tmp_path: Path) -> None:
    """An engine that fails the checks of time loses on time in a match that has such a limit."""
    engine = write(BROKEN[name], tmp_path / name)
    assert endings(engine.command, TIMED[name]) == {Termination.TIME_OUT}


def test_the_smallest_engine_of_the_documents_can_play(tmp_path: Path) -> None:
    """It knows nothing but what a match needs, and its games end as games do."""
    command = smallest_engine(tmp_path)
    report = check(command)
    assert report.can_play
    assert failed(report) == [
        *("id", "p1turn", "gameover", "result", "infinite", "unknown", "bad-position", "quit"),
    ]
    ends = endings(command, pairs=4)
    assert Termination.GOAL in ends
    assert not ends & set(FAULTS)


# By the check that they fail.
NEVER_READY = {
    "ugi": [
        "time.sleep(60)",
        "os._exit(7)",
        *sample([], long=["while True: print('x' * 9000)", "while True: sys.stdout.write('x')"]),
    ],
    "isready": ["hear = lambda line: None if line == 'isready' else line"],
}


@pytest.mark.parametrize(
    ("fails", "limit"), [("ugi", "START_SECONDS"), ("isready", "READY_SECONDS")]
)
def test_an_engine_that_does_not_get_ready_is_reported(
    fails: str, limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hanging, dying and flooding end the checks, and leave no process."""
    monkeypatch.setattr(compliance, limit, 1.5)
    bodies = NEVER_READY[fails]
    engines = [write(body, tmp_path / str(number)) for number, body in enumerate(bodies)]
    for each, report in zip(engines, at_once(partial(check, patience=0.5), engines), strict=True):
        assert failed(report) == [fails]
        last = report.checks.index(_last_run(report))
        assert {each.status for each in report.checks[last + 1 :]} == {Status.SKIPPED}
        assert each.gone


def _last_run(report: ComplianceReport) -> Check:
    return [each for each in report.checks if each.status is not Status.SKIPPED][-1]


def test_a_program_that_is_not_there_fails_the_first_check() -> None:
    """The system's reason is in the report."""
    report = check("/no/such/engine")
    assert failed(report) == ["start"]
    assert "No such file" in report.checks[0].got[-1]
    for command in ("", 'run "this'):
        with pytest.raises(BadRequest):
            check(command)
