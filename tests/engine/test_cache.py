"""Compiled kernels stay in the cache as long as somebody uses them, and not for ever."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from gridwise.engine.compiled.cache import MAX_UNUSED, kernel_file, kernel_folder, prune


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("GRIDWISE_CACHE", str(tmp_path))
    return tmp_path


def entry(source_hash: str, name: str = "search", unused: float = 0.0) -> Path:
    """A cached kernel that has not been used for so many seconds."""
    folder = kernel_folder("number-run", name, source_hash)
    assert kernel_file(folder)
    then = time.time() - unused
    os.utime(folder / "used", (then, then))
    return folder


def test_only_what_was_not_used_for_long_goes() -> None:
    """Others of the same kernel go after a month; this one and other kernels stay."""
    old, recent = entry("a", unused=MAX_UNUSED + 60), entry("b", unused=MAX_UNUSED - 60)
    this = entry("c", unused=MAX_UNUSED + 60)
    other = entry("a", name="research", unused=MAX_UNUSED + 60)
    prune(this)
    assert not old.exists()
    assert recent.exists()
    assert this.exists()
    assert other.exists()


def test_using_an_entry_keeps_it() -> None:
    """Asking for its file is using it."""
    old = entry("a", unused=MAX_UNUSED + 60)
    assert kernel_file(old)
    prune(entry("b"))
    assert old.exists()


def test_what_a_killed_process_left_behind_goes_too() -> None:
    """An entry that was renamed and not removed is removed by the next one."""
    old = entry("a", unused=MAX_UNUSED + 60)
    left = old.rename(old.with_name(f".removing-{old.name}"))
    prune(entry("b"))
    assert not left.exists()


def test_two_that_prune_at_once_do_not_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another process was faster there is nothing left to do, and no error."""
    old = entry("a", unused=MAX_UNUSED + 60)
    this = entry("b")
    rename = Path.rename

    def too_late(path: Path, target: Path) -> Path:
        rename(path, path.with_name("gone"))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", too_late)
    prune(this)
    assert not old.exists()
