"""What the operator of a server does to its database: the work behind `gridwise server`.

All of it can be done while servers run on the database. They hear of it by messages, which they
read every few seconds (`storage/admin_messages.py`).
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import and_, exists, insert, select
from sqlalchemy.exc import DBAPIError

from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.folders import rename
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.stored_game import StoredGame, hash_token
from gridwise.web.storage import GameStore, open_database, sqlite_file
from gridwise.web.storage.admin_messages import DRAIN, RELOAD, post
from gridwise.web.storage.database import reason
from gridwise.web.storage.schema import METADATA, games, seats, server_state, version
from gridwise.web.storage.store import CANCELLED, LAST_NUMBER, OVER, remove_games, stopped
from gridwise.web.storage.visitors import erase_names, some_games

LOCK_WAIT_SECONDS = 30.0  # a tool has time
STATEMENT_SECONDS = 600.0
DAY_SECONDS = 86_400.0
STOPPED = "stopped by the operator of the server"
ROWS_COPIED = 1_000  # that are read and written at a time
GAMES_CHECKED = 500  # that are listed at a time
GAMES_REMOVED = 100  # in one step
PAUSE_SECONDS = 0.05  # between two steps, in which servers write

Filter = sa.ColumnElement[bool]


@contextmanager
def opened(database: str, folder: Path, *, new: bool = False) -> Iterator[GameStore]:
    """The store of a database: by URL, or the file of this folder; one that is there, unless new.

    Errors of the database become sentences.
    """
    address = database or sqlite_file(folder / "games.db", new=new)
    store = GameStore(open_database(address, LOCK_WAIT_SECONDS, STATEMENT_SECONDS, new=new))
    try:
        yield store
    except DBAPIError as error:
        raise GridwiseError(f"The database failed: {reason(error)}.") from None
    except UnicodeEncodeError as error:  # from a command line in another encoding
        raise BadRequest(f"{quoted(str(error.object))} is not text in UTF-8.") from None
    finally:
        store.close()


# Copies of a database: of one moment, while servers go on writing


def back_up(store: GameStore, path: Path) -> int:
    """Write the database to an SQLite file, by SQLite's own means; how many games it has.

    It has all secrets that the database has, so only the owner can read it. It gets its name when
    it is whole and on disk; until then an older file of that name stays.
    """
    url = store.engine.url
    if url.get_backend_name() != "sqlite":
        address = url.set(drivername="postgresql").render_as_string(hide_password=True)
        command = shlex.join(["pg_dump", "--format=custom", f"--file={path}", address])
        raise BadRequest(f"PostgreSQL has its own backups: {command}")
    database = Path(str(url.database)).resolve()
    ends = ("", "-wal", "-shm", "-journal", ".lock")
    if path.resolve() in [Path(f"{database}{end}") for end in ends]:
        raise BadRequest(f"{path} is part of the database. Back it up to another file.")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name[:80]}.", dir=path.parent) as folder:
            copied = Path(folder) / "copy.db"
            copied.touch(0o600)
            with closing(sqlite3.connect(copied)) as copy, store.engine.connect() as source:
                # All pages at once: in steps it would begin anew whenever somebody moves.
                source.connection.driver_connection.backup(copy)  # type: ignore[union-attr]
                (many,) = copy.execute("SELECT count(*) FROM games").fetchone()
            with copied.open("rb") as file:
                os.fsync(file.fileno())
            rename(copied, path)
    except (OSError, sqlite3.Error) as error:
        raise GridwiseError(f"Cannot write {path}: {getattr(error, 'strerror', error)}.") from None
    return int(many)


def copy_games(source: GameStore, target: GameStore) -> int:
    """Copy all rows into a database that has no games, all of them or none; how many games.

    But for what is said to the servers of the one database alone.
    """
    sqlite = source.engine.dialect.name == "sqlite"
    options = {} if sqlite else {"isolation_level": "REPEATABLE READ"}
    many = 0
    with (
        source.engine.connect().execution_options(yield_per=ROWS_COPIED, **options) as reading,
        target.engine.begin() as writing,
    ):
        if sqlite:
            reading.exec_driver_sql("BEGIN")  # the first read takes the snapshot
        if writing.execute(select(games.c.id).limit(1)).first():
            raise BadRequest("The other database has games already. Copy into an empty one.")
        for table in METADATA.sorted_tables:
            if table not in (server_state, version):
                for rows in reading.execute(select(table)).mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in rows])
                    many += len(rows) if table is games else 0
    return many


# Whether every stored game can be read and played through, and is what it says it is


def check(store: GameStore, progress: Callable[[int], None]) -> Iterator[tuple[str, str]]:
    """The id of each game that is not as it should be, and what is wrong with it."""
    if store.engine.dialect.name == "sqlite":
        for (problem,) in store.read(sa.text("PRAGMA integrity_check")):
            if problem != "ok":
                yield "", f"SQLite finds the file damaged: {problem}"
    done, last = 0, ""
    chosen = select(games.c.id).order_by(games.c.id).limit(GAMES_CHECKED)
    while rows := store.read(chosen.where(games.c.id > last)):
        for (game_id,) in rows:
            # On a running server it may have changed between two looks; twice is no accident.
            if _problems(store, game_id):
                yield from ((game_id, problem) for problem in _problems(store, game_id))
            done += 1
            progress(done)
        last = rows[-1].id


def _problems(store: GameStore, game_id: str) -> list[str]:
    try:
        stored = store.load(game_id)
        rows = store.read(select(games.c.status).where(games.c.id == game_id))
        if not rows:
            return []  # it was removed meanwhile
        return list(_differences(stored, *rows[0])) if stored else ["it does not have two seats"]
    except Exception as error:  # noqa: BLE001 - whatever it is, the game cannot be opened
        # Not the message: it may quote hidden cells.
        return [f"it cannot be read ({type(error).__name__})"]


def _differences(stored: StoredGame, status: str) -> Iterator[str]:
    numbers = [entry.number for entry in stored.journal]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "its events are not numbered from 1 on"
    session = EventSourcedGame(stored.setup, stored.seats, stored.journal)
    outcome = session.match.outcome
    result = outcome.result if outcome else None
    if result != (stored.ending.result if stored.ending else None):
        yield f"it is stored as {stored.ending}, but played through it ends as {result}"
    expected = session.status
    if (OVER if status == CANCELLED else status) != expected:
        yield f"it is listed as {status}, but it is {expected}"


# Listing, stopping and removing games, erasing names, draining servers


def such_games(status: str = "", game: str = "", name: str = "", older: float = 0.0) -> Filter:
    """Games that fit all that is given: a player's name, days since it was made."""
    given: list[tuple[object, Filter]] = [
        (status, games.c.status == status),
        (game, games.c.game == game),
        (name, exists().where(seats.c.game_id == games.c.id, seats.c.name == name)),
        (older, games.c.created < time.time() - older * DAY_SECONDS),
    ]
    return and_(sa.true(), *(condition for value, condition in given if value))


def ended_before(days: float) -> Filter:
    """Games that ended more than some days ago."""
    return games.c.finished < time.time() - days * DAY_SECONDS


def list_games(store: GameStore, such: Filter, limit: int) -> list[dict[str, Any]]:
    """Games, the newest first, without what is hidden in them."""
    names = ("id", "game", "status", "created", "finished", "result")
    events = sa.func.coalesce(LAST_NUMBER, 0).label("events")
    chosen = select(*(games.c[name] for name in names), events).where(such)
    newest = chosen.order_by(games.c.created.desc()).limit(limit).subquery()
    sat = select(newest, seats.c.kind, seats.c.name, seats.c.level).join(
        seats, seats.c.game_id == newest.c.id
    )
    listed: dict[str, dict[str, Any]] = {}
    for row in store.read(sat.order_by(newest.c.created.desc(), newest.c.id, seats.c.number)):
        values = dict(row._mapping)  # noqa: SLF001 - its name keeps it apart from the columns
        player = {name: values.pop(name) for name in ("kind", "name", "level")}
        listed.setdefault(row.id, values | {"players": []})["players"].append(player)
    return list(listed.values())


def count_games(store: GameStore, such: Filter | None = None) -> int:
    """How many games there are."""
    counted = select(sa.func.count()).select_from(games)
    return int(store.read(counted if such is None else counted.where(such))[0][0])


def stop_game(store: GameStore, game_id: str) -> None:
    """End a game without a result; raises WriteConflict if somebody moves at this moment."""
    chosen = select(games.c.finished, sa.func.coalesce(LAST_NUMBER, 0).label("last"))
    rows = store.read(chosen.where(games.c.id == game_id))
    if not rows:
        raise BadRequest(f"There is no game {quoted(game_id)}.")
    if rows[0].finished is not None:
        raise BadRequest(f"The game {game_id} is over already.")
    store.write([stopped(game_id, rows[0].last, STOPPED, time.time())])
    with store.engine.begin() as connection:
        post(connection, RELOAD, game_id)


def delete_games(store: GameStore, ids: Iterable[str]) -> int:
    """Remove games with all that happened in them; how many."""
    ids = list(dict.fromkeys(ids))  # the same one may be named twice
    with store.engine.begin() as connection:
        known = set(connection.execute(select(games.c.id).where(games.c.id.in_(ids))).scalars())
        if missing := [each for each in ids if each not in known]:
            raise BadRequest(f"There is no game {quoted(missing[0])}. Nothing was deleted.")
        remove_games(connection, ids)
        post(connection, RELOAD, *ids)
    return len(ids)


def erase_name(store: GameStore, name: str = "", token: str = "") -> int:
    """Remove a player's name, or all names of who has a token; from how many games.

    The token is as it is in the cookie, or its hash as it is in the database. The games stay. Also
    the reason why one ended may have the name of a player in it.
    """
    such = seats.c.name == name
    if not name:
        such = and_(seats.c.token.in_([token, hash_token(token)]), seats.c.name != "")
    done = 0
    while ids := some_games(store, such):
        with store.engine.begin() as connection:
            erase_names(connection, and_(seats.c.game_id.in_(ids), such))
            post(connection, RELOAD, *ids)
        done += len(ids)
        time.sleep(PAUSE_SECONDS)
    return done


def remove_old(store: GameStore, days: float, progress: Callable[[int], None]) -> int:
    """Remove games that ended more than some days ago, a few at a time; how many."""
    before, done = time.time() - days * DAY_SECONDS, 0
    while removed := store.remove_finished(before, GAMES_REMOVED):
        done += removed
        progress(done)
        time.sleep(PAUSE_SECONDS)
    return done


def drain(store: GameStore, minutes: float | None) -> None:
    """Tell all servers to take no new games, and to stop in that time; None: go on as usual."""
    until = 0 if minutes is None else round(time.time() + 60 * minutes)
    with store.engine.begin() as connection:
        post(connection, DRAIN, str(until))
