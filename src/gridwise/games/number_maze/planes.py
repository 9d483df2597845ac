"""What an agent sees of Number Maze, from its own side."""

from __future__ import annotations

from gridwise.core.defaults import counts
from gridwise.core.defaults import race_planes as planes

__all__ = ["ACTIONS", "COUNTS", "PLANES", "VALUE", "counts", "planes"]

VALUE = "the cell's number, which is how far a token on it must go"
PLANES = {
    "my token": "where I stand",
    "their token": "where the opponent stands",
    "my start": "my start, which the opponent must land on",
    "their start": "the opponent's start, which I must land on",
}
COUNTS: dict[str, str] = {}
ACTIONS: tuple[str, ...] = (
    "up, as far as the number says",
    "down, as far as the number says",
    "left, as far as the number says",
    "right, as far as the number says",
)
