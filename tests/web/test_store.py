"""The store: what goes in comes out, on SQLite and on PostgreSQL, from the first migration on."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import IntegrityError

from gridwise.web.dealing import new_game
from gridwise.web.kept import Event, new_id
from gridwise.web.messages import NewGame
from gridwise.web.schema import BadDatabase, open_database
from gridwise.web.sitting import sitting_of
from gridwise.web.store import Store, ended_write, event_write, game_writes, taken_write
from gridwise.web.tables import METADATA

from .serving import Browse, Json, answered, running, sqlite


def _postgres_folder() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A throw-away PostgreSQL cluster; its URL."""
    folder = _postgres_folder()
    if folder is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    as_user: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        if not shutil.which("runuser") or "postgres:" not in Path("/etc/passwd").read_text():
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    # Not in pytest's folder, which only its owner can enter.
    home = Path(tempfile.mkdtemp(prefix="gridwise-postgres-"))
    if as_user:
        shutil.chown(home, "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def command(name: str, *options: str) -> None:
        subprocess.run(
            [*as_user, str(folder / name), *options],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            timeout=60,
        )

    data = str(home / "data")
    command("initdb", "-D", data, "-U", "gridwise", "-A", "trust", "--no-sync", "-E", "UTF8")
    options = f"-p {port} -k {home} -c listen_addresses=127.0.0.1"
    command("pg_ctl", "-D", data, "-w", "-l", str(home / "log"), "-o", options, "start")
    try:
        yield f"postgresql+psycopg://gridwise@127.0.0.1:{port}/postgres"
    finally:
        command("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(home)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind."""
    if request.param == "sqlite":
        return sqlite(tmp_path)
    found: str = request.getfixturevalue("postgres")
    return found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store whose tables are there."""
    opened = Store(open_database(url))
    yield opened
    opened.close()


def a_game(**wishes: Json) -> Json:
    """A deal and its seats."""
    return new_game(NewGame(**{"game": "number-run", **wishes}), f"token {new_id()}", 1_000)


def test_a_game_comes_back_as_it_went_in(store: Store) -> None:
    """Deal, seats and events."""
    deal, seats = a_game(name="Änne 🎲", listed=True)
    event = Event(1, "move", 1, {"move": "0,1"}, "ref", time.time())
    store.write([*game_writes(deal, seats), event_write(deal.id, event)])
    kept = store.load(deal.id)
    assert kept
    assert (kept.deal, kept.seats, kept.events) == (deal, seats, (event,))
    assert store.load(new_id()) is None


def test_a_batch_is_written_whole_or_not_at_all(store: Store) -> None:
    """An event number that is taken spoils everything that came with it."""
    deal, seats = a_game()
    first = Event(1, "move", 1, {"move": "0,1"}, None, 0.0)
    store.write([*game_writes(deal, seats), event_write(deal.id, first)])
    other, other_seats = a_game()
    with pytest.raises(IntegrityError):
        store.write([*game_writes(other, other_seats), event_write(deal.id, first)])
    assert store.load(other.id) is None


def test_a_ref_counts_once_a_game(store: Store) -> None:
    """The database itself sees to it."""
    deal, seats = a_game()
    store.write(game_writes(deal, seats))
    store.write([event_write(deal.id, Event(1, "move", 1, {}, "same", 0.0))])
    with pytest.raises(IntegrityError):
        store.write([event_write(deal.id, Event(2, "move", 2, {}, "same", 0.0))])


def test_open_games_are_counted_and_listed(store: Store) -> None:
    """By browser and in all; a game that is over is not open."""
    deal, seats = a_game(listed=True)
    before = store.count_open(3_600)
    store.write(game_writes(deal, seats))
    assert store.count_open(3_600) == before + 1
    assert store.count_open(3_600, seats[0].token) == 1
    assert deal.id in [each.deal.id for each in store.listed("open", 50, 3_600)]
    seat = seats[1].__class__(2, "human", "Bob", "", "bob")
    store.write([taken_write(deal.id, seat)])
    assert deal.id in [each.deal.id for each in store.listed("playing", 50, 3_600)]
    store.write([ended_write(deal.id, time.time(), "p1", "resigned")])
    found = next(each for each in store.listed("recent", 50, 3_600) if each.deal.id == deal.id)
    assert (found.seats[1].name, found.result) == ("Bob", "p1")
    assert store.count_open(3_600, seats[0].token) == 0


def test_old_and_called_off_games_are_in_no_list(store: Store) -> None:
    """Nobody waits there any more."""
    deal, seats = a_game(listed=True)
    old = replace(deal, id=new_id(), created=time.time() - 9_999)
    store.write([*game_writes(deal, seats), *game_writes(old, seats)])
    assert old.id not in [each.deal.id for each in store.listed("open", 50, 3_600)]
    store.write([ended_write(deal.id, time.time(), "", "called off before it began")])
    assert deal.id not in [each.deal.id for each in store.listed("recent", 50, 3_600)]


def test_migrations_make_what_the_program_expects(url: str) -> None:
    """From an empty database; running them again changes nothing."""
    for _ in "ab":
        engine = open_database(url)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        engine.dispose()


def test_a_whole_game_is_played_on_each_database(url: str, browse: Browse) -> None:
    """And goes on after a restart."""
    with running(url) as address:
        ann = browse(address)
        state = ann.state(ann.create("grid-conquest", opponent="same-screen", first=1))
        state = answered(ann.wish("takeback", answered(ann.move(state, "A1"))))
        state = answered(ann.move(state, "C3"))
    with running(url) as address:
        again = browse(address)
        again.http.cookies = ann.http.cookies
        assert again.state(state["id"]) == state
        while state["status"] != "over":
            state = answered(again.move(state, state["legal"][0]))
    kept = Store(open_database(url))
    loaded = kept.load(state["id"])
    assert loaded
    assert loaded.finished
    outcome = sitting_of(loaded).match.outcome
    assert outcome
    assert outcome.result == state["result"]
    kept.close()


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    """It may hold what this program does not understand."""
    url = sqlite(tmp_path)
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(BadDatabase, match="newer Gridwise"):
        open_database(url)


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    """A commit is on disk when it returns; reading goes on meanwhile."""
    engine = open_database(sqlite(tmp_path))
    with engine.connect() as connection:
        found = [
            connection.execute(sa.text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    engine.dispose()
    assert found == ["wal", 2, 1]  # 2 is FULL


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:////nowhere/at/all/games.db",
        "postgresql://nobody:secret@127.0.0.1:1/none",
        "oracle://x",
        "mongodb://user:secret@host/x",
    ],
)
def test_a_database_that_cannot_be_used_is_refused_in_one_line(url: str) -> None:
    """Without a traceback, and without the password."""
    with pytest.raises(BadDatabase) as refused:
        open_database(url)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """It is left as it was."""
    path = tmp_path / "games.db"
    path.write_text("Dear diary, " * 100)
    with pytest.raises(BadDatabase):
        open_database(sqlite(tmp_path))
    assert path.read_text().startswith("Dear diary")
    with pytest.raises(sqlite3.DatabaseError), sqlite3.connect(path) as connection:
        connection.execute("SELECT * FROM games")
    connection.close()
