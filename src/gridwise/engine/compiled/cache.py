"""The disk cache of compiled kernels: where an entry is, and when it is removed.

    compiled/<game>/<kernel>-<hash>/    kernel.py, which numba keeps its cache beside, and a lock

A kernel with another hash comes from other sources or another numba, and may belong to somebody
else: two versions of Gridwise can share a cache. So an entry is removed only when nobody has used
it for a month; its folder has the time of its last use.

Nothing is loaded from a folder of the cache that other users can write to, since machine code is
run as it is: then another folder is used, or none.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gridwise.folders import cache_folder, temporary_cache_folder

MAX_UNUSED_SECONDS = 30 * 24 * 3600.0


def kernel_folder(game_key: str, kernel_name: str, source_hash: str) -> Path:
    """The folder of a game's kernel, named after a hash of everything it was made from."""
    usual = cache_folder()
    ours = is_only_ours(usual) and is_only_ours(usual / "compiled")
    safe = "".join(char if char.isalnum() else "-" for char in game_key)
    root = usual if ours else temporary_cache_folder()
    return root / "compiled" / safe / f"{kernel_name}-{source_hash[:40]}"


def is_only_ours(folder: Path) -> bool:
    """Whether nobody but this user can write to a folder, or it is not there yet.

    On Windows a profile is private.
    """
    if not hasattr(os, "getuid") or not folder.exists():
        return True
    status = folder.stat()
    others_write = status.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    return status.st_uid in (0, os.getuid()) and not others_write


def has_kernel(folder: Path) -> bool:
    """Whether there is a compiled kernel in the folder."""
    return any(folder.glob("__pycache__/*.nbc"))


def kernel_file(folder: Path) -> Path | None:
    """The file beside which numba caches a kernel; None if it cannot be, or not by us alone."""
    file = folder / "kernel.py"
    try:
        for parent in reversed((folder, *folder.parents)):
            parent.mkdir(mode=0o700, exist_ok=True)  # those above too, for this user alone
        # Whoever can write to one of them, up to the cache itself, can swap what is below.
        if not all(map(is_only_ours, (folder, *folder.parents[:3]))):
            return None
        if not file.exists():
            # Every process writes the same bytes, so it does not matter which is last.
            file.write_text("# A compiled kernel of Gridwise. This folder can be deleted.\n")
        os.utime(folder)  # numba goes by the time of the file
    except OSError:
        return None
    return file


@contextmanager
def one_process_at_a_time(folder: Path) -> Iterator[None]:
    """Wait while another process compiles the same kernel: then it is there to be loaded.

    The system lets go of the lock when its owner ends, however it ends. Where a folder cannot be
    locked, everybody compiles.
    """
    try:
        import fcntl  # noqa: PLC0415 - Windows has none

        lock = os.open(folder / "lock", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        with suppress(OSError):  # closing is not enough: a process forked meanwhile has it open too
            fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)


def prune(folder: Path) -> None:
    """Remove other versions of the same kernel that nobody has used for long.

    Whoever was about to read one that is half gone compiles instead.
    """
    name = folder.name.rpartition("-")[0]
    oldest = time.time() - MAX_UNUSED_SECONDS
    for entry in folder.parent.glob(f"{name}-*"):
        with suppress(OSError):  # another process was faster
            if entry != folder and entry.stat().st_mtime < oldest:
                shutil.rmtree(entry)
