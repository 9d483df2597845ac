"""A clock for budgets, and a stop button: what a search does about them does not take time."""

from __future__ import annotations

import pytest

from gridwise.engine import budget


class FakeClock:
    """A clock that goes on when it is told to, and by so much whenever somebody looks at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, per_look: float = 0.0) -> None:
        self.now = 50.0
        self._per_look = per_look
        monkeypatch.setattr(budget, "time", self)

    def monotonic(self) -> float:
        """The time."""
        self.now += self._per_look
        return self.now


class StopButton:
    """Somebody who has a search stopped when it has asked a few times."""

    def __init__(self, after: int) -> None:
        self.asked = 0
        self._after = after

    def __call__(self) -> bool:
        """Whether to stop."""
        self.asked += 1
        return self.asked > self._after
