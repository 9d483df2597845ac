"""What we use of Inspect that is not public: a release without it is refused in one line."""

from __future__ import annotations

import runpy
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def inspect_internals() -> ModuleType:
    """The module, with Inspect: 1 s."""
    return import_module("gridwise.evals.inspect_internals")


def test_a_release_that_moved_a_name_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, inspect_internals: ModuleType
) -> None:
    """The line names the release that works."""
    monkeypatch.delattr("inspect_ai.scorer._scorer.scorer_register")
    with pytest.raises(ImportError, match=inspect_internals.TESTED) as raised:
        runpy.run_path(str(inspect_internals.__file__))
    assert "\n" not in str(raised.value)


def test_the_release_that_works_is_the_one_that_is_tested(inspect_internals: ModuleType) -> None:
    """It is the one that constraints.txt pins."""
    pinned = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8")
    assert f"inspect_ai=={inspect_internals.TESTED}" in pinned.splitlines()
