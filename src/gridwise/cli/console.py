"""The console: asking and telling, on a terminal or through pipes.

Whatever comes in (odd bytes, endless lines, nothing at all) becomes a short printable text, a
polite refusal, or EOFError. Where input does not come from a terminal, the answer is echoed after
its prompt, so that a transcript reads like a game.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import TextIO

from gridwise.core.view import View
from gridwise.show.text import coloured, describe, draw, plain

LONGEST_LINE = 1000


class Console:
    """One person, or two, at one terminal; or a script at one pipe."""

    def __init__(self, *, simple: bool = False, linear: bool = False) -> None:
        """`simple` leaves colour off, `linear` says boards in sentences."""
        self.linear = linear
        self.interactive = _is_terminal(sys.stdin)
        self.colour = not simple and may_colour(sys.stdout)
        if self.interactive:
            # Bytes that are no text become replacement characters, and are refused as no move.
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
            _offer_line_editing()

    def say(self, *lines: str) -> None:
        """Print lines."""
        for line in lines:
            print(line)

    def tell(self, *paragraphs: str) -> None:
        """Print prose, broken between words where the terminal is narrow."""
        for paragraph in paragraphs:
            print(wrapped(paragraph))

    def ask(self, prompt: str) -> str:
        """The answer to a prompt. Raises EOFError when there is nobody to answer."""
        if self.interactive:
            return input(prompt)[: LONGEST_LINE + 1]
        print(prompt, end="", flush=True)
        raw = sys.stdin.buffer.readline(LONGEST_LINE + 1)
        if not raw:
            print()
            raise EOFError
        ended = raw.endswith(b"\n")
        while len(raw) > LONGEST_LINE and not ended:
            rest = sys.stdin.buffer.readline(1 << 16)
            ended = not rest or rest.endswith(b"\n")
        text = raw.decode("utf-8", errors="replace").rstrip("\r\n")
        print("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))
        return text

    def show(self, view: View) -> None:
        """Draw a position, or say it in sentences."""
        if self.linear:
            self.say(*describe(view))
            return
        if view.caption:
            self.say(view.caption)
        lines = draw(view)
        self.say(coloured(lines) if self.colour else plain(lines))
        if view.drawing.legend:
            self.say(view.drawing.legend)


def wrapped(text: str, hanging: str = "") -> str:
    """Prose broken to the width of the terminal; as it is where there is none."""
    if not _is_terminal(sys.stdout):
        return text
    width = shutil.get_terminal_size().columns
    lines = [
        textwrap.fill(line, max(20, width), subsequent_indent=hanging, break_on_hyphens=False)
        for line in text.splitlines()
    ]
    return "\n".join(lines)


def may_colour(stream: TextIO) -> bool:
    """Whether colour is welcome there: a terminal that can, and a person who has not said no."""
    return (
        _is_terminal(stream)
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "dumb") != "dumb"
    )


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it has been closed
        return False


def _offer_line_editing() -> None:
    try:
        import readline  # noqa: F401, PLC0415 - importing it is what gives `input` its arrow keys
    except ImportError:
        return
