"""Player: anything that can choose a move. People are asked elsewhere."""

from __future__ import annotations

from typing import Protocol

from gridwise.core.game import Position


class Player(Protocol):
    """Anything that can choose a move from what may be seen."""

    name: str

    def choose(self, position: Position) -> int:
        """One of the legal actions."""
