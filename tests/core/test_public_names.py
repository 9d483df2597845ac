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
@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("gridwise", "numpy numba rich typer dataclasses json"),
        ("import gridwise.engine.evaluation, gridwise.engine.compiled.kernels", "numpy numba"),
        ("import gridwise.testing", "pytest hypothesis numba"),
    ],
)
def test_importing_is_light(code: str, heavy: str) -> None:
    """Nothing is loaded before it is needed: compiler, screens, test frameworks."""
    code = f"import sys, gridwise; {code}; print({set(heavy.split())} & sys.modules.keys())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
