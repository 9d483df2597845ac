"""ResultStore: what a run has found so far, in one SQLite file: it goes on where it was killed.

A key (of a task, of a game, of a position) leads to a result as JSON. One row says what the run is
about, and the file of another run is refused. Whatever was put survives the death of the process at
once; after that of the machine the last ones may be missing, and the file is whole. To wait for the
disk takes a millisecond and more, as long as a bot thinks about a move.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self, TypeAlias

import gridwise
from gridwise.errors import BadRequest, GridwiseError, quoted

JSON: TypeAlias = "Mapping[str, JSON] | Sequence[JSON] | str | int | float | bool | None"

FILE_NAME = "results.sqlite"  # in a folder that has reports or records as well
APPLICATION_ID = 0x67726964  # "grid": what tells our files from other people's databases

_TABLES = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    "CREATE TABLE run (about TEXT NOT NULL)",
    "CREATE TABLE results (key TEXT PRIMARY KEY, result TEXT NOT NULL) WITHOUT ROWID",
)


class ResultStore:
    """Results by key: in a file, or with None in memory.

    `about` says what the run is: whatever changes a result has to be in it. Raises BadRequest for
    the file of another run, one that another process is writing to, or one that cannot be used.
    """

    def __init__(self, file: str | os.PathLike[str] | None, about: Mapping[str, JSON]) -> None:
        self.file = None if file is None else Path(file)
        self._name = quoted(str(file), 200)
        self._memory: dict[str, str] = {}  # what is kept without a file
        self._database: sqlite3.Connection | None = None
        if file is None:
            return
        about = json.loads(json.dumps({"gridwise": gridwise.__version__, **about}))
        try:
            # Every statement is a transaction of its own.
            self._database = sqlite3.connect(file, timeout=0, isolation_level=None)
        except (sqlite3.Error, ValueError) as error:
            raise BadRequest(f"Cannot use {self._name}: {error}.") from None
        try:
            self._claim(self._database.execute, about)
        except sqlite3.Error as error:
            self.close()
            raise self._unusable(error) from None
        except BaseException:
            self.close()
            raise

    @classmethod
    def in_folder(cls, folder: Path | None, about: Mapping[str, JSON]) -> Self:
        """The store of a folder, which is made if need be; with None in memory."""
        if folder is None:
            return cls(None, about)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise BadRequest(f"Cannot use the folder {quoted(str(folder), 200)}: {why}.") from None
        return cls(folder / FILE_NAME, about)

    @property
    def folder(self) -> Path | None:
        """The folder in which the file is."""
        return self.file.parent if self.file else None

    def _claim(self, run: Callable[..., sqlite3.Cursor], about: Mapping[str, JSON]) -> None:
        """Lock the file, and write what the run is or compare it with what is written there."""
        run("PRAGMA locking_mode = EXCLUSIVE")  # from the next statement on, until it is closed
        run("BEGIN EXCLUSIVE")
        if run("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            before = json.loads(run("SELECT about FROM run").fetchone()[0])
            if before != about:
                raise BadRequest(
                    f"{self._name} has the results of another run: {_difference(before, about)}. "
                    "Name another one."
                )
        elif run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise BadRequest(f"{self._name} is not a file of results.")
        else:
            for statement in _TABLES:
                run(statement)
            run("INSERT INTO run VALUES (?)", [json.dumps(about)])
        run("COMMIT")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")

    def _unusable(self, error: sqlite3.Error) -> BadRequest:
        # What is wrong with a statement of ours has no code.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_BUSY:
            return BadRequest(f"Another process is writing to {self._name}.")
        if code == sqlite3.SQLITE_NOTADB:
            return BadRequest(f"{self._name} is not a file of results.")
        return BadRequest(f"Cannot use {self._name}: {error}.")

    def __contains__(self, key: str) -> bool:
        return bool(self._read(key))

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401 - JSON
        """The result of a key; `default` if there is none yet."""
        text = self._read(key)
        return json.loads(text) if text else default

    def _read(self, key: str) -> str:
        """A result as text; empty if there is none."""
        if self._database is None:
            return self._memory.get(key, "")
        try:
            query = "SELECT result FROM results WHERE key = ?"
            row: tuple[str] | None = self._database.execute(query, [key]).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from None
        return row[0] if row else ""

    def put(self, key: str, result: JSON) -> None:
        """Keep a result; once this returns, a kill does not lose it."""
        text = json.dumps(result)
        if self._database is None:
            self._memory[key] = text
            return
        try:
            self._database.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", [key, text])
        except sqlite3.Error as error:
            raise GridwiseError(f"Cannot write to {self._name}: {error}.") from None

    def close(self) -> None:
        """Let another process use the file."""
        if self._database:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def as_json(value: Any) -> Any:  # noqa: ANN401 - anything that JSON has a form for
    """Data as JSON has it: what has a `to_json` by that, keys as text."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, dict):
        return {str(key): as_json(each) for key, each in value.items()}
    return [as_json(each) for each in value] if isinstance(value, list) else value


def recorded_seed(folder: Path | None) -> int | None:
    """The seed of the run whose results a folder has; None if it has none, or cannot be read."""
    file = folder and folder / FILE_NAME
    if not file or not file.is_file():
        return None
    try:
        with closing(sqlite3.connect(file, timeout=0)) as database:
            seed = json.loads(database.execute("SELECT about FROM run").fetchone()[0])["seed"]
    except (sqlite3.Error, KeyError):
        return None  # whoever opens it as a ResultStore says why
    return seed if isinstance(seed, int) else None


def _difference(before: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    # Of another command everything is different.
    same = before.get("run") == about.get("run")
    keys = sorted(before.keys() | about.keys()) if same else ["run"]
    named = (_differences(key, before.get(key), about.get(key)) for key in keys)
    return "; ".join(islice(chain.from_iterable(named), 3))


def _differences(name: str, before: Any, about: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """What differs, down to a single entry where both have the same ones."""
    inside = [_entries(before), _entries(about)]
    if before != about and inside[0] and inside[0].keys() == inside[1].keys():
        for key, value in inside[0].items():
            yield from _differences(f"{name} {key}", value, inside[1][key])
    elif before != about:
        yield f"{name} {_short(before)} there, {_short(about)} here"


def _entries(value: Any) -> dict[Any, Any]:  # noqa: ANN401 - JSON
    """The entries of an object or of a list, which are counted from 1."""
    if isinstance(value, list):
        return dict(enumerate(value, 1))
    return value if isinstance(value, dict) else {}


def _short(value: Any) -> str:  # noqa: ANN401 - JSON
    text = ", ".join(map(str, value)) if isinstance(value, list | dict) else str(value)
    return "none" if value is None else quoted(text, 60).strip('"')
