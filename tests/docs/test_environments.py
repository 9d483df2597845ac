"""The page about environments does what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_python_on_the_page_runs() -> None:
    """The examples give what they show."""
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 8
    assert failed == 0
