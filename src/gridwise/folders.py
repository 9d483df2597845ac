"""Where Gridwise keeps files on this machine: a person's own data, and what can be made again."""

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
        return Path(tempfile.gettempdir()) / f"{NAME}-cache"
