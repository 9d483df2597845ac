"""DatabaseClock: the one clock by which games are timed, whichever process writes to them.

Two machines whose clocks are 20 s apart would charge their players 20 s a move. On PostgreSQL the
time is the database's: how far it is ahead of this process's own clock, one that nobody sets, is
measured at the start and every few seconds. An SQLite file has one process, and its clock is right.
"""

from __future__ import annotations

import time

import sqlalchemy as sa

TRIES = (
    3  # the one with the shortest way there and back counts: it is wrong by half of that at most
)
_THEIRS = sa.select(sa.extract("epoch", sa.func.clock_timestamp()))


class DatabaseClock:
    """The time of a database, in seconds since 1970."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._ahead: float | None = None  # of our own clock; None: not measured

    def now(self) -> float:
        """The time; nothing is asked."""
        return time.time() if self._ahead is None else time.monotonic() + self._ahead

    def measure(self) -> None:
        """Ask PostgreSQL for its time; for a thread."""
        if self._engine.dialect.name != "postgresql":
            return
        with self._engine.connect() as connection:
            self._ahead = min(_compare(connection) for _ in range(TRIES))[1]


def _compare(connection: sa.Connection) -> tuple[float, float]:
    """How long it took to ask for the time, and how far it is ahead of our own clock."""
    asked = time.monotonic()
    theirs = float(connection.execute(_THEIRS).scalar_one())
    took = time.monotonic() - asked
    return took, theirs - (asked + took / 2)
