"""What we use of Inspect that is not public: a release without it is refused in one line."""

from __future__ import annotations

import runpy
from importlib import import_module
from pathlib import Path

import pytest


def test_a_release_that_moved_a_name_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line names the release that works: the one that constraints.txt pins."""
    internals = import_module("gridwise.evals.inspect_internals")  # with Inspect: 1 s
    pinned = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8")
    assert f"inspect_ai=={internals.TESTED}" in pinned.splitlines()
    monkeypatch.delattr("inspect_ai.scorer._scorer.scorer_register")
    with pytest.raises(ImportError, match=internals.TESTED) as raised:
        runpy.run_path(str(internals.__file__))
    assert "\n" not in str(raised.value)
