"""Programs in a tournament: what they are told, and what becomes of those that misbehave.

Engines are real processes. What is looked up in /proc must be gone.
"""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gridwise import read_record
from gridwise.core.outcome import Termination
from gridwise.errors import BadRequest, EngineNotStarted
from gridwise.lab.tournament.run import Standings
from gridwise.lab.tournament.schedule import TimeLimits, time_limits
from gridwise.play.clock import TimeControl
from gridwise.worker_process import WorkerProcess
from tests.fake_engine import engine_pids, gone, write_engine
from tests.lab.executor_tasks import wait_for
from tests.lab.tournament import FAST, PATIENT, played, result, schedule
from tests.sizes import sample

Write = Callable[[str], str]


@pytest.fixture
def engine(tmp_path: Path) -> Write:
    """A way to write an engine: what it does with each `line`; its ids are kept."""
    return lambda body: f"ugi:{write_engine(tmp_path, body, '-I')}"


@pytest.fixture(autouse=True)
def no_program_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every engine that was started ends when no task follows in which it is needed."""
    monkeypatch.setattr("gridwise.lab.tournament.play.IDLE_SECONDS", 0.01)
    yield
    wait_for(lambda: all(map(gone, engine_pids(tmp_path))))


# Programs that misbehave: what each does at `go`, and what its games end with.

FAULTS = {
    "dies": ("if line.startswith('go'): os._exit(3)", "crash"),
    "dies at the start of a game": ("if line == 'uginewgame': os._exit(3)", "crash"),
    "hangs": ("if line.startswith('go'): time.sleep(60)", "time-out"),
    "floods": ("while line.startswith('go'): print('info string', 'x' * 500)", "time-out"),
    "cheats": ("if line.startswith('go'): print('bestmove e5')", "illegal-move"),
    "talks nonsense": ("if line.startswith('go'): print('bestmove')", "illegal-move"),
    "answers late": (
        "if line.startswith('go'): time.sleep(0.3); print('bestmove right')",
        "time-out",
    ),
}
# Whose children end with them is tested where engines are ended (engine/test_ugi_client.py).
FAULTS |= sample(
    {},
    long={
        "hangs with children": (
            "if line.startswith('go'): subprocess.Popen(['sleep', '60']); time.sleep(60)",
            "time-out",
        ),
        "floods without a line": (
            "while line.startswith('go'): sys.stdout.write('x')",
            "time-out",
        ),
    },
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_misbehaves_loses_and_the_arena_goes_on(fault: str, engine: Write) -> None:
    """Each game is lost by the engine, with its fault named, and the next one is played."""
    body, ending = FAULTS[fault]
    limits = FAST if ending == "time-out" else PATIENT
    one, two = played(engine(body), "bot:random", seed=3, limits=limits)
    assert (one["ending"], two["ending"]) == (ending, ending)
    assert (one["winner"], two["winner"]) == (2, 1)
    assert one["complaint"]
    standings = Standings(["engine", "bot"], ["grid-runner"])
    standings.add(0, 1, "grid-runner", (one, two))
    assert standings.of_player(0).faults == {ending: 2}
    assert not standings.of_player(1).faults


def test_a_program_that_never_reads_loses_on_time(tmp_path: Path) -> None:
    """It says that it is ready without having read anything; its pipe fills, or it just waits."""
    path = tmp_path / "engine.py"
    path.write_text(
        "import os, time\n"
        f"print(os.getpid(), file=open({str(tmp_path / 'pids')!r}, 'a'), flush=True)\n"
        "print('ugiok\\nreadyok', flush=True)\ntime.sleep(60)\n"
    )
    found = played(f"ugi:{shlex.join([sys.executable, str(path)])}", "bot:random", limits=FAST)
    assert {each["ending"] for each in found} == {"time-out"}


def test_a_dead_engine_is_started_again_for_the_next_game(engine: Write, tmp_path: Path) -> None:
    """It dies in every game, so there are as many processes as games."""
    played(engine("if line.startswith('go'): os._exit(3)"), "bot:random", pairs=2)
    assert len(engine_pids(tmp_path)) == 4


def test_a_good_engine_plays_all_its_games_in_one_process(engine: Write, tmp_path: Path) -> None:
    """It is told of each new game, with another seed, and of the time for each move."""
    body = """
        if not legal:
            from gridwise.core.registry import game
            from gridwise.engine.ugi.position_text import parse_position
            legal["game"] = game("grid-runner")
        if line.startswith("position"):
            words = line.split()
            position = parse_position(legal["game"], words[2], words[4:])
        if line.startswith("go"):
            print("bestmove", position.legal_moves[0])
    """
    found = played(engine(body), "bot:random", pairs=2)
    assert not {each["ending"] for each in found} & {"crash", "time-out", "illegal-move"}
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard.count("ugi") == 1
    assert heard.count("uginewgame") == 4
    assert len({line for line in heard if line.startswith("setoption name Seed")}) == 4
    assert "go movetime 100" in heard


def test_an_engine_is_not_told_what_is_hidden(engine: Write, tmp_path: Path) -> None:
    """In Grid Conquest face-down cells are `?`; the seed is always the same, the process never."""
    body = """
        if line.startswith("position"):
            board = line.split()[2].split(",")[0].split("/")
            taken = line.partition("moves")[2].split()
            free = [f"{'ABCDE'[r]}{c + 1}" for r in range(5) for c in range(5)]
            free = [cell for cell in free if cell not in taken]
        if line.startswith("go"):
            print("bestmove", free[0])
    """
    found = played(engine(body), "bot:random", key="grid-conquest", pairs=2, seed=11)
    heard = (tmp_path / "heard").read_text().splitlines()
    first = [line for line in heard if line.startswith("position") and "moves" not in line]
    assert first
    assert all(line == "position fen ?????/?????/?????/?????/?????" for line in first)
    assert len({line for line in heard if "name Seed" in line}) == 1
    # Both games of a pair have one board: a process that saw the first must not play the second.
    assert heard.count("ugi") == len(found)
    assert all("?" not in each["board"] for each in found if each["winner"])


def test_an_engine_that_is_not_there_ends_the_arena() -> None:
    """Nobody loses a game because a file is missing on one machine."""
    with pytest.raises(EngineNotStarted, match="cannot be started"):
        played("ugi:/no/such/engine", "bot:random")


# Python objects

MODULE = """
import os, time
class First:
    def __init__(self, game, seed): self.seed = seed
    def choose(self, position): return position.legal[0]
class Loops(First):
    def choose(self, position):
        while True: pass
class Exits(First):
    def choose(self, position): os._exit(3)
class Raises(First):
    def choose(self, position): raise KeyError("no idea")
class Scribbles(First):  # into the pipe of its answers: the pickle of a module that is not there
    def choose(self, position):
        for number in range(3, 20):
            try: os.write(number, b"cno_such_module\\nx\\n.")
            except OSError: pass
        return position.legal[0]
class Fails(First):
    def __init__(self, game, seed): raise ValueError("no weights")
class Cheats(First):
    def choose(self, position): return "e5"
class Peeks(First):
    def choose(self, position):
        cells = enumerate(position.board.cells)
        assert not any(value for cell, value in cells if position.hidden >> cell & 1)
        return position.legal[-1]
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The module with them, as a player names it."""
    (tmp_path / "tournament_bots.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return "python:tournament_bots"


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("Loops", "time-out"),
        ("Exits", "crash"),
        ("Raises", "crash"),
        ("Scribbles", "crash"),
        ("Fails", "crash"),
        ("Cheats", "illegal-move"),
    ],
)
def test_a_python_object_that_misbehaves_loses(name: str, ending: str, bots: str) -> None:
    """An endless loop is ended by the time limit, and the next game is played."""
    limits = FAST if ending == "time-out" else PATIENT
    found = played(f"{bots}:{name}", "bot:random", limits=limits)
    assert [each["ending"] for each in found] == [ending, ending]
    assert [each["winner"] for each in found] == [2, 1]


def test_ending_one_process_does_not_end_the_next(
    bots: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a process is still being ended when the next game could begin."""
    stop = WorkerProcess.stop

    def slow_stop(worker: WorkerProcess) -> None:
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.5)
        stop(worker)

    monkeypatch.setattr(WorkerProcess, "stop", slow_stop)
    limits = TimeLimits(100, None, 300)  # so that the second game is played when the first stops
    found = played(f"{bots}:Loops", "bot:random", limits=limits)
    assert [each["ending"] for each in found] == ["time-out"] * 2


def test_a_python_object_sees_only_what_is_turned_up(bots: str) -> None:
    """Its position has no value for a cell that is face down."""
    found = played(f"{bots}:Peeks", "bot:random", key="grid-conquest")
    assert not {each["ending"] for each in found} & {"crash", "time-out", "illegal-move"}
    with pytest.raises(BadRequest, match="Cannot load"):
        played(f"{bots}:Nobody", "bot:random")


# Time


def test_clocks_are_sent_and_kept(engine: Write, tmp_path: Path) -> None:
    """Each `go` has both clocks; what was used is gone, and the increment is added."""
    body = "if line.startswith('go'): time.sleep(0.2); print('bestmove right')"
    limits = TimeLimits(1000, TimeControl(60.0, 0.1), 400)
    played(engine(body), "bot:random", limits=limits)
    gos = [line for line in (tmp_path / "heard").read_text().splitlines() if line[:2] == "go"]
    assert gos[0] == "go p1time 60000 p2time 60000 p1inc 100 p2inc 100"
    left = [int(line.split()[2]) for line in gos[:2]]
    assert 0 < left[1] <= left[0] - 100  # 0.2 s used, 0.1 s given back


def test_time_is_read_from_options() -> None:
    """Seconds for a game and a move, or milliseconds a move; nonsense is refused."""
    assert time_limits(None, "10+0.1", None).control == TimeControl(10, 0.1)
    assert time_limits(50, "", None).movetime == 50
    # As docs/arena.md has it: 3 seconds too late, or half a second where a limit is asked for.
    limits: list[tuple[int | None, str]] = [(None, ""), (50, ""), (None, "10+0.1")]
    assert [time_limits(*each, None).margin for each in limits] == [3000, 500, 500]
    for control in ("0", "ten", "10+", "-1", "1e3", "10+0.1+2"):
        with pytest.raises(BadRequest):
            time_limits(None, control, None)
    for movetime, margin in ((0, None), (None, -1), (10**12, None)):
        with pytest.raises(BadRequest):
            time_limits(movetime, "", margin)


def test_every_game_has_a_record(tmp_path: Path, engine: Write) -> None:
    """Each is a valid record, with the players on their sides and how it ended."""
    cheat = engine("if line.startswith('go'): print('bestmove e5')")
    result(schedule(cheat, "bot:random"), tmp_path / "out")
    records = sorted((tmp_path / "out" / "games" / "grid-runner").iterdir())
    assert [path.name for path in records] == ["0-0-1-a.gwr", "0-0-1-b.gwr"]
    one, two = map(read_record, records)
    assert one.players == two.players[::-1] == (cheat, "bot:random")
    assert (one.result, two.result) == ("0-1", "1-0")
    assert one.ending is Termination.ILLEGAL_MOVE
    assert "e5" in one.tags["Complaint"]
