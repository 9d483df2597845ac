"""Compiled kernels stay in the cache as long as somebody uses them, and not for ever."""

from __future__ import annotations

import os
import stat
import tempfile
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


ROOT_ONLY = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away"
)
PLACES = ("compiled", "compiled/number-run", "compiled/number-run/search-a")


@pytest.mark.parametrize(
    ("place", "mode"), [*((place, 0o777) for place in PLACES), (PLACES[-1], 0o1777)]
)
def test_no_code_is_loaded_from_a_folder_that_others_can_write_to(
    cache: Path, place: str, mode: int
) -> None:
    """Wherever it is on the way to the code; then there is another place, or none."""
    assert loads(cache)
    (cache / place).chmod(mode)
    assert not loads(cache)


@ROOT_ONLY
@pytest.mark.parametrize("place", PLACES)
def test_no_code_is_loaded_from_a_folder_of_a_group(cache: Path, place: str) -> None:
    """Unless the group is the user's own, which has nobody else in it."""
    assert loads(cache)
    (cache / place).chmod(0o770)
    os.chown(cache / place, -1, 12_345)
    assert not loads(cache)


@pytest.mark.parametrize(("mode", "safe"), [(0o777, False), (0o1777, True), (0o755, True)])
def test_a_folder_above_may_be_open_to_all_only_if_it_is_sticky(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, safe: bool
) -> None:
    """In /tmp nobody can put something else in the place of what is ours."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    monkeypatch.setenv("GRIDWISE_CACHE", str(shared / "mine"))
    assert loads(shared) is safe


@ROOT_ONLY
@pytest.mark.parametrize(
    "place", ["compiled", "compiled/number-run", "compiled/number-run/search-a/__pycache__/x.nbi"]
)
def test_what_belongs_to_somebody_else_is_not_used(cache: Path, place: str) -> None:
    """Nor a file that was put there while the folder was open."""
    assert loads(cache)
    planted = kernel_folder("number-run", "search", "a") / "__pycache__/x.nbi"
    planted.parent.mkdir()
    planted.write_bytes(b"")
    os.chown(cache / place, 12_345, 12_345)
    assert not loads(cache)


def test_a_link_is_as_safe_as_where_it_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a link in a folder that others can write to is not safe wherever it leads."""
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "to-open").symlink_to(tmp_path / "open")
    (tmp_path / "to-mine").symlink_to("mine")
    (tmp_path / "open/to-mine").symlink_to(tmp_path / "mine")
    (tmp_path / "round").symlink_to("round")
    for place, safe in (
        ("to-mine", True),
        ("to-open", False),
        ("open/to-mine", False),
        ("round", False),
    ):
        monkeypatch.setenv("GRIDWISE_CACHE", str(tmp_path / place))
        assert loads(tmp_path) is safe, place


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


def test_the_folder_that_numba_was_told_to_use_is_looked_at_too(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NUMBA_CACHE_DIR goes before every other place."""
    assert loads(cache)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert loads(cache)
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba").chmod(0o777)
    assert not loads(cache)
