"""What operators' tools tell the servers of a database, through a table.

A tool posts a message, each server reads what is new every few seconds. A message is a name:

    reload ID    the game was changed or removed: do not go on with what is in memory
    seats HASH   the same for all games of a browser, by how the hash of its token begins
    drain TIME   take no new games, and stop when nobody plays, at TIME (in seconds since 1970) at
                 the latest; 0: go on as usual
"""

from __future__ import annotations

import time
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import delete, insert, select

from gridwise.web.storage.schema import server_state
from gridwise.web.storage.store import HEARTBEAT, Store, in_batches

RELOAD, SEATS, DRAIN = "reload", "seats", "drain"
HASH_LENGTH = 24  # characters: a message has at most 32
KEPT_SECONDS = 3_600.0  # servers read messages within a few
POSTING_LOCK = 0x67726965  # the advisory lock of PostgreSQL that whoever posts holds

_MESSAGES = server_state.c.name != HEARTBEAT


class AdminMessage(NamedTuple):
    """What a tool tells all servers of a database."""

    kind: str
    value: str


def post(connection: sa.Connection, kind: str, *values: str) -> None:
    """Post messages to all servers of a database, when the transaction is committed."""
    if not values:
        return
    names = [f"{kind} {value}" for value in values]
    # One at a time until the end of the transaction: a server that has read a message does not look
    # for earlier ones. SQLite waits by itself at the first thing that is written.
    if connection.dialect.name == "postgresql":
        connection.execute(select(sa.func.pg_advisory_xact_lock(POSTING_LOCK)))
    for some in in_batches(names):
        connection.execute(delete(server_state).where(server_state.c.name.in_(some)))
    # Later than all others, whatever the clocks of several machines say.
    posted = max(time.time(), _last(connection) + 0.001)
    connection.execute(insert(server_state), [{"name": each, "value": posted} for each in names])


def last_posted(store: Store) -> float:
    """When the last message was posted, 0 for never."""
    with store.engine.connect() as connection:
        return _last(connection)


def posted_after(store: Store, posted: float) -> tuple[float, list[AdminMessage]]:
    """The messages that were posted since, and when the last one was."""
    chosen = select(server_state).where(_MESSAGES, server_state.c.value > posted)
    with store.engine.connect() as connection:
        rows = connection.execute(chosen.order_by(server_state.c.value)).all()
    found = [AdminMessage(*row.name.partition(" ")[::2]) for row in rows]
    return max([posted, *(row.value for row in rows)]), found


def remove_old(store: Store) -> None:
    """Remove messages that every server has read.

    The last one about draining stays: a process that replaces another has to read it, too.
    """
    drains = server_state.c.name.like(f"{DRAIN} %")
    last_drain = select(sa.func.max(server_state.c.value)).where(drains)
    with store.engine.begin() as connection:
        kept = float(connection.execute(last_drain).scalar() or 0.0)
        old = server_state.c.value < time.time() - KEPT_SECONDS
        last = sa.and_(drains, server_state.c.value == kept)
        connection.execute(delete(server_state).where(_MESSAGES, old, sa.not_(last)))


def _last(connection: sa.Connection) -> float:
    last = connection.execute(select(sa.func.max(server_state.c.value)).where(_MESSAGES))
    return float(last.scalar() or 0.0)
