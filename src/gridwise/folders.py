"""Where Gridwise keeps files on this machine: a person's own data, and what can be made again.

And how a file gets its name for good: by a rename that is on disk when it returns.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from gridwise.errors import GridwiseError

NAME = "gridwise"


def data_folder() -> Path:
    """The folder for saved games: $GRIDWISE_HOME, or the system's own place for user data."""
    folder = _folder("GRIDWISE_HOME", "user_data_path")
    if folder is None:
        raise GridwiseError("You have no home folder. Set GRIDWISE_HOME to a folder.")
    return folder


def cache_folder() -> Path:
    """The folder for compiled code: $GRIDWISE_CACHE, or the system's own place for caches."""
    return _folder("GRIDWISE_CACHE", "user_cache_path") or temporary_cache_folder()


def _folder(variable: str, place: str) -> Path | None:
    """What the environment names, or else the system; None if there is no home."""
    if chosen := os.environ.get(variable):
        return Path(chosen)
    import platformdirs  # noqa: PLC0415 - 10 ms, only for this

    try:
        folder: Path = getattr(platformdirs, place)(NAME, appauthor=False)
    except RuntimeError:
        return None
    return folder


def temporary_cache_folder() -> Path:
    """A folder for compiled code among everybody's temporary files, named after the user."""
    user = os.getuid() if hasattr(os, "getuid") else ""
    return Path(tempfile.gettempdir()) / f"{NAME}-cache-{user}"


def rename(file: Path, target: Path) -> Path:
    """Give a file its name, in place of one that has it; a power cut does not undo it."""
    renamed = file.replace(target)
    sync_folder(target.parent)
    if file.parent != target.parent:
        sync_folder(file.parent)
    return renamed


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on disk, where system and file system can tell."""
    with suppress(OSError):  # where they cannot, the rename is as safe as it gets
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
