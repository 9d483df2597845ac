"""`gridwise ugi`: an engine session on standard input and output.

Whatever comes in, odd bytes and endless lines included, is a line for the session or a complaint.
Each line that goes out is flushed. The end of the input is the same as `quit`.
"""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from gridwise import __version__
from gridwise.cli.arguments import GameArgument, complete_level
from gridwise.cli.console import read_line
from gridwise.cli.signals import READER_GONE, forget_output
from gridwise.core.registry import game as game_named
from gridwise.engine.ugi.protocol import BEST, Session

LEVEL = "How strong it plays; perfect is the best."
LONGEST_LINE = 1 << 16  # ten thousand moves


def ugi(
    game: GameArgument,
    level: Annotated[
        str, typer.Option(metavar="LEVEL", help=LEVEL, autocompletion=complete_level)
    ] = BEST,
) -> None:
    """Answer until `quit` or the end of the input."""
    output = _Output()
    session = Session(game_named(game), output, level=level, name=f"Gridwise {__version__}")
    try:
        with closing(session):
            while line := read_line(sys.stdin.buffer, LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    session.complain(f"A line of more than {LONGEST_LINE} bytes was ignored.")
                elif not session.receive(line.decode("utf-8", errors="replace")):
                    break
                output.check()
        output.check()
    except BrokenPipeError:
        # Nobody listens any more. Typer would make a status of its own of it.
        forget_output()
        raise typer.Exit(READER_GONE) from None


class _Output:
    """Standard output, line by line. What goes wrong in another thread is raised by `check`."""

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
