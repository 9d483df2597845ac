"""Tasks on a real Dask scheduler and two workers, processes on loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gridwise.arena.executors import (
    Executor,
    LocalProcesses,
    ResultFolder,
    Task,
    TaskFailed,
    open_executor,
    run_tasks,
)
from gridwise.errors import BadBoard, BadRequest, EngineFailed
from tests.arena.test_executors import ABOUT, ROOT, bare, results_of, task, wait_for


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--no-jupyter", "--scheduler-file", str(folder / "scheduler.json"),
        )  # fmt: skip
        wait_for(lambda: self._found() is not None)
        found = self._found()
        assert found
        self.address = found

    def _found(self) -> str | None:
        file = self._folder / "scheduler.json"
        text = file.read_text(encoding="ascii") if file.exists() else ""
        found = re.search(r'"address": "(tcp://127\.0\.0\.1:\d+)"', text)
        return found[1] if found else None

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        with open(self._folder / f"{kind}.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + kind, *options],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
            )
        self._processes.append(process)
        return process

    def add_worker(self) -> subprocess.Popen[bytes]:
        """One more worker, of one thread, that nobody starts again when it dies."""
        return self._start(
            "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--nworkers", "1",
            "--no-nanny", "--no-dashboard", "--memory-limit", "0",
            "--local-directory", str(self._folder),
        )  # fmt: skip

    def stop_scheduler(self) -> None:
        """Kill the scheduler."""
        self._processes[0].kill()

    def close(self) -> None:
        """End everything."""
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers for all tests."""
    running = Cluster(tmp_path_factory.mktemp("dask"))
    running.add_worker()
    running.add_worker()
    yield running
    running.close()


@pytest.fixture
def executor(cluster: Cluster) -> Iterator[Executor]:
    """The executor that runs on it."""
    with open_executor(1, cluster.address) as opened:
        wait_for(lambda: opened.workers == 2)
        yield opened


def test_results_are_those_of_this_machine_to_the_digit(executor: Executor) -> None:
    """Thirds, and real work: Number Connect's boards, solved here and there."""
    solving = [
        Task(
            f"boards-{block}",
            "gridwise.arena.study.sampling:solve_block",
            {
                "variant": {
                    "game": "number-connect", "rows": 4, "cols": 4, "target": 15, "low": 1,
                    "high": 9,
                },
                "seed": 1,
                "block": block,
                "boards": 200,
            },
        )
        for block in range(3)
    ]  # fmt: skip
    tasks = [*(task(number, "third") for number in range(9)), *solving]
    local = LocalProcesses(1)
    try:
        assert results_of(executor.run(tasks)) == results_of(local.run(tasks))
    finally:
        local.close()


def test_errors_are_those_of_this_machine(executor: Executor) -> None:
    """An error for people is raised as it is; any other names its task."""
    with pytest.raises(BadBoard, match="too small"):
        results_of(executor.run([bare("refuse")]))
    with pytest.raises(TaskFailed, match='"fail" has failed: ValueError: seven'):
        results_of(executor.run([bare("fail")]))


def test_the_same_task_is_done_again_if_it_is_asked_again(
    executor: Executor, tmp_path: Path
) -> None:
    """Dask does not give out what it remembers: whoever runs a task twice has it done twice."""
    for _ in range(2):
        results_of(executor.run([task(1, "square_and_say", folder=str(tmp_path))]))
    assert len((tmp_path / "begun-1").read_text().split()) == 2


def test_whoever_has_enough_stops(executor: Executor) -> None:
    """Tasks are taken a few ahead; a second run on the same cluster works."""
    taken: list[int] = []

    def many() -> Iterator[Task]:
        for number in range(1000):
            taken.append(number)
            yield task(number)

    running: Any = executor.run(many())
    next(running)
    running.close()
    assert len(taken) < 20
    assert results_of(executor.run([task(4)])) == {"square-4": 16}


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    """Of two workers one is killed -9 in the midst of a task; every result comes, and is kept."""
    cluster = Cluster(tmp_path)
    try:
        workers = [cluster.add_worker(), cluster.add_worker()]
        tasks = [
            task(number, "square_and_say", folder=str(tmp_path), seconds=0.2)
            for number in range(10)
        ]
        with (
            open_executor(1, cluster.address) as opened,
            ResultFolder(tmp_path / "out", ABOUT) as results,
        ):
            wait_for(lambda: opened.workers == 2)
            found: dict[str, Any] = {}
            for each, result in run_tasks(tasks, opened, results):
                if not found:
                    workers[0].send_signal(signal.SIGKILL)
                found[each.key] = result
        assert found == {f"square_and_say-{n}": n * n for n in range(10)}
        assert len(list((tmp_path / "out" / "results").iterdir())) == 10
    finally:
        cluster.close()


def test_a_scheduler_that_goes_is_one_line(tmp_path: Path) -> None:
    """The scheduler is killed while a task runs: nobody waits for ever."""
    cluster = Cluster(tmp_path)
    try:
        cluster.add_worker()
        with open_executor(1, cluster.address) as opened:
            killer = threading.Timer(1.0, cluster.stop_scheduler)
            killer.start()
            with pytest.raises(EngineFailed, match="no longer answers"):
                results_of(opened.run([task(1, "slow_square", seconds=3600.0)]))
            killer.join()
    finally:
        cluster.close()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", 'No Dask scheduler answers at "tcp://127.0.0.1:9"'),
        ("nonsense", "A cluster is the address of a Dask scheduler"),
        ("http://127.0.0.1:80", "A cluster is the address of a Dask scheduler"),
        ("tcp://127.0.0.1:99999", "No Dask scheduler answers"),
    ],
)
def test_a_scheduler_that_is_not_there_is_one_line(address: str, said: str) -> None:
    """Whatever the address is; the client gives up after five seconds."""
    with pytest.raises(BadRequest, match=said), open_executor(1, address):
        pass


def test_a_cluster_without_workers_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler alone runs nothing, and says so."""
    monkeypatch.setattr("gridwise.arena.executors.dask_cluster.WORKER_SECONDS", 0.2)
    cluster = Cluster(tmp_path)
    try:
        with pytest.raises(BadRequest, match="has no workers"), open_executor(1, cluster.address):
            pass
    finally:
        cluster.close()
