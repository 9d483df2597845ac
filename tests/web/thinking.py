"""What worker processes are given to do in tests. They load this, so it loads nothing they lack."""

from __future__ import annotations

import os
import time
from typing import Any

from gridwise.core.position import Position
from gridwise.web.workers.workers import bot_action

AGES = 600.0  # seconds: longer than any test


def never_moves(*_: object) -> int:
    """A bot that thinks for ever."""
    time.sleep(AGES)
    return 0


def thinks_for_ages(*_: object) -> dict[str, Any]:
    """An answer that never comes."""
    time.sleep(AGES)
    return {}


class DiesElsewhere:
    """A bot that ends its process, unless that is this one."""

    def __init__(self) -> None:
        self._here = os.getpid()

    def __call__(self, level: str, seed: str, position: Position) -> int:
        """Die, or move."""
        if os.getpid() != self._here:
            os._exit(3)
        return bot_action(level, seed, position)
