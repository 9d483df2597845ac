"""Task: a piece of work that any worker can do, here or on another machine.

It is a function by name and its arguments as JSON, and its result is JSON too. So a result that
comes from a process, from a cluster or from a file is the same, to the digit.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from gridwise.errors import GridwiseError, quoted

JSON: TypeAlias = "Mapping[str, JSON] | Sequence[JSON] | str | int | float | bool | None"

ATTEMPTS = 3  # of a task whose worker dies
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.=,+-]{0,199}")


class TaskFailed(GridwiseError):
    """A task that cannot be finished; the message names it, and a note has the traceback."""

    kind = "task-failed"


@dataclass(frozen=True)
class Task:
    """Work for a worker; a few seconds of it are a good size.

    `key` names the file of its result: the same key is the same work. `function` is what a worker
    imports and calls, "package.module:name", and `arguments` are its keyword arguments.
    """

    key: str
    function: str
    arguments: Mapping[str, JSON]

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError(f"{self.key!r} cannot name a file")
        if not re.fullmatch(r"[\w.]+:\w+", self.function):
            raise ValueError(f"{self.function!r} is not module:function")


class Answer(NamedTuple):
    """What a worker sends back: a result as JSON text, or what went wrong."""

    result: str = ""
    refused: GridwiseError | None = None  # to be raised as it is
    failed: str = ""  # any other error, in a line
    trace: str = ""

    def read(self, task: Task) -> Any:  # noqa: ANN401 - JSON
        """The result; raises what the task raised."""
        if self.refused:
            raise self.refused
        if self.failed:
            error = TaskFailed(f"Task {quoted(task.key, 100)} has failed: {self.failed}.")
            error.add_note(self.trace)
            raise error
        return json.loads(self.result)


def perform(function: str, arguments: Mapping[str, JSON]) -> Answer:
    """Do the work of a task, in the worker."""
    module, _, name = function.partition(":")
    try:
        return Answer(json.dumps(getattr(import_module(module), name)(**arguments)))
    except GridwiseError as error:
        return Answer(refused=error)
    except Exception as error:  # noqa: BLE001 - it is raised again where the task came from
        said = traceback.format_exception_only(error)[-1].strip().rstrip(".")
        return Answer(failed=said, trace=traceback.format_exc())


def worker_lost(task: Task) -> TaskFailed:
    """The error for a task whose worker has died each time."""
    return TaskFailed(
        f"Task {quoted(task.key, 100)} was given up: its worker died {ATTEMPTS} times. "
        "It may need more memory than there is."
    )
