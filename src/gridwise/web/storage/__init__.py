"""Games in a database: SQLite by default, PostgreSQL by URL."""

from gridwise.web.storage.database import claimed, open_database, sqlite_file
from gridwise.web.storage.journal import Journal
from gridwise.web.storage.store import Cursor, GameStore
from gridwise.web.storage.visitors import Visitors

__all__ = ["Cursor", "GameStore", "Journal", "Visitors", "claimed", "open_database", "sqlite_file"]
