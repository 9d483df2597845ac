"""The store: what goes in comes out, on SQLite and on PostgreSQL, from the first migration on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import SQLAlchemyError

from gridwise.web.errors import WriteConflict
from gridwise.web.game import NewGame, events, new_game, restore_session
from gridwise.web.game.events import Event
from gridwise.web.game.model import (
    EntryAdded,
    GameCreated,
    GameEnding,
    JournalEntry,
    Seat,
    new_id,
)
from gridwise.web.storage import Store, open_database, schema
from gridwise.web.storage.database import BadDatabase

from .servers import Browse, Json, ok, running, sqlite


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store whose tables are there."""
    opened = Store(open_database(url))
    yield opened
    opened.close()


def a_game(**options: Json) -> GameCreated:
    """A game that can be written."""
    request = NewGame(**{"game": "number-run", **options})
    return GameCreated(*new_game(request, f"token {new_id()}", 1_000))


def added(game: GameCreated, number: int, event: Event, ref: str | None = None) -> EntryAdded:
    """An event of a game, as it is written."""
    return EntryAdded(game.setup.id, JournalEntry(number, event, ref, time.time()))


EVENTS = [
    events.SeatTaken(2, "Bob", "bob's token"),
    events.MovePlayed(1, "0,1", 3),
    events.TakebackAsked(1),
    events.Declined(2, "takeback"),
    events.TakenBack(1, 0, "31425/25134/42513/14252/53142"),
    events.StopAsked(1),
    events.HintGiven(1),
    events.Stopped(2, "stopped by agreement"),
    events.Resigned(1),
    events.RematchMade(2, "AAAAAAAAAAAA"),
]


def test_a_game_comes_back_as_it_went_in(store: Store) -> None:
    """Setup, seats and events of every kind."""
    game = a_game(name="Änne 🎲", listed=True)
    journal = [added(game, number, event, f"{number}") for number, event in enumerate(EVENTS, 1)]
    store.write([game, *journal])
    stored = store.load(game.setup.id)
    assert stored
    assert (stored.setup, stored.seats[0], stored.ending) == (game.setup, game.seats[0], None)
    assert stored.seats[1] == Seat(2, "human", "Bob", "", "bob's token")
    assert stored.journal == tuple(each.entry for each in journal)
    assert store.load(new_id()) is None


@pytest.mark.parametrize("statements", [1, 2, 3])
def test_a_seat_that_is_taken_while_a_game_is_read_is_not_free(url: str, statements: int) -> None:
    """Where the event is there, the seat is, too: otherwise another could sit down on it."""
    store, other = Store(open_database(url)), Store(open_database(url))
    game = a_game(opponent="link")
    store.write([game])
    seen = 0

    def sit_down(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == statements:
            other.write([added(game, 1, events.SeatTaken(2, "Bob", "bob"))])

    sa.event.listen(store.engine, "after_cursor_execute", sit_down)
    stored = store.load(game.setup.id)
    assert seen >= 3
    assert stored
    assert stored.journal == () or stored.seats[1].kind == "human"
    store.close()
    other.close()


def test_events_are_stored_as_they_always_were(store: Store) -> None:
    """The kinds and the JSON of every database there is."""
    game = a_game()
    store.write([game, *(added(game, number, event) for number, event in enumerate(EVENTS, 1))])
    with store.engine.connect() as connection:
        rows = connection.execute(
            sa.select(schema.events.c.kind, schema.events.c.player, schema.events.c.data)
            .where(schema.events.c.game_id == game.setup.id)
            .order_by(schema.events.c.number)
        ).all()
    assert [tuple(row) for row in rows] == [
        ("seat", 2, {}),
        ("move", 1, {"move": "0,1"}),
        ("ask-takeback", 1, {}),
        ("decline", 2, {"what": "takeback"}),
        ("takeback", 1, {"plies": 0, "board": "31425/25134/42513/14252/53142"}),
        ("ask-stop", 1, {}),
        ("hint", 1, {}),
        ("stop", 2, {"reason": "stopped by agreement"}),
        ("resign", 1, {}),
        ("rematch", 2, {"id": "AAAAAAAAAAAA"}),
    ]


def test_a_batch_is_written_whole_or_not_at_all(store: Store) -> None:
    """An event number that is taken spoils everything that came with it."""
    game, other = a_game(), a_game()
    first = added(game, 1, events.MovePlayed(1, "0,1"))
    store.write([game, first])
    with pytest.raises(WriteConflict):
        store.write([other, first])
    assert store.load(other.setup.id) is None


def test_a_ref_counts_once_a_player(store: Store) -> None:
    """The database itself sees to it; the other player's ref is another one."""
    game = a_game()
    store.write([game, added(game, 1, events.HintGiven(1), "same")])
    store.write([added(game, 2, events.HintGiven(2), "same")])
    with pytest.raises(WriteConflict):
        store.write([added(game, 3, events.HintGiven(1), "same")])


def test_what_happened_since_can_be_read_alone(store: Store) -> None:
    """So can the number of the last event of many games, with one question."""
    game, quiet = a_game(), a_game()
    journal = [added(game, number, event) for number, event in enumerate(EVENTS, 1)]
    store.write([game, quiet, *journal])
    last = len(EVENTS)
    assert store.events_after(game.setup.id, 3) == [each.entry for each in journal[3:]]
    taken = store.events_after(game.setup.id, 0)[0].event
    assert isinstance(taken, events.SeatTaken)
    assert (taken.name, taken.token) == ("Bob", "bob's token")
    assert store.events_after(game.setup.id, last) == store.events_after(new_id(), 0) == []
    ids = [new_id() for _ in range(2_000)]
    assert store.latest([game.setup.id, *ids, quiet.setup.id]) == {
        game.setup.id: last,
        quiet.setup.id: 0,
    }


def test_a_probe_writes(store: Store) -> None:
    """It goes through as long as moves can be written, and fails when they cannot."""
    store.probe()
    store.probe()
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE server_state RENAME TO gone"))
    with pytest.raises(SQLAlchemyError):
        store.probe()
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE gone RENAME TO server_state"))


def test_open_games_are_counted_and_listed(store: Store) -> None:
    """By browser and in total; a game that is over is not open."""
    game = a_game(listed=True)
    game_id, token = game.setup.id, game.seats[0].token
    before = store.count_open(3_600)
    store.write([game])
    assert store.count_open(3_600) == before + 1
    assert store.count_open(3_600, token) == 1
    assert game_id in [each.setup.id for each in store.listed("open", 50, 3_600)]
    store.write([added(game, 1, events.SeatTaken(2, "Bob", "bob"))])
    assert game_id in [each.setup.id for each in store.listed("playing", 50, 3_600)]
    ended = GameEnding(time.time(), "p1", "resigned")
    store.write([replace(added(game, 2, events.Resigned(2)), ending=ended)])
    found = next(each for each in store.listed("recent", 50, 3_600) if each.setup.id == game_id)
    assert (found.seats[1].name, found.ending) == ("Bob", ended)
    assert store.count_open(3_600, token) == 0


def test_old_and_cancelled_games_are_in_no_list(store: Store) -> None:
    """Nobody waits there any more."""
    game = a_game(listed=True)
    old = replace(game.setup, id=new_id(), created=time.time() - 9_999)
    store.write([game, replace(game, setup=old)])
    assert old.id not in [each.setup.id for each in store.listed("open", 50, 3_600)]
    cancelled = events.Stopped(1, "cancelled before it began")
    ended = GameEnding(time.time(), "", cancelled.reason)
    store.write([replace(added(game, 1, cancelled), ending=ended)])
    assert game.setup.id not in [each.setup.id for each in store.listed("recent", 50, 3_600)]


def test_migrations_make_what_the_program_expects(bare: str) -> None:
    """From an empty database; running them again changes nothing."""
    for _ in "ab":
        engine = open_database(bare)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), schema.METADATA) == []
        engine.dispose()


def test_a_whole_game_is_played_on_each_database(url: str, browse: Browse) -> None:
    """And goes on after a restart."""
    with running(url) as address:
        ann = browse(address)
        state = ann.state(ann.create("grid-conquest", opponent="same-screen", first=1))
        state = ok(ann.request("takeback", ok(ann.move(state, "A1"))))
        state = ok(ann.move(state, "C3"))
    with running(url) as address:
        again = browse(address)
        again.http.cookies = ann.http.cookies
        assert again.state(state["id"]) == state
        while state["status"] != "over":
            state = ok(again.move(state, state["legal"][0]))
    store = Store(open_database(url))
    loaded = store.load(state["id"])
    assert loaded
    assert loaded.ending
    outcome = restore_session(loaded).match.outcome
    assert outcome
    assert outcome.result == state["result"]
    store.close()


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
