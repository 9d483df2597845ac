"""`gridwise ugi`: the engine's conversation on standard input and output.

Whatever comes in, odd bytes and endless lines included, is a line to the session or a complaint.
Each line that goes out is flushed. The end of the input is the same as `quit`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from gridwise import __version__
from gridwise.core.registry import game as game_of
from gridwise.engine.ugi import BEST, Session

LONGEST_LINE = 1 << 16  # ten thousand moves


def run_ugi(key: str, level: str = BEST) -> int:
    """Talk until `quit` or the end of the input; the exit status."""
    output = _Output()
    session = Session(game_of(key), output, level=level, name=f"Gridwise {__version__}")
    try:
        _talk(session, output)
    except BrokenPipeError:
        # Nobody listens any more. Typer would make a status of its own of it.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        return 141
    return 0


def _talk(session: Session, output: _Output) -> None:
    try:
        for line in _lines(getattr(sys.stdin, "buffer", None)):
            if line is None:
                session.complain(f"A line of more than {LONGEST_LINE} bytes was passed over.")
            elif not session.receive(line):
                break
            output.check()
    finally:
        session.close()
    output.check()


class _Output:
    """Standard output, line by line. What goes wrong in another thread is kept for this one."""

    def __init__(self) -> None:
        self._failure: OSError | None = None

    def __call__(self, line: str) -> None:
        if self._failure:
            return
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError as error:
            self._failure = error

    def check(self) -> None:
        """Raise what has gone wrong."""
        if self._failure:
            raise self._failure


def _lines(stream: BinaryIO | None) -> Iterator[str | None]:
    """The lines of the input; None for one that is too long."""
    while stream and (raw := stream.readline(LONGEST_LINE + 1)):
        if len(raw) <= LONGEST_LINE:
            yield raw.decode("utf-8", errors="replace")
            continue
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(LONGEST_LINE)
        yield None
