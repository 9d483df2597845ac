"""Games in a database: SQLite by default, PostgreSQL by URL."""

from gridwise.web.storage.database import claimed, open_database, sqlite_file
from gridwise.web.storage.journal import Journal
from gridwise.web.storage.store import Cursor, Store
from gridwise.web.storage.visitors import Visitors

__all__ = ["Cursor", "Journal", "Store", "Visitors", "claimed", "open_database", "sqlite_file"]
