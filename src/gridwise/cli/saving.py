"""Where games go that nobody gave a name, and how a person gets back to one."""

from __future__ import annotations

import datetime as dt
import os
import shlex
import shutil
import sys
from itertools import count
from pathlib import Path

from gridwise.errors import GridwiseError
from gridwise.play.records import Record, record_text, write_record


def today() -> str:
    """The date as records have it."""
    return dt.datetime.now().astimezone().strftime("%Y.%m.%d")


def data_folder() -> Path:
    """The user's own place for Gridwise: GRIDWISE_HOME, or where the system keeps such things."""
    chosen = os.environ.get("GRIDWISE_HOME")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "gridwise"


def way_back(path: str | os.PathLike[str]) -> str:
    """The command that goes on with a saved game."""
    # Started from a virtual environment that is not on the PATH, the plain name would not be found.
    started = Path(sys.argv[0])
    name = "gridwise"
    if started.name == name and not shutil.which(name):
        name = shlex.quote(os.fspath(started))
    return f"{name} play --resume {shlex.quote(os.fspath(path))}"


def keep(record: Record) -> list[str]:
    """Save an unfinished game under a name of its own; what to tell the player about it."""
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    try:
        folder = data_folder() / "saved"
        path = folder / f"{record.game.key}-{now}-{os.getpid()}.gwr"
        folder.mkdir(parents=True, exist_ok=True)
        write_record(record, path)
    except (OSError, RuntimeError, GridwiseError) as error:  # RuntimeError: there is no home
        return [
            f"The game could not be saved ({error}).",
            "Here it is; keep it in a file and go on with: gridwise play --resume FILE",
            record_text(record),
        ]
    return [f"The game is saved. Go on with: {way_back(path)}"]


def set_aside(path: Path) -> str:
    """Keep an older record under another name; what to tell the player, or nothing."""
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return ""
        taken = (path.with_name(f"{path.name}~{number or ''}") for number in count())
        aside = next(place for place in taken if not place.exists())
        shutil.copy2(path, aside)  # a copy: if the new record cannot be written, the old one stays
    except OSError as error:
        reason = error.strerror or str(error)
        raise GridwiseError(f"Cannot write {path}: {reason}.") from None
    return f"There was a file {path}; it is now {aside}."
