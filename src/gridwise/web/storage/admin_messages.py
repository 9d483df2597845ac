"""What operators' tools tell the servers of a database, through a table.

A tool posts a message, each server reads what is new every few seconds. A message is a name:

    reload ID    the game was changed or removed: do not go on with what is in memory
    seats HASH   the same for all games of a browser, by how the hash of its token begins
    drain TIME   take no new games, and stop when nobody plays, at TIME (in seconds since 1970) at
                 the latest; 0: go on as usual
"""

from __future__ import annotations

import time

import sqlalchemy as sa
from sqlalchemy import delete, insert, select

from gridwise.web.storage.schema import server_state
from gridwise.web.storage.store import GameStore

RELOAD, SEATS, DRAIN = "reload", "seats", "drain"
HASH_LENGTH = 24  # characters: a message has at most 32
KEPT_SECONDS = 3_600.0  # servers read messages within a few
POSTING_LOCK = 0x67726965  # the advisory lock of PostgreSQL that whoever posts holds


def post(connection: sa.Connection, kind: str, *values: str) -> None:
    """Post messages to all servers of a database, when the transaction is committed."""
    if not values:
        return
    names = [f"{kind} {value}" for value in values]
    # One at a time until the end of the transaction: a server that has read a message does not look
    # for earlier ones. SQLite waits by itself at the first thing that is written.
    if connection.dialect.name == "postgresql":
        connection.execute(select(sa.func.pg_advisory_xact_lock(POSTING_LOCK)))
    connection.execute(delete(server_state).where(server_state.c.name.in_(names)))
    # Later than all others, whatever the clocks of several machines say.
    posted = max(time.time(), _last(connection) + 0.001)
    connection.execute(insert(server_state), [{"name": each, "value": posted} for each in names])


def posted_after(store: GameStore, posted: float | None) -> tuple[float, list[tuple[str, str]]]:
    """When the last message was posted, and kind and value of those after a time, if given."""
    with store.engine.connect() as connection:
        if posted is None:
            return _last(connection), []
        chosen = select(server_state).where(server_state.c.value > posted)
        rows = connection.execute(chosen.order_by(server_state.c.value)).all()
    messages = [(kind, value) for kind, _, value in (row.name.partition(" ") for row in rows)]
    return max([posted, *(row.value for row in rows)]), messages


def remove_old(store: GameStore) -> None:
    """Remove messages that every server has read."""
    old = server_state.c.value < time.time() - KEPT_SECONDS
    with store.engine.begin() as connection:
        connection.execute(delete(server_state).where(old))


def _last(connection: sa.Connection) -> float:
    return float(connection.execute(select(sa.func.max(server_state.c.value))).scalar() or 0.0)
