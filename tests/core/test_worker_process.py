"""A process that runs functions for its parent."""

from __future__ import annotations

import operator
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from gridwise.errors import EngineFailed
from gridwise.worker_process import WorkerProcess


@contextmanager
def started() -> Iterator[WorkerProcess]:
    """One that is ended."""
    made = WorkerProcess()
    try:
        yield made
    finally:
        made.stop()


def test_a_call_that_cannot_be_sent_does_not_spoil_the_next() -> None:
    """Half of it would be taken for the beginning of the next one."""
    with started() as process:
        assert process.call(operator.add, 1, 2) == 3
        with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
            process.call(lambda: 1)
        assert process.call(operator.add, 3, 4) == 7


def test_a_call_that_is_stopped_before_it_is_sent_starts_nothing() -> None:
    """Its process would be one that nobody knows of, or the one of the next call."""
    pickling, stopped = threading.Event(), threading.Event()

    class TakesLong:
        """Something that is pickled while the call is stopped."""

        def __reduce__(self) -> tuple[Callable[[], int], tuple[()]]:
            pickling.set()
            stopped.wait(30)
            return int, ()

    with started() as process, ThreadPoolExecutor(1) as threads:
        calling = threads.submit(process.call, operator.add, 1, TakesLong())
        assert pickling.wait(30)
        process.stop()
        stopped.set()
        with pytest.raises(EngineFailed):
            calling.result(30)
        assert process.call(operator.add, 3, 4) == 7
