"""LineLog: a file that lines are appended to by one process at a time, and continued by the next.

A line that has been added survives the death of the process at once, and that of the machine after
a second: to wait for the disk takes 1 ms a line and more, as long as a bot thinks about a move.
A last line that was cut short is dropped.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gridwise.errors import BadRequest, quoted

try:
    import fcntl
except ModuleNotFoundError:  # only there where files can be locked this way
    LOCKS = False
else:
    LOCKS = True

SYNC_SECONDS = 1.0


class LineLog:
    """Lines in a file; raises BadRequest if it cannot be used or another process uses it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self._file: BinaryIO = open(path, "ab", buffering=0)  # noqa: SIM115 - closed by `close`
        except (OSError, ValueError) as error:
            raise self._unusable(error) from None
        self._lock()
        self._synced = time.monotonic()

    def lines(self) -> Iterator[bytes]:
        """Each whole line, with its end; there are none in a device or a pipe."""
        if self.path.is_file():
            with open(self.path, "rb") as file:
                yield from (line for line in file if line.endswith(b"\n"))

    def torn_line(self) -> bytes:
        """What comes after the last end of a line."""
        last = b""
        if self.path.is_file():
            with open(self.path, "rb") as file:
                for line in file:
                    last = line
        return b"" if last.endswith(b"\n") else last

    def drop_torn_line(self) -> None:
        """Cut off what comes after the last end of a line."""
        if torn := self.torn_line():
            self._file.truncate(self.path.stat().st_size - len(torn))

    def add(self, *lines: str) -> None:
        """Append lines; once this returns, a kill of the process does not lose them."""
        try:
            self._write("".join(f"{line}\n" for line in lines).encode())
            if time.monotonic() - self._synced > SYNC_SECONDS:
                self._sync()
        except OSError as error:
            raise self._unusable(error) from None

    def close(self) -> None:
        """Close the file, with everything on the disk."""
        with suppress(OSError):  # what is said to be wrong with it is what `add` has said
            self._sync()
        self._file.close()

    def _write(self, left: bytes) -> None:
        while left:  # a pipe takes what it has room for
            left = left[self._file.write(left) :]

    def _sync(self) -> None:
        if self.path.is_file():
            os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _lock(self) -> None:
        if not (LOCKS and self.path.is_file()):
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BadRequest(
                f"Another process is writing to {quoted(str(self.path), 200)}."
            ) from None
        except OSError:  # some file systems have no locks
            return

    def _unusable(self, error: OSError | ValueError) -> BadRequest:
        why = getattr(error, "strerror", None) or error
        return BadRequest(f"Cannot use {quoted(str(self.path), 200)}: {why}.")
