"""Reading single keys, also those that were pressed before they were asked for."""

from __future__ import annotations

import os
import sys

import typer

_ESCAPE = "\x1b"
_waiting: list[str] = []


def read_key() -> str:
    """One key. A key that sends several characters, such as an arrow, comes as a whole."""
    if not _waiting:
        pressed = _pressed()
        # Keys pressed in a hurry arrive together; only what starts with Escape belongs together.
        _waiting.extend([pressed] if pressed.startswith(_ESCAPE) else pressed)
    if not _waiting:
        raise EOFError
    return _waiting.pop(0)


def _pressed() -> str:
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
        return os.read(handle, 64).decode("utf-8", errors="replace")
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
