"""Starting the program: through pipes, at a terminal, killed half-way; and reading what it said.

Nothing here knows what is right. Nothing is mocked: every run is a process of its own. Starting
Python anew costs a third of a second, though, so most runs are children of one process that has
loaded the program already (`tests/loaded_program.py`). `fresh` runs are started from nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TypeAlias, TypedDict, Unpack

from tests.loaded_program import LOADED, LOADED_NUMBA, ROOT, Child

PATIENCE = 30.0  # seconds; a run takes a third of one, a busy machine a few
PROGRAM = (sys.executable, "-m", "gridwise")
# Commands that work with machine code; so does everything about Grid Conquest.
COMPILES = {"arena", "grade", "solve", "study", "suite"}
GAMES = ("number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect")

RUN_BOARD = "31425/25134/42513/14252/53142"
MAZE_BOARD = "1324/2132/4213/3421"
CONQUEST_BOARD = "53152/24251/43453/?1523/?2214"
CONNECT_BOARD = "4152/6371/2845/9162"
PLAY_RUN = ("play", "number-run", "--board", RUN_BOARD)

# Number Run: the last of these steps, to a cell of value 5, ends next to the opponent. The player
# who makes it is asked whether to challenge, 14 against 12.
MEETING_BOARD = "31425/25434/42544/14254/53142"
MEETING = ("0,1", "3,4", "0,2", "2,4", "1,2", "2,3", "2,2")
CHALLENGE = "Do you want to challenge? (yes/no): "

# The worked example of each game: its options, its moves.
EXAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "number-run": (("--board", RUN_BOARD), ("0,1", "3,4", "1,1")),
    "number-maze": (("--board", MAZE_BOARD), ("right", "left", "down", "up")),
    "grid-runner": ((), ("right", "up", "down", "down")),
    "grid-conquest": (
        ("--board", CONQUEST_BOARD, "--first", "1"),
        ("C3", "D4", "D3", "A1", "B2", "B4", "C5"),
    ),
    "number-connect": (
        ("--board", CONNECT_BOARD),
        ("0,0", "0,3", "0,1", "1,3", "1,0", "0,2", "1,1", "1,2"),
    ),
}

# A few words that are at every prompt for a move of that game.
PROMPTS = {
    "number-run": "Enter your move (row,column): ",
    "number-maze": "Enter direction (Up/Down/Left/Right): ",
    "grid-runner": "enter move (up/down/left/right): ",
    "grid-conquest": "enter the cell you wish to claim: ",
    "number-connect": "enter your move (row,column): ",
}


# What is asked after a game.
AFTER_GAME = "[p]lay again, [r]eview, [s]ave, [m]enu, [q]uit: "


# Options, terminals and environments with which the screen has no escape codes.
WITHOUT_CODES: list[tuple[tuple[str, ...], str, dict[str, str]]] = [
    (("--plain",), "xterm-256color", {}),
    (("--linear", "--plain"), "xterm-256color", {}),
    ((), "dumb", {}),
    ((), "xterm-256color", {"NO_COLOR": "1"}),
]


@dataclass(frozen=True)
class Run:
    """What came of one run."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What was said, line by line, without blanks at the ends of lines."""
        return [line.rstrip() for line in self.out.splitlines()]

    @property
    def resume_args(self) -> list[str]:
        """The arguments of the command that was named to continue a saved game."""
        return resume_args(self.out + self.err)


def resume_args(text: str) -> list[str]:
    """The arguments of the first `gridwise play --resume …` in a text."""
    found = re.search(r"gridwise (play --resume .+)", text)
    assert found, f"no way to continue is named in {text[-600:]!r}"
    return shlex.split(found[1].strip())


def settings(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment with a home of its own, and nothing that says how to draw."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("COV_", "COMP_", "_TYPER", "_GRIDWISE", "PYTEST"))
        and name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM", "PYTHONUNBUFFERED")
    }
    return {**kept, "GRIDWISE_HOME": str(home), "PYTHONIOENCODING": "utf-8", **(extra or {})}


def gridwise(
    *args: str | Path, home: Path, typed: str | bytes | Sequence[str] = "", **how: Unpack[How]
) -> Run:
    """Run the program to its end; `typed` is what comes in, text or lines."""
    if isinstance(typed, str):
        given = typed.encode()
    elif isinstance(typed, bytes):
        given = typed
    else:
        given = "".join(f"{line}\n" for line in typed).encode()
    with TemporaryFile() as into, TemporaryFile() as out, TemporaryFile() as err:
        into.write(given)
        into.seek(0)
        process = start(args, (into.fileno(), out.fileno(), err.fileno()), home, **how)
        try:
            status = process.wait(timeout=PATIENCE * 2)
        finally:
            process.kill()
        return Run(status, said_in(out), said_in(err))


def said_in(file: IO[bytes]) -> str:
    """What was written into a file."""
    file.seek(0)
    return file.read().decode()


class How(TypedDict, total=False):
    """How a run is started, if not as usual."""

    env: Mapping[str, str]
    fresh: bool  # by a new interpreter
    through: Sequence[str]  # by this command; such a run is fresh
    closed: Sequence[int]  # without these streams
    largest_file: int  # no file can grow beyond that many bytes
    module: str  # another program of the project than `gridwise`, which works with machine code


def start(
    args: Sequence[str | Path],
    streams: tuple[int, int, int],
    home: Path,
    *,
    at_terminal: bool = False,
    **how: Unpack[How],
) -> Process:
    """Start the program with these streams."""
    words, env = [str(arg) for arg in args], settings(home, how.get("env"))
    module = how.get("module", "gridwise")
    if module != "gridwise":
        env["PYTHONPATH"] = str(ROOT)
    if how.get("fresh") or how.get("through"):
        stdin, stdout, stderr = streams
        command = [*how.get("through", ()), sys.executable, "-m", module, *words]
        return subprocess.Popen(
            command, stdin=stdin, stdout=stdout, stderr=stderr, env=env, cwd=home
        )
    compiles = module != "gridwise" or (words[:1] and words[0] in COMPILES)
    compiles = compiles or any("conquest" in word for word in words)
    return Child(
        LOADED_NUMBA if compiles else LOADED,
        words,
        env,
        streams,
        runs=f"{module}.__main__:main",
        folder=str(home),
        at_terminal=at_terminal,
        closed=how.get("closed", ()),
        limits={"RLIMIT_FSIZE": how["largest_file"]} if "largest_file" in how else {},
    )


Process: TypeAlias = subprocess.Popen[bytes] | Child


def is_one_complaint(run: Run) -> bool:
    """Whether it ended as wrong usage does: status 2, one line, no traceback."""
    return (
        run.status == 2
        and run.err.count("\n") == 1
        and run.err.endswith("\n")
        and len(run.err) < 2000
        and "Traceback" not in run.err + run.out
    )


def place_of(lines: Sequence[str], wanted: Sequence[str], start: int = 0) -> int:
    """The index behind the first place where the wanted lines stand together; -1 for none."""
    size = len(wanted)
    for at in range(start, len(lines) - size + 1):
        if list(lines[at : at + size]) == list(wanted):
            return at + size
    return -1


def assert_prints(run: Run, *blocks: str) -> None:
    """The blocks appear in this order, the lines of each without anything between them."""
    at = 0
    for text in blocks:
        wanted = text.strip("\n").splitlines()
        found = place_of(run.lines, wanted, at)
        assert found >= 0, f"not printed in its place: {wanted}\n\n{run.out}"
        at = found
    assert not run.err


class Piped(contextlib.AbstractContextManager["Piped"]):
    """A run that is talked to while it runs."""

    def __init__(self, *args: str | Path, home: Path, **how: Unpack[How]) -> None:
        into, self._into = os.pipe()
        self._out, out = os.pipe()
        self._err = TemporaryFile()  # noqa: SIM115 - closed with the run
        self.out = b""
        self.process = start(args, (into, out, self._err.fileno()), home, **how)
        os.close(into)
        os.close(out)

    def __exit__(self, *raised: object) -> None:
        """End it, if it has not ended."""
        self.process.kill()
        self.process.wait()
        self.stop_talking()
        self.stop_listening()
        self._err.close()

    def send(self, text: str | bytes) -> None:
        """Type something."""
        data = text.encode() if isinstance(text, str) else text
        while data:
            data = data[os.write(self._into, data) :]

    def stop_talking(self) -> None:
        """End its input."""
        if self._into >= 0:
            os.close(self._into)
            self._into = -1

    def stop_listening(self) -> None:
        """Read no more of its output."""
        if self._out >= 0:
            os.close(self._out)
            self._out = -1

    def hear(self) -> None:
        """Wait until more is said."""
        assert select.select([self._out], [], [], PATIENCE)[0], "the program has fallen silent"
        chunk = os.read(self._out, 1 << 16)
        assert chunk, f"it has said its last: {self.out.decode()!r}"
        self.out += chunk

    def expect(self, text: str, count: int = 1) -> None:
        """Wait until a text has been said that many times since the beginning."""
        while self.out.count(text.encode()) < count:
            self.hear()

    def finish(self) -> Run:
        """Close its input and wait for its end."""
        self.stop_talking()
        if self._out >= 0:
            self.out += b"".join(_chunks(self._out))
        return Run(self.process.wait(PATIENCE), self.out.decode(), said_in(self._err))

    def kill(self) -> str:
        """Kill it where it stands; everything it had said by then."""
        self.process.kill()
        return self.finish().out


class Terminal(contextlib.AbstractContextManager["Terminal"]):
    """A run at a terminal of its own, with keys to press and a screen to read.

    It is the dialogue that is run, not the full screen, unless `env` says otherwise.
    """

    def __init__(
        self,
        *args: str | Path,
        home: Path,
        term: str = "xterm-256color",
        columns: int = 80,
        env: Mapping[str, str] | None = None,
        module: str = "gridwise",
    ) -> None:
        self.screen = b""
        self._read = 0
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        env = {"TERM": term, "GRIDWISE_DIALOGUE": "1", **(env or {})}
        streams = (slave, slave, slave)
        self.process = start(args, streams, home, env=env, at_terminal=True, module=module)
        os.close(slave)

    def __exit__(self, *raised: object) -> None:
        """End it, if it has not ended, and take the terminal away."""
        self.process.kill()
        self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal's window."""
        with contextlib.suppress(OSError):
            os.close(self._master)

    def press(self, keys: str | bytes) -> None:
        """Press keys, without Enter."""
        os.write(self._master, keys.encode() if isinstance(keys, str) else keys)

    def type(self, line: str | bytes) -> None:
        """Type a line and press Enter."""
        self.press((line.encode() if isinstance(line, str) else line) + b"\r")

    def expect(self, text: str, patience: float = PATIENCE) -> str:
        """Wait for a text that has not been read yet; everything up to it."""
        wanted = text.encode()
        self.read_until(lambda: self.screen.find(wanted, self._read) >= 0, patience)
        start, self._read = self._read, self.screen.find(wanted, self._read) + len(wanted)
        return self.screen[start : self._read].decode(errors="replace")

    def read_until(self, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Read until something is so."""
        for chunk in _chunks(self._master, patience):
            self.screen += chunk
            if condition():
                return
        raise AssertionError(f"it never came: {self.text[-2000:]!r}")

    def interrupt(self) -> int:
        """Press Ctrl-C until it ends (see `stop`); the exit status."""
        for _ in range(60):
            self.press("\x03")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=0.5)
                break
        return self.finish()

    def leave(self, key: str) -> int:
        """Press a key that ends it; the exit status."""
        if key == "\x03":
            return self.interrupt()
        self.press(key)
        return self.finish()

    def finish(self) -> int:
        """Wait for the end; the exit status."""
        for chunk in _chunks(self._master):
            self.screen += chunk
        return self.process.wait(timeout=PATIENCE)

    @property
    def text(self) -> str:
        """The whole screen, with plain line ends."""
        return self.screen.decode(errors="replace").replace("\r\n", "\n")


def _chunks(source: int, patience: float = PATIENCE) -> Iterator[bytes]:
    """First nothing, then what can be read, until its end; AssertionError after a long silence."""
    yield b""
    deadline = time.monotonic() + patience
    while True:
        ready, _, _ = select.select([source], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise AssertionError("the program has fallen silent")
        try:
            chunk = os.read(source, 1 << 16)
        except OSError:  # how Linux says that nobody has the terminal open any more
            return
        if not chunk:
            return
        yield chunk


def stop(process: Process, number: signal.Signals = signal.SIGINT) -> None:
    """Send a signal, as Ctrl-C does, and wait for the end.

    A signal in the microseconds before Python begins to wait for input is noticed only with the
    next event, so it is sent again after a while, as a person would press the key again.
    """
    for _ in range(60):
        process.send_signal(number)
        try:
            process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            continue
        return
    raise AssertionError(f"the program does not end when sent {number.name}")


# What makes a program stand still, so that a signal comes in the midst of its work on any machine.
STALL = """
import time
from gridwise.lab.store import ResultStore
put, stored = ResultStore.put, []
def stall(store, key, result):
    put(store, key, result)
    stored.append(key)
    if len(stored) == {results}:
        time.sleep(3600)
ResultStore.put = stall
"""


def stalled(home: Path, results: int) -> list[str]:
    """How to start a program `through` what lets it store so many results, and then wait."""
    (home / "sitecustomize.py").write_text(STALL.format(results=results))
    return ["env", f"PYTHONPATH={home}:{ROOT / 'src'}:{ROOT}"]


def wait_for(true: Callable[[], object]) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + PATIENCE * 4
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


_EXAMPLE_RECORDS: dict[str, str] = {}  # by game; each is played once


def recorded(home: Path, game: str = "number-run") -> Path:
    """A record of the worked example."""
    file = home / f"{game}.gwr"
    if game not in _EXAMPLE_RECORDS:
        options, moves = EXAMPLES[game]
        gridwise("play", game, *options, "--record", file, home=home, typed=moves)
        _EXAMPLE_RECORDS[game] = file.read_text(encoding="utf-8")
    file.write_text(_EXAMPLE_RECORDS[game], encoding="utf-8")
    return file


def moves_in(record: Path) -> list[str]:
    """The moves written in a record, read without the program's help."""
    _, _, moves = record.read_text(encoding="utf-8").partition("\n\n")
    words = moves.split()
    assert words[-1] in ("*", "1-0", "0-1", "1/2-1/2")
    return [word for word in words[:-1] if not re.fullmatch(r"\d+\.", word)]


def tag_in(record: Path, name: str) -> str:
    """The value of a tag in a record, read without the program's help."""
    found = re.search(rf'^\[{name} "(.*)"\]$', record.read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"no tag {name}"
    return found[1]
