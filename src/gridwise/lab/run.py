"""Running many tasks: in this process, on the processors of this machine, or on a Dask cluster.

A `Task` is a function that can be pickled and its arguments; its result is JSON. An `Executor`
gives results back as they come, and `run_tasks` runs only those that a `ResultStore` does not have
yet: a run that was killed goes on where it stopped.

    with open_executor(workers, cluster) as executor, ResultStore(file, about) as store:
        for task, result in run_tasks(tasks, executor, store):
            ...

Results come in any order. Whoever adds them up in the order of the tasks gets the same figures from
any number of workers anywhere.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import signal
import threading
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from gridwise import __version__
from gridwise.core.registry import add_missing, sources
from gridwise.errors import BadRequest, EngineFailed, GridwiseError, quoted
from gridwise.extras import require
from gridwise.lab.store import JSON, ResultStore

ATTEMPTS = 3  # of a task whose worker dies
MAX_WORKERS = 256
POLL_SECONDS = 0.5  # between two looks at whether the scheduler is still there
CONNECT_SECONDS = 5.0
WORKER_SECONDS = 10.0  # for the first worker of a cluster to come


class TaskFailed(GridwiseError):
    """A task that cannot be finished; the message names it, and its cause is what it raised."""

    kind = "task-failed"


@dataclass(frozen=True)
class Task:
    """Work for a worker; a few seconds of it are a good size.

    `key` names its result: the same key is the same work. `function` is one that a worker can
    import, and `arguments` are its keyword arguments.
    """

    key: str
    function: Callable[..., JSON]
    arguments: Mapping[str, Any]


Results: TypeAlias = Generator[tuple[Task, Any], None, None]


def _failed(task: Task, error: BaseException) -> GridwiseError:
    """What to raise for a task's error: one for people as it is, any other with the task's name."""
    if isinstance(error, GridwiseError):
        return error
    said = traceback.format_exception_only(error)[-1].strip().rstrip(".")
    return TaskFailed(f"Task {quoted(task.key, 100)} has failed: {said}.")


def _worker_lost(task: Task) -> TaskFailed:
    return TaskFailed(
        f"Task {quoted(task.key, 100)} was given up: its worker died {ATTEMPTS} times. "
        "It may need more memory than there is."
    )


class Executor:
    """Runs tasks; this one in this process, one after the other."""

    def run(self, tasks: Iterable[Task]) -> Results:
        """Each task with its result, as they finish.

        Whoever has enough closes the iterator, and what is still under way is stopped. A
        GridwiseError of a task is raised as it is, any other error as a TaskFailed that names it.
        """
        for task in tasks:
            try:
                result = task.function(**task.arguments)
            except Exception as error:
                raise _failed(task, error) from error
            yield task, result

    def close(self) -> None:
        """End everything."""


class LocalProcesses(Executor):
    """Runs tasks in that many processes on this machine; they are started when there is work.

    A worker that is killed breaks its pool, which does not say whose task it was: those that may
    have been are run again, one by one and after all others. The workers end when this process
    closes its end of a pipe, also by being killed, whatever they are doing.
    """

    def __init__(self, workers: int) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise BadRequest(f"Workers are a whole number from 1 to {MAX_WORKERS}, not {workers}.")
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._alive: Connection | None = None

    def run(self, tasks: Iterable[Task]) -> Results:
        """Each task with its result, as they finish."""
        batches = deque([list(tasks)])
        deaths = Counter[str]()
        while batches:
            batch = batches.popleft()
            interrupted = yield from self._run_batch(batch)
            deaths.update(task.key for task in interrupted if len(batch) == 1)
            if len(batch) == 1 and deaths[batch[0].key] == ATTEMPTS:
                raise _worker_lost(batch[0])
            suspects = self._workers + 1  # the pool has one more at hand
            batches += filter(None, [interrupted[suspects:]])
            batches += [[task] for task in interrupted[:suspects]]

    def _run_batch(self, batch: Sequence[Task]) -> Generator[tuple[Task, Any], None, list[Task]]:
        """Run some tasks; returns those without a result because a worker has died."""
        pool, interrupted = self._open(), []
        futures: dict[Future[Any], Task] = {}
        # A worker may die before all are submitted. Its pool says so, or has closed at this moment
        # what it wanted to give to the next worker, and that is an OSError.
        with suppress(BrokenExecutor, OSError):
            # All workers first: while one is being started the pool must not find another one dead,
            # or its own thread fails, with a traceback.
            wait([pool.submit(int) for _ in range(min(self._workers, len(batch)))])
            for task in batch:
                futures[pool.submit(task.function, **task.arguments)] = task
        not_submitted = batch[len(futures) :]
        try:
            for future in _as_completed(futures):
                task = futures.pop(future)
                error = future.exception()
                if isinstance(error, BrokenExecutor):
                    interrupted.append(task)
                elif error:
                    raise _failed(task, error) from error
                else:
                    yield task, future.result()
        finally:
            if futures or interrupted or not_submitted:
                self.close()
        return [*interrupted, *not_submitted]

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A forked worker would have threads' locks as they were, and the pipe's other end.
            context = multiprocessing.get_context("spawn")
            theirs, self._alive = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self._workers, context, _begin_worker, (theirs, sources())
            )
        return self._pool

    def close(self) -> None:
        """End all processes, whatever they are doing; more work starts others."""
        pool, alive, self._pool, self._alive = self._pool, self._alive, None, None
        if alive:
            alive.close()
        if pool:
            pool.shutdown(cancel_futures=True)


def _begin_worker(parent: Connection, games: Mapping[str, str]) -> None:
    """Make a new process a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the keys of the terminal are for the parent
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what somebody's program prints must not stand between our figures
        os.dup2(nowhere, stream)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    add_missing(games)


def _end_with(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os._exit(1)


def _as_completed(
    futures: Iterable[Future[Any]], check: Callable[[], None] = lambda: None
) -> Iterator[Future[Any]]:
    """Futures as they finish; `check` is called now and then while none does."""
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    waited = 0
    for future in list(futures):
        future.add_done_callback(finished.put)
        waited += 1
    while waited:
        try:
            yield finished.get(timeout=POLL_SECONDS)
        except Empty:
            check()
        else:
            waited -= 1


# Given anything else, the client would try for ten seconds and complain when it is collected.
_ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?(\[[0-9A-Fa-f:.%]+\]|[\w.-]+):[0-9]{1,5}")


class DaskCluster(Executor):
    """Runs tasks on the scheduler at an address, such as tcp://127.0.0.1:8786.

    A worker needs the same version of Gridwise, which is checked with each task, as workers come
    and go. A task whose worker dies is run again by another, which is what the scheduler is for.
    Raises BadRequest if nobody listens there, or if it has no workers.
    """

    def __init__(self, address: str) -> None:
        self._address = quoted(address, 100)
        if not _ADDRESS.fullmatch(address):
            raise BadRequest(
                f"A cluster is the address of a Dask scheduler, like tcp://127.0.0.1:8786, not "
                f"{self._address}."
            )
        require("lab", "distributed")
        import distributed  # noqa: PLC0415 - 0.5 s, and an extra

        # What it says about lost connections and other versions is said here, in a line, or not
        # at all. Its client has a level of its own.
        for name in ("distributed", "distributed.client", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                client: Any = distributed.Client  # its methods have no types
                self._client = client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, RuntimeError, TypeError, ImportError) as error:
            said = "" if isinstance(error, OSError) else f" ({type(error).__name__}: {error})"
            raise BadRequest(f"No Dask scheduler answers at {self._address}{said}.") from None
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            self.close()
            raise BadRequest(
                f"The Dask scheduler at {self._address} has no workers. "
                "Start one: dask worker ADDRESS --nthreads 1"
            ) from None

    def run(self, tasks: Iterable[Task]) -> Results:
        """Each task with its result, as they finish."""
        # `pure`, or a second run would be given the results of the first.
        pool = self._client.get_executor(pure=False)
        same: tuple[Any, ...] = __version__, sources()
        futures = {
            pool.submit(perform_on_cluster, *same, task.function, dict(task.arguments)): task
            for task in tasks
        }
        try:
            for future in _as_completed(futures, self._check):
                task = futures.pop(future)
                try:
                    result = future.result()
                except (Exception, CancelledError) as error:
                    raise self._failed(task, error) from error
                yield task, result
        finally:
            with suppress(Exception):  # the scheduler may have gone
                pool.shutdown(wait=False)

    def _check(self) -> None:
        """Raise EngineFailed if no task will ever be done."""
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> EngineFailed:
        return EngineFailed(f"The Dask scheduler at {self._address} no longer answers.")

    def _failed(self, task: Task, error: BaseException) -> GridwiseError:
        from distributed import KilledWorker  # noqa: PLC0415 - loaded by now

        if isinstance(error, KilledWorker):
            return _worker_lost(task)
        return self._lost() if isinstance(error, CancelledError) else _failed(task, error)

    def close(self) -> None:
        """Let go of the cluster; its workers stay."""
        with suppress(Exception):  # it may have gone
            self._client.close(timeout=CONNECT_SECONDS)


def perform_on_cluster(
    version: str,
    games: Mapping[str, str],
    function: Callable[..., JSON],
    arguments: Mapping[str, Any],
) -> JSON:
    """Do the work of a task, in a worker of the cluster."""
    if version != __version__:
        raise BadRequest(
            f"A worker of the cluster has Gridwise {__version__}, and this is {version}. "
            "Install the same version on both."
        )
    add_missing(games)
    return function(**arguments)


def open_executor(workers: int, cluster: str = "") -> AbstractContextManager[Executor]:
    """An executor: `workers` processes on this machine, or the Dask cluster at an address.

    On a cluster `workers` does not count: the scheduler knows its own.
    """
    return closing(DaskCluster(cluster) if cluster else LocalProcesses(workers))


def run_tasks(
    tasks: Iterable[Task],
    executor: Executor,
    store: ResultStore,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Each task with its result: those that are there already first, the others as they finish.

    Each result is kept before it is given out, as the store gives it back: the same from a process,
    a cluster or a file. `progress` is called with how many there are.
    """
    tasks = list(tasks)
    there = [task for task in tasks if task.key in store]
    missing = [task for task in tasks if task.key not in store]

    def finished() -> Iterator[Task]:
        yield from there
        for task, result in executor.run(missing):
            store.put(task.key, result)
            yield task

    for done, task in enumerate(finished(), 1):
        if progress:
            progress(done)
        yield task, store.get(task.key)


def results_in_order(
    tasks: Sequence[Task],
    executor: Executor,
    store: ResultStore,
    progress: Callable[[int], None] | None = None,
) -> list[Any]:
    """The results of `run_tasks`, when all are there, in the order of the tasks."""
    for _ in run_tasks(tasks, executor, store, progress):
        pass
    return [store.get(task.key) for task in tasks]
