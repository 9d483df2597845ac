"""The source keeps to its own form: lines that fit, and imports that can be seen."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "gridwise"
LONGEST_LINE = 120  # characters; Python has 100, which ruff checks

# Files that load modules by names in strings, and why import-linter need not see those.
DYNAMIC_IMPORTS = {
    "__init__.py": "the public names, each loaded when first used; TYPE_CHECKING imports them all",
    "cli/main.py": "commands, each loaded when it is called: start-up would wait for all of them",
    "core/registry.py": "games of other packages, by the name of their entry point",
    "players/python_player.py": "a player that somebody names: python:MODULE:NAME",
}


@pytest.mark.parametrize("kind", ["*.js", "*.css", "*.tcss", "*.html"])
def test_lines_of_scripts_styles_and_templates_fit(kind: str) -> None:
    """None is longer than an editor shows."""
    for file in SOURCE.rglob(kind):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= LONGEST_LINE, f"{file.relative_to(SOURCE)}:{number}"


def test_imports_are_straight() -> None:
    """Where a module is loaded by a string there is a reason, and no reason is out of date."""
    found = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
    }
    assert found == set(DYNAMIC_IMPORTS)
