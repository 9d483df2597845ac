"""Where compiled code is kept on the disk, and how long.

    compiled/<game>/<kernel>-<mark>/    kernel.py, which numba keeps its cache beside; used

A kernel of another mark is one of other sources or another numba, and may be somebody else's: two
versions of Gridwise can share a cache. So an entry goes only when nobody has used it for a month.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

LONGEST_UNUSED = 30 * 24 * 3600.0  # seconds
_USED = "used"  # a file that is touched at each use; numba goes by the time of kernel.py
_LEAVING = ".leaving-"  # what an entry is called while it is being removed


def cache_root() -> Path:
    """The cache: $GRIDWISE_CACHE, or `gridwise` in the user's cache folder."""
    chosen = os.environ.get("GRIDWISE_CACHE")
    if chosen:
        return Path(chosen)
    usual = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if usual:
        return Path(usual) / "gridwise"
    try:
        return Path.home() / ".cache" / "gridwise"
    except RuntimeError:  # there is no home
        return Path(tempfile.gettempdir()) / "gridwise-cache"


def folder_of(key: str, name: str, mark: str) -> Path:
    """The folder of a game's kernel, named after everything it was made from."""
    safe = "".join(char if char.isalnum() else "-" for char in key)
    return cache_root() / "compiled" / safe / f"{name}-{mark[:40]}"


def is_kept(folder: Path) -> bool:
    """Whether there is a compiled kernel in the folder."""
    return any(folder.glob("__pycache__/*.nbc"))


def file_in(folder: Path) -> Path | None:
    """The file beside which a kernel is cached; None if nothing can be kept."""
    file = folder / "kernel.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            # Every process writes the same bytes, so it does not matter which is last.
            file.write_text("# A compiled kernel of Gridwise. This folder can be deleted.\n")
        (folder / _USED).touch()
    except OSError:
        return None
    return file


def prune(folder: Path) -> None:
    """Remove what nobody has used for long of the same kernel under other marks.

    An entry is renamed before it is removed, so that another process finds all of it or nothing;
    one that was just about to read it compiles instead.
    """
    name = folder.name.rpartition("-")[0]
    for entry in (*folder.parent.glob(f"{name}-*"), *folder.parent.glob(f"{_LEAVING}*")):
        with suppress(OSError):
            if entry == folder or _last_used(entry) > time.time() - LONGEST_UNUSED:
                continue
            leaving = entry.with_name(f"{_LEAVING}{entry.name.removeprefix(_LEAVING)}")
            entry.rename(leaving)
            shutil.rmtree(leaving)


def _last_used(entry: Path) -> float:
    used = entry / _USED
    return (used if used.exists() else entry).stat().st_mtime
