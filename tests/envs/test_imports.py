"""Environments cost nothing until one is asked for."""

from __future__ import annotations

from tests.engine.new_python import run_python

HEAVY = ("numpy", "numba", "gymnasium", "pettingzoo", "pyspiel", "PIL")


def test_nothing_heavy_is_imported_at_first() -> None:
    """Importing the room, and what draws, loads no framework."""
    program = (
        "import sys, gridwise.envs, gridwise.envs.render\n"
        f"print([each for each in {HEAVY} if each in sys.modules])"
    )
    assert run_python(program).stdout == "[]\n"
