"""The app in a real terminal, whose other end is in our hands."""

from __future__ import annotations

import os
import re
import termios
import time
from contextlib import suppress
from pathlib import Path

from gridwise.play.library import Library
from gridwise.play.records import read_record
from tests.cli.program import PATIENCE, Terminal

LEFT_SCREEN = "\x1b[?1049l"  # the terminal shows again what it showed before
_ESCAPES = re.compile(r"\x1b(\[[0-9;?=<>]*[ -/]*[@-~]|[()][A-Z0-9]|[=>])")


class AppTerminal(Terminal):
    """A terminal with the full screen."""

    def __init__(self, *args: str, home: Path, env: dict[str, str] | None = None) -> None:
        settings = {"GRIDWISE_DIALOGUE": "", "COLORTERM": "", **(env or {})}
        super().__init__(*args, home=home, env=settings)

    def wait_for(self, text: str, after: int = 0) -> None:
        """Read until a text has been shown, not counting the first `after` characters.

        Escape sequences do not count, and runs of blanks are one.
        """
        self.read_until(lambda: text in " ".join(_ESCAPES.sub(" ", self.text[after:]).split()))

    def state(self) -> str:
        """What the system says the program does: T if it is stopped."""
        return self._stat()[0]

    def stop_reading(self) -> None:
        """Take nothing more of what the program prints."""
        program_end = os.open(f"/proc/{self.process.pid}/fd/0", os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(program_end, termios.TCOOFF)
        os.close(program_end)

    def wait_while_it_works(self) -> None:
        """Wait, without reading, until the program does next to nothing."""
        end, used = time.monotonic() + PATIENCE, -100
        while time.monotonic() < end and self._ticks() > used + 2:
            used = self._ticks()
            time.sleep(0.2)

    def _ticks(self) -> int:
        return sum(map(int, self._stat()[11:13]))

    def _stat(self) -> list[str]:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        return stat.rpartition(")")[2].split()


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
