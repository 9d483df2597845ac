"""LocalProcesses: tasks in processes on this machine.

One thread per process waits for it. Ctrl-C reaches only the parent, which ends its workers; a
worker whose parent is killed ends within a second (`worker_process`). A task whose worker is killed
is run again in a new one.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from gridwise.arena.executors.tasks import ATTEMPTS, Answer, Task, TaskFailed, perform, worker_lost
from gridwise.errors import BadRequest, EngineFailed
from gridwise.worker_process import WorkerProcess

MAX_WORKERS = 256
AHEAD = 1  # tasks per worker that wait for it, so that it never waits for the caller


def processors() -> int:
    """The processors that this process may use: as many workers as there are unless others say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Done(NamedTuple):
    task: Task
    answer: Answer | TaskFailed


_Waiting: TypeAlias = "queue.SimpleQueue[Task | None]"
_Finished: TypeAlias = "queue.SimpleQueue[_Done]"


class LocalProcesses:
    """Runs tasks in that many processes; they are started when there is work."""

    def __init__(self, workers: int) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise BadRequest(f"Workers are a whole number from 1 to {MAX_WORKERS}, not {workers}.")
        self.workers = workers
        self._processes = [WorkerProcess() for _ in range(workers)]

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Each task with its result, as they finish."""
        waiting: _Waiting = queue.SimpleQueue()
        finished: _Finished = queue.SimpleQueue()
        stopped = threading.Event()
        source = iter(tasks)
        under_way = 0
        # Daemons: a thread that waits must not keep the program from ending.
        threads = [
            threading.Thread(target=_work, args=(process, waiting, finished, stopped), daemon=True)
            for process in self._processes
        ]
        for thread in threads:
            thread.start()
        try:
            while True:
                for task in islice(source, self.workers * (1 + AHEAD) - under_way):
                    waiting.put(task)
                    under_way += 1
                if not under_way:
                    return
                done = finished.get()
                under_way -= 1
                if isinstance(done.answer, TaskFailed):
                    raise done.answer
                yield done.task, done.answer.read(done.task)
        finally:
            stopped.set()
            for _ in threads:
                waiting.put(None)
            self._end(threads, unfinished=under_way > 0)

    def _end(self, threads: list[threading.Thread], *, unfinished: bool) -> None:
        """End the threads, and with unfinished tasks their processes."""
        for thread in threads:
            if not unfinished:
                thread.join()
            while thread.is_alive():  # again and again: it may have been about to start one
                self.close()
                thread.join(0.1)

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        for process in self._processes:
            process.stop()


def _work(
    process: WorkerProcess, waiting: _Waiting, finished: _Finished, stopped: threading.Event
) -> None:
    """Let a process do one task after the other; what a thread does."""
    while (task := waiting.get()) and not stopped.is_set():
        finished.put(_Done(task, _answer(process, task, stopped)))


def _answer(process: WorkerProcess, task: Task, stopped: threading.Event) -> Answer | TaskFailed:
    for _ in range(ATTEMPTS):
        if stopped.is_set():
            break
        try:
            return process.call(perform, task.function, dict(task.arguments))
        except EngineFailed:  # the process has died; what a task raises is in its answer
            continue
        except Exception as error:  # noqa: BLE001 - arguments that cannot be sent, no more processes
            return TaskFailed(f"Task {task.key} could not be started: {error}.")
    return worker_lost(task)
