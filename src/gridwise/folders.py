"""Where Gridwise keeps files on this machine: a person's own data, and what can be made again.

And how a file gets its name for good: by a rename that is on disk when it returns.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from gridwise.errors import GridwiseError

NAME = "gridwise"


def data_folder() -> Path:
    """The folder for saved games: $GRIDWISE_HOME, or the system's own place for user data."""
    chosen = os.environ.get("GRIDWISE_HOME")
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path  # noqa: PLC0415 - 10 ms, only for this

    try:
        return user_data_path(NAME, appauthor=False)
    except RuntimeError:  # there is no home
        raise GridwiseError("You have no home folder. Set GRIDWISE_HOME to a folder.") from None


def cache_folder() -> Path:
    """The folder for compiled code: $GRIDWISE_CACHE, or the system's own place for caches."""
    chosen = os.environ.get("GRIDWISE_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path  # noqa: PLC0415 - 10 ms, only for this

    try:
        return user_cache_path(NAME, appauthor=False)
    except RuntimeError:  # there is no home
        return temporary_cache_folder()


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
    """Wait until the names in a folder are on disk, where the system can tell."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that may not be read, or a system without such a thing
        return
    try:
        os.fsync(opened)
    except OSError:
        pass  # a file system that cannot: there the rename is as safe as it gets
    finally:
        os.close(opened)
