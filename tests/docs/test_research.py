"""The pages for researchers do what they say, and their tables are those of the scripts."""

from __future__ import annotations

import doctest
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import gridwise

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["research.md", "suites.md"])
def test_python_on_the_page_runs(page: str) -> None:
    """The examples give what they show."""
    failed, tried = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert tried > 3
    assert failed == 0


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that makes the table of results."""
    path = ROOT / "scripts" / "results_table.py"
    spec = importlib.util.spec_from_file_location("results_table", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("key", "level"),
    [("number-maze", "casual"), ("number-connect", "novice"), ("grid-conquest", "random")],
)
def test_results_come_out_again(script: ModuleType, key: str, level: str) -> None:
    """To the digit; otherwise run scripts/results_table.py --write."""
    page = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    assert script.row(script.report(gridwise.game(key), level)) in page.splitlines()
