"""Starting the program: through pipes, at a terminal, killed half-way; and reading what it said.

Nothing here knows what is right. Nothing is mocked: every run is a process of its own. Starting
Python anew costs a third of a second, though, so most runs that go straight to their end are
children of one process that has loaded the program already; each runs `main` from its first line,
with its own arguments, environment, folder and streams. `fresh` runs are started from nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 30.0  # seconds; a run takes a third of one, a busy machine a few
PROGRAM = (sys.executable, "-m", "gridwise")
GAMES = ("number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect")

RUN_BOARD = "31425/25134/42513/14252/53142"
MAZE_BOARD = "1324/2132/4213/3421"
CONQUEST_BOARD = "53152/24251/43453/?1523/?2214"
CONNECT_BOARD = "4152/6371/2845/9162"

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
    *args: str | Path,
    home: Path,
    typed: str | bytes | Sequence[str] = "",
    fresh: bool = False,
    env: Mapping[str, str] | None = None,
    through: Sequence[str] = (),
) -> Run:
    """Run the program to its end through pipes; `typed` is what comes in, text or lines.

    `through` is a command to start it with; such a run is fresh.
    """
    if isinstance(typed, str):
        given = typed.encode()
    elif isinstance(typed, bytes):
        given = typed
    else:
        given = "".join(f"{line}\n" for line in typed).encode()
    if not (fresh or env or through):
        return LOADED.run([str(arg) for arg in args], given, home)
    done = subprocess.run(
        [*through, *PROGRAM, *map(str, args)],
        input=given,
        capture_output=True,
        env=settings(home, env),
        cwd=home,
        timeout=PATIENCE * 2,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


# One request a line: arguments, what is typed (in hexadecimal), the folder, the environment.
_LOADED = """
import contextlib, io, json, os, sys, tempfile, traceback
import gridwise.cli.main
from gridwise.__main__ import main
for name in gridwise.cli.main.COMMANDS:
    gridwise.cli.main.import_module(gridwise.cli.main.module_name(name))
with contextlib.redirect_stdout(io.StringIO()):  # loads what is otherwise loaded on the way
    gridwise.cli.main.app(["rules", "number-run"], standalone_mode=False)

def child(args, files):
    for number, file in enumerate(files):
        os.dup2(file.fileno(), number)
    sys.stdin = open(0, encoding="utf-8")
    sys.stdout = open(1, "w", encoding="utf-8")
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace")
    sys.argv = ["gridwise", *args]
    try:
        main()
        status = 0
    except SystemExit as left:
        status = left.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

for line in sys.stdin:
    args, typed, home, environment = json.loads(line)
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(bytes.fromhex(typed))
        files[0].seek(0)
        process = os.fork()
        if not process:
            os.chdir(home)
            os.environ.clear()
            os.environ.update(environment)
            child(args, files)
        _, status = os.waitpid(process, 0)
        said = []
        for file in files[1:]:
            file.seek(0)
            said.append(file.read().decode())
    print(json.dumps([os.waitstatus_to_exitcode(status), *said]), flush=True)
"""


class Loaded:
    """The process that has loaded the program, and has children that run it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, args: list[str], typed: bytes, home: Path) -> Run:
        """One run to its end."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _LOADED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        asked = json.dumps([args, typed.hex(), str(home), settings(home)])
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(asked.encode() + b"\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE * 2)
        if not ready:
            self.close()
            raise AssertionError(f"{args} does not come to an end")
        return Run(*json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """Let it go."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


LOADED = Loaded()


def is_one_complaint(run: Run) -> bool:
    """Whether it ended as wrong usage does: status 2, one line, no traceback."""
    return (
        run.status == 2
        and run.err.count("\n") == 1
        and run.err.endswith("\n")
        and len(run.err) < 2000
        and "Traceback" not in run.err + run.out
    )


def block(text: str) -> list[str]:
    """The lines of a text written into a test."""
    return text.strip("\n").splitlines()


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
        wanted = block(text)
        found = place_of(run.lines, wanted, at)
        assert found >= 0, f"not printed in its place: {wanted}\n\n{run.out}"
        at = found
    assert not run.err


def grid_of(lines: Iterable[str]) -> list[str]:
    """The lines of a drawn grid, without what stands left of it."""
    rows = [re.search(r"[+|\[].*[+|\]]$", line.rstrip()) for line in lines]
    return [row[0] for row in rows if row]


class Piped:
    """A run that is talked to while it runs."""

    def __init__(
        self,
        *args: str | Path,
        home: Path,
        env: Mapping[str, str] | None = None,
        through: Sequence[str] = (),
    ) -> None:
        self.process = subprocess.Popen(
            [*through, *PROGRAM, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=settings(home, env),
            cwd=home,
        )
        self.out = b""

    def __enter__(self) -> Self:
        """Nothing to prepare."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it, if it has not ended."""
        self.process.kill()
        self.process.communicate()

    def send(self, text: str) -> None:
        """Type something."""
        assert self.process.stdin
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def expect(self, text: str, count: int = 1) -> None:
        """Wait until a text has been said that many times since the beginning."""
        assert self.process.stdout
        out = self.process.stdout.fileno()
        for chunk in _chunks(out):
            self.out += chunk
            if self.out.count(text.encode()) >= count:
                return
        raise AssertionError(f"never said {text!r} {count} times: {self.out.decode()!r}")

    def finish(self) -> Run:
        """Close its input and wait for its end."""
        rest, err = self.process.communicate(timeout=PATIENCE)
        self.out += rest
        return Run(self.process.returncode, self.out.decode(), err.decode())

    def kill(self) -> str:
        """Kill it where it stands; everything it had said by then."""
        self.process.kill()
        return self.finish().out


# The child makes the terminal its own before it becomes the program.
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


class Terminal:
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
    ) -> None:
        self.screen = b""
        self._read = 0
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        take = [sys.executable, "-I", "-S", "-c", _TAKE_TERMINAL]
        self.process = subprocess.Popen(
            [*take, *PROGRAM, *map(str, args)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=settings(home, {"TERM": term, "GRIDWISE_DIALOGUE": "1", **(env or {})}),
            cwd=home,
        )
        os.close(slave)

    def __enter__(self) -> Self:
        """Nothing to prepare."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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

    def key(self, key: str) -> None:
        """Press one key once the program waits for single keys."""
        deadline = time.monotonic() + PATIENCE
        while termios.tcgetattr(self._master)[3] & termios.ICANON:
            assert time.monotonic() < deadline, f"it never waited for a key: {self.text[-500:]!r}"
            time.sleep(0.002)
        self.press(key)

    def type(self, line: str | bytes) -> None:
        """Type a line and press Enter."""
        self.press((line.encode() if isinstance(line, str) else line) + b"\r")

    def expect(self, text: str, patience: float = PATIENCE) -> str:
        """Wait for a text that has not been read yet; everything up to it."""
        wanted = text.encode()
        for chunk in _chunks(self._master, patience):
            self.screen += chunk
            found = self.screen.find(wanted, self._read)
            if found >= 0:
                start, self._read = self._read, found + len(wanted)
                return self.screen[start : self._read].decode(errors="replace")
        raise AssertionError(f"never said {text!r}: {self.text[-2000:]!r}")

    def interrupt(self) -> int:
        """Press Ctrl-C until it ends (see `stop`); the exit status."""
        for _ in range(5):
            self.press("\x03")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=3)
                break
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


def stop(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGINT) -> None:
    """Send a signal, as Ctrl-C does, and wait for the end.

    A signal in the microseconds before Python begins to wait for input is noticed only with the
    next event, so it is sent again after a while, as a person would press the key again.
    """
    for _ in range(5):
        process.send_signal(number)
        try:
            process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            continue
        return
    raise AssertionError(f"the program does not end when sent {number.name}")


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
