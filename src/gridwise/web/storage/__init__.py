"""Games in a database: SQLite by default, PostgreSQL by URL."""

from gridwise.web.storage.database import open_database, sqlite_file
from gridwise.web.storage.journal import Journal
from gridwise.web.storage.store import Store

__all__ = ["Journal", "Store", "open_database", "sqlite_file"]
