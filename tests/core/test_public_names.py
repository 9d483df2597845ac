"""The public names of the package are there, and cost nothing until they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import gridwise


@pytest.mark.parametrize("name", gridwise.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    """What `__all__` promises can be imported, and `dir` shows it."""
    assert getattr(gridwise, name) is not None
    assert name in dir(gridwise)


def test_other_names_are_refused_as_usual() -> None:
    """A slip gets the usual error."""
    with pytest.raises(AttributeError, match="no attribute 'gmae'"):
        _ = gridwise.gmae


def test_games_is_the_function_whatever_was_imported_first() -> None:
    """The folder of games has the same name; the function wins."""
    code = "import gridwise.games.number_run, gridwise; print(len(gridwise.games()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "5\n"


@pytest.mark.untraced
def test_importing_the_package_is_light() -> None:
    """Nothing heavy is loaded by the import alone."""
    code = (
        "import sys, gridwise; print([name for name in "
        "('numpy', 'numba', 'rich', 'typer', 'dataclasses', 'json') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
