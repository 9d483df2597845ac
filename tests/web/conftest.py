from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .postgres import Postgres
from .servers import Browse, Browser, Program, running, sqlite, sqlite_with_tables


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for everybody who does not need one of their own."""
    with running(sqlite_with_tables(tmp_path_factory.mktemp("web"))) as running_at:
        yield running_at


@pytest.fixture
def browse() -> Iterator[Browse]:
    """Opens browsers, and closes them after the test."""
    with ExitStack() as stack:
        yield lambda *of: stack.enter_context(Browser(*of))


@pytest.fixture
def ann(address: str, browse: Browse) -> Browser:
    """Somebody."""
    return browse(address)


@pytest.fixture
def bob(address: str, browse: Browse) -> Browser:
    """Somebody else."""
    return browse(address)


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A database for one test, in which there are no games."""
    return sqlite_with_tables(tmp_path)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    """A PostgreSQL that tests may stop, if they start it again."""
    made = Postgres()
    yield made
    made.remove()


@pytest.fixture(scope="session")
def postgres(cluster: Postgres) -> str:
    """The URL of a PostgreSQL database that others use too."""
    return cluster.database()


@pytest.fixture(scope="session")
def two(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The addresses of two server processes on it, which nobody stops."""
    home = tmp_path_factory.mktemp("two")
    with Program(home, database=postgres) as one, Program(home, database=postgres) as other:
        yield one.address, other.address


KINDS = ["sqlite", "postgres"]


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind; on PostgreSQL others use it too."""
    is_sqlite = request.param == "sqlite"
    return sqlite_with_tables(tmp_path) if is_sqlite else str(request.getfixturevalue("postgres"))


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind in which there are no games."""
    is_sqlite = request.param == "sqlite"
    return sqlite_with_tables(tmp_path) if is_sqlite else _cluster(request).database()


@pytest.fixture(params=KINDS)
def bare(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind in which there are no tables."""
    is_sqlite = request.param == "sqlite"
    return sqlite(tmp_path) if is_sqlite else _cluster(request).database(tables=False)


def _cluster(request: pytest.FixtureRequest) -> Postgres:
    cluster: Postgres = request.getfixturevalue("cluster")
    return cluster
