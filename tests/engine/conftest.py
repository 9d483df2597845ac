"""Compiled code goes to a folder of the test run, shared by all its processes."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def compiled_code(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Leave the user's own cache alone."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["GRIDWISE_CACHE"] = str(shared / "compiled")
