"""Checking engines: ours passes, and one that breaks a single promise fails a single check.

Every engine is a real process. The broken ones are a correct engine, a wrapper around our own
session, with one thing about its lines changed.
"""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from gridwise.core.registry import game
from gridwise.engine.evaluation import prepare
from gridwise.engine.ugi import compliance
from gridwise.engine.ugi.compliance import CHECKS, Check, ComplianceReport, Status, check_engine
from gridwise.engine.ugi.position_text import parse_position, start_text
from gridwise.errors import BadRequest
from tests.cli.program import GAMES
from tests.fake_engine import gone
from tests.sizes import sample

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

# By the check that each fails, and no other.
BROKEN = {
    "id": 'tell = lambda line: None if line.startswith("id author") else line',
    "options": 'tell = lambda line: line.replace("type spin", "kind spin")',
    "setoption": 'on("setoption", lambda: os._exit(3))',
    "newgame": 'on("uginewgame", lambda: time.sleep(60))',
    "p1turn": 'tell = lambda line: "response false" if asked == "query p1turn" else line',
    "gameover": 'tell = lambda line: "response false" if asked == "query gameover" else line',
    "result": 'tell = lambda line: line.replace("p2win", "p1win")',
    "legal": 'tell = lambda line: "response up" if asked == "query legal" else line',
    "fen": 'tell = lambda line: line.replace("X", "o") if asked == "query fen" else line',
    "bestmove": 'tell = lambda line: "bestmove sideways" if line.startswith("bestmove") else line',
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


def check_all(engines: Iterable[Engine], patience: float) -> list[ComplianceReport]:
    """The reports on engines; most of the time they wait, so some are checked at once."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda each: check(each.command, patience=patience), engines))


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
    """Each engine fails exactly one check, which says what was sent, expected and heard."""
    monkeypatch.setattr(compliance, "LATE_SECONDS", LATE_SECONDS)
    names = list(BROKEN)[third::3]
    engines = [write(BROKEN[name], tmp_path / name) for name in names]
    for name, each, report in zip(names, engines, check_all(engines, 2.0), strict=True):
        assert failed(report) == [name]
        (broken,) = (each for each in report.checks if each.status is Status.FAILED)
        assert broken.sent or name == "output"  # that one looks back at all that was said
        assert broken.expected
        assert each.gone
        assert json.loads(json.dumps(report.to_json()))["failed"] == 1


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
    for each, report in zip(engines, check_all(engines, 0.5), strict=True):
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
