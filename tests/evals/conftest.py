"""Evaluations in folders of their own: no network, no display, nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gridwise.worker_process import WorkerProcess
from tests.evals.inspect_runs import load, run_task

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

Evaluate = Callable[..., "EvalLog"]
EvaluateEach = Callable[..., list["EvalLog"]]


@pytest.fixture(scope="session")
def inspect_process() -> Iterator[WorkerProcess]:
    """A process that has loaded Inspect, for all tests."""
    import inspect_ai.log  # noqa: F401, PLC0415 - 1 s, and here too: to read what it wrote

    process = WorkerProcess()
    process.call(load)
    yield process
    process.stop()


@pytest.fixture
def evaluate(tmp_path: Path, inspect_process: WorkerProcess) -> Evaluate:
    """Run a task with a model; `options` are those of Inspect's `eval`."""
    return partial(evaluated, inspect_process, tmp_path)


@pytest.fixture
def evaluate_each(tmp_path: Path, inspect_process: WorkerProcess) -> EvaluateEach:
    """Run a task with several models in one run: their logs."""
    return partial(evaluated_each, inspect_process, tmp_path)


def evaluated(
    process: WorkerProcess,
    folder: Path,
    task: str,
    model: str = "gridwise/casual",
    options: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    **args: object,
) -> EvalLog:
    """The log of a run in a folder."""
    (log,) = evaluated_each(process, folder, task, [model], options, environment, **args)
    return log


def evaluated_each(
    process: WorkerProcess,
    folder: Path,
    task: str,
    models: list[str],
    options: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    **args: object,
) -> list[EvalLog]:
    """The logs of a run in a folder, one for each model."""
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - 1 s

    run_args = folder, task, models, args, options or {}, environment or {}
    return [read_eval_log(path) for path in process.call(run_task, *run_args)]
