"""Games in a database: SQLite by default, PostgreSQL by URL."""

from gridwise.web.storage.database import claimed, open_database, sqlite_file
from gridwise.web.storage.journal import Journal
from gridwise.web.storage.notifications import Notification, Notifications
from gridwise.web.storage.store import Cursor, Store

__all__ = [
    "Cursor",
    "Journal",
    "Notification",
    "Notifications",
    "Store",
    "claimed",
    "open_database",
    "sqlite_file",
]
