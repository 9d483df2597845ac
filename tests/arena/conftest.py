"""The games that every claim about environments is made of: the five, and the toy."""

from __future__ import annotations

from tests.conformance.conftest import ALL, game, with_the_toy
from tests.engine.conftest import compiled_code

__all__ = ["ALL", "compiled_code", "game", "with_the_toy"]  # fixtures that this folder needs too
