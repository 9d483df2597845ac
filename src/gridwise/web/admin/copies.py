"""Copies of a database: an SQLite file for a backup, or all rows into a database of any kind.

Both are of one moment, while servers go on writing. They have all secrets that the database has, so
only the owner can read the file.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from sqlalchemy import insert, select

from gridwise.errors import BadRequest, GridwiseError
from gridwise.folders import rename
from gridwise.web.storage import Store
from gridwise.web.storage.schema import METADATA, games, server_state

BATCH_SIZE = 1_000  # rows that are read and written at a time


def back_up(store: Store, path: Path) -> int:
    """Write the database to an SQLite file, by SQLite's own means; how many games it has.

    The file gets its name when it is whole and on disk; until then an older one of that name stays.
    """
    url = store.engine.url
    if url.get_backend_name() != "sqlite":
        address = url.set(drivername="postgresql").render_as_string(hide_password=True)
        command = shlex.join(["pg_dump", "--format=custom", f"--file={path}", address])
        raise BadRequest(f"PostgreSQL has its own backups: {command}")
    _check_apart(Path(str(url.database)), path)
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{path.name[:80]}.", suffix=".tmp", dir=path.parent
        )
        temporary = Path(name)
        try:
            with os.fdopen(handle, "rb") as file:
                with closing(sqlite3.connect(temporary)) as copy, store.engine.connect() as source:
                    # All pages at once: in steps it would begin anew whenever somebody moves.
                    source.connection.driver_connection.backup(copy)  # type: ignore[union-attr]
                    (many,) = copy.execute("SELECT count(*) FROM games").fetchone()
                os.fsync(file.fileno())
            rename(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, sqlite3.Error) as error:
        raise GridwiseError(f"Cannot write {path}: {getattr(error, 'strerror', error)}.") from None
    return int(many)


def _check_apart(database: Path, path: Path) -> None:
    """Raise BadRequest if a backup would take the place of the database or of a file beside it."""
    for suffix in ("", "-wal", "-shm", "-journal", ".lock"):
        file = Path(f"{database.resolve()}{suffix}")
        if path.resolve() == file or (path.exists() and file.exists() and path.samefile(file)):
            raise BadRequest(f"{path} is part of the database. Back it up to another file.")


def copy_games(source: Store, target: Store) -> int:
    """Copy all rows into a database that has no games, all of them or none; how many games.

    But for what is said to the servers of the one database alone.
    """
    sqlite = source.engine.dialect.name == "sqlite"
    options = {} if sqlite else {"isolation_level": "REPEATABLE READ"}
    many = 0
    with (
        source.engine.connect().execution_options(yield_per=BATCH_SIZE, **options) as reading,
        target.engine.begin() as writing,
    ):
        if sqlite:
            reading.exec_driver_sql("BEGIN")  # the first read takes the snapshot
        if writing.execute(select(games.c.id).limit(1)).first():
            raise BadRequest("The other database has games already. Copy into an empty one.")
        for table in METADATA.sorted_tables:
            if table is not server_state:
                for rows in reading.execute(select(table)).mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in rows])
                    many += len(rows) if table is games else 0
    return many
