"""Tasks on processes of this machine: kills, errors, stops, folders of results."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from gridwise.arena.executors import (
    LocalProcesses,
    ResultFolder,
    Task,
    TaskFailed,
    open_executor,
    run_tasks,
)
from gridwise.errors import BadBoard, BadRequest, GridwiseError
from tests.arena.executor_tasks import ABOUT, PATIENCE, ROOT, bare, results_of, task, wait_for


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


def test_tasks_are_taken_only_a_few_ahead(two_workers: LocalProcesses) -> None:
    """An endless list of tasks can be stopped early, and what was not begun is not taken."""
    taken = []

    def endless() -> Iterator[Task]:
        for number in count():
            taken.append(number)
            yield task(number)

    running = two_workers.run(endless())
    first = [next(running) for _ in range(5)]
    running.close()  # type: ignore[attr-defined] # it is a generator
    assert len({each.key for each, _ in first}) == 5
    assert len(taken) <= 5 + 4
    assert results_of(two_workers.run([task(3)])) == {"square-3": 9}  # and it can be used again


def test_stopping_early_ends_what_is_under_way(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """A task of an hour does not hold up whoever has enough."""
    hours = [task(n, "square_and_say", folder=str(tmp_path), seconds=3600.0) for n in (1, 2)]

    def said() -> list[str]:
        return "".join(file.read_text() for file in tmp_path.glob("begun-*")).splitlines()

    with closing(two_workers.run([task(0), *hours])) as running:  # type: ignore[type-var] # generator
        assert next(running)[1] == 0
        wait_for(lambda: len(said()) == 2)
    assert not any(is_running(int(process)) for process in said())


def test_errors_come_back(two_workers: LocalProcesses) -> None:
    """A GridwiseError as it is; of others, one line that names the task, with the traceback."""
    with pytest.raises(BadBoard, match=r"^This board is too small\.$"):
        results_of(two_workers.run([bare("refuse")]))
    for name, said in (("fail", "ValueError: seven"), ("not_json", "not JSON serializable")):
        with pytest.raises(TaskFailed, match=f'"{name}" has failed: .*{said}') as raised:
            results_of(two_workers.run([bare(name)]))
        assert "Traceback" in raised.value.__notes__[0]
    with pytest.raises(TaskFailed, match="nowhere"):
        results_of(two_workers.run([Task("lost", "gridwise.nowhere:function", {})]))


def test_a_killed_worker_loses_nothing(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """Each of six workers is killed -9 in the midst of its task; every result comes."""
    tasks = [task(number, "die_once", folder=str(tmp_path)) for number in range(6)]
    assert results_of(two_workers.run(tasks)) == {f"die_once-{n}": n * n for n in range(6)}


def test_a_task_that_kills_every_worker_is_given_up(two_workers: LocalProcesses) -> None:
    """After three workers the task is named, and nobody waits for ever."""
    with pytest.raises(TaskFailed, match='"die" was given up: its worker died 3 times'):
        results_of(two_workers.run([bare("die"), task(1)]))


def test_there_is_at_least_one_worker() -> None:
    """No workers, or thousands, are refused."""
    for workers in (0, -1, 100_000):
        with pytest.raises(BadRequest, match="whole number from 1"):
            LocalProcesses(workers)


PARENT = """
import signal
import sys
from gridwise.arena.executors import ResultFolder, open_executor, run_tasks
from pathlib import Path
from tests.arena.executor_tasks import ABOUT, task

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
waits = [0.0] * 3 + [seconds] * 5
tasks = [task(n, "square_and_say", folder=str(folder), seconds=waits[n]) for n in range(8)]
with open_executor(2) as executor, ResultFolder(folder / "out", ABOUT) as results:
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
    finished = {file.stem for file in (tmp_path / "out" / "results").glob("*.json")}
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
    with ResultFolder(tmp_path, ABOUT) as results:
        results.put("square-5", 26)
        results.put("square-6", None)
        assert "square-6" in results
        seen: list[int] = []
        found = list(run_tasks([task(n) for n in range(8)], two_workers, results, seen.append))
    assert found[:2] == [(task(5), 26), (task(6), None)]
    assert len(found) == 8
    assert seen == list(range(1, 9))
    written = json.loads((tmp_path / "results" / "square-3.json").read_text())
    assert (written["key"], written["result"]) == ("square-3", 9)  # for anybody to read


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b'{"key": "other", "result": 1}',
        b'{"key": "square-5", "result": "twenty-five"}',
        b'{"key": "square-5", "check": 0, "result": null}',
        b"\xff\xfe",
        b"7",
    ],
)
def test_a_damaged_result_is_made_again(
    two_workers: LocalProcesses, tmp_path: Path, damage: bytes
) -> None:
    """What cannot be read counts as missing."""
    with ResultFolder(tmp_path, ABOUT) as results:
        (tmp_path / "results" / "square-5.json").write_bytes(damage)
        assert results_of(run_tasks([task(5)], two_workers, results)) == {"square-5": 25}
        assert results.get("square-5") == 25


def test_a_result_is_kept_before_it_is_given_out(
    two_workers: LocalProcesses, tmp_path: Path
) -> None:
    """Whoever has been told of a result and is killed at that moment does not lose it."""
    with ResultFolder(tmp_path, ABOUT) as results:
        told, result = next(run_tasks([task(5)], two_workers, results))
        assert results.get(told.key) == result == 25


def test_the_result_of_another_task_is_not_taken(tmp_path: Path) -> None:
    """A file that was copied or renamed is whole, but it is not what its name says."""
    with ResultFolder(tmp_path, ABOUT) as results:
        results.put("square-5", 25)
        whole = (tmp_path / "results" / "square-5.json").read_bytes()
        (tmp_path / "results" / "square-6.json").write_bytes(whole)
        assert "square-5" in results
        assert "square-6" not in results


def test_the_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    """The message says what is different, and nothing there is touched."""
    ResultFolder(tmp_path, ABOUT).close()
    before = (tmp_path / "run.json").read_bytes()
    with pytest.raises(BadRequest, match="another run: seed 1 there, 2 here"):
        ResultFolder(tmp_path, {**ABOUT, "seed": 2})
    assert (tmp_path / "run.json").read_bytes() == before
    ResultFolder(tmp_path, ABOUT).close()


@pytest.mark.parametrize("content", ["", "[]", "{", "[" * 100_000])
def test_a_folder_that_describes_no_run_is_refused(tmp_path: Path, content: str) -> None:
    """Whatever `run.json` is, the answer is one line."""
    (tmp_path / "run.json").write_text(content, encoding="ascii")
    with pytest.raises(BadRequest, match="does not describe a run"):
        ResultFolder(tmp_path, ABOUT)


def test_two_processes_do_not_write_to_one_folder(tmp_path: Path) -> None:
    """The second is told so; after the first has let go it may."""
    with (
        ResultFolder(tmp_path, ABOUT),
        pytest.raises(BadRequest, match="Another process is writing"),
    ):
        ResultFolder(tmp_path, ABOUT)
    ResultFolder(tmp_path, ABOUT).close()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    """A file where the folder should be is named."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(BadRequest, match="Cannot use the folder"):
            ResultFolder(folder, ABOUT)


def test_a_full_disk_is_one_line_and_loses_nothing(
    two_workers: LocalProcesses, tmp_path: Path
) -> None:
    """Files over 4 kB cannot be written: the large result is refused, the small ones stay."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ResultFolder(tmp_path, ABOUT) as results:
        results.put("small", 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
        try:
            with pytest.raises(GridwiseError, match="Cannot write"):
                results.put("large", "x" * 10_000)
            with pytest.raises(GridwiseError, match="Cannot write"):
                results.put("small", "x" * 10_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)
        assert results.get("small") == 1
        assert "large" not in results
    assert {file.name for file in (tmp_path / "results").iterdir()} == {"small.json"}


def test_without_a_folder_results_are_kept_in_memory(two_workers: LocalProcesses) -> None:
    """None is a folder that nobody sees."""
    results = ResultFolder(None, ABOUT)
    assert results_of(run_tasks([task(3)], two_workers, results)) == {"square-3": 9}
    assert results.get("square-3") == 9
    assert results.get("square-4", "none") == "none"


def test_a_key_names_a_file() -> None:
    """Paths, blanks and nothing at all are no keys."""
    for key in ("", "../up", "a/b", ".hidden", "a b", "x" * 300):
        with pytest.raises(ValueError, match="cannot name a file"):
            Task(key, "tests:square", {})


def test_the_executor_of_one_machine_is_the_default() -> None:
    """Without an address nothing of Dask is loaded."""
    with open_executor(1) as executor:
        assert isinstance(executor, LocalProcesses)
        assert executor.workers == 1
