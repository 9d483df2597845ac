"""Executor: what runs tasks; `open_executor` opens the one that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from gridwise.arena.executors.local import LocalProcesses
from gridwise.arena.executors.tasks import Task


class Executor(Protocol):
    """Runs tasks, several at once."""

    @property
    def workers(self) -> int:
        """How many tasks run at once."""
        ...

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Each task with its result, as they finish.

        Tasks are taken from the iterable only a few ahead of what is finished. Whoever has enough
        closes the iterator, and what is still under way is stopped. A GridwiseError of a task is
        raised as it is, any other error as a TaskFailed that names the task.
        """
        ...

    def close(self) -> None:
        """End everything."""
        ...


@contextmanager
def open_executor(workers: int, cluster: str = "") -> Iterator[Executor]:
    """An executor: `workers` processes on this machine, or the Dask cluster at an address.

    On a cluster `workers` does not count: the scheduler knows its own.
    """
    executor: Executor
    if cluster:
        # 0.5 s to import
        from gridwise.arena.executors.dask_cluster import DaskCluster  # noqa: PLC0415

        executor = DaskCluster(cluster)
    else:
        executor = LocalProcesses(workers)
    try:
        yield executor
    finally:
        executor.close()
