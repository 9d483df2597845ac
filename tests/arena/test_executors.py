"""Tasks on processes of this machine: kills, errors, stops, folders of results."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gridwise.arena.executors import (
    JSON,
    LocalProcesses,
    ResultFolder,
    Task,
    TaskFailed,
    open_executor,
    run_tasks,
)
from gridwise.errors import BadBoard, BadRequest, GridwiseError

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


@pytest.fixture
def two() -> Iterator[LocalProcesses]:
    """Two processes."""
    executor = LocalProcesses(2)
    yield executor
    executor.close()


def results_of(found: Iterator[tuple[Task, Any]]) -> dict[str, Any]:
    """Everything that was found, by key."""
    return {each.key: result for each, result in found}


def wait_for(condition: Any) -> None:  # noqa: ANN401 - a function without arguments
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def is_running(process: int) -> bool:
    """Whether there is such a process, and not only what is left of it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_every_task_comes_back_once_with_its_result(two: LocalProcesses) -> None:
    """Forty squares, from two processes, in whatever order."""
    found = results_of(two.run(task(number) for number in range(40)))
    assert found == {f"square-{number}": number * number for number in range(40)}


def test_a_result_keeps_its_last_digit(two: LocalProcesses) -> None:
    """Thirds are the same floats as here."""
    found = results_of(two.run(task(number, "third") for number in range(9)))
    assert found == {f"third-{number}": number / 3 for number in range(9)}


def test_tasks_are_taken_only_a_few_ahead(two: LocalProcesses) -> None:
    """An endless list of tasks can be stopped early, and what was not begun is not taken."""
    taken = []

    def endless() -> Iterator[Task]:
        for number in count():
            taken.append(number)
            yield task(number)

    running = two.run(endless())
    first = [next(running) for _ in range(5)]
    running.close()  # type: ignore[attr-defined] # it is a generator
    assert len({each.key for each, _ in first}) == 5
    assert len(taken) <= 5 + 4
    assert results_of(two.run([task(3)])) == {"square-3": 9}  # and it can be used again


def test_stopping_early_ends_what_is_under_way(two: LocalProcesses, tmp_path: Path) -> None:
    """A task of an hour does not hold up whoever has enough."""
    hours = [task(n, "square_and_say", folder=str(tmp_path), seconds=3600.0) for n in (1, 2)]
    running = two.run([task(0), *hours])
    assert next(running)[1] == 0
    wait_for(lambda: len(list(tmp_path.glob("begun-*"))) == 2)
    workers = [int(file.read_text()) for file in tmp_path.glob("begun-*")]
    running.close()  # type: ignore[attr-defined]
    assert not any(map(is_running, workers))


def test_an_error_for_people_is_raised_as_it_is(two: LocalProcesses) -> None:
    """What a worker raises as a GridwiseError has the same class and message here."""
    with pytest.raises(BadBoard, match=r"^This board is too small\.$"):
        results_of(two.run([bare("refuse")]))


@pytest.mark.parametrize(
    ("function", "said"), [("fail", "ValueError: seven"), ("not_json", "not JSON serializable")]
)
def test_any_other_error_names_the_task(two: LocalProcesses, function: str, said: str) -> None:
    """A bug in a task is one line with its name; the traceback is a note."""
    with pytest.raises(TaskFailed, match=f'"{function}" has failed: .*{said}') as raised:
        results_of(two.run([bare(function)]))
    assert "Traceback" in raised.value.__notes__[0]


def test_a_task_that_does_not_exist_is_named(two: LocalProcesses) -> None:
    """A function that no worker can import is an error of that task."""
    with pytest.raises(TaskFailed, match="nowhere"):
        results_of(two.run([Task("lost", "gridwise.nowhere:function", {})]))


def test_a_killed_worker_loses_nothing(two: LocalProcesses, tmp_path: Path) -> None:
    """Each of six workers is killed -9 in the midst of its task; every result comes."""
    tasks = [task(number, "die_once", folder=str(tmp_path)) for number in range(6)]
    assert results_of(two.run(tasks)) == {f"die_once-{n}": n * n for n in range(6)}


def test_a_task_that_kills_every_worker_is_given_up(two: LocalProcesses) -> None:
    """After three workers the task is named, and nobody waits for ever."""
    with pytest.raises(TaskFailed, match='"die" was given up: its worker died 3 times'):
        results_of(two.run([bare("die"), task(1)]))


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
from tests.arena.test_executors import ABOUT, task

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


def test_results_that_are_there_come_first(two: LocalProcesses, tmp_path: Path) -> None:
    """They are read, not computed: a result that was changed by hand is given out as it is."""
    with ResultFolder(tmp_path / "out", ABOUT) as results:
        results.put("square-5", 26)
        seen: list[int] = []
        found = list(run_tasks([task(n) for n in range(8)], two, results, seen.append))
    assert found[0][0].key == "square-5"
    assert found[0][1] == 26
    assert len(found) == 8
    assert seen == list(range(1, 9))


def test_a_result_may_be_null(two: LocalProcesses, tmp_path: Path) -> None:
    """A result that is null is not taken for one that is missing."""
    with ResultFolder(tmp_path, ABOUT) as results:
        results.put("square-5", None)
        assert "square-5" in results
        assert list(run_tasks([task(5)], two, results)) == [(task(5), None)]


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
def test_a_damaged_result_is_made_again(two: LocalProcesses, tmp_path: Path, damage: bytes) -> None:
    """What cannot be read counts as missing."""
    with ResultFolder(tmp_path, ABOUT) as results:
        (tmp_path / "results" / "square-5.json").write_bytes(damage)
        assert results_of(run_tasks([task(5)], two, results)) == {"square-5": 25}
        assert results.get("square-5") == 25


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


def test_a_full_disk_is_one_line_and_loses_nothing(two: LocalProcesses, tmp_path: Path) -> None:
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


def test_without_a_folder_results_are_kept_in_memory(two: LocalProcesses) -> None:
    """None is a folder that nobody sees."""
    results = ResultFolder(None, ABOUT)
    assert results_of(run_tasks([task(3)], two, results)) == {"square-3": 9}
    assert results.get("square-3") == 9
    assert results.get("square-4", "none") == "none"


def test_a_result_file_says_which_task_it_is_of(two: LocalProcesses, tmp_path: Path) -> None:
    """It is JSON that anybody can read."""
    with ResultFolder(tmp_path, ABOUT) as results:
        list(run_tasks([task(3)], two, results))
    written = json.loads((tmp_path / "results" / "square-3.json").read_text())
    assert (written["key"], written["result"]) == ("square-3", 9)


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
