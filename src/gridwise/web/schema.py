"""Opening a database: the engine for a URL, and the tables brought up to date."""

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

PATIENCE = 5  # seconds to wait for a database, or for its lock


class BadDatabase(GridwiseError):
    """A database that cannot be used; the message says which and why."""

    kind = "bad-database"


def open_database(address: str) -> Engine:
    """An engine whose tables are there and up to date; raises BadDatabase."""
    url = _url(address)
    shown = url.render_as_string(hide_password=True)
    try:
        engine = create_engine(
            url,
            pool_pre_ping=url.get_backend_name() != "sqlite",
            hide_parameters=True,  # no token and no hidden value gets into a log
            **_waits(url),
        )
    except (ArgumentError, TypeError) as error:
        raise BadDatabase(f"Cannot use the database {shown}: {error}.") from None
    except ModuleNotFoundError as error:
        raise BadDatabase(
            f"The database {shown} needs the Python package {error.name}. "
            "For PostgreSQL: pip install 'gridwise[postgres]'"
        ) from None
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _durable)
    try:
        with engine.connect() as connection:
            _bring_up_to_date(connection, shown)
    except DBAPIError as error:
        engine.dispose()
        raise BadDatabase(f"Cannot open the database {shown}: {_first_line(error.orig)}.") from None
    except BadDatabase:
        engine.dispose()
        raise
    return engine


def sqlite_file(path: Path) -> str:
    """The URL of an SQLite file, whatever characters its name has."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or error
        raise BadDatabase(f"Cannot make the folder {path.parent}: {why}.") from None
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def _url(address: str) -> URL:
    try:
        url = make_url(address)
        backend = url.get_backend_name()
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise BadDatabase(
            f"{quoted(_without_password(address), 100)} is no database URL. They look like "
            "sqlite:///games.db or postgresql+psycopg://user@host/name"
        ) from None
    except ModuleNotFoundError as error:
        raise BadDatabase(f"That database needs the Python package {error.name}.") from None
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadDatabase("A database in memory keeps nothing: name a file, sqlite:///games.db")
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return url


def _without_password(address: str) -> str:
    head, at, tail = address.rpartition("@")
    return f"{head.split(':')[0]}:…@{tail}" if at else address


def _waits(url: URL) -> dict[str, Any]:
    if url.get_backend_name() == "sqlite":
        return {"connect_args": {"timeout": PATIENCE}}
    if url.get_backend_name() == "postgresql":
        return {"connect_args": {"connect_timeout": PATIENCE}}
    return {}


def _durable(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
    """A commit is on disk when it returns, and reading goes on meanwhile."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _bring_up_to_date(connection: Connection, shown: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    present = MigrationContext.configure(connection).get_current_heads()
    if not known.issuperset(present):
        raise BadDatabase(
            f"The database {shown} was made by a newer Gridwise: bring this one up to date first."
        )
    connection.rollback()  # looking has begun a transaction
    with connection.begin():
        command.upgrade(config, "head")


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines() or ["it does not answer"]
    return lines[0].rstrip(".")
