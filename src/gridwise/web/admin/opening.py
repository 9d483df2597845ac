"""Opening the database that a tool works on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from gridwise.errors import GridwiseError
from gridwise.web.storage import Store, open_database, sqlite_file
from gridwise.web.storage.database import BadDatabase

LOCK_WAIT = 30.0  # seconds; a tool has time
STATEMENT_LIMIT = 600.0


@contextmanager
def opened(database: str, folder: Path, *, new: bool = False) -> Iterator[Store]:
    """The store of a database: by URL, or the file of this folder; one that is there, unless new.

    Errors of the database become sentences.
    """
    if not new:
        _check_there(database, folder)
    address = database or sqlite_file(folder / "games.db")
    # An older server may be running on it, which would not know the new tables.
    store = Store(open_database(address, LOCK_WAIT, STATEMENT_LIMIT, migrate=new))
    try:
        yield store
    except DBAPIError as error:
        lines = str(error.orig).strip().splitlines() or ["it does not respond"]
        raise GridwiseError(f"The database failed: {lines[0].rstrip('.')}.") from None
    finally:
        store.close()


def _check_there(database: str, folder: Path) -> None:
    """Raise BadDatabase if there is no such file: a tool must not make an empty database."""
    path = folder / "games.db"
    if database:
        try:
            url = make_url(database)
        except (ArgumentError, ValueError):
            return  # opening it says what is wrong
        if url.get_backend_name() != "sqlite" or not url.database:
            return
        path = Path(url.database)
    if not path.exists():
        raise BadDatabase(f"There is no database {path}. Name one with --database URL.")
