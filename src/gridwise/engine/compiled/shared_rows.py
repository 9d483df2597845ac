"""Rows of arrays that threads divide among themselves, in compiled code.

A thread that sleeps takes 50 µs to wake up, in which another steps a thousand games. So nothing is
dealt out beforehand: each thread takes the next rows when it comes for them, and nobody waits for
one that has taken none. A kernel that shares rows goes on as long as there are any:

    first = take_rows(shared, CHUNK)
    while first < count:
        last = min(first + CHUNK, count)
        …
        finish_rows(shared, last - first)
        first = take_rows(shared, CHUNK)
    await_rows(shared, count)

It is called on each thread by `Threads.share(kernel_call, SharedRows.finished)`.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np

from gridwise.engine.compiled.pointers import Pointer, fetch_add
from gridwise.engine.compiled.specialize import Ints

_TAKEN, _DONE, _FAILED = 0, 1, 2
MAX_SPINS = 20_000  # some 100 µs; a thread that the system has put aside takes longer


class SharedRows:
    """So many rows, for one call of a kernel."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._numbers = np.zeros(3, np.int64)
        self.pointer = Pointer(self._numbers)  # for the kernel

    def finished(self) -> bool:
        """Whether all rows are done."""
        return bool(self._numbers[_DONE] >= self._count)

    @property
    def failed(self) -> int:
        """In how many rows the kernel failed."""
        return int(self._numbers[_FAILED])


# In kernels


def take_rows(shared: Ints, chunk: int) -> int:
    """Take the next rows; the first of them. If there is none left, a number beyond the last."""
    return int(fetch_add(shared, _TAKEN, chunk))


def finish_rows(shared: Ints, rows: int, failed: int) -> None:
    """Say that so many rows are done, and in how many of them something failed."""
    fetch_add(shared, _FAILED, failed)
    fetch_add(shared, _DONE, rows)


def await_rows(shared: Ints, count: int) -> None:
    """Wait for the rows that other threads are at, unless that takes long."""
    for _ in range(MAX_SPINS):
        if fetch_add(shared, _DONE, 0) >= count:
            break
