"""`gridwise replay`: a recorded game, position by position.

At a terminal single keys go forward and back, and each position is drawn over the one before.
Through a pipe, all positions are printed.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import time
from contextlib import redirect_stdout
from typing import Annotated

from gridwise.cli.arguments import FileArgument, LinearOption, PlainOption, number_option
from gridwise.cli.commands.playing.show import heading, move_label, player_labels, standing
from gridwise.cli.console import Console
from gridwise.cli.keys import read_key, single_keys
from gridwise.errors import quoted
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.session import player_names

DELAY = number_option(
    *("--delay", "Play by itself, with this many seconds for each move.", "a number of seconds"),
    float,
    above=0,
    below=3601,
)

# What a key does: how many positions forward. Arrows come as ESC [ C or ESC O C.
_FAR = 1 << 30
_STEPS = {
    **dict.fromkeys(("\r", "\n", " ", "n", "l", "j", "\x1b[C", "\x1b[B"), 1),
    **dict.fromkeys(("b", "p", "h", "k", "\x7f", "\b", "\x1b[D", "\x1b[A"), -1),
    **dict.fromkeys(("g", "\x1b[H", "\x1b[1~", "\x1b[7~"), -_FAR),
    **dict.fromkeys(("G", "\x1b[F", "\x1b[4~", "\x1b[8~"), _FAR),
}
_QUIT = ("q", "Q", "\x1b", "\x04")
PROMPT = "(Enter: next, b: back, a number: that move, ?: all keys, q: quit) "
KEYS = """Enter, Space, n, right or down: next move    b, p, Backspace, left or up: back
Home or g: the start    End or G: the last position    digits: that move
a: play by itself, and stop    q, Escape: quit"""
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def replay(
    file: FileArgument,
    delay: Annotated[float | None, DELAY] = None,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Show every position; at a terminal, one at a time and back again."""
    record = read_record(file)
    console = Console(simple=plain, linear=linear)
    console.say(*heading(record))
    shown = _Replay(record, console)
    if sys.stdin.isatty() and sys.stdout.isatty():
        with single_keys():
            _Stepper(shown, console, delay).run()
        return
    for number in range(shown.last + 1):
        if number and delay:
            sys.stdout.flush()
            time.sleep(delay)
        console.say("")
        shown.print_position(number)


class _Replay:
    """The positions of a record, and how each is printed."""

    def __init__(self, record: Record, console: Console) -> None:
        self._record, self._console = record, console
        self._positions = recorded_positions(record)
        self._names = player_names(player_labels(record))
        self.last = len(self._positions) - 1

    def print_position(self, number: int) -> None:
        """The move that led here, the board, and at the end how the game stands."""
        say, positions = self._console.say, self._positions
        say(move_label(self._record, positions, number) + ("" if number else "."))
        if number:
            say(f"{positions[number - 1].log_line(positions[number], self._names)}.")
        self._console.show(positions[number].view)
        if number == self.last:
            say("", standing(self._record, positions[number]))


class _Stepper:
    """Steps through a replay by single keys, or by itself."""

    def __init__(self, shown: _Replay, console: Console, delay: float | None) -> None:
        self._shown, self._console = shown, console
        self._delay = delay or 1.0
        self._playing = delay is not None  # by itself
        self._at = 0
        self._typed = ""  # the digits of a number so far
        self._note = ""  # what to say under the board
        self._before = ""  # what ends or erases the last drawing

    def run(self) -> None:
        """Go on until the person leaves, or the game has played itself to its end."""
        try:
            self._draw()
            while not (self._playing and self._at == self._shown.last):
                key = read_key(self._delay if self._playing else None)
                key = key.replace("\x1bO", "\x1b[")  # as some terminals send arrows
                if key in _QUIT:
                    return
                self._note = ""
                self._press(key)
                self._draw()
        finally:
            print()

    def _press(self, key: str) -> None:
        typed, self._typed = self._typed, ""
        if not key:  # the time is up
            self._go(self._at + 1)
        elif key in ("a", "A"):
            self._playing = not self._playing
        elif key.isascii() and key.isdecimal():
            self._playing = False
            self._type(typed, key)
        elif key in _STEPS:
            self._playing = False
            self._go(self._at + _STEPS[key])
        elif key == "?":
            self._note = KEYS
        else:
            self._note = f"{quoted(key, 8)} does nothing here. ?: all keys."

    def _type(self, typed: str, digit: str) -> None:
        """Go to the number typed so far; a digit that leads too far begins a new one."""
        number = next(
            (text for text in (typed + digit, digit) if int(text) <= self._shown.last), ""
        )
        if number:
            self._typed, self._at = number, int(number)
        else:
            self._note = f"There is no move {digit}: the last one is {self._shown.last}."

    def _go(self, number: int) -> None:
        self._at = max(0, min(self._shown.last, number))

    def _draw(self) -> None:
        """Draw the position, over the one before where the terminal can do that."""
        with redirect_stdout(io.StringIO()) as drawn:
            self._console.say("")
            self._shown.print_position(self._at)
            if self._note:
                self._console.say(self._note)
        text = drawn.getvalue() + ("" if self._playing else PROMPT)
        print(f"{self._before}{text}", end="", flush=True)
        size = shutil.get_terminal_size()
        lines = [_COLOUR.sub("", line) for line in text.split("\n")]
        rows = sum(1 + max(0, len(line) - 1) // size.columns for line in lines)
        # What is higher than the window has scrolled away in part, and stays where it is.
        in_place = self._console.colour and rows < size.lines
        self._before = f"\r\x1b[{rows - 1}A\x1b[J" if in_place else "\n"
