"""Upkeep of a database: games that have waited too long or are old, and notes to its servers.

Operators' tools and the servers of a database talk through notes: a tool posts one, each server
reads what is new every few seconds. A note is a name:

    reload ID    the game was changed or removed: do not go on with what is in memory
    drain TIME   take no new games, and stop when nobody plays, at TIME (in seconds since 1970) at
                 the latest; 0: go on as usual
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import delete, insert, select

from gridwise.web.storage.schema import events, games, seats, server_state
from gridwise.web.storage.store import HEARTBEAT, MOST_ASKED, PLAYING, WAITING, Store

RELOAD, DRAIN = "reload", "drain"
NOTES_KEPT = 3_600.0  # seconds; servers read them within a few

POSTING = 0x67726965  # the advisory lock of PostgreSQL that whoever posts notes holds

_NOTES = server_state.c.name != HEARTBEAT


class Note(NamedTuple):
    """What a tool has posted to all servers of a database."""

    kind: str
    value: str


class Upkeep:
    """What is done to the games of a database besides playing them."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine

    # Games

    def unjoined(self, after: float, before: float, limit: int) -> list[str]:
        """Games made between two times whose free seat nobody has taken; the oldest first."""
        made = games.c.created.between(after, before)
        chosen = select(games.c.id).where(games.c.status == WAITING, made)
        with self._engine.connect() as connection:
            found = connection.execute(chosen.order_by(games.c.created).limit(limit))
            return list(found.scalars())

    def still_waiting(self, ids: Sequence[str]) -> set[str]:
        """Those of some games whose free seat nobody has taken."""
        found: set[str] = set()
        with self._engine.connect() as connection:
            for some in in_parts(ids):
                chosen = select(games.c.id).where(games.c.id.in_(some), games.c.status == WAITING)
                found.update(connection.execute(chosen).scalars())
        return found

    def unfinished(self, ids: Sequence[str], fresh: float) -> set[str]:
        """Those of some games that are not over, and began in the last `fresh` seconds."""
        found: set[str] = set()
        with self._engine.connect() as connection:
            for some in in_parts(ids):
                chosen = select(games.c.id).where(
                    games.c.id.in_(some),
                    games.c.status.in_([WAITING, PLAYING]),
                    games.c.created > time.time() - fresh,
                )
                found.update(connection.execute(chosen).scalars())
        return found

    def count_finished(self, before: float) -> int:
        """How many games ended before a time."""
        counted = select(sa.func.count()).where(games.c.finished < before)
        with self._engine.connect() as connection:
            return int(connection.execute(counted).scalar_one())

    def remove_finished(self, before: float, limit: int) -> int:
        """Remove some games that ended before a time, the oldest first; how many it were."""
        chosen = select(games.c.id).where(games.c.finished < before)
        with self._engine.begin() as connection:
            oldest = chosen.order_by(games.c.finished).limit(limit)
            ids = list(connection.execute(oldest).scalars())
            remove(connection, ids)
        return len(ids)

    # Notes

    def last_note(self) -> float:
        """When the last note was posted, 0 for never."""
        with self._engine.connect() as connection:
            return _last(connection)

    def notes_after(self, posted: float) -> tuple[float, list[Note]]:
        """The notes that were posted since, and when the last one was."""
        chosen = select(server_state).where(_NOTES, server_state.c.value > posted)
        with self._engine.connect() as connection:
            rows = connection.execute(chosen.order_by(server_state.c.value)).all()
        notes = [Note(*row.name.partition(" ")[::2]) for row in rows]
        return max([posted, *(row.value for row in rows)]), notes

    def remove_old_notes(self) -> None:
        """Remove notes that every server has read.

        The last one about draining stays: a process that replaces another has to read it, too.
        """
        drains = server_state.c.name.like(f"{DRAIN} %")
        last_drain = select(sa.func.max(server_state.c.value)).where(drains)
        with self._engine.begin() as connection:
            kept = float(connection.execute(last_drain).scalar() or 0.0)
            old = server_state.c.value < time.time() - NOTES_KEPT
            last = sa.and_(drains, server_state.c.value == kept)
            connection.execute(delete(server_state).where(_NOTES, old, sa.not_(last)))


def remove(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Remove games with their seats and events."""
    for some in in_parts(ids):
        connection.execute(delete(events).where(events.c.game_id.in_(some)))
        connection.execute(delete(seats).where(seats.c.game_id.in_(some)))
        connection.execute(delete(games).where(games.c.id.in_(some)))


def post(connection: sa.Connection, notes: Iterable[Note]) -> None:
    """Post notes to all servers of a database, when the transaction is committed."""
    names = [f"{note.kind} {note.value}" for note in notes]
    # One at a time until the end of the transaction: a server that has read a note does not look
    # for earlier ones. SQLite waits by itself at the first thing that is written.
    if connection.dialect.name == "postgresql":
        connection.execute(select(sa.func.pg_advisory_xact_lock(POSTING)))
    for some in in_parts(names):
        connection.execute(delete(server_state).where(server_state.c.name.in_(some)))
    # Later than all others, whatever the clocks of several machines say.
    posted = max(time.time(), _last(connection) + 0.001)
    for some in in_parts(names):
        rows = [{"name": name, "value": posted} for name in some]
        connection.execute(insert(server_state), rows)


def in_parts(items: Sequence[str]) -> Iterable[Sequence[str]]:
    """Some at a time, as many as a statement takes."""
    return (items[start : start + MOST_ASKED] for start in range(0, len(items), MOST_ASKED))


def _last(connection: sa.Connection) -> float:
    last = connection.execute(select(sa.func.max(server_state.c.value)).where(_NOTES))
    return float(last.scalar() or 0.0)
