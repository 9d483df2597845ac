"""Other programs as players: what they are told, and what becomes of those that misbehave."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from gridwise import Match
from gridwise.engine.ugi.client import UgiPlayer
from gridwise.errors import BadRequest, EngineFailed
from tests.fake_engine import SOON_SECONDS, alive, engine_pids, gone, heard_by, write_engine

Write = Callable[[str], str]


@pytest.fixture
def engine(tmp_path: Path) -> Write:
    """A way to write an engine: what it does with each `line`. It keeps what it hears."""
    return partial(write_engine, tmp_path)


def with_child(folder: Path, then: str = "", **options: bool) -> str:
    """The body of an engine that starts a child, whose number is in the file `child`."""
    note = folder / "child"
    return f"""
        if line == "ugi":
            import signal, subprocess
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            asleep = subprocess.Popen(["sleep", "60"], **{options})
            print(asleep.pid, file=open({str(note)!r}, "w"), flush=True)
        {then}
    """


def child_of(folder: Path) -> int:
    """The process that an engine has started."""
    return int((folder / "child").read_text())


def player(
    command: str,
    seed: int | None = None,
    start_seconds: float = SOON_SECONDS,
    grace: float = SOON_SECONDS,
) -> UgiPlayer:
    """A player that has little time for a move."""
    return UgiPlayer(command, seed, movetime=50, start_seconds=start_seconds, grace=grace)


def failure(command: str, start_seconds: float = SOON_SECONDS, grace: float = SOON_SECONDS) -> str:
    """What is said of a program that does not play."""
    match = Match("grid-runner")
    with (
        closing(player(command, start_seconds=start_seconds, grace=grace)) as each,
        pytest.raises(EngineFailed) as caught,
    ):
        each.choose(match.position)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert message.startswith(f'The engine "{command[:20]}')
    assert message.endswith(".")
    return message


def test_an_engine_is_told_what_was_played(engine: Write, tmp_path: Path) -> None:
    """A handshake once, then for each move the board, the moves and the time."""
    each = player(
        engine('if line.startswith("go"): print("info depth 1\\nbestmove RIGHT ponder up")'), 5
    )
    match = Match("grid-runner")
    with closing(each):
        assert each.choose(match.position) == 3
        match.move("right")
        match.move("up")
        assert each.name.startswith("ugi:")
        with pytest.raises(EngineFailed):  # an obstacle is to the right of B1
            each.choose(match.position)
    heard = heard_by(tmp_path)
    assert heard[0] == "ugi"
    assert heard[1].startswith("setoption name Seed value ")
    assert heard[2:] == [
        "uginewgame",
        "isready",
        "position fen ..X../...../X.X.X/...../..X..",
        "go movetime 50",
        "position fen ..X../...../X.X.X/...../..X.. moves right up",
        "go movetime 50",
        "quit",
    ]


def test_an_engine_is_not_told_what_is_hidden(engine: Write, tmp_path: Path) -> None:
    """Cells that are face down are `?`; who was first and another target are said."""
    board = "53152/24251/43453/11523/12214"
    game = Match("grid-conquest").game
    match = Match(game, game.parse_board(board, 20), first=2)
    match.move("A1")
    with closing(player(engine('if line.startswith("go"): print("bestmove e5")'))) as each:
        assert each.choose(match.position) == 24
    heard = (tmp_path / "heard").read_text()
    assert "position fen 53???/24???/?????/?????/?????,p2,target=20 moves A1\n" in heard
    assert "Seed value" not in heard


def test_the_same_seed_gives_an_engine_the_same_seed(engine: Write, tmp_path: Path) -> None:
    """What an engine with an option Seed is given depends on ours, and on nothing else."""

    def given(seed: int) -> str:
        with closing(player(engine(""), seed)) as each:
            each.start()
        return heard_by(tmp_path)[1]

    assert given(5) == given(5) != given(6)


def test_a_command_has_to_be_one() -> None:
    """Nothing, or a quotation mark without its partner, is no command."""
    for command in ("", "  ", 'run "this'):
        with pytest.raises(BadRequest):
            UgiPlayer(command)


def test_a_program_that_is_not_there_cannot_be_started(tmp_path: Path) -> None:
    """The system's reason is given."""
    assert "cannot be started: No such file" in failure("/no/such/engine")
    assert "cannot be started: " in failure(shlex.quote(str(tmp_path)))
    (tmp_path / "data").write_text("no program")
    (tmp_path / "data").chmod(0o755)
    assert "cannot be started: " in failure(shlex.quote(str(tmp_path / "data")))


def test_a_program_that_dies_is_told_with_its_last_words(engine: Write) -> None:
    """The status, and the last line it wrote to standard error; or the signal."""
    dies = engine('if line == "ugi": sys.exit("no such table")')
    assert 'has ended with status 1: it said "no such table"' in failure(dies)
    thrown = engine('if line.startswith("go"): 1 / 0')
    assert "ZeroDivisionError" in failure(thrown)
    silent = engine('if line.startswith("go"): os._exit(0)')
    assert failure(silent).endswith("has ended with status 0.")
    killed = engine('if line.startswith("go"): os.kill(os.getpid(), 9)')
    assert failure(killed).endswith("was ended by SIGKILL.")
    assert "has ended with status" in failure("true")


def test_a_program_that_is_no_engine_is_found_out() -> None:
    """Whatever it says, it does not say `ugiok`."""
    assert "has not answered ugi with ugiok within 0.3 seconds" in failure("cat", start_seconds=0.3)
    assert "has not answered ugi with ugiok" in failure("yes nonsense", start_seconds=0.3)
    assert "has not answered ugi with ugiok" in failure("cat /dev/zero", start_seconds=0.3)


def test_a_program_may_take_longer_to_get_ready_than_to_answer(engine: Write) -> None:
    """Loading and compiling come before `readyok`, so there is a limit of its own for it."""
    waits = engine('if line == "uginewgame": time.sleep(1.2)')
    match = Match("grid-runner")
    for seconds, ready in ((0.2, False), (SOON_SECONDS, True)):
        each = UgiPlayer(waits, start_seconds=1.0, ready_seconds=seconds)
        with closing(each):
            if ready:
                each.start()
                continue
            with pytest.raises(EngineFailed, match=r"isready with readyok within 0\.2 seconds"):
                each.choose(match.position)


def test_a_program_that_hangs_is_given_up(engine: Write, tmp_path: Path) -> None:
    """After its time and some grace, and after `stop`, the game does not wait any longer."""
    assert "has not answered go within 0.35 seconds" in failure(engine(""), grace=0.3)
    heard = heard_by(tmp_path)
    assert heard[-3:] == ["go movetime 50", "stop", "quit"]
    assert gone(engine_pids(tmp_path)[-1])


def test_a_program_that_only_lacks_a_clock_is_helped_by_stop(engine: Write) -> None:
    """Whoever answers `stop` still plays."""
    answers = engine('if line == "stop": print("bestmove down")')
    with closing(player(answers, grace=1.0)) as each:
        assert each.choose(Match("grid-runner").position) == 1


@pytest.mark.parametrize("move", ["left", "castle", "", "none", "\\x00\\x1b[2J", "x" * 300])
def test_a_move_that_cannot_be_played_is_told(engine: Write, move: str) -> None:
    """The message quotes the move, short and printable, says why, and what would be possible."""
    message = failure(engine(f'if line.startswith("go"): print("bestmove {move}")'))
    assert "wants to play" in message
    assert message.endswith("Possible: down right.")
    assert message.isprintable()


def test_nothing_is_left_running(engine: Write, tmp_path: Path) -> None:
    """Programs that do not quit are ended, and so is what they have started."""
    each = player(engine(with_child(tmp_path, 'if line == "quit": time.sleep(60)')))
    each.start()
    each.start()  # it is there already
    pids = [engine_pids(tmp_path)[-1], child_of(tmp_path)]
    assert all(alive(pid) for pid in pids)
    begun = time.monotonic()
    each.close()
    each.close()  # it is gone already
    assert time.monotonic() - begun < SOON_SECONDS
    assert all(gone(pid) for pid in pids)
    with pytest.raises(ChildProcessError):
        os.waitpid(pids[0], os.WNOHANG)  # no zombie either


def test_what_was_said_before_the_question_is_no_answer(engine: Write) -> None:
    """An engine that says a move twice has said one too many: it is not taken for the next."""
    twice = engine(
        """
        if line.startswith("position"): asked = line
        if line.startswith("go"):
            print("bestmove up" if "moves" in asked else "bestmove right")
            print("bestmove left")
        """
    )
    match = Match("grid-runner")
    with closing(player(twice)) as each:
        match.move(each.choose(match.position))
        time.sleep(0.2)  # the second one has come
        assert match.position.name(each.choose(match.position)) == "up"


def test_closing_from_another_thread_ends_the_waiting(engine: Write) -> None:
    """Whoever waits for a move is told at once, not when the time is up."""
    each = UgiPlayer(engine(""), movetime=60_000)
    each.start()
    closer = threading.Timer(0.2, each.close)
    closer.start()
    begun = time.monotonic()
    with pytest.raises(EngineFailed):
        each.choose(Match("grid-runner").position)
    assert time.monotonic() - begun < SOON_SECONDS
    closer.join()


def test_a_child_in_a_session_of_its_own_does_not_hold_us_up(engine: Write, tmp_path: Path) -> None:
    """A daemon has asked to outlive the engine. It keeps the pipes open; closing does not wait."""
    each = player(engine(with_child(tmp_path, start_new_session=True)))
    each.start()
    begun = time.monotonic()
    each.close()
    assert time.monotonic() - begun < SOON_SECONDS
    daemon = child_of(tmp_path)
    assert alive(daemon)
    os.kill(daemon, signal.SIGKILL)


def test_an_engine_that_hangs_ends_with_an_owner_that_is_killed(
    engine: Write, tmp_path: Path
) -> None:
    """`kill -9` leaves nobody to close it: neither the engine nor its child goes on."""
    hangs = engine(with_child(tmp_path, 'if line == "stay": time.sleep(60)'))
    owner = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time\n"
            "from gridwise.engine.ugi.client import UgiPlayer\n"
            "player = UgiPlayer(sys.argv[1])\n"
            "player.start()\n"
            "player._program.send('stay', 1)\n"
            "print('hanging', flush=True)\n"
            "time.sleep(60)\n",
            hangs,
        ],
        stdout=subprocess.PIPE,
    )
    with owner:
        assert owner.stdout
        assert owner.stdout.readline() == b"hanging\n"
        pids = [engine_pids(tmp_path)[-1], child_of(tmp_path)]
        assert all(alive(pid) for pid in pids)
        owner.kill()
    assert all(gone(pid) for pid in pids)
