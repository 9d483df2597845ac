"""Environments cost nothing until one is asked for."""

from __future__ import annotations

import pytest

from tests.engine.new_python import run_python

HEAVY = ("numpy", "numba", "gymnasium", "pettingzoo", "pyspiel", "PIL")


def test_nothing_heavy_is_imported_at_first() -> None:
    """Importing the room, and what draws, loads no framework."""
    program = (
        "import sys, gridwise.envs, gridwise.envs.shared.render\n"
        f"print([each for each in {HEAVY} if each in sys.modules])"
    )
    assert run_python(program).stdout == "[]\n"


def test_public_names() -> None:
    """What the room offers is there, and what it does not offer is said so."""
    import gridwise.envs  # noqa: PLC0415 - it is what is tested

    assert dir(gridwise.envs) == ["Report", "grade"]
    for name in dir(gridwise.envs):
        assert getattr(gridwise.envs, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'grades'"):
        gridwise.envs.grades  # noqa: B018 - that is the point
