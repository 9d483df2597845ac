"""What an agent sees of Grid Runner, from its own side. Obstacles are the cells of value 2."""

from __future__ import annotations

from gridwise.core.defaults import counts
from gridwise.core.defaults import race_planes as planes

__all__ = ["ACTIONS", "COUNTS", "PLANES", "VALUE", "counts", "planes"]

VALUE = "1 for an open cell, 2 for an obstacle"
PLANES = {
    "my token": "where I stand",
    "their token": "where the opponent stands",
    "my start": "my start, which the opponent must reach",
    "their start": "the opponent's start, which I must reach",
}
COUNTS: dict[str, str] = {}
ACTIONS: tuple[str, ...] = ("a step up", "a step down", "a step left", "a step right")
