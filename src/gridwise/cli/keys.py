"""Reading single keys; what was typed ahead is left for the next question."""

from __future__ import annotations

import os
import select
import sys

import typer

_ESCAPE = b"\x1b"
_REST = 0.02  # seconds within which the rest of an arrow key arrives


def read_key() -> str:
    """One key. A key that sends several characters, such as an arrow, comes as a whole."""
    try:
        import termios  # noqa: PLC0415 - not on every system
        import tty  # noqa: PLC0415
    except ImportError:
        return typer.getchar()
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        # DRAIN keeps what has been typed already; the usual FLUSH would throw it away.
        tty.setcbreak(handle, termios.TCSADRAIN)
        return _read_one(handle)
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _read_one(handle: int) -> str:
    key = os.read(handle, 1)
    if not key:
        raise EOFError
    if key == _ESCAPE:
        while select.select([handle], [], [], _REST)[0]:
            key += os.read(handle, 1)
    else:
        # The first byte of a character in UTF-8 says how many follow.
        key += os.read(handle, sum(key[0] >= least for least in (0xC0, 0xE0, 0xF0)))
    return key.decode("utf-8", errors="replace")
