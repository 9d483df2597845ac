"""Reading single keys; what was typed ahead stays where it is for whoever reads next."""

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
        key += os.read(handle, _bytes_to_come(key[0])) if key[0] >= 0xC0 else b""
    return key.decode("utf-8", errors="replace")


def _bytes_to_come(first: int) -> int:
    """How many bytes follow the first one of a character in UTF-8."""
    return 1 if first < 0xE0 else 2 if first < 0xF0 else 3
