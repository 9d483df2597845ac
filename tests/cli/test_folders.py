"""Where files are kept: what a person has chosen, then the system's own place, then a way out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gridwise.errors import GridwiseError
from gridwise.folders import cache_folder, data_folder

VARIABLES = ("GRIDWISE_HOME", "GRIDWISE_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME")


@pytest.fixture(autouse=True)
def _nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_a_chosen_folder_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The program's own variables come first, and nothing is added to them."""
    for name in VARIABLES:
        monkeypatch.setenv(name, str(tmp_path / name))
    assert data_folder() == tmp_path / "GRIDWISE_HOME"
    assert cache_folder() == tmp_path / "GRIDWISE_CACHE"


@pytest.mark.skipif(sys.platform != "linux", reason="each system has its own places")
def test_the_usual_places_on_linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where earlier versions kept their games, so that those are still found."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local/share/gridwise"
    assert cache_folder() == tmp_path / ".cache/gridwise"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert data_folder() == tmp_path / "data/gridwise"
    assert cache_folder() == tmp_path / "cache/gridwise"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere everybody has a home")
def test_somebody_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code goes to the temporary folder; games need a folder that is named."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert cache_folder().is_absolute()
    with pytest.raises(GridwiseError, match="GRIDWISE_HOME"):
        data_folder()
