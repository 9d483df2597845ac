"""A process that runs functions for its parent."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

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
