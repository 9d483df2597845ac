"""`gridwise ugi` as another program meets it, and other programs in `gridwise play`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gridwise import read_record
from tests.fake_engine import write_engine
from tests.sizes import sample

from .program import PATIENCE, PROGRAM, Piped, Run, gridwise, is_one_complaint, stop

ROOT = Path(__file__).parents[2]


class Engine(Piped):
    """`gridwise ugi` as a running program."""

    def __init__(self, *words: str, home: Path, fresh: bool = False) -> None:
        super().__init__("ugi", *words, home=home, fresh=fresh)
        self._understood = 0  # bytes of what was said

    def say(self, *lines: str | bytes) -> None:
        """Send lines."""
        for line in lines:
            self.send((line.encode() if isinstance(line, str) else line) + b"\n")

    def until(self, word: str) -> list[str]:
        """What is said up to the line that begins with a word."""
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] != [word]:
            while (end := self.out.find(b"\n", self._understood)) < 0:
                self.hear()
            lines.append(self.out[self._understood : end].decode())
            self._understood = end + 1
        return lines

    def leave(self) -> tuple[int, str]:
        """Wait for the end; the status and what was complained."""
        run = self.finish()
        return run.status, run.err


@pytest.fixture
def engine(request: pytest.FixtureRequest, home: Path) -> Iterator[Engine]:
    """An engine for Grid Runner, ended after the test."""
    each = Engine(*getattr(request, "param", ("grid-runner",)), home=home)
    with each:
        yield each


# The engine


@pytest.mark.parametrize(("sent", "is_loaded"), [("isready", True), ("position startpos", False)])
def test_the_search_is_loaded_when_the_engine_is_ready(
    home: Path, sent: str, is_loaded: bool
) -> None:
    """So that no time of the first move goes into that; nobody waits who has not asked."""
    verbose = {"PYTHONVERBOSE": "1"}
    with Piped("ugi", "grid-conquest", home=home, fresh=True, env=verbose) as engine:
        engine.send(f"{sent}\nquery p1turn\n")
        engine.expect("response ")
        run = engine.finish()
    assert ("readyok" in run.out, "import 'numba'" in run.err) == (is_loaded, is_loaded)


def test_quit_does_not_wait_until_the_engine_is_ready(home: Path) -> None:
    """Compiling takes seconds; whoever leaves meanwhile is let go, without complaint."""
    uncompiled = {"GRIDWISE_CACHE": str(home)}
    run = gridwise("ugi", "grid-conquest", home=home, typed=["isready", "quit"], env=uncompiled)
    assert run == Run(0, "", "")


def test_the_conversation_in_the_documents_is_real(engine: Engine) -> None:
    """Saying the lines of docs/ugi.md that begin with > gets the others.

    But for `info`, which has times, and for what is left out at the end of a line by an ellipsis.
    """
    text = (ROOT / "docs" / "ugi.md").read_text(encoding="utf-8")
    talk = text.split("$ gridwise ugi grid-runner\n", 1)[1].split("```", 1)[0]
    for part in re.split(r"^> ", talk, flags=re.MULTILINE)[1:]:
        line, *expected = part.splitlines()
        engine.say(line)
        wanted = [said for said in expected if not said.startswith("info ")]
        if wanted:
            said = engine.until(wanted[-1].split()[0])
            said = [one for one in said if not one.startswith("info ")]
            assert len(said) == len(wanted)
            for one, shown in zip(said, wanted, strict=True):
                assert one == shown or (shown.endswith("…") and one.startswith(shown[:-1]))
    assert engine.leave() == (0, "")


@pytest.mark.parametrize(
    ("engine", "start"),
    [(("grid-runner",), "go infinite"), (("grid-conquest",), "go movetime 60000")],
    indirect=["engine"],
)
def test_stop_works_while_it_thinks(engine: Engine, start: str) -> None:
    """`isready` is answered before the move, and `stop` brings the move, which would not come."""
    engine.say(start, "isready")
    assert not any(line.startswith("bestmove") for line in engine.until("readyok"))
    engine.say("stop")
    engine.until("bestmove")


def test_odd_bytes_and_endless_lines_are_ignored(engine: Engine) -> None:
    """Whatever comes in, the next line is answered."""
    garbage = [bytes(range(256)).replace(b"\n", b""), b"\xff\xfe\x00", b"x" * 3_000_000, b""]
    engine.say(*garbage, b"\xef\xbb\xbfisready\r")
    said = engine.until("readyok")
    assert all(line.startswith("info string ") for line in said[:-1])
    assert any("was ignored" in line for line in said)
    engine.say(b"position startpos moves " + b"down up " * 20_000, "query p1turn")
    assert engine.until("response")[-1] == "response true"
    engine.say("quit")
    assert engine.leave() == (0, "")


def test_the_end_of_the_input_ends_the_engine(engine: Engine) -> None:
    """Thinking or not, it stops and leaves without complaint."""
    engine.say("go infinite")
    assert engine.leave() == (0, "")


def test_ctrl_c_ends_the_engine(engine: Engine) -> None:
    """Also while it thinks, with status 130 and no traceback."""
    engine.say("go infinite", "isready")
    engine.until("readyok")
    stop(engine.process)
    status, complaint = engine.leave()
    assert (status, complaint.strip()) == (130, "")


def test_a_reader_who_leaves_ends_the_engine(engine: Engine) -> None:
    """A closed pipe is no traceback."""
    engine.say("isready")
    engine.until("readyok")
    engine.stop_listening()
    with suppress(BrokenPipeError):  # it may be gone after the first line
        engine.say("isready", "go movetime 20")
    engine.process.wait(PATIENCE)  # its input has not ended
    assert engine.leave() == (141, "")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["ugi", "chess"], "There is no game"),
        (["ugi", "grid-runner", "--level", "godlike"], "There is no level"),
        (["ugi"], "GAME"),
    ],
)
def test_wrong_usage_is_one_line(home: Path, words: list[str], printed: str) -> None:
    """Status 2, one clear line, no traceback."""
    run = gridwise(*words, home=home)
    assert is_one_complaint(run)
    assert not run.out
    assert printed in run.err


@pytest.mark.parametrize("engine", [("number-connect", "--level", "Random")], indirect=True)
def test_a_level_can_be_given_on_the_command_line(engine: Engine) -> None:
    """It is the level that the option starts from."""
    engine.say("ugi")
    assert "option name Level type combo default random var " in "\n".join(engine.until("ugiok"))
    engine.say("go")
    info, move = engine.until("bestmove")[-2:]
    assert info.startswith("info time ")
    assert info.endswith(move.removeprefix("bestmove"))


# Engines in a game


def gridwise_engine(key: str, level: str = "random") -> str:
    """A seat for ourselves."""
    return f"ugi:{shlex.join([*PROGRAM, 'ugi', key, '--level', level])}"


def script(folder: Path, go: str) -> str:
    """A seat for an engine that does this when it is to move."""
    body = f'if line.startswith("go"): {go}'
    return f"ugi:{write_engine(folder, body)}"


@pytest.mark.parametrize(
    "key", sample(["number-connect"], long=["number-run", "number-connect", "grid-conquest"])
)
def test_two_engines_play_each_other(key: str, home: Path) -> None:
    """A game between two programs comes to its end and is recorded like any other.

    An engine that has an option Seed is given ours: the same seed gives the same game.
    """
    path, who = home / "game.gwr", gridwise_engine(key)
    play = ("play", key, "--p1", who, "--p2", who, "--seed", "4", "--plain")
    run = gridwise(*play, "--record", path, home=home)
    assert (run.status, run.err) == (0, "")
    record = read_record(path)
    assert record.players == (who, who)
    assert record.finished or record.termination == "unfinished after 200 plies"
    if key == "number-connect":
        assert gridwise(*play, home=home).out == run.out


def test_a_person_and_an_engine_stop_where_the_engine_says_that_the_game_is_over(
    home: Path,
) -> None:
    """After 200 plies our engine would not move any more, so the game is unfinished there."""
    cut = "..X../..X../..X.."  # a wall between the players: nobody can win
    who = gridwise_engine("grid-runner", "perfect")
    words = ("play", "grid-runner", "--board", cut, "--p2", who, "--plain")
    run = gridwise(*words, home=home, typed=["right", "left"] * 60)
    assert (run.status, run.err) == (0, "")
    assert "unfinished after 200 plies" in run.out
    assert run.out.count("Player 1 (P1) at") == 100


@pytest.mark.parametrize(
    ("go", "printed"),
    [
        ("sys.exit('out of memory')", 'has ended with status 1: it said "out of memory".'),
        ("print('bestmove up')", 'wants to play "up". There is no cell above A1.'),
    ],
    ids=["dies", "cheats"],
)
def test_an_engine_that_does_not_play_costs_no_game(go: str, printed: str, home: Path) -> None:
    """One clear line and status 2; the game is saved, and the command to continue is named."""
    record = home / "game.gwr"
    play = ("play", "grid-runner", "--p1", script(home, go), "--record", record, "--plain")
    run = gridwise(*play, home=home)
    assert run.status == 2
    assert run.err.count("\n") == 1
    assert run.err.startswith('gridwise: The engine "')
    assert printed in run.err
    assert f"Continue with: gridwise play --resume {record}" in run.out
    assert read_record(record).moves == ()


def test_a_game_is_kept_when_an_engine_dies_in_the_middle(home: Path) -> None:
    """Also where nobody asked for a record: a file is named from which it continues."""
    bad = script(home, "sys.exit(3)")
    run = gridwise("play", "grid-runner", "--p2", bad, "--plain", home=home, typed=["right"])
    assert run.status == 2
    assert "has ended with status 3." in run.err
    (kept,) = (home / "games").glob("*.gwr")
    assert str(kept) in run.out
    assert read_record(kept).moves == ("right",)


@pytest.mark.parametrize("who", ["ugi:", "ugi:/no/such/engine", "ugi:'x"])
def test_a_missing_engine_is_reported_before_the_game(home: Path, who: str) -> None:
    """Nothing is played, and there is nothing to save."""
    there = script(home, "pass")
    run = gridwise("play", "grid-runner", "--p1", there, "--p2", who, home=home)
    assert (run.status, run.out) == (2, "")
    assert run.err.count("\n") == 1
