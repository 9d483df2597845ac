"""Evaluations in folders of their own: no network, no display, nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gridwise.evals.report.leaderboard import Row, read_leaderboard
from gridwise.worker_process import WorkerProcess
from tests.evals.inspect_runs import load, run_task

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

Evaluate = Callable[..., "EvalLog"]


def samples_of(log: EvalLog) -> list[EvalSample]:
    """The samples of a log, of which there are some."""
    assert log.samples
    return log.samples


def score_of(sample: EvalSample, name: str) -> Any:  # noqa: ANN401 - Inspect is not loaded here
    """What one of our scorers says of a sample; scored again, the names have no package."""
    assert sample.scores
    return sample.scores.get(f"gridwise/{name}") or sample.scores[name]


def row_of(*logs: Path) -> Row:
    """The only row of the only ranking of some logs."""
    (ranking,) = read_leaderboard(logs, reference=False).rankings
    (row,) = ranking.rows
    return row


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
    """Run a task with a model."""
    return partial(evaluated, inspect_process, tmp_path)


def evaluated(
    process: WorkerProcess,
    folder: Path,
    task: str,
    model: str = "gridwise/casual",
    options: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    **args: object,
) -> EvalLog:
    """The log of a run in a folder; `options` are those of Inspect's `eval`."""
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - 1 s

    run_args = folder, task, model, args, options or {}, environment or {}
    return read_eval_log(process.call(run_task, *run_args))
