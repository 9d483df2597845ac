"""What the tests of the arena share: the games of every claim, and processes that do the work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from gridwise.lab.run import LocalProcesses
from tests.envs.conftest import ALL, game, with_the_toy
from tests.lab.dask_processes import DaskProcesses

__all__ = ["ALL", "game", "with_the_toy"]  # fixtures that this folder needs too


@pytest.fixture(scope="session")
def two_workers() -> Iterator[LocalProcesses]:
    """Two processes, once for all: they load the games and their kernels only once."""
    with closing(LocalProcesses(2)) as executor:
        yield executor


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """A scheduler and two workers, once for all."""
    with closing(DaskProcesses(tmp_path_factory.mktemp("dask"))) as running:
        running.add_worker()
        running.add_worker()
        yield running
