"""Tasks on a real Dask scheduler and two workers, processes on loopback."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gridwise.core.registry import game
from gridwise.errors import BadBoard, BadRequest, EngineFailed
from gridwise.lab.run import DaskCluster, Executor, Task, TaskFailed, open_executor
from gridwise.lab.store import FILE_NAME, ResultStore
from gridwise.lab.study.blocks import Plan, board_tasks
from gridwise.lab.study.variant import Variant
from gridwise.lab.tournament.report import tournament_json
from gridwise.lab.tournament.run import Tournament, new_tournament, run
from gridwise.lab.tournament.sprt import Sprt
from tests.lab.dask_processes import DaskProcesses
from tests.lab.executor_tasks import PATIENCE, bare, kept_keys, results_of, task, wait_for
from tests.lab.tournament import result, schedule
from tests.sizes import sample

MODULE = "gridwise.lab.run"


@pytest.fixture(scope="module", autouse=True)
def _patience() -> Iterator[None]:
    """A busy machine takes its time to start a worker."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(f"{MODULE}.WORKER_SECONDS", PATIENCE)
        patched.setattr(f"{MODULE}.CONNECT_SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="module")
def executor(dask_cluster: DaskProcesses) -> Iterator[Executor]:
    """The executor that runs on the cluster."""
    with open_executor(1, dask_cluster.address) as opened:
        wait_for(lambda: workers(opened) >= 2)
        yield opened


def workers(executor: Executor) -> int:
    """How many workers the scheduler has."""
    assert isinstance(executor, DaskCluster)
    return len(executor._client.scheduler_info()["workers"])


def test_results_are_those_of_this_machine_to_the_digit(executor: Executor) -> None:
    """Thirds, and (with --long, as it takes seconds to load) Number Connect's boards, solved."""
    boards = board_tasks(Variant.standard(game("number-connect")), Plan(boards=200, seed=1))
    tasks = [*(task(number, "third") for number in range(9)), *sample([], long=boards)]
    assert results_of(executor.run(tasks)) == results_of(Executor().run(tasks))


def test_errors_are_those_of_this_machine(executor: Executor) -> None:
    """An error for people is raised as it is; any other names its task."""
    with pytest.raises(BadBoard, match="too small"):
        results_of(executor.run([bare("refuse")]))
    with pytest.raises(TaskFailed, match='"fail" has failed: ValueError: seven'):
        results_of(executor.run([bare("fail")]))


def test_the_same_task_is_done_again_if_it_is_asked_again(
    executor: Executor, tmp_path: Path
) -> None:
    """Dask does not give out what it remembers: the same work is done as often as it is asked."""
    one = task(1, "square_and_say", folder=str(tmp_path))
    twin = Task("twin", one.function, one.arguments)
    for _ in range(2):
        assert results_of(executor.run([one, twin])) == {one.key: 1, "twin": 1}
    assert len((tmp_path / "begun-1").read_text().split()) == 4


def test_whoever_has_enough_stops(executor: Executor, tmp_path: Path) -> None:
    """What has not begun is not done; a second run on the same cluster works."""
    tasks = [task(n, "square_and_say", folder=str(tmp_path), seconds=0.5) for n in range(200)]
    with closing(executor.run(tasks)) as running:
        next(running)
    assert results_of(executor.run([task(4)])) == {"square-4": 16}
    assert len(list(tmp_path.iterdir())) < 100


def test_a_tournament_has_the_same_table_though_a_worker_dies(
    dask_cluster: DaskProcesses, executor: Executor, tmp_path: Path
) -> None:
    """To the digit that of one process here, and every block is kept; one that a test ends, too.

    A third worker, which stands still, is given its share of the blocks, and is killed -9 then.
    """
    pairs = sample(200, long=400)
    plan = schedule("bot:casual", "bot:novice", key="number-maze", pairs=pairs)
    victim = dask_cluster.add_worker()
    wait_for(lambda: workers(executor) == 3)
    victim.send_signal(signal.SIGSTOP)

    def kill_it(_: Tournament) -> None:
        victim.kill()

    for sprt in (None, Sprt(0, 50)):
        tournament = new_tournament(plan, ["player 0", "player 1"], sprt)
        folder = tmp_path / f"kept {sprt is None}"
        with ResultStore.in_folder(folder, plan.about()) as results:
            run(tournament, executor, results, kill_it)
        here = tournament_json(result(plan, sprt=sprt))
        assert json.dumps(tournament_json(tournament)) == json.dumps(here)
        if sprt is None:
            assert len(kept_keys(folder / FILE_NAME)) == len(list(plan.blocks())) == pairs / 50
    wait_for(lambda: workers(executor) == 2)


def test_a_scheduler_without_workers_and_one_that_goes_are_one_line_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone it runs nothing; killed while a task runs, it makes nobody wait for ever."""
    with closing(DaskProcesses(tmp_path)) as cluster:
        with monkeypatch.context() as impatient:
            impatient.setattr(f"{MODULE}.WORKER_SECONDS", 0.2)
            with (
                pytest.raises(BadRequest, match="has no workers"),
                open_executor(1, cluster.address),
            ):
                pass
        cluster.add_worker()

        def kill_it() -> None:
            wait_for((tmp_path / "begun-1").exists)
            cluster.scheduler.kill()

        with open_executor(1, cluster.address) as opened:
            killer = threading.Thread(target=kill_it)
            killer.start()
            hour = task(1, "square_and_say", folder=str(tmp_path), seconds=3600.0)
            with pytest.raises(EngineFailed, match="no longer answers"):
                results_of(opened.run([hour]))
            killer.join()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", 'No Dask scheduler answers at "tcp://127.0.0.1:9"'),
        ("nonsense", "A cluster is the address of a Dask scheduler"),
        ("http://127.0.0.1:80", "A cluster is the address of a Dask scheduler"),
        ("tcp://127.0.0.1:99999", "No Dask scheduler answers"),
    ],
)
def test_a_scheduler_that_is_not_there_is_one_line(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the address is; the client gives up after a while."""
    monkeypatch.setattr(f"{MODULE}.CONNECT_SECONDS", 0.2)
    with pytest.raises(BadRequest, match=said), open_executor(1, address):
        pass
