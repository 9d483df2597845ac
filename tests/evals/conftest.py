"""Evaluations in a folder of their own: no network, no display, nothing kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gridwise.worker_process import WorkerProcess
from tests.evals.inspect_runs import run_task

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

Evaluate = Callable[..., "EvalLog"]


@pytest.fixture(scope="session")
def inspect_process() -> Iterator[WorkerProcess]:
    """A process that has loaded Inspect, for all tests."""
    process = WorkerProcess()
    yield process
    process.stop()


@pytest.fixture
def evaluate(tmp_path: Path, inspect_process: WorkerProcess) -> Evaluate:
    """Run a task with a model; `options` are those of Inspect's `eval`."""

    def run(
        task: str,
        model: str = "gridwise/casual",
        options: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
        **args: object,
    ) -> EvalLog:
        from inspect_ai.log import read_eval_log  # noqa: PLC0415 - 1 s

        run_args = tmp_path, task, model, args, options or {}, environment or {}
        return read_eval_log(inspect_process.call(run_task, *run_args))

    return run
