"""Saving a game that nobody gave a name, and the command that continues it."""

from __future__ import annotations

import datetime as dt
import os
import shlex
import shutil
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

from gridwise.errors import GridwiseError
from gridwise.folders import data_folder
from gridwise.play.records import Record, read_record, record_text, write_record


def today() -> str:
    """The date as records have it."""
    return dt.datetime.now().astimezone().strftime("%Y.%m.%d")


def resume_command(path: str | os.PathLike[str]) -> str:
    """The command that continues a saved game."""
    # Started from a virtual environment that is not on the PATH, the plain name would not be found.
    started = Path(sys.argv[0])
    name = "gridwise"
    if started.name == name and not shutil.which(name):
        name = shlex.quote(os.fspath(started))
    return f"{name} play --resume {shlex.quote(os.fspath(path))}"


def autosave(record: Record) -> list[str]:
    """Save an unfinished game under a name of its own; the lines that say so."""
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    try:
        folder = data_folder() / "saved"
        path = folder / f"{record.game.key}-{now}-{os.getpid()}.gwr"
        folder.mkdir(parents=True, exist_ok=True)
        write_record(record, path)
    except (OSError, GridwiseError) as error:
        return [
            f"The game could not be saved ({error}).",
            "Here it is. Put it into a file and continue with: gridwise play --resume FILE",
            record_text(record),
        ]
    return [f"The game is saved. Continue with: {resume_command(path)}"]


def last_saved() -> Path | None:
    """The newest saved game that is unfinished and can be read."""
    with suppress(OSError, GridwiseError):
        saved = (data_folder() / "saved").glob("*.gwr")
        for path in sorted(saved, key=lambda path: path.stat().st_mtime, reverse=True)[:10]:
            with suppress(GridwiseError):
                if not read_record(path).finished:
                    return path
    return None


def back_up(path: Path) -> str:
    """Copy an older record to another name; the sentence that says so, or nothing."""
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return ""
        names = (path.with_name(f"{path.name}~{number or ''}") for number in count())
        copy = next(name for name in names if not name.exists())
        shutil.copy2(path, copy)  # a copy: if the new record cannot be written, the old one stays
    except OSError as error:
        raise GridwiseError(f"Cannot write {path}: {error.strerror or error}.") from None
    return f"{path} already existed; the old file is now {copy}."
