"""`gridwise ugi` as another program meets it, and other programs in `gridwise play`."""

from __future__ import annotations

import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridwise import __version__, read_record
from tests.engine.test_ugi_client import gone
from tests.quickest import SOON, quickest

GRIDWISE = [sys.executable, "-m", "gridwise"]
ROOT = Path(__file__).parents[2]
POLITE = """\
import sys, time
for line in sys.stdin:
    line = line.strip()
    if line == "ugi":
        print("ugiok")
    elif line == "isready":
        print("readyok")
    elif line.startswith("go"):
        {go}
    sys.stdout.flush()
"""


class Engine:
    """`gridwise ugi` as a running program."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*GRIDWISE, "ugi", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, *lines: str | bytes) -> None:
        """Send lines."""
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """What is said up to the line that begins with a word."""
        assert self.process.stdout
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] != [word]:
            raw = self.process.stdout.readline()
            assert raw, lines
            lines.append(raw.decode().rstrip("\n"))
        return lines

    def leave(self) -> tuple[int, str]:
        """Wait for the end; the status and what was complained."""
        _, complaint = self.process.communicate(timeout=SOON)
        return self.process.returncode, complaint.decode()


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine for Grid Runner, ended after the test."""
    words = getattr(request, "param", ("grid-runner",))
    each = Engine(*words)
    with each.process:
        yield each
        each.process.kill()


def run(*words: str, given: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command to its end."""
    return subprocess.run(
        [*GRIDWISE, *words],
        input=given,
        capture_output=True,
        timeout=60,
        env=os.environ | env,
        check=False,
    )


# The engine


def test_a_conversation_by_hand(engine: Engine) -> None:
    """Hello, ready, a position, the legal moves, a move, goodbye."""
    engine.send("ugi")
    said = engine.until("ugiok")
    assert said[:2] == [f"id name Gridwise {__version__}", "id author the Gridwise authors"]
    engine.send("isready")
    assert engine.until("readyok") == ["readyok"]
    engine.send("position startpos", "query legal")
    assert engine.until("response") == ["response down right"]

    def attempt() -> None:
        engine.send("go movetime 100")
        assert engine.until("bestmove")[-1] in ("bestmove down", "bestmove right")

    assert quickest(attempt, 1.0) < 1.0  # the first time something may have to be loaded
    engine.send("quit")
    assert engine.leave() == (0, "")


@pytest.mark.parametrize("key", ["number-run", "grid-conquest"])
def test_the_first_go_is_as_quick_as_the_next(key: str) -> None:
    """`readyok` comes when the search is loaded: no time of the first move goes into that.

    A machine that does something else for these 20 ms can spoil one attempt; loading spoils all.
    """

    def searches_at_once() -> bool:
        each = Engine(key)
        with each.process:
            each.send("isready", "position startpos")
            each.until("readyok")
            each.send("go movetime 20")
            said = each.until("bestmove")
            each.send("quit")
            assert each.leave() == (0, "")
        return len(said) > 1 and all(line.startswith("info time ") for line in said[:-1])

    assert any(searches_at_once() for _ in range(5))


def test_quit_does_not_wait_until_the_engine_is_ready(tmp_path: Path) -> None:
    """Compiling takes seconds; whoever leaves meanwhile is let go, without complaint."""

    def attempt() -> None:
        script = b"isready\nquit\n"
        done = run("ugi", "grid-conquest", given=script, GRIDWISE_CACHE=str(tmp_path))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    assert quickest(attempt, 3.0) < 3.0


def test_the_conversation_in_the_documents_is_real() -> None:
    """Saying the lines of docs/ugi.md that begin with > gets the others.

    But for `info`, which has times, and for what is left out at the end of a line by an ellipsis.
    """
    text = (ROOT / "docs" / "ugi.md").read_text(encoding="utf-8")
    talk = text.split("$ gridwise ugi grid-runner\n", 1)[1].split("```", 1)[0]
    each = Engine("grid-runner")
    with each.process:
        for part in re.split(r"^> ", talk, flags=re.MULTILINE)[1:]:
            line, *expected = part.splitlines()
            each.send(line)
            wanted = [said for said in expected if not said.startswith("info ")]
            if wanted:
                said = each.until(wanted[-1].split()[0])
                said = [one for one in said if not one.startswith("info ")]
                assert len(said) == len(wanted)
                for one, shown in zip(said, wanted, strict=True):
                    assert one == shown or (shown.endswith("…") and one.startswith(shown[:-1]))
        assert each.leave() == (0, "")


def test_lines_that_come_all_at_once_are_answered_in_order() -> None:
    """A script through a pipe reads like a conversation."""
    script = b"ugi\nisready\nposition startpos\nquery legal\ngo movetime 100\nquit\nisready\n"
    done = run("ugi", "grid-runner", given=script)
    assert (done.returncode, done.stderr) == (0, b"")
    said = [line for line in done.stdout.decode().splitlines() if not line.startswith("info ")]
    assert said[-4:-1] == ["ugiok", "readyok", "response down right"]
    assert said[-1].startswith("bestmove ")


@pytest.mark.parametrize("start", ["go infinite", "go movetime 60000"])
def test_stop_works_while_it_thinks(engine: Engine, start: str) -> None:
    """`isready` and `stop` are answered within a tenth of a second of being said."""
    engine.send("go movetime 10")  # whatever has to be loaded is loaded
    engine.until("bestmove")
    taken = []
    for _ in range(5):
        engine.send(start)
        time.sleep(0.05)
        begun = time.monotonic()
        engine.send("isready", "stop")
        engine.until("bestmove")
        taken.append(time.monotonic() - begun)
    assert statistics.median(taken) < 0.1


def test_odd_bytes_and_endless_lines_are_ignored(engine: Engine) -> None:
    """Whatever comes in, the next line is answered."""
    garbage = [bytes(range(256)).replace(b"\n", b""), b"\xff\xfe\x00", b"x" * 3_000_000, b""]
    engine.send(*garbage, b"\xef\xbb\xbfisready\r")
    said = engine.until("readyok")
    assert all(line.startswith("info string ") for line in said[:-1])
    assert any("was ignored" in line for line in said)
    engine.send(b"position startpos moves " + b"down up " * 20_000, "query p1turn")
    assert engine.until("response")[-1] == "response true"
    engine.send("quit")
    assert engine.leave() == (0, "")


def test_the_end_of_the_input_ends_the_engine(engine: Engine) -> None:
    """Thinking or not, it stops and leaves without complaint."""
    engine.send("go infinite")
    assert engine.process.stdin
    assert engine.leave() == (0, "")


def test_ctrl_c_ends_the_engine(engine: Engine) -> None:
    """Also while it thinks, with status 130 and no traceback."""
    engine.send("go infinite", "isready")
    engine.until("readyok")
    engine.process.send_signal(signal.SIGINT)
    status, complaint = engine.leave()
    assert (status, complaint.strip()) == (130, "")


def test_a_reader_who_leaves_ends_the_engine(engine: Engine) -> None:
    """A closed pipe is no traceback."""
    engine.send("isready")
    engine.until("readyok")
    assert engine.process.stdout
    engine.process.stdout.close()
    engine.send("isready", "go movetime 20")
    engine.process.wait(3 * SOON)
    assert engine.process.stderr
    assert (engine.process.returncode, engine.process.stderr.read()) == (141, b"")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["ugi", "chess"], b"There is no game"),
        (["ugi", "grid-runner", "--level", "godlike"], b"There is no level"),
        (["ugi"], b"GAME"),
    ],
)
def test_wrong_usage_is_one_line(words: list[str], printed: bytes) -> None:
    """Status 2, one clear line, no traceback."""
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert printed in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("engine", [("number-connect", "--level", "Random")], indirect=True)
def test_a_level_can_be_given_on_the_command_line(engine: Engine) -> None:
    """It is the level that the option starts from."""
    engine.send("ugi")
    assert "option name Level type combo default random var " in "\n".join(engine.until("ugiok"))
    engine.send("go")
    info, move = engine.until("bestmove")[-2:]
    assert info.startswith("info time ")
    assert info.endswith(move.removeprefix("bestmove"))


# Engines in a game


def gridwise_engine(key: str, level: str = "random") -> str:
    """A seat for ourselves."""
    return f"ugi:{shlex.join([*GRIDWISE, 'ugi', key, '--level', level])}"


def script(folder: Path, go: str) -> str:
    """A seat for an engine that does this when it is to move."""
    path = folder / "engine.py"
    path.write_text(POLITE.format(go=go))
    return f"ugi:{shlex.join([sys.executable, str(path)])}"


@pytest.mark.parametrize("key", ["number-run", "grid-conquest"])
def test_two_engines_play_each_other(key: str, tmp_path: Path) -> None:
    """A game between two programs comes to its end and is recorded like any other."""
    path, who = tmp_path / "game.gwr", gridwise_engine(key)
    done = run(
        "play", key, "--p1", who, "--p2", who, "--seed", "4", "--record", str(path), "--plain"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    record = read_record(path)
    assert record.players == (who, who)
    assert record.finished or record.termination == "unfinished after 200 plies"


def test_the_same_seed_gives_the_same_game_between_engines() -> None:
    """An engine that has an option Seed is given ours."""
    who = gridwise_engine("number-connect")
    words = ["play", "number-connect", "--p1", who, "--p2", who, "--plain"]
    first, again = (run(*words, "--seed", "4") for _ in range(2))
    assert first.returncode == 0
    assert first.stdout == again.stdout


def test_a_person_and_an_engine_stop_where_the_engine_says_that_the_game_is_over() -> None:
    """After 200 plies our engine would not move any more, so the game is unfinished there."""
    cut = "..X../..X../..X.."  # a wall between the players: nobody can win
    who = gridwise_engine("grid-runner", "perfect")
    words = ["play", "grid-runner", "--board", cut, "--p2", who, "--plain"]
    done = run(*words, given=b"right\nleft\n" * 60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"unfinished after 200 plies" in done.stdout
    assert done.stdout.count(b"Player 1 (P1) at") == 100


@pytest.mark.parametrize(
    ("go", "printed"),
    [
        ("pass", "has not answered go within 4 seconds."),
        ("sys.exit('out of memory')", 'has ended with status 1: it said "out of memory".'),
        ("print('bestmove up')", 'wants to play "up". There is no cell up of A1.'),
        ("print('bestmove')", 'wants to play "". "" is not a direction.'),
    ],
    ids=["hangs", "dies", "cheats", "babbles"],
)
def test_an_engine_that_does_not_play_costs_no_game(go: str, printed: str, tmp_path: Path) -> None:
    """One clear line and status 2; the game is saved, and the command to continue is named."""
    bad = script(tmp_path, go if go == "pass" else f"'moves' in line or {go}")
    record = tmp_path / "game.gwr"
    words = ["play", "grid-runner", "--p1", bad, "--record", str(record), "--plain"]
    done = run(*words, given=b"")
    complaint = done.stderr.decode()
    assert done.returncode == 2
    assert len(complaint.splitlines()) == 1
    assert complaint.startswith('gridwise: The engine "')
    assert printed in complaint
    assert f"Continue with: gridwise play --resume {record}" in done.stdout.decode()
    assert read_record(record).moves == ()


def test_a_game_is_kept_when_an_engine_dies_in_the_middle(tmp_path: Path) -> None:
    """Also where nobody asked for a record: a file is named from which it continues."""
    bad = script(tmp_path, "sys.exit(3)")
    words = ["play", "grid-runner", "--p2", bad, "--plain"]
    done = run(*words, given=b"right\n", GRIDWISE_HOME=str(tmp_path))
    assert done.returncode == 2
    assert b"has ended with status 3." in done.stderr
    (kept,) = (tmp_path / "games").glob("*.gwr")
    assert str(kept) in done.stdout.decode()
    assert read_record(kept).moves == ("right",)


@pytest.mark.parametrize("who", ["ugi:", "ugi:/no/such/engine", "ugi:'x"])
def test_a_missing_engine_is_reported_before_the_game(who: str) -> None:
    """Nothing is played, and there is nothing to save."""
    done = run("play", "grid-runner", "--p1", gridwise_engine("grid-runner"), "--p2", who)
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1


def test_ctrl_c_takes_engines_along(tmp_path: Path) -> None:
    """With status 130, and no process of theirs left."""
    note = tmp_path / "pid"
    hangs = script(tmp_path, f"import os; open({str(note)!r}, 'w').write(str(os.getpid()))")
    with subprocess.Popen(
        [*GRIDWISE, "play", "grid-runner", "--p1", hangs, "--plain"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as game:
        end = time.monotonic() + 3 * SOON
        while not (note.exists() and note.read_text()) and time.monotonic() < end:
            time.sleep(0.01)
        game.send_signal(signal.SIGINT)
        _, complaint = game.communicate(timeout=3 * SOON)
    assert (game.returncode, complaint.strip()) == (130, b"")
    assert gone(int(note.read_text()))


def test_engines_are_gone_when_the_game_is_over(tmp_path: Path) -> None:
    """An engine that does not quit is ended with the game."""
    note = tmp_path / "pid"
    path = tmp_path / "stubborn.py"
    claims = "print('bestmove A1' if 'A1' not in position else 'bestmove A2')"
    path.write_text(
        f"import os; open({str(note)!r}, 'w').write(str(os.getpid()))\n"
        + POLITE.format(go=claims).replace(
            '    if line == "ugi"',
            '    if line.startswith("position"):\n        position = line.partition("moves")[2]\n'
            '    if line == "quit":\n        time.sleep(60)\n    if line == "ugi"',
        )
    )
    who = f"ugi:{shlex.join([sys.executable, str(path)])}"
    words = ["play", "grid-conquest", "--board", "12", "--p1", who, "--p2", who, "--plain"]
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert gone(int(note.read_text()))
