"""The store: what goes in comes out, on SQLite and on PostgreSQL."""

from __future__ import annotations

import logging
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from gridwise.web import admin
from gridwise.web.errors import WriteConflict
from gridwise.web.game import events
from gridwise.web.game.events import Event
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import (
    EntryAdded,
    GameCreated,
    GameEnding,
    JournalEntry,
    Seat,
    is_id,
    new_id,
)
from gridwise.web.storage import GameStore, open_database, schema, sqlite_file
from gridwise.web.storage.database import BadDatabase
from tests.loaded_program import LOADED_WEB, Child

from .servers import RUN_BOARD, TIMEOUT, Json, sqlite, transaction
from .stored import dealt_game


@pytest.fixture
def store(url: str) -> Iterator[GameStore]:
    """A store whose tables are there."""
    opened = GameStore(open_database(url))
    yield opened
    opened.close()


def a_game(**options: Json) -> GameCreated:
    """A game that can be written."""
    request = NewGame(**{"game": "number-run", **options})
    return GameCreated(*dealt_game(request, f"token {new_id()}", 1_000))


def added(game: GameCreated, number: int, event: Event, ref: str | None = None) -> EntryAdded:
    """An event of a game, as it is written."""
    return EntryAdded(game.setup.id, JournalEntry(number, event, ref, time.time()))


# Of every kind, with the kind and the JSON that it has in every database there is.
STORED: list[tuple[Event, str, Json]] = [
    (events.SeatTaken(2, "Bob", "bob's token"), "seat", {}),
    (events.MovePlayed(1, "0,1", 3), "move", {"move": "0,1"}),
    (events.TakebackAsked(1), "ask-takeback", {}),
    (events.Declined(2, "takeback"), "decline", {"what": "takeback"}),
    (events.TakenBack(1, 0, RUN_BOARD), "takeback", {"plies": 0, "board": RUN_BOARD}),
    (events.StopAsked(1), "ask-stop", {}),
    (events.HintGiven(1), "hint", {}),
    (events.ValuesShown(1), "values", {}),
    (events.Stopped(2, "stopped by agreement"), "stop", {"reason": "stopped by agreement"}),
    (events.Resigned(1), "resign", {}),
    (events.RematchMade(2, "AAAAAAAAAAAA"), "rematch", {"id": "AAAAAAAAAAAA"}),
]
EVENTS = [event for event, *_ in STORED]


def test_a_game_comes_back_as_it_went_in(store: GameStore) -> None:
    """Setup, seats and events of every kind, which are stored as they always were."""
    game = a_game(name="Änne 🎲", listed=True)
    journal = [added(game, number, event, f"{number}") for number, event in enumerate(EVENTS, 1)]
    store.write([game, *journal])
    stored = store.load(game.setup.id)
    assert stored
    assert (stored.setup, stored.seats[0], stored.ending) == (game.setup, game.seats[0], None)
    assert stored.seats[1] == Seat(2, "human", "Bob", "", "bob's token")
    assert stored.journal == tuple(each.entry for each in journal)
    with store.engine.connect() as connection:
        rows = connection.execute(
            sa.select(schema.events.c.kind, schema.events.c.player, schema.events.c.data)
            .where(schema.events.c.game_id == game.setup.id)
            .order_by(schema.events.c.number)
        ).all()
    assert list(map(tuple, rows)) == [(kind, event.player, data) for event, kind, data in STORED]
    assert store.load(new_id()) is None


@pytest.mark.parametrize("statements", [1, 2])
def test_a_seat_that_is_taken_while_a_game_is_read_is_not_free(url: str, statements: int) -> None:
    """Where the event is there, the seat is, too: otherwise another could sit down on it."""
    store, other = GameStore(open_database(url)), GameStore(open_database(url))
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
    assert seen >= 2
    assert stored
    assert stored.journal == () or stored.seats[1].kind == "human"
    store.close()
    other.close()


def test_an_id_is_no_option_of_a_command() -> None:
    """`gridwise server delete ID` takes any of them."""
    assert all(new_id()[0] != "-" and is_id(new_id()) for _ in range(2_000))


def test_a_batch_is_written_whole_or_not_at_all(store: GameStore) -> None:
    """An event number that is taken spoils everything that came with it."""
    game, other = a_game(), a_game()
    first = added(game, 1, events.MovePlayed(1, "0,1"))
    store.write([game, first])
    with pytest.raises(WriteConflict):
        store.write([other, first])
    assert store.load(other.setup.id) is None


def test_a_ref_counts_once_a_player(store: GameStore) -> None:
    """The database itself sees to it; the other player's ref is another one."""
    game = a_game()
    store.write([game, added(game, 1, events.HintGiven(1), "same")])
    store.write([added(game, 2, events.HintGiven(2), "same")])
    with pytest.raises(WriteConflict):
        store.write([added(game, 3, events.HintGiven(1), "same")])


def test_what_happened_since_can_be_read_alone(store: GameStore) -> None:
    """So can the last event of many games, with one question."""
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
    assert store.last_events([game.setup.id, *ids, quiet.setup.id]) == {
        game.setup.id: (last, "rematch", 2),
        quiet.setup.id: (0, None, None),
    }


def test_a_probe_writes(store: GameStore) -> None:
    """It goes through as long as moves can be written, and leaves nothing; else it fails."""
    store.probe()
    store.probe()
    assert store.read(sa.select(schema.games).where(schema.games.c.game == "probe")) == []
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE events RENAME TO gone"))
    with pytest.raises(SQLAlchemyError):
        store.probe()
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE gone RENAME TO events"))


def test_open_games_are_counted_and_listed(store: GameStore) -> None:
    """By browser and in total; each in one list at a time, and a game by link in none."""
    game, secret = a_game(listed=True), a_game()
    game_id, token = game.setup.id, game.seats[0].token

    def lists() -> list[str]:
        by_status = {
            status: [each.setup.id for each in store.listed(status, 50, 3_600)]
            for status in ("open", "playing", "recent")
        }
        assert not any(secret.setup.id in ids for ids in by_status.values())
        return [status for status, ids in by_status.items() if game_id in ids]

    before = store.count_open(3_600)
    store.write([game, secret])
    assert store.count_open(3_600) == before + 2
    assert store.count_open(3_600, token) == 1
    assert lists() == ["open"]
    store.write([added(each, 1, events.SeatTaken(2, "Bob", "bob")) for each in (game, secret)])
    assert lists() == ["playing"]
    ended = GameEnding(time.time(), "p1", "resigned")
    over = [added(each, 2, events.Resigned(2)) for each in (game, secret)]
    store.write([replace(each, ending=ended) for each in over])
    assert lists() == ["recent"]
    found = next(each for each in store.listed("recent", 50, 3_600) if each.setup.id == game_id)
    assert (found.seats[1].name, found.ending) == ("Bob", ended)
    assert store.count_open(3_600, token) == 0


def test_old_and_cancelled_games_are_in_no_list(store: GameStore) -> None:
    """Nobody waits there any more."""
    game = a_game(listed=True)
    old = replace(game.setup, id=new_id(), created=time.time() - 9_999)
    store.write([game, replace(game, setup=old)])
    assert old.id not in [each.setup.id for each in store.listed("open", 50, 3_600)]
    cancelled = events.Stopped(1, "cancelled before it began")
    ended = GameEnding(time.time(), "", cancelled.reason)
    store.write([replace(added(game, 1, cancelled), ending=ended)])
    assert game.setup.id not in [each.setup.id for each in store.listed("recent", 50, 3_600)]


def test_a_newer_database_is_refused(database: str) -> None:
    """It may hold what this program does not understand."""
    with transaction(database) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadDatabase, match="newer Gridwise"):
        open_database(database)


def test_in_place_of_a_file_that_is_gone_none_is_made(database: str) -> None:
    """It would look like a database without any games."""
    path, engine = Path(database.removeprefix("sqlite:///")), open_database(database)
    engine.dispose()
    path.unlink()
    with pytest.raises(sa.exc.OperationalError):
        engine.connect()
    assert not path.exists()


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    """A commit is on disk when it returns; reading goes on meanwhile."""
    engine = open_database(sqlite(tmp_path))
    with engine.connect() as connection:
        values = [
            connection.execute(sa.text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    engine.dispose()
    assert values == ["wal", 2, 1]  # 2 is FULL


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:games.db?uri=true",
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
    diary = "Dear diary, " * 100
    path.write_text(diary)
    with pytest.raises(BadDatabase):
        open_database(sqlite(tmp_path))
    assert path.read_text() == diary


# The database's files are for their owner alone


def mode(path: Path) -> int:
    """The permissions of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def files(folder: Path) -> dict[str, int]:
    """The permissions of all files in a folder."""
    return {file.name: mode(file) for file in folder.iterdir()}


def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    """So are its folder, and the files that SQLite puts beside it."""
    folder = tmp_path / "data" / "gridwise"
    store = GameStore(open_database(sqlite_file(folder / "games.db")))
    store.probe()
    assert files(folder) == dict.fromkeys(("games.db", "games.db-wal", "games.db-shm"), 0o600)
    assert mode(folder) == 0o700
    store.close()


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    """It may have other things in it, which others are to read."""
    tmp_path.chmod(0o755)
    GameStore(open_database(sqlite_file(tmp_path / "games.db"))).close()
    assert mode(tmp_path) == 0o755


def test_a_file_that_others_can_read_is_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever named it may want it so; it is not changed."""
    url, path = sqlite(tmp_path), tmp_path / "games.db"
    GameStore(open_database(url)).close()
    assert mode(path) == 0o600
    with caplog.at_level(logging.WARNING):
        GameStore(open_database(url)).close()
        assert not caplog.records
        path.chmod(0o640)
        GameStore(open_database(url)).close()
    assert str(path) in caplog.text
    assert mode(path) == 0o640


# The tables of a database are made once and whole, and one of another version is left as it is


@contextmanager
def opened(url: str) -> Iterator[sa.Connection]:
    """A connection to a database whose tables are up to date."""
    engine = open_database(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def tables(url: str) -> set[str]:
    """The tables there are."""
    with transaction(url) as connection:
        return set(sa.inspect(connection).get_table_names())


def test_tables_that_cannot_all_be_made_are_not_there(bare: str) -> None:
    """What was there before is there after, and the next start tries again."""
    with transaction(bare) as connection:
        connection.execute(sa.text("CREATE TABLE server_state (mine INTEGER)"))  # in its way
    with pytest.raises(BadDatabase):
        open_database(bare)
    assert tables(bare) == {"server_state"}
    with transaction(bare) as connection:
        connection.execute(sa.text("DROP TABLE server_state"))
    with opened(bare) as connection:
        made = set(sa.inspect(connection).get_table_names())
    assert made == set(schema.METADATA.tables)


# What version 0005 has that 0004 had not.
NEWER = {"won_in_one": 0, "won_in_two": 0, "terms": "", "help": "", "ladder": ""}


def test_tables_of_the_version_before_are_brought_up_to_date(empty: str, tmp_path: Path) -> None:
    """By a server, and with every game in them; the tools say so and change nothing."""
    with closing(GameStore(open_database(empty))) as store:
        store.write([a_game()])
    with transaction(empty) as connection:
        game = connection.execute(sa.select(schema.games)).mappings().one()
        for name in NEWER:
            connection.execute(sa.text(f"ALTER TABLE games DROP COLUMN {name}"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0004'"))
    older = "serve` brings it up to date"
    with pytest.raises(BadDatabase, match=older), admin.opened(empty, tmp_path):
        pass
    with opened(empty) as connection:
        assert connection.execute(sa.select(schema.games)).mappings().one() == {**game, **NEWER}
        assert connection.execute(sa.select(schema.version)).scalar() == schema.VERSION
        made = {column["name"]: column for column in sa.inspect(connection).get_columns("games")}
    with closing(GameStore(open_database(empty))) as store:
        store.write([a_game()])
    for column in schema.games.columns:
        assert made[column.name]["nullable"] == column.nullable


def test_an_upgrade_that_fails_changes_nothing(empty: str) -> None:
    """A column that is there already is in its way: the next start tries again."""
    with transaction(empty) as connection:
        connection.execute(sa.text("ALTER TABLE games DROP COLUMN won_in_one"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0004'"))
    with pytest.raises(BadDatabase):
        open_database(empty)
    with transaction(empty) as connection:
        assert connection.execute(sa.text("SELECT * FROM alembic_version")).scalar() == "0004"
        columns = [each["name"] for each in sa.inspect(connection).get_columns("games")]
    assert "won_in_one" not in columns


def test_a_database_from_before_the_first_release_is_refused(empty: str) -> None:
    """In a sentence that says so."""
    with transaction(empty) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0003'"))
    with pytest.raises(BadDatabase, match="before the first release"):
        open_database(empty)


def test_tools_leave_a_database_without_tables_as_it_is(bare: str, tmp_path: Path) -> None:
    """It may be the wrong one."""
    with transaction(bare) as connection:
        connection.execute(sa.text("CREATE TABLE diary (day INTEGER)"))
    with pytest.raises(BadDatabase, match="no games yet"), admin.opened(bare, tmp_path):
        pass
    assert tables(bare) == {"diary"}


def test_servers_that_start_at_once_take_turns(bare: str) -> None:
    """One makes the tables, the others find them."""
    starts = [Child(LOADED_WEB, [bare], runs="tests.web.runs:make_tables") for _ in range(3)]
    said = [each.communicate(TIMEOUT) for each in starts]
    assert [each.returncode for each in starts] == [0] * 3, said
