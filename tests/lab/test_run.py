"""Tasks on processes of this machine: kills, errors, stops, going on after a kill."""

from __future__ import annotations

import multiprocessing.context
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gridwise.errors import BadBoard, BadRequest
from gridwise.lab.run import LocalProcesses, Task, TaskFailed, run_tasks
from gridwise.lab.store import FILE_NAME, ResultStore
from tests.lab.executor_tasks import (
    ABOUT,
    PATIENCE,
    ROOT,
    bare,
    kept_keys,
    results_of,
    task,
    wait_for,
)


def is_running(process: int) -> bool:
    """Whether there is such a process, and not only what is left of it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_every_task_comes_back_once_with_its_result(two_workers: LocalProcesses) -> None:
    """Forty thirds, from two processes, in whatever order, to the last digit."""
    found = list(two_workers.run(task(number, "third") for number in range(40)))
    assert len(found) == 40
    assert {each.key: result for each, result in found} == {f"third-{n}": n / 3 for n in range(40)}


def test_stopping_early_ends_what_is_under_way(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """A task of an hour does not hold up whoever has enough."""
    hours = [task(n, "square_and_say", folder=str(tmp_path), seconds=3600.0) for n in (1, 2)]

    def said() -> list[str]:
        return "".join(file.read_text() for file in tmp_path.glob("begun-*")).splitlines()

    with closing(two_workers.run([task(0), *hours])) as running:
        assert next(running)[1] == 0
        wait_for(lambda: len(said()) == 2)
    assert not any(is_running(int(process)) for process in said())
    assert results_of(two_workers.run([task(3)])) == {"square-3": 9}  # and it can be used again


def test_errors_come_back(two_workers: LocalProcesses) -> None:
    """A GridwiseError as it is; of others, one line that names the task, with what was raised."""
    with pytest.raises(BadBoard, match=r"^This board is too small\.$"):
        results_of(two_workers.run([bare("refuse")]))
    with pytest.raises(TaskFailed, match='"fail" has failed: ValueError: seven') as raised:
        results_of(two_workers.run([bare("fail")]))
    assert isinstance(raised.value.__cause__, ValueError)
    with pytest.raises(TaskFailed, match="pickle"):
        results_of(two_workers.run([Task("lost", lambda: None, {})]))


def test_a_killed_worker_loses_nothing(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """Each of six workers is killed -9 in the midst of its task; every result comes."""
    tasks = [task(number, "die_once", folder=str(tmp_path)) for number in range(6)]
    assert results_of(two_workers.run(tasks)) == {f"die_once-{n}": n * n for n in range(6)}


def test_a_worker_that_dies_while_the_next_is_started_loses_nothing(
    two_workers: LocalProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pool has closed what the next worker was to get: all tasks go to another pool."""
    begin, begun = multiprocessing.context.SpawnProcess.start, []

    def start(process: multiprocessing.context.SpawnProcess) -> None:
        begun.append(process)
        if len(begun) == 2:
            raise OSError("handle is closed")
        begin(process)

    two_workers.close()  # so that there are no workers yet
    monkeypatch.setattr(multiprocessing.context.SpawnProcess, "start", start)
    assert results_of(two_workers.run([task(number) for number in range(6)])) == {
        f"square-{n}": n * n for n in range(6)
    }
    assert len(begun) > 2


def test_a_task_that_kills_every_worker_is_given_up(two_workers: LocalProcesses) -> None:
    """After three workers the task is named, and nobody waits for ever."""
    with pytest.raises(TaskFailed, match='"die" was given up: its worker died 3 times'):
        results_of(two_workers.run([bare("die")]))


def test_there_is_at_least_one_worker() -> None:
    """No workers, or thousands, are refused."""
    for workers in (0, -1, 100_000):
        with pytest.raises(BadRequest, match="whole number from 1"):
            LocalProcesses(workers)


PARENT = """
import signal
import sys
from gridwise.lab.run import open_executor, run_tasks
from gridwise.lab.store import ResultStore
from pathlib import Path
from tests.lab.executor_tasks import ABOUT, task

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
waits = [0.0] * 3 + [seconds] * 5
tasks = [task(n, "square_and_say", folder=str(folder), seconds=waits[n]) for n in range(8)]
with open_executor(2) as executor, ResultStore.in_folder(folder / "out", ABOUT) as results:
    for each, result in run_tasks(tasks, executor, results):
        print(each.key, result, flush=True)
"""


def begun(folder: Path) -> dict[str, list[int]]:
    """The workers that began each task."""
    return {
        file.name: [int(line) for line in file.read_text().split()]
        for file in folder.glob("begun-*")
    }


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_parent_that_is_killed_goes_on_where_it_stopped(
    tmp_path: Path, number: signal.Signals
) -> None:
    """No worker outlives it; the second run does only what the first has not finished."""
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*command, "3600"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    ) as parent:
        assert parent.stdout
        said = {parent.stdout.readline() for _ in range(3)}
        parent.send_signal(number)
        said |= set(parent.stdout)
    workers = {worker for each in begun(tmp_path).values() for worker in each}
    wait_for(lambda: not any(map(is_running, workers)))
    finished = kept_keys(tmp_path / "out" / FILE_NAME)
    assert len(said) == len(finished) == 3
    again = subprocess.run(
        [*command, "0"], capture_output=True, check=True, timeout=PATIENCE, env=env
    )
    assert {line.decode().strip() for line in again.stdout.splitlines()} == {
        f"square_and_say-{n} {n * n}" for n in range(8)
    }
    for key in finished:  # they were not done again
        assert len(begun(tmp_path)[key.replace("square_and_say", "begun")]) == 1


def test_results_that_are_there_come_first(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """They are read, not computed: what was changed by hand is given out as it is, null too."""
    with ResultStore(tmp_path / "kept", ABOUT) as store:
        store.put("square-5", 26)
        store.put("square-6", None)
        seen: list[int] = []
        found = list(run_tasks([task(n) for n in range(8)], two_workers, store, seen.append))
    assert found[:2] == [(task(5), 26), (task(6), None)]
    assert len(found) == 8
    assert seen == list(range(1, 9))


def test_a_result_is_kept_before_it_is_given_out(
    two_workers: LocalProcesses, tmp_path: Path
) -> None:
    """Whoever has been told of a result and is killed at that moment does not lose it."""
    file = tmp_path / "kept"
    with ResultStore(file, ABOUT) as store:
        told, result = next(run_tasks([task(5)], two_workers, store))
        assert store.get(told.key) == result == 25
        assert kept_keys(file) == {told.key}
