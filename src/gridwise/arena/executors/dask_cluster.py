"""DaskCluster: tasks on the workers of a Dask scheduler, on this machine or on many.

A worker needs the same version of Gridwise, which is checked with each task, as workers come and
go. A task whose worker dies is run again by another, which is what the scheduler is for.
"""

from __future__ import annotations

import logging
import queue
import re
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, TypeAlias

from gridwise import __version__
from gridwise.arena.executors.tasks import ATTEMPTS, JSON, Answer, Task, perform, worker_lost
from gridwise.core.registry import modules, register
from gridwise.errors import BadRequest, EngineFailed, quoted

CONNECT_SECONDS = 5.0
WORKER_SECONDS = 10.0  # for the first worker to come
POLL_SECONDS = 0.5  # between two looks at whether the scheduler is still there
AHEAD = 1  # tasks per worker that wait for it there
MISSING = "A cluster needs Dask: pip install 'gridwise[lab]'"

# Given anything else, the client would try for ten seconds and complain when it is collected.
_ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?(\[[0-9A-Fa-f:.%]+\]|[\w.-]+):[0-9]{1,5}")
_Finished: TypeAlias = "queue.SimpleQueue[Any]"


class DaskCluster:
    """Runs tasks on the scheduler at an address, such as tcp://127.0.0.1:8786.

    Raises BadRequest if nobody listens there, or if it has no workers.
    """

    def __init__(self, address: str) -> None:
        self._address = quoted(address, 100)
        if not _ADDRESS.fullmatch(address):
            raise BadRequest(
                f"A cluster is the address of a Dask scheduler, like tcp://127.0.0.1:8786, not "
                f"{self._address}."
            )
        try:
            import distributed  # noqa: PLC0415 - 0.5 s, and an extra
        except ModuleNotFoundError:
            raise BadRequest(MISSING) from None
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
            self._wait_for_worker()
        except BaseException:
            self.close()
            raise

    def _wait_for_worker(self) -> None:
        end = time.monotonic() + WORKER_SECONDS
        while not self._threads():
            if time.monotonic() > end:
                raise BadRequest(
                    f"The Dask scheduler at {self._address} has no workers. "
                    "Start one: dask worker ADDRESS --nthreads 1"
                )
            time.sleep(0.1)

    def _threads(self) -> int:
        """How many tasks the workers run at once; 0 if there are none, or no scheduler."""
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError):
            return 0

    @property
    def workers(self) -> int:
        """How many tasks run at once, now."""
        return max(1, self._threads())

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Each task with its result, as they finish."""
        finished: _Finished = queue.SimpleQueue()
        under_way: dict[Any, Task] = {}
        source = iter(tasks)
        workers = self.workers
        try:
            while True:
                for task in islice(source, workers * (1 + AHEAD) - len(under_way)):
                    future = self._submit(task)
                    under_way[future] = task
                    future.add_done_callback(finished.put)
                if not under_way:
                    return
                future = self._next(finished)
                task = under_way.pop(future)
                yield task, self._answer(future, task).read(task)
                workers = max(workers, self.workers) if finished.empty() else workers
        finally:
            if under_way:
                with suppress(Exception):  # the scheduler may have gone
                    self._client.cancel(list(under_way), force=True)

    def _submit(self, task: Task) -> Any:  # noqa: ANN401 - Dask has no types
        return self._client.submit(
            perform_on_cluster,
            task.function,
            dict(task.arguments),
            __version__,
            modules(),
            pure=False,  # or a second run would be given the results of the first
            retries=ATTEMPTS,
        )

    def _next(self, finished: _Finished) -> Any:  # noqa: ANN401 - as above
        while True:
            with suppress(queue.Empty):
                return finished.get(timeout=POLL_SECONDS)
            if self._client.status != "running":
                raise self._lost()

    def _answer(self, future: Any, task: Task) -> Answer:  # noqa: ANN401 - as above
        from distributed import KilledWorker  # noqa: PLC0415 - loaded by now

        try:
            answer = Answer(*future.result())
        except KilledWorker:
            raise worker_lost(task) from None
        except (OSError, TimeoutError, RuntimeError):
            raise self._lost() from None
        except Exception as error:  # noqa: BLE001 - it cannot be called there at all
            if future.status in ("cancelled", "lost"):
                raise self._lost() from None
            raise EngineFailed(
                f"The workers at {self._address} cannot run tasks of Gridwise {__version__}: "
                f"{type(error).__name__}: {error}."
            ) from None
        future.release()
        return answer

    def _lost(self) -> EngineFailed:
        return EngineFailed(f"The Dask scheduler at {self._address} no longer answers.")

    def close(self) -> None:
        """Let go of the cluster; its workers stay."""
        with suppress(Exception):  # it may have gone
            self._client.close(timeout=CONNECT_SECONDS)


def perform_on_cluster(
    function: str, arguments: Mapping[str, JSON], version: str, games: Mapping[str, str]
) -> tuple[Any, ...]:
    """Do the work of a task, in a worker of the cluster."""
    if version != __version__:
        return tuple(
            Answer(
                refused=BadRequest(
                    f"A worker of the cluster has Gridwise {__version__}, and this is {version}. "
                    "Install the same version on both."
                )
            )
        )
    for key, module in games.items():
        if key not in modules():
            register(key, module)
    return tuple(perform(function, arguments))
