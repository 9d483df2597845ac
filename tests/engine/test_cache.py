"""Compiled kernels stay in the cache as long as somebody uses them, and not for ever."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gridwise.engine.compiled.cache import MAX_UNUSED_SECONDS, kernel_file, kernel_folder, prune

LONG = MAX_UNUSED_SECONDS + 60


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
    os.utime(folder, (then, then))
    return folder


def test_only_what_was_not_used_for_long_goes() -> None:
    """Others of the same kernel go after a month; this one and other kernels stay."""
    old, recent = entry("a", unused=LONG), entry("b", unused=LONG - 120)
    this, other = entry("c", unused=LONG), entry("a", name="research", unused=LONG)
    prune(this)
    assert [each.exists() for each in (old, recent, this, other)] == [False, True, True, True]


def test_using_an_entry_keeps_it() -> None:
    """Asking for its file is using it."""
    old = entry("a", unused=LONG)
    assert kernel_file(old)
    prune(entry("b"))
    assert old.exists()


def test_two_that_prune_at_once_do_not_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another process was faster there is nothing left to do, and no error."""
    old, this = entry("a", unused=LONG), entry("b")
    remove: Callable[[Path], None] = Path.rmdir

    def too_late(folder: Path) -> None:
        (folder / "kernel.py").unlink()
        remove(folder)
        remove(folder)

    monkeypatch.setattr("shutil.rmtree", too_late)
    prune(this)
    assert not old.exists()


# Machine code that others could have written is not run


def loads(cache: Path) -> bool:
    """Whether a kernel would be cached in the folder that was chosen."""
    folder = kernel_folder("number-run", "search", "a")
    return kernel_file(folder) is not None and folder.is_relative_to(cache)


def test_a_cache_is_made_for_this_user_alone(cache: Path) -> None:
    """Whatever the user's usual mode of new folders is."""
    before = os.umask(0)
    try:
        assert loads(cache)
    finally:
        os.umask(before)
    for folder in (cache / "compiled", cache / "compiled/number-run"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


PLACES = ("", "compiled", "compiled/number-run", "compiled/number-run/search-a")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770])
def test_no_code_is_loaded_from_a_folder_that_others_can_write_to(
    cache: Path, place: str, mode: int
) -> None:
    """Wherever it is on the way to the code; then there is another place, or none."""
    assert loads(cache)
    (cache / place).chmod(mode)
    assert not loads(cache)


@pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away"
)
@pytest.mark.parametrize("place", PLACES)
def test_what_belongs_to_somebody_else_is_not_used(cache: Path, place: str) -> None:
    """Though nobody else could write to it just now."""
    assert loads(cache)
    os.chown(cache / place, 12_345, 12_345)
    assert not loads(cache)


def test_the_temporary_folder_is_named_after_the_user_and_has_to_be_theirs(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else may have made one of that name first: then nothing is cached."""
    assert loads(cache)
    (cache / "compiled").chmod(0o777)
    other = tmp_path / "tmp"
    other.mkdir()
    other.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(other))
    folder = kernel_folder("number-run", "search", "a")
    assert kernel_file(folder)
    (theirs,) = other.iterdir()
    assert theirs.name == f"gridwise-cache-{os.getuid()}"
    assert stat.S_IMODE(theirs.stat().st_mode) == 0o700
    theirs.chmod(0o777)
    assert kernel_file(folder) is None
