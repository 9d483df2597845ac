"""Opening a database: an SQLAlchemy engine for a URL, with the tables of this version."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, create_engine, event, insert, select, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from gridwise.errors import GridwiseError
from gridwise.extras import require
from gridwise.web.settings import ServerSettings
from gridwise.web.storage.schema import METADATA, UPGRADES, VERSION, version

log = logging.getLogger("gridwise.web")

PRIVATE = 0o600  # a database has hidden cells, seeds and the hashes of tokens
MAKING_LOCK = 0x67726964  # the advisory lock of PostgreSQL that a server making the tables holds
CLOCK_TRIES = 3  # the one with the shortest way there and back counts: it is wrong by half of that


class BadDatabase(GridwiseError):
    """A database that cannot be used; the message says which and why."""

    kind = "bad-database"


def open_database(
    address: str,
    lock_wait: float = ServerSettings.lock_wait,
    statement_limit: float = ServerSettings.statement_limit,
    *,
    new: bool = True,
) -> Engine:
    """An engine for a database that has the tables of this version; raises BadDatabase.

    A statement fails that has waited `lock_wait` seconds for a lock or, on PostgreSQL, has taken
    `statement_limit` seconds. Unless it may be `new`, nothing is made where nothing is.
    """
    url = _url(address)
    shown, is_sqlite = url.render_as_string(hide_password=True), url.get_backend_name() == "sqlite"
    if is_sqlite:
        path = Path(str(url.database))
        if not new and not path.exists():
            raise BadDatabase(f"There is no database {path}. Name one with --database URL.")
        _keep_private(path)
    else:
        require("postgres")
    arguments, statements = _options(lock_wait, statement_limit, is_sqlite=is_sqlite)
    try:
        engine = create_engine(
            url,
            pool_pre_ping=not is_sqlite,
            hide_parameters=True,  # keeps tokens and hidden values out of logs
            pool_timeout=lock_wait,
            connect_args=arguments,
        )
    except (ArgumentError, TypeError) as error:
        raise BadDatabase(f"Cannot use the database {shown}: {error}.") from None
    if is_sqlite:
        event.listen(engine, "do_connect", _open_existing)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
        for statement in statements:
            connection.execute(statement)
        connection.commit()

    try:
        with engine.connect() as connection:
            _check_tables(connection, shown, new=new)
    except DBAPIError as error:
        engine.dispose()
        raise BadDatabase(f"Cannot open the database {shown}: {reason(error)}.") from None
    except BadDatabase:
        engine.dispose()
        raise
    return engine


def reason(error: DBAPIError) -> str:
    """What a database says is wrong, in one line."""
    lines = str(error.orig).strip().splitlines() or ["it does not respond"]
    return lines[0].rstrip(".")


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
    import fcntl  # noqa: PLC0415 - not on Windows, where the tools work and servers do not

    path = f"{Path(str(url.database)).resolve()}.lock"
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
    except OSError as error:
        raise BadDatabase(f"Cannot open {path}: {error.strerror}.") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadDatabase(
                f"Another server uses the database {url.database}. An SQLite file is for one; "
                "for several, use PostgreSQL."
            ) from None
        yield


def sqlite_file(path: Path, *, new: bool = True) -> str:
    """The URL of an SQLite file, whatever characters its name has.

    A folder that is missing is made, for its owner alone; one that is there is left as it is.
    """
    try:
        if new:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise BadDatabase(f"Cannot create the folder {path.parent}: {error.strerror}.") from None
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        url = URL.create("unknown")
    backend = url.get_backend_name()
    if backend not in {"sqlite", "postgresql"}:
        raise BadDatabase(  # without the text: there may be a password in it
            "That is not a database URL. Examples: "
            "sqlite:///games.db, postgresql+psycopg://user@host/name"
        )
    if backend == "sqlite" and (url.database or ":").startswith((":", "file:")):
        raise BadDatabase(
            "Name a file: sqlite:///games.db. A database in memory would lose every game."
        )
    return url if backend == "sqlite" else url.set(drivername="postgresql+psycopg")


def _keep_private(path: Path) -> None:
    """Make the file of a new database, for its owner alone; warn of one that others can read.

    SQLite gives the files beside it the same mode.
    """
    with suppress(OSError):  # it cannot be made, and SQLite says so
        if not path.exists():
            path.touch(PRIVATE)
        if path.stat().st_mode & 0o077:
            log.warning("Other users of this machine can read %s: chmod 600 it", path)


def _open_existing(_: object, __: object, arguments: list[Any], options: dict[str, Any]) -> None:
    """Open the file that is there: SQLite would make an empty one in place of one that is gone."""
    arguments[0] = f"{Path(arguments[0]).absolute().as_uri()}?mode=rw"
    options["uri"] = True


def _options(
    lock_wait: float, statement_limit: float, *, is_sqlite: bool
) -> tuple[dict[str, Any], list[str]]:
    """What to tell the driver and each new connection, so that nobody waits for ever."""
    if is_sqlite:
        # A commit is on disk when it returns, and readers do not wait for it.
        pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
        return {"timeout": lock_wait}, [f"PRAGMA {pragma}" for pragma in pragmas]
    arguments = {
        # The server cannot stop a statement whose connection is dead: the system's TCP does.
        "connect_timeout": 5,
        "tcp_user_timeout": round(1_000 * statement_limit),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 2,
    }
    # Not as options of the connection: the URL may have its own, and poolers refuse them.
    limits = {"lock_timeout": lock_wait, "statement_timeout": statement_limit}
    return arguments, [f"SET {name} = {round(1_000 * limit)}" for name, limit in limits.items()]


def _check_tables(connection: Connection, shown: str, *, new: bool) -> None:
    """Raise BadDatabase if the tables are of another version.

    A server makes them if there are none, and brings older ones up to date.
    """
    if not _has_tables(connection):
        if not new:
            raise BadDatabase(
                f"The database {shown} has no games yet. `gridwise serve` makes its tables."
            )
        connection.rollback()  # looking has begun a transaction
        _make_tables(connection)
    if new and _version(connection) in UPGRADES:
        connection.rollback()
        _upgrade_tables(connection)
    made_by = _version(connection)
    if made_by in UPGRADES:
        raise BadDatabase(
            f"The database {shown} was made by an older Gridwise. `gridwise serve` brings it up to "
            "date."
        )
    if made_by != VERSION:
        newer = "by a newer Gridwise. Upgrade Gridwise first."
        older = "before the first release of Gridwise, and cannot be read any more. Use a new one."
        raise BadDatabase(f"The database {shown} was made {newer if made_by > VERSION else older}")


def _has_tables(connection: Connection) -> bool:
    return sa.inspect(connection).has_table(version.name)


def _version(connection: Connection) -> str:
    return connection.execute(select(version)).scalar() or ""


@contextmanager
def _changing_tables(connection: Connection) -> Iterator[None]:
    """All that is changed or, after a kill, nothing; servers that start at once take turns."""
    with connection.begin():
        if connection.dialect.name == "sqlite":
            # By itself, Python's SQLite begins no transaction before CREATE TABLE.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MAKING_LOCK})")
        yield


def _make_tables(connection: Connection) -> None:
    with _changing_tables(connection):
        if not _has_tables(connection):
            METADATA.create_all(connection, checkfirst=False)
            connection.execute(insert(version).values(version_num=VERSION))


def _upgrade_tables(connection: Connection) -> None:
    with _changing_tables(connection):
        while upgrade := UPGRADES.get(_version(connection)):
            made, statements = upgrade
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.execute(update(version).values(version_num=made))


class DatabaseClock:
    """The one clock by which games are timed, whichever process writes to them.

    Two machines whose clocks are 20 s apart would charge their players 20 s a move. On PostgreSQL
    the time is the database's: how far it is ahead of this process's own clock, one that nobody
    sets, is measured at the start and every few seconds. An SQLite file has one process.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ahead: float | None = None  # of our own clock; None: not measured

    def now(self) -> float:
        """The time in seconds since 1970; nothing is asked."""
        return time.time() if self._ahead is None else time.monotonic() + self._ahead

    def measure(self) -> None:
        """Ask PostgreSQL for its time; for a thread."""
        if self._engine.dialect.name != "postgresql":
            return
        with self._engine.connect() as connection:
            self._ahead = min(_compare(connection) for _ in range(CLOCK_TRIES))[1]


def _compare(connection: Connection) -> tuple[float, float]:
    """How long it took to ask for the time, and how far it is ahead of our own clock."""
    asked = time.monotonic()
    time_there = select(sa.extract("epoch", sa.func.clock_timestamp()))
    theirs = float(connection.execute(time_there).scalar_one())
    took = time.monotonic() - asked
    return took, theirs - (asked + took / 2)
