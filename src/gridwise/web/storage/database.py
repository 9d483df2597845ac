"""Opening a database: an SQLAlchemy engine for a URL, with its tables up to date."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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

log = logging.getLogger("gridwise.web")

# Seconds, unless the settings say otherwise.
LOCK_WAIT = 5.0
STATEMENT_LIMIT = 10.0

PRIVATE = 0o600  # a database has hidden cells, seeds and the hashes of tokens
MIGRATING = 0x67726964  # the advisory lock of PostgreSQL that whoever migrates holds


class BadDatabase(GridwiseError):
    """A database that cannot be used; the message says which and why."""

    kind = "bad-database"


def open_database(
    address: str,
    lock_wait: float = LOCK_WAIT,
    statement_limit: float = STATEMENT_LIMIT,
    *,
    migrate: bool = True,
) -> Engine:
    """An engine whose tables are there and up to date; raises BadDatabase.

    A statement fails that has waited `lock_wait` seconds for a lock or, on PostgreSQL, has taken
    `statement_limit` seconds. Without `migrate`, older tables are refused and left as they are.
    """
    url = _url(address)
    shown, backend = url.render_as_string(hide_password=True), url.get_backend_name()
    try:
        engine = create_engine(
            url,
            pool_pre_ping=backend != "sqlite",
            hide_parameters=True,  # keeps tokens and hidden values out of logs
            pool_timeout=lock_wait,
            connect_args=_connect_arguments(backend, lock_wait, statement_limit),
        )
    except (ArgumentError, TypeError) as error:
        raise BadDatabase(f"Cannot use the database {shown}: {error}.") from None
    except ModuleNotFoundError as error:
        raise BadDatabase(
            f"The database {shown} needs the Python package {error.name}. "
            "For PostgreSQL: pip install 'gridwise[postgres]'"
        ) from None
    if backend == "sqlite":
        _keep_private(url)
        event.listen(engine, "connect", _make_durable)
    if backend == "postgresql":
        event.listen(engine, "connect", _limit_time(lock_wait, statement_limit))
    try:
        with engine.connect() as connection:
            _migrate(connection, shown, allowed=migrate)
    except (DBAPIError, BadDatabase) as error:
        engine.dispose()
        if isinstance(error, BadDatabase):
            raise
        lines = str(error.orig).strip().splitlines() or ["it does not respond"]
        reason = lines[0].rstrip(".")
        raise BadDatabase(f"Cannot open the database {shown}: {reason}.") from None
    if backend == "sqlite" and url.database not in {None, "", ":memory:"}:
        event.listen(engine, "do_connect", _open_existing)
    return engine


def _open_existing(_: object, __: object, arguments: list[Any], options: dict[str, Any]) -> None:
    """Open the file that is there: SQLite would make an empty one in place of one that is gone."""
    if not options.get("uri"):  # else the address says itself how it is to be opened
        arguments[0] = f"{Path(arguments[0]).absolute().as_uri()}?mode=rw"
        options["uri"] = True


@contextmanager
def claimed(address: str) -> Iterator[None]:
    """Hold a database for a server; raises BadDatabase if it has no room for another.

    An SQLite file has one server, because its games are in that server's memory: it holds a lock on
    a file beside it, of which a kill leaves nothing. PostgreSQL takes any number.
    """
    url = _url(address)
    if url.get_backend_name() == "postgresql":
        yield
        return
    path = Path(f"{Path(str(url.database)).resolve()}.lock")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield  # then the database cannot be opened either, and that says why
        return
    import fcntl  # noqa: PLC0415 - not on Windows, where the tools work and servers do not

    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadDatabase(
                f"Another server uses the database {url.database}. An SQLite file is for one; "
                "for several, use PostgreSQL."
            ) from None
        yield
    finally:
        os.close(file)


def sqlite_file(path: Path) -> str:
    """The URL of an SQLite file of ours, whatever characters its name has; only its owner reads it.

    A folder that is missing is made, for its owner alone; one that is there is left as it is.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        why = error.strerror or error
        raise BadDatabase(f"Cannot create the folder {path.parent}: {why}.") from None
    for each in _files(path):
        with suppress(OSError):  # it is not there, or somebody else's: then there is a warning
            each.chmod(PRIVATE)
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


def _files(path: Path) -> list[Path]:
    """The files of an SQLite database. SQLite gives the later ones the mode of the first."""
    return [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]


def _keep_private(url: URL) -> None:
    """Make the file of a new database, for its owner alone; warn of one that others can read."""
    if not url.database or url.database.startswith("file:"):
        return
    path = Path(url.database)
    with suppress(OSError):  # it is there already; or it cannot be made, and SQLite says so
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    for each in _files(path):
        with suppress(OSError):
            if each.stat().st_mode & 0o077:
                log.warning("Other users of this machine can read %s: chmod 600 it", each)


def _connect_arguments(backend: str, lock_wait: float, statement_limit: float) -> dict[str, Any]:
    """What to tell the driver, so that nobody waits for ever."""
    if backend == "sqlite":
        return {"timeout": lock_wait}  # SQLite's busy_timeout
    if backend != "postgresql":
        return {}
    return {
        # The server cannot stop a statement whose connection is dead: the system's TCP does.
        "connect_timeout": 5,
        "tcp_user_timeout": round(1_000 * statement_limit),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 2,
    }


def _without_password(address: str) -> str:
    head, at, tail = address.rpartition("@")
    return f"{head.split(':')[0]}:…@{tail}" if at else address


def _make_durable(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
    """A commit is on disk when it returns, and readers do not wait for it."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _limit_time(lock_wait: float, statement_limit: float) -> Callable[[Any, object], None]:
    limits = {"lock_timeout": lock_wait, "statement_timeout": statement_limit}

    def set_limits(connection: Any, _record: object) -> None:  # noqa: ANN401 - as above
        # Not as options of the connection: the URL may have its own, and poolers refuse them.
        with connection.cursor() as cursor:
            for name, seconds in limits.items():
                cursor.execute(f"SET {name} = {round(1_000 * seconds)}")
        connection.commit()

    return set_limits


def migrations(connection: Connection) -> Config:
    """Alembic's configuration, to migrate a database through an open connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _migrate(connection: Connection, shown: str, *, allowed: bool) -> None:
    config = migrations(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    present = MigrationContext.configure(connection).get_current_heads()
    if present and present[0] < min(known):
        raise BadDatabase(
            f"The database {shown} was made before the first release of Gridwise, and cannot be "
            "read any more. Use a new one."
        )
    if not known.issuperset(present):
        raise BadDatabase(
            f"The database {shown} was made by a newer Gridwise. Upgrade Gridwise first."
        )
    connection.rollback()  # reading the revision has begun a transaction
    if present == (ScriptDirectory.from_config(config).get_current_head(),):
        return
    if not allowed:
        raise BadDatabase(
            f"The database {shown} was made by an older Gridwise, or has no games yet. "
            "`gridwise serve` migrates it when it starts."
        )
    with connection.begin():
        # Two servers that start at once take turns, and a kill leaves the old tables or the new:
        # by itself, Python's SQLite begins no transaction before CREATE TABLE.
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            # A large table takes its time.
            connection.exec_driver_sql(
                "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"
            )
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
        command.upgrade(config, "head")
