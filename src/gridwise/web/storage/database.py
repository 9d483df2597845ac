"""Opening a database: an SQLAlchemy engine for a URL, with its tables up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from gridwise.errors import GridwiseError, quoted

# Seconds to wait for a database, or for its lock.
TIMEOUTS = {"sqlite": {"timeout": 5}, "postgresql": {"connect_timeout": 5}}


class BadDatabase(GridwiseError):
    """A database that cannot be used; the message says which and why."""

    kind = "bad-database"


def open_database(address: str) -> Engine:
    """An engine whose tables are there and up to date; raises BadDatabase."""
    url = _url(address)
    shown, backend = url.render_as_string(hide_password=True), url.get_backend_name()
    try:
        engine = create_engine(
            url,
            pool_pre_ping=backend != "sqlite",
            hide_parameters=True,  # keeps tokens and hidden values out of logs
            connect_args=TIMEOUTS.get(backend, {}),
        )
    except (ArgumentError, TypeError) as error:
        raise BadDatabase(f"Cannot use the database {shown}: {error}.") from None
    except ModuleNotFoundError as error:
        raise BadDatabase(
            f"The database {shown} needs the Python package {error.name}. "
            "For PostgreSQL: pip install 'gridwise[postgres]'"
        ) from None
    if backend == "sqlite":
        event.listen(engine, "connect", _make_durable)
    try:
        with engine.connect() as connection:
            _migrate(connection, shown)
    except (DBAPIError, BadDatabase) as error:
        engine.dispose()
        if isinstance(error, BadDatabase):
            raise
        lines = str(error.orig).strip().splitlines() or ["it does not respond"]
        reason = lines[0].rstrip(".")
        raise BadDatabase(f"Cannot open the database {shown}: {reason}.") from None
    return engine


def sqlite_file(path: Path) -> str:
    """The URL of an SQLite file, whatever characters its name has."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or error
        raise BadDatabase(f"Cannot create the folder {path.parent}: {why}.") from None
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def _url(address: str) -> URL:
    try:
        url = make_url(address)
        backend = url.get_backend_name()
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise BadDatabase(
            f"{quoted(_without_password(address), 100)} is not a database URL. Examples: "
            "sqlite:///games.db, postgresql+psycopg://user@host/name"
        ) from None
    except ModuleNotFoundError as error:
        raise BadDatabase(f"That database needs the Python package {error.name}.") from None
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadDatabase(
            "A database in memory would lose every game. Name a file: sqlite:///games.db"
        )
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return url


def _without_password(address: str) -> str:
    head, at, tail = address.rpartition("@")
    return f"{head.split(':')[0]}:…@{tail}" if at else address


def _make_durable(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
    """A commit is on disk when it returns, and readers do not wait for it."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection, shown: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    present = MigrationContext.configure(connection).get_current_heads()
    if not known.issuperset(present):
        raise BadDatabase(
            f"The database {shown} was made by a newer Gridwise. Upgrade Gridwise first."
        )
    connection.rollback()  # reading the revision has begun a transaction
    with connection.begin():
        command.upgrade(config, "head")
