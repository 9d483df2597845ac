"""Tasks for the tests of executors, and the functions that workers run for them."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from gridwise.errors import BadBoard
from gridwise.lab.run import Task
from gridwise.lab.store import JSON

PATIENCE = 60.0
ROOT = Path(__file__).parents[2]
ABOUT: dict[str, JSON] = {"run": "squares", "seed": 1}


def task(number: int, function: str = "square", **arguments: JSON) -> Task:
    """A task with a number."""
    given = {"number": number, **arguments}
    return Task(f"{function}-{number}", globals()[function], given)


def bare(function: str) -> Task:
    """A task without arguments."""
    return Task(function, globals()[function], {})


def results_of(found: Iterator[tuple[Task, Any]]) -> dict[str, Any]:
    """Everything that was found, by key."""
    return {each.key: result for each, result in found}


def kept_keys(file: Path) -> set[str]:
    """What a store has under these keys by now, though a process is writing to it.

    A copy is looked at, as a kill would leave it; there are none in a file that is not there yet.
    """
    with TemporaryDirectory() as folder:
        for name in (file.name, f"{file.name}-wal"):
            if (file.parent / name).exists():
                copyfile(file.parent / name, Path(folder) / name)
        with closing(sqlite3.connect(Path(folder) / file.name)) as database:
            try:
                return {key for (key,) in database.execute("SELECT key FROM results")}
            except sqlite3.Error:  # nothing is there yet, or only half of it was copied
                return set()


def lose_half(file: Path) -> int:
    """Take every other result out of a store; how many that are."""
    lost = sorted(kept_keys(file))[::2]
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        for key in lost:
            database.execute("DELETE FROM results WHERE key = ?", [key])
    return len(lost)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


# What workers run


def square(number: int) -> int:
    """A result that anybody can check."""
    return number * number


def third(number: int) -> float:
    """A result whose last digit could get lost on the way."""
    return number / 3


def square_and_say(number: int, folder: str, seconds: float = 0.0) -> int:
    """A square after a while, and before it a line in a file that says who has begun."""
    with open(Path(folder) / f"begun-{number}", "a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(seconds)
    return number * number


def die_once(number: int, folder: str) -> int:
    """The worker is killed at the first attempt."""
    if not (mark := Path(folder) / f"died-{number}").exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die() -> None:
    """The worker is killed at every attempt."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    """An error for people."""
    raise BadBoard("This board is too small.")


def fail() -> None:
    """Any other error."""
    raise ValueError("seven")
