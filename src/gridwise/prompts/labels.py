"""The parts of a prompt that are read back: labels, and what stands between moves in a list."""

from __future__ import annotations

from typing import NamedTuple

GAME = "Game"
FIRST = "First to move"
POINTS = "Points to reach"
HANDICAP = "Handicap"
BOARD = "Board"
HISTORY = "Moves so far"
LEGAL = "Legal moves"
NONE = "none"
UNKNOWN = "not known"
SEPARATOR = "; "
MOVE = "MOVE:"  # what the last line of a reply begins with


class Prompt(NamedTuple):
    """What a model is asked with."""

    system: str  # the rules, and how to answer
    user: str  # the position

    @property
    def messages(self) -> list[dict[str, str]]:
        """The same as a list of chat messages."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    def __str__(self) -> str:
        return f"{self.system}\n\n{self.user}"
