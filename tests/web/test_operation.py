"""What whoever runs the server can ask it: whether it is up, whether it can write."""

from __future__ import annotations

import asyncio
import errno
import shutil
import sqlite3
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from gridwise.web.http import operation
from gridwise.web.http.operation import Readiness
from gridwise.web.storage import GameStore
from tests.loaded_program import LOADED_WEB, Child

from .servers import (
    TIMEOUT,
    Browser,
    eventually,
    get,
    running,
)


def test_ready_says_whether_moves_can_be_written(database: str) -> None:
    """While somebody holds the database it is 503 with the reason, then 200 again."""
    path = database.removeprefix("sqlite:///")
    with running(database, probe_time=0.3, lock_wait=0.1) as address:

        def status() -> int:
            return get(f"{address}/ready").status_code

        assert get(f"{address}/ready").json() == {"status": "ready"}
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        eventually(lambda: status() == 503)
        answer = get(f"{address}/ready")
        assert "The database" in answer.json()["reason"]
        assert path not in answer.text
        assert answer.headers["retry-after"]
        assert get(f"{address}/health").status_code == 200, "it is up all the same"
        holder.execute("ROLLBACK")
        holder.close()
        eventually(lambda: status() == 200)


def test_ready_notices_a_full_disk_no_later_than_moves_do(database: str) -> None:
    """However much room is left: what it writes does not fit where a move does not."""
    child = Child(LOADED_WEB, [database], runs="tests.web.runs:fill_the_disk")
    out, err = child.communicate(TIMEOUT)
    assert (out, err) == ("OperationalError\n" * 8, "")


def test_ready_notices_that_the_file_is_gone(database: str) -> None:
    """SQLite itself would go on writing to a file that has no name any more."""
    path = Path(database.removeprefix("sqlite:///"))
    with running(database) as address:
        aside = path.with_suffix(".aside")
        shutil.move(path, aside)
        eventually(lambda: get(f"{address}/ready").status_code == 503)
        assert "gone" in get(f"{address}/ready").json()["reason"]
        assert not path.exists()
        shutil.move(aside, path)
        eventually(lambda: get(f"{address}/ready").status_code == 200)


def test_asking_often_does_not_ask_the_database_often(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a second, and never twice at a time, even if it hangs."""
    probes, hanging = [], threading.Event()

    def probe(store: GameStore) -> None:
        probes.append(time.monotonic())
        assert hanging.wait(TIMEOUT)

    monkeypatch.setattr(GameStore, "probe", probe)
    with running(database, probe_time=0.1) as address, Browser(address) as ann:
        try:
            begun = time.monotonic()
            answers = [ann.http.get("/ready").status_code for _ in range(100)]
            assert set(answers) == {503}
            assert len(probes) == 1
        finally:
            hanging.set()
        eventually(lambda: ann.http.get("/ready").status_code == 200)
        assert len(probes) <= 2 + time.monotonic() - begun


def test_a_disk_that_fails_for_a_moment_is_not_held_against_the_server(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for the file can fail too; later it is looked for again."""
    path = Path(database.removeprefix("sqlite:///"))
    exists = Path.exists

    def fails(each: Path) -> bool:
        if each == path:
            raise OSError(errno.EIO, "Input/output error")
        return exists(each)

    with running(database) as address, Browser(address) as ann:
        with monkeypatch.context() as failing:
            failing.setattr(Path, "exists", fails)
            eventually(lambda: ann.http.get("/ready").status_code != 200)
            answer = ann.http.get("/ready")
            assert (answer.status_code, "OSError" in answer.json()["reason"]) == (503, True)
        eventually(lambda: ann.http.get("/ready").status_code == 200)


def test_what_was_found_long_ago_is_not_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A probe that ends when nobody waits for it any more: whoever asks next has it done anew."""
    probes, answering = [], threading.Event()

    def probe(store: GameStore) -> None:
        probes.append(store)
        if len(probes) > 1:
            raise OSError
        assert answering.wait(TIMEOUT)

    monkeypatch.setattr(GameStore, "probe", probe)
    monkeypatch.setattr(operation, "HEALTH_SECONDS", 0.0)

    async def happens(store: GameStore) -> None:
        readiness = Readiness(store, wait=0.01)
        assert "has not answered" in await readiness.problem()
        (first,) = [each for each in asyncio.all_tasks() if each is not asyncio.current_task()]
        answering.set()
        await asyncio.wait({first})
        readiness._wait = TIMEOUT
        assert "cannot be written to" in await readiness.problem()
        assert len(probes) == 2

    file = tmp_path / "games.db"
    file.touch()
    asyncio.run(happens(GameStore(sa.create_engine(f"sqlite:///{file}"))))
