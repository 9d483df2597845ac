"""The database's files are for their owner alone."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from gridwise.web.storage import Store, open_database, sqlite_file

from .servers import sqlite


def mode(path: Path) -> int:
    """The permissions of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def files(folder: Path) -> dict[str, int]:
    """The permissions of all files in a folder."""
    return {file.name: mode(file) for file in folder.iterdir()}


def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    """So are its folder, and the files that SQLite puts beside it."""
    folder = tmp_path / "data" / "gridwise"
    store = Store(open_database(sqlite_file(folder / "games.db")))
    store.probe()
    assert files(folder) == dict.fromkeys(("games.db", "games.db-wal", "games.db-shm"), 0o600)
    assert mode(folder) == 0o700
    store.close()


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    """It may have other things in it, which others are to read."""
    tmp_path.chmod(0o755)
    Store(open_database(sqlite_file(tmp_path / "games.db"))).close()
    assert mode(tmp_path) == 0o755


def test_a_file_that_others_can_read_is_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever named it may want it so; it is not changed."""
    url, path = sqlite(tmp_path), tmp_path / "games.db"
    Store(open_database(url)).close()
    assert mode(path) == 0o600
    with caplog.at_level(logging.WARNING):
        Store(open_database(url)).close()
        assert not caplog.records
        path.chmod(0o640)
        Store(open_database(url)).close()
    assert str(path) in caplog.text
    assert mode(path) == 0o640
