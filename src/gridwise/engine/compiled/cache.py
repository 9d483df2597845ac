"""The disk cache of compiled kernels: where an entry is, and when it is removed.

    compiled/<game>/<kernel>-<hash>/    kernel.py, which numba keeps its cache beside; used; lock

A kernel with another hash comes from other sources or another numba, and may belong to somebody
else: two versions of Gridwise can share a cache. So an entry is removed only when nobody has used
it for a month.

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
_USED = "used"  # a file that is touched at each use; numba goes by the time of kernel.py
_LOCK = "lock"  # whoever compiles has it
_REMOVING = ".removing-"  # how the name of an entry begins while it is being removed


def kernel_folder(game_key: str, kernel_name: str, source_hash: str) -> Path:
    """The folder of a game's kernel, named after a hash of everything it was made from."""
    safe = "".join(char if char.isalnum() else "-" for char in game_key)
    return _root() / "compiled" / safe / f"{kernel_name}-{source_hash[:40]}"


def _root() -> Path:
    """The cache folder, or a temporary one of this user if others can write to that."""
    usual = cache_folder()
    ours = is_only_ours(usual) and is_only_ours(usual / "compiled")
    return usual if ours else temporary_cache_folder()


def has_kernel(folder: Path) -> bool:
    """Whether there is a compiled kernel in the folder."""
    return any(folder.glob("__pycache__/*.nbc"))


def kernel_file(folder: Path) -> Path | None:
    """The file beside which numba caches a kernel; None if it cannot be, or not by us alone."""
    file = folder / "kernel.py"
    try:
        for each in reversed((folder, *folder.parents)):
            each.mkdir(mode=0o700, exist_ok=True)  # those above too, for this user alone
        if not all(map(is_only_ours, (folder, *folder.parents[:3]))):  # up to the cache itself
            return None
        if not file.exists():
            # Every process writes the same bytes, so it does not matter which is last.
            file.write_text("# A compiled kernel of Gridwise. This folder can be deleted.\n")
        (folder / _USED).touch()
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

        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
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

    An entry is renamed before it is removed, so that another process finds all of it or nothing;
    one that was just about to read it compiles instead.
    """
    name = folder.name.rpartition("-")[0]
    for entry in (*folder.parent.glob(f"{name}-*"), *folder.parent.glob(f"{_REMOVING}*")):
        with suppress(OSError):
            if entry == folder or _last_used(entry) > time.time() - MAX_UNUSED_SECONDS:
                continue
            removing = entry.with_name(f"{_REMOVING}{entry.name.removeprefix(_REMOVING)}")
            entry.rename(removing)
            shutil.rmtree(removing)


def _last_used(entry: Path) -> float:
    used = entry / _USED
    return (used if used.exists() else entry).stat().st_mtime


def is_only_ours(folder: Path) -> bool:
    """Whether a folder is this user's alone, or not there yet.

    Who can write to a cache of machine code can run what they like. On Windows a profile is
    private.
    """
    if not hasattr(os, "getuid") or not folder.exists():
        return True
    found = folder.stat()
    others_write = found.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    return found.st_uid in (0, os.getuid()) and not others_write
