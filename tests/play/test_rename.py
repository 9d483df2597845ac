"""A file that was written by a rename is still there after a power cut."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from gridwise.folders import rename, sync_folder
from gridwise.play.records import write_file


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Everything that is synced: a file, or a folder with the names it had at that time."""
    found: list[tuple[str, list[str]]] = []
    sync = os.fsync

    def note(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        names = os.listdir(handle) if is_folder else []
        found.append(("folder" if is_folder else "file", names))
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    return found


def test_the_folder_is_synced_after_the_file_has_its_name(
    tmp_path: Path, synced: list[tuple[str, list[str]]]
) -> None:
    """First what is in the file, then its name."""
    write_file(tmp_path / "game.gwr", b"moves")
    assert synced == [("file", []), ("folder", ["game.gwr"])]


def test_both_folders_are_synced_when_a_file_moves(
    tmp_path: Path, synced: list[tuple[str, list[str]]]
) -> None:
    """It is at its new place before it is gone from the old one."""
    (tmp_path / "to").mkdir()
    (tmp_path / "a").touch()
    assert rename(tmp_path / "a", tmp_path / "to" / "b") == tmp_path / "to" / "b"
    assert synced == [("folder", ["b"]), ("folder", ["to"])]


def test_a_folder_that_cannot_be_synced_is_no_error(tmp_path: Path) -> None:
    """The file has its name all the same."""
    sync_folder(tmp_path / "missing")
