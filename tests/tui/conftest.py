from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gridwise.worker_process import WorkerProcess


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folder of its own for every test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("GRIDWISE_HOME", str(folder))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder


@pytest.fixture(autouse=True)
def engine_in_a_thread(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots think in this process, which takes no time to start; `own_engine` does not."""
    if "own_engine" not in request.fixturenames:
        monkeypatch.setattr(WorkerProcess, "call", _call_here)


@pytest.fixture
def own_engine() -> None:
    """Let bots think where they do when people play: in a process of their own."""


def _call_here(
    _: WorkerProcess, function: Callable[..., object], *args: object, **kwargs: object
) -> object:
    return function(*args, **kwargs)
