"""Functions that the tests of executors let workers run."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from gridwise.errors import BadBoard


def square(number: int) -> int:
    """A result that anybody can check."""
    return number * number


def third(number: int) -> float:
    """A result whose last digit could get lost on the way."""
    return number / 3


def slow_square(number: int, seconds: float) -> int:
    """A result that takes a while."""
    time.sleep(seconds)
    return number * number


def square_and_say(number: int, folder: str, seconds: float = 0.0) -> int:
    """The same, after a line in a file that says who has begun."""
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


def not_json() -> object:
    """A result that cannot be sent."""
    return object()
