"""Reading single keys; what was typed ahead is left for the next question."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

_ESCAPE = b"\x1b"
_REST = 0.02  # seconds within which the rest of an arrow key arrives


@contextmanager
def single_keys() -> Iterator[bool]:
    """Get keys as they are pressed while the block runs, and print none of them.

    Whether that is possible: not every system lets a program do so.
    """
    try:
        import termios  # noqa: PLC0415 - not on every system
        import tty  # noqa: PLC0415
    except ImportError:
        yield False
        return
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        # DRAIN keeps what has been typed already; the usual FLUSH would throw it away.
        tty.setcbreak(handle, termios.TCSADRAIN)
        yield True
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def read_key(seconds: float | None = None) -> str:
    """One key; empty if `seconds` pass without one.

    A key that sends several characters, such as an arrow, comes as a whole.
    """
    with single_keys() as possible:
        if not possible:
            return typer.getchar()
        handle = sys.stdin.fileno()
        if seconds is not None and not select.select([handle], [], [], seconds)[0]:
            return ""
        return _read_one(handle)


def _read_one(handle: int) -> str:
    key = os.read(handle, 1)
    if not key:
        raise EOFError
    if key == _ESCAPE:
        # A held arrow sends the same again at once: a key ends where its own sequence does.
        while not _is_whole(key) and select.select([handle], [], [], _REST)[0]:
            key += os.read(handle, 1)
    else:
        # The first byte of a character in UTF-8 says how many follow.
        key += os.read(handle, sum(key[0] >= least for least in (0xC0, 0xE0, 0xF0)))
    return key.decode("utf-8", errors="replace")


def _is_whole(key: bytes) -> bool:
    """Whether a sequence is complete: ESC and a character, ESC O and one, or ESC [ … and a letter.

    The key Escape alone is complete when nothing follows it.
    """
    kind, rest = key[1:2], key[2:]
    if kind in (b"[", b"O"):
        return bool(rest) and 0x40 <= rest[-1] <= 0x7E
    return bool(kind)
