"""Backups: all games of a database in one file, for the same database or another kind.

A backup is JSON Lines: a head, one line for each game with its seats and events, and an end that
says how many games there are, so that a file that is cut short is noticed. It is the same for
SQLite and PostgreSQL; it has all secrets that the database has, so only its owner can read it.

    {"format": "gridwise-games", "version": 2}
    {"game": {"id": …}, "seats": [{…}, {…}], "events": [{…}, …]}
    {"end": 1}
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import sqlalchemy as sa
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError

from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.folders import rename
from gridwise.web.storage import Store
from gridwise.web.storage.schema import events, games, seats

Row = dict[str, Any]
FORMAT, VERSION = "gridwise-games", 2
# What the first version did not have: a single game without a clock, whose turn follows from it.
NEW_IN_2: Row = {
    "best_of": 1, "round": 1, "halves_one": 0, "halves_two": 0, "seconds": None, "increment": 0.0,
    "termination": None, "turn": None, "flag_falls": None,
}  # fmt: skip
SOME = 200  # games that are read or written at a time
Progress = Callable[[int], None]


class BadBackup(GridwiseError):
    """A file that is not a whole backup; the message says where."""

    kind = "bad-backup"


# Writing one


def back_up(store: Store, path: Path, progress: Progress) -> int:
    """Write all games, as they are at this moment, to a file; how many.

    The file gets its name when it is whole; until then an older one of that name stays.
    """
    _check_apart(store, path)
    done = 0
    try:
        with _replacing(path) as out:
            _write(out, {"format": FORMAT, "version": VERSION})
            for row in _snapshot(store):
                _write(out, row)
                done += 1
                progress(done)
            _write(out, {"end": done})
    except OSError as error:
        raise GridwiseError(f"Cannot write {path}: {error.strerror or error}.") from None
    return done


def _check_apart(store: Store, path: Path) -> None:
    """Raise BadRequest if a backup would take the place of the database or of a file beside it."""
    url = store.engine.url
    if url.get_backend_name() != "sqlite":
        return
    database = Path(str(url.database)).resolve()
    for suffix in ("", "-wal", "-shm", "-journal", ".lock"):
        file = Path(f"{database}{suffix}")
        if path.resolve() == file or (path.exists() and file.exists() and path.samefile(file)):
            raise BadRequest(f"{path} is part of the database. Back it up to another file.")


def _write(out: TextIO, value: Row) -> None:
    out.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def _snapshot(store: Store) -> Iterator[Row]:
    """All games of one moment, while others go on writing."""
    sqlite = store.engine.dialect.name == "sqlite"
    options = {} if sqlite else {"isolation_level": "REPEATABLE READ"}
    with store.engine.connect().execution_options(**options) as connection:
        if sqlite:
            connection.exec_driver_sql("BEGIN")  # the first read takes the snapshot
        last = ""
        while True:
            chosen = select(games).where(games.c.id > last).order_by(games.c.id).limit(SOME)
            found = [dict(row) for row in connection.execute(chosen).mappings()]
            if not found:
                return
            ids = [row["id"] for row in found]
            sat, happened = (_by_game(connection, table, ids) for table in (seats, events))
            for row in found:
                game_id = row["id"]
                yield {
                    "game": row,
                    "seats": sat.get(game_id, []),
                    "events": happened.get(game_id, []),
                }
            last = ids[-1]


def _by_game(connection: sa.Connection, table: sa.Table, ids: list[str]) -> dict[str, list[Row]]:
    chosen = select(table).where(table.c.game_id.in_(ids))
    found: dict[str, list[Row]] = {}
    for row in connection.execute(chosen.order_by(table.c.game_id, table.c.number)).mappings():
        values = dict(row)
        found.setdefault(values.pop("game_id"), []).append(values)
    return found


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """A new file that takes a name when it is whole and on disk; compressed if that ends in .gz."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            if path.suffix == ".gz":
                with gzip.open(file, "wt", encoding="utf-8") as out:
                    yield out
            else:
                with open(os.dup(file.fileno()), "w", encoding="utf-8") as out:
                    yield out
            file.flush()
            os.fsync(file.fileno())
        rename(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


# Reading one


def restore(store: Store, path: Path) -> int:
    """Put all games of a backup into a database that has none; how many. All of them, or none."""
    done, end = 0, None
    with store.engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        if connection.execute(select(games.c.id).limit(1)).first():
            raise BadRequest("The database has games already. Restore into an empty one.")
        waiting: dict[sa.Table, list[Row]] = {games: [], seats: [], events: []}
        for number, line in _lines(path):
            if end is not None:
                raise BadBackup(f"{path} goes on after its end, in line {number}.")
            if "end" in line:
                end = line["end"]
                continue
            try:
                _add(waiting, line)
            except (KeyError, TypeError, AttributeError, ValueError):
                raise BadBackup(f"Line {number} of {path} is not a game.") from None
            done += 1
            if len(waiting[games]) == SOME:
                _insert(connection, waiting, f"{path}, before line {number}")
        if end != done:
            raise BadBackup(
                f"{path} is not a whole backup: {done:,} games, and then it breaks off."
            )
        _insert(connection, waiting, f"{path}, at the end")
    return done


def _lines(path: Path) -> Iterator[tuple[int, Row]]:
    """The lines after the head, with their numbers."""
    head = None
    try:
        opening = gzip.open if path.suffix == ".gz" else open
        with opening(path, "rt", encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                line = _parsed(text)
                if line is None:
                    raise BadBackup(f"Line {number} of {path} is damaged.")
                if head is None:
                    head = line
                    _check_head(path, line)
                else:
                    yield number, line
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        why = getattr(error, "strerror", None) or "it is damaged"
        raise BadBackup(f"Cannot read {path}: {why}.") from None
    if head is None:
        raise BadBackup(f"{path} is empty.")


def _parsed(text: str) -> Row | None:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _check_head(path: Path, head: Row) -> None:
    if head.get("format") != FORMAT:
        raise BadBackup(f"{path} is not a backup of games.")
    if head.get("version") not in (1, VERSION):
        found = quoted(str(head.get("version")))
        raise BadBackup(f"{path} has version {found}; this Gridwise reads up to {VERSION}.")


def _add(waiting: dict[sa.Table, list[Row]], line: Row) -> None:
    """A game's rows, which have the columns of the tables and no others."""
    game_id = line["game"]["id"]
    rows: dict[sa.Table, list[Row]] = {
        games: [NEW_IN_2 | line["game"]],
        seats: [{"game_id": game_id, **each} for each in line["seats"]],
        events: [{"game_id": game_id, **each} for each in line["events"]],
    }
    for table, some in rows.items():
        names = set(table.columns.keys())
        if any(set(row) != names for row in some):
            raise KeyError(table.name)
        waiting[table] += some
    if [seat["number"] for seat in rows[seats]] != [1, 2]:
        raise ValueError(game_id)


def _insert(connection: sa.Connection, waiting: dict[sa.Table, list[Row]], where: str) -> None:
    for table, rows in waiting.items():
        if rows:
            try:
                connection.execute(insert(table), rows)
            except OperationalError:
                raise  # the disk is full, or the database gone: that is not the file's fault
            except (IntegrityError, StatementError):
                raise BadBackup(f"A game cannot be stored ({where}).") from None
        rows.clear()
