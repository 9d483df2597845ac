"""The console: printing and asking, on a terminal or through pipes; and what the terminal can do.

Whatever comes in (odd bytes, endless lines, nothing at all) becomes a short printable text or an
EOFError. Where input does not come from a terminal, the answer is echoed after
its prompt, so that a transcript reads like a game.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from gridwise.core.narration import NEUTRAL
from gridwise.core.view import View, describe, draw, plain
from gridwise.errors import printable
from gridwise.show.text import coloured

if TYPE_CHECKING:
    from gridwise.play.setup import Setup

LONGEST_LINE = 1000  # characters
MIN_COLUMNS, MIN_ROWS = 40, 20  # of a terminal that the app can run in
DIALOGUE = "GRIDWISE_DIALOGUE"  # set to anything, it keeps the full screen away


class Console:
    """One person, or two, at one terminal; or a script at one pipe."""

    def __init__(self, *, simple: bool = False, linear: bool = False) -> None:
        """`simple` leaves colour off, `linear` describes boards in sentences."""
        self.linear = linear
        # What the command line has to say to have the same console again.
        self.options = ["--plain"] * simple + ["--linear"] * linear
        self.interactive = sys.stdin.isatty()
        self.colour = not simple and may_colour()
        if self.interactive:
            # Bytes that are not text become replacement characters, which no move contains.
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
            with suppress(ImportError):
                import readline  # noqa: F401, PLC0415 - what gives `input` its arrow keys

    def say(self, *lines: str) -> None:
        """Print lines, cleaned: a name or a path in them may come from anywhere."""
        for line in lines:
            print(cleaned(line))

    def say_wrapped(self, *paragraphs: str) -> None:
        """Print prose, wrapped where the terminal is narrow."""
        for paragraph in paragraphs:
            print(wrapped(cleaned(paragraph)))

    def ask(self, prompt: str) -> str:
        """The answer to a prompt. Raises EOFError when there is nobody to answer."""
        if self.interactive:
            return input(prompt)[: LONGEST_LINE + 1]
        print(prompt, end="", flush=True)
        raw = read_line(sys.stdin.buffer, LONGEST_LINE + 1)
        if not raw:
            print()
            raise EOFError
        text = raw.decode("utf-8", errors="replace").rstrip("\r\n")
        print(printable(text))
        return text

    def show(self, view: View) -> None:
        """Draw a position, or describe it in sentences."""
        if self.linear:
            self.say(*describe(view))
            return
        if view.caption:
            self.say(view.caption)
        lines = draw(view)
        print(coloured(lines) if self.colour else plain(lines))
        if view.drawing.legend:
            self.say(view.drawing.legend_with(NEUTRAL))


def print_json(data: Any, *, indent: int | None = None) -> None:  # noqa: ANN401 - what JSON can hold
    """Print what a program reads, on one line unless it is a long list."""
    print(json.dumps(data, indent=indent), flush=True)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table: two blanks between columns, each as wide as its longest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]


def cleaned(text: str) -> str:
    """The lines of a text without anything that a terminal would obey."""
    return "\n".join(printable(line) for line in text.split("\n"))


def read_line(stream: BinaryIO, most: int) -> bytes:
    """A line; of one with more bytes than `most` only those, the rest is thrown away."""
    line = rest = stream.readline(most)
    while len(line) == most and rest and not rest.endswith(b"\n"):
        rest = stream.readline(1 << 16)
    return line


def wrapped(text: str, hanging: str = "") -> str:
    """Prose wrapped to the width of the terminal; unchanged where there is none."""
    if not sys.stdout.isatty():
        return text
    width = shutil.get_terminal_size().columns
    lines = [
        textwrap.fill(line, max(20, width), subsequent_indent=hanging, break_on_hyphens=False)
        for line in text.splitlines()
    ]
    return "\n".join(lines)


def may_colour() -> bool:
    """Whether to print in colour: the terminal can, and nobody has set NO_COLOR."""
    return _obeys_codes() and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def full_screen_possible() -> bool:
    """Whether this is a terminal that the app can run in, and nobody prefers the dialogue."""
    return _may_open_app() and not too_small()


def too_small() -> str:
    """Why the app is not started in a terminal that could run it if it were larger; or nothing."""
    columns, rows = shutil.get_terminal_size()
    if not _may_open_app() or (columns >= MIN_COLUMNS and rows >= MIN_ROWS):
        return ""
    needs = f"The full screen needs {MIN_COLUMNS} columns and {MIN_ROWS} rows"
    return f"{needs}; this terminal has {columns} and {rows}."


def _may_open_app() -> bool:
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return at_terminal and _obeys_codes() and not os.environ.get(DIALOGUE)


def _obeys_codes() -> bool:
    return os.environ.get("TERM") not in (None, "", "dumb")


def run_app(
    setup: Setup | None = None, delay: float | None = None, screen: tuple[Any, ...] = ()
) -> int:
    """Run the app, from its home screen, with a game or another screen; the exit status.

    `screen` is the name of one and what it takes: `("review", record)`.
    """
    from gridwise.tui.app import run  # noqa: PLC0415 - 0.3 s: Textual

    return run(setup, delay=delay, screen=screen)
