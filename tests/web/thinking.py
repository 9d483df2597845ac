"""What worker processes are given to do in tests. They load this, so it loads nothing they lack."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from gridwise.core.position import Position
from gridwise.web.workers.engine import bot_action

AGES = 600.0  # seconds: longer than any test


def never_moves(*_: object) -> int:
    """A bot that thinks for ever."""
    time.sleep(AGES)
    return 0


def thinks_for_ages(*_: object) -> dict[str, Any]:
    """An answer that never comes."""
    time.sleep(AGES)
    return {}


def dies(*_: object) -> int:
    """A bot that ends its process."""
    os._exit(3)


class Elsewhere:
    """A bot that does something else instead in another process than this one."""

    def __init__(self, does: Callable[..., int]) -> None:
        self._does, self._here = does, os.getpid()

    def __call__(self, level: str, seed: str, position: Position) -> int:
        """Fail, or move."""
        return (bot_action if os.getpid() == self._here else self._does)(level, seed, position)
