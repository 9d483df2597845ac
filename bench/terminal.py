"""The full-screen app in a terminal: how soon it is there, and how soon it answers a key.

    start-up    from starting Python to the home screen, as a ratio to `python -c "import textual"`
    a key       from a key to the help it opens, while the perfect bot thinks about Grid Conquest

Each is measured in a pseudo-terminal of 80x24, several times over; the best start and the median
key count. Seconds hold on an idle machine only, so the ratios are the claims.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import suppress

from bench.comparison import Row, best_seconds, print_rows

ROUNDS = 7
PATIENCE_SECONDS = 60.0
QUIET_SECONDS = 0.15  # without output, after which nothing more is drawn
GAME = "play conquest --p2 perfect --seed 1 --first 1 --delay 0"


class Terminal:
    """`gridwise` in a pseudo-terminal, with these arguments."""

    def __init__(self, arguments: str = "") -> None:
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            command = [sys.executable, "-m", "gridwise", *arguments.split()]
            os.execv(sys.executable, command)  # noqa: S606 - ourselves
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for(self, text: str) -> float:
        """Seconds until a text has been printed."""
        began, seen = time.perf_counter(), b""
        while text.encode() not in seen:
            if not select.select([self._master], [], [], PATIENCE_SECONDS)[0]:
                raise TimeoutError(f"{text!r} has not come.")
            seen = seen[-200:] + os.read(self._master, 1 << 16)
        return time.perf_counter() - began

    def press(self, keys: bytes) -> None:
        """Type."""
        os.write(self._master, keys)

    def time_help(self) -> float:
        """Seconds from the key for help to the help; it is closed again."""
        self.press(b"?")
        taken = self.wait_for("hjkl")
        self.press(b"q")
        while select.select([self._master], [], [], QUIET_SECONDS)[0]:
            os.read(self._master, 1 << 16)
        return taken

    def close(self) -> None:
        """End the program."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._master)


def start_up() -> None:
    """Start the app, wait for its home screen, and end it."""
    terminal = Terminal()
    try:
        terminal.wait_for("Number Run")
    finally:
        terminal.close()


def import_textual() -> None:
    """What the peer does: Python, and the import of Textual."""
    subprocess.run([sys.executable, "-c", "import textual"], check=True)


def keys() -> tuple[list[float], list[float]]:
    """Seconds from a key to the help it opens: before the bot thinks, and while it does."""
    terminal = Terminal(GAME)
    try:
        terminal.wait_for("Your turn")
        terminal.time_help()  # the first one loads it
        idle = [terminal.time_help() for _ in range(ROUNDS)]
        terminal.press(b"\r")
        terminal.wait_for("thinking")
        return idle, [terminal.time_help() for _ in range(ROUNDS)]
    finally:
        terminal.close()


def rows() -> Iterator[Row]:
    """Both, in milliseconds."""
    best = best_seconds({"ours": start_up, "peer": import_textual}, ROUNDS)
    ours, peer = (1000 * best[each] for each in ("ours", "peer"))
    yield Row("start-up / import textual", ours, peer, "ms", at_most=5.5)
    idle, thinking = (1000 * statistics.median(times) for times in keys())
    yield Row("help on a key, while the bot thinks / before", thinking, idle, "ms", at_most=2)
    yield Row("help on a key, while the bot thinks / 50 ms", thinking, 50, "ms", at_most=1)


if __name__ == "__main__":
    os.environ["GRIDWISE_HOME"] = tempfile.mkdtemp(prefix="gridwise-bench-")
    print_rows(rows())
