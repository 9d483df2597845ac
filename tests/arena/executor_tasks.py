"""Tasks for the tests of executors, and the functions that workers run for them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gridwise.arena.executors import JSON, Task
from gridwise.errors import BadBoard

PATIENCE = 60.0
ROOT = Path(__file__).parents[2]
ABOUT: dict[str, JSON] = {"run": "squares", "seed": 1}


def task(number: int, function: str = "square", **arguments: JSON) -> Task:
    """A task with a number."""
    given = {"number": number, **arguments}
    return Task(f"{function}-{number}", f"tests.arena.executor_tasks:{function}", given)


def bare(function: str) -> Task:
    """A task without arguments."""
    return Task(function, f"tests.arena.executor_tasks:{function}", {})


def results_of(found: Iterator[tuple[Task, Any]]) -> dict[str, Any]:
    """Everything that was found, by key."""
    return {each.key: result for each, result in found}


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
    """The same after a while, and before it a line in a file that says who has begun."""
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
