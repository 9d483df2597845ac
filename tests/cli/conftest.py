from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A place of its own for one test: the program's home and its working folder."""
    return tmp_path
