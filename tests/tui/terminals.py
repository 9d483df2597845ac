"""The app in a real terminal: a pseudo-terminal, whose other end is in our hands."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gridwise.play.library import Library
from gridwise.play.records import read_record

PATIENCE = 30.0  # seconds
LEFT_SCREEN = "\x1b[?1049l"  # the terminal shows again what it showed before
_ESCAPES = re.compile(r"\x1b(\[[0-9;?=<>]*[ -/]*[@-~]|[()][A-Z0-9]|[=>])")


class Terminal:
    """A program in a terminal; `text` is everything that it has printed."""

    def __init__(self, code: str, env: dict[str, str] | None = None) -> None:
        self.text = ""
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            for name in ("NO_COLOR", "COLORTERM"):
                os.environ.pop(name, None)
            os.environ.update({"TERM": "xterm-256color", **(env or {})})
            os.execv(sys.executable, [sys.executable, "-c", code])  # noqa: S606 - the app
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    @property
    def words(self) -> str:
        """What has been printed, without escape sequences and with single spaces."""
        return " ".join(_ESCAPES.sub(" ", self.text).split())

    def read(self, seconds: float) -> bool:
        """Read what there is, or wait for it; whether something came."""
        with suppress(OSError):  # the program has ended
            if select.select([self._master], [], [], seconds)[0]:
                data = os.read(self._master, 1 << 16)
                self.text += data.decode(errors="replace")
                return bool(data)
        return False

    def wait_for(self, text: str, after: int = 0) -> None:
        """Read until a text has been printed, not counting the first `after` characters."""
        self.read_until(
            lambda: text in " ".join(_ESCAPES.sub(" ", self.text[after:]).split()), repr(text)
        )

    def read_until(self, condition: Callable[[], bool], what: str) -> None:
        """Read until something is so."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"{what} has not come:\n{self.words[-2000:]}"
            self.read(0.1)

    def stop_reading(self) -> None:
        """Take nothing more of what the program prints."""
        program_end = os.open(f"/proc/{self.pid}/fd/0", os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(program_end, termios.TCOOFF)
        os.close(program_end)

    def wait_while_it_works(self) -> None:
        """Wait, without reading, until the program does next to nothing."""
        end, used = time.monotonic() + PATIENCE, -100
        while time.monotonic() < end and self._ticks() > used + 2:
            used = self._ticks()
            time.sleep(0.2)

    def _ticks(self) -> int:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13]))

    def press(self, keys: str) -> None:
        """Type."""
        self.press_bytes(keys.encode())

    def press_bytes(self, data: bytes) -> None:
        """Send bytes, whether they are text or not."""
        os.write(self._master, data)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Close the terminal."""
        os.close(self._master)
        self._master = -1

    def status(self, *, reading: bool = True) -> int:
        """The exit status, once the program has ended; a signal's number, negative, if by one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if reading and self._master >= 0:
                self.read(0.02)
            else:
                time.sleep(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self._master >= 0 and self.read(0):
                    pass
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"It is still running:\n{self.words[-2000:]}")

    def close(self) -> None:
        """End the program, whatever it does."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._master >= 0:
            os.close(self._master)


def kept_moves() -> list[str]:
    """The moves of the game on disk that was played last."""
    return list(read_record(Library().last().path).moves)


def running_with(word: str) -> list[int]:
    """The processes that have a word in their command line."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if word.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return [pid for pid in found if pid != os.getpid()]
