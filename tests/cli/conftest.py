from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .program import LOADED


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A place of its own for one test: the program's home and its working folder."""
    return tmp_path


@pytest.fixture(scope="session", autouse=True)
def loaded() -> Iterator[None]:
    """End the process that quick runs share."""
    yield
    LOADED.close()
