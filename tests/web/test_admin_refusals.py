"""What the tools of `gridwise server` refuse, and what they leave as it is."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from gridwise.errors import BadRequest, GridwiseError
from gridwise.web import admin
from gridwise.web.game import NewGame, new_game
from gridwise.web.game.model import GameCreated
from gridwise.web.storage import Store, open_database, schema

from .servers import Browse, ok, running, sqlite_with_tables
from .test_admin import nothing, tool

FIELDS = {"game": "grid-runner", "opponent": "same-screen", "name": "Ann"}


def a_game() -> GameCreated:
    """A game of one who plays at one screen."""
    return GameCreated(*new_game(NewGame.model_validate(FIELDS), "ann", 1_000))


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with a game."""
    found = sqlite_with_tables(tmp_path)
    with closing(Store(open_database(found))) as store:
        store.write([a_game()])
    return found


def test_a_backup_does_not_replace_the_database(url: str, tmp_path: Path) -> None:
    """By whichever name; nor a file beside it, which may be made at any moment."""
    (tmp_path / "symbolic").symlink_to(tmp_path / "games.db")
    (tmp_path / "hard").hardlink_to(tmp_path / "games.db")
    with admin.opened(url, tmp_path) as store:
        beside = [f"games.db{end}" for end in ("", "-wal", "-shm", "-journal", ".lock")]
        for name in (*beside, "symbolic"):
            with pytest.raises(BadRequest, match="part of the database"):
                admin.back_up(store, tmp_path / name)
        assert admin.back_up(store, tmp_path / "hard") == 1
        assert not (tmp_path / "hard").samefile(tmp_path / "games.db")
    with admin.opened(url, tmp_path) as store:
        assert admin.count_games(store) == 1


def test_a_game_without_its_seats_is_not_there(url: str, tmp_path: Path) -> None:
    """As if it were removed between two reads; `check` finds it."""
    with admin.opened(url, tmp_path) as store:
        other = a_game()
        store.write([other])
        spoiled = next(each.setup.id for each in store.mine("ann", 9) if each.setup != other.setup)
        with store.engine.begin() as connection:
            one = sa.and_(schema.seats.c.game_id == spoiled, schema.seats.c.number == 2)
            connection.execute(sa.delete(schema.seats).where(one))
        assert [each.setup for each in store.mine("ann", 9)] == [other.setup]
        assert store.load(spoiled) is None
        assert [game_id for game_id, _ in admin.check(store, nothing)] == [spoiled]


def test_a_copy_that_does_not_fit_is_not_there_at_all(url: str, tmp_path: Path) -> None:
    """What is said is what the database says."""
    new = f"sqlite:///{tmp_path / 'new.db'}"

    def copy() -> None:
        with admin.opened(url, tmp_path) as store, admin.opened(new, tmp_path, new=True) as to:
            store.write([a_game() for _ in range(300)])
            limit = sa.event.listens_for(to.engine, "connect")
            limit(lambda connection, _: connection.execute("PRAGMA max_page_count = 20"))
            to.engine.dispose()
            admin.copy_games(store, to)

    with pytest.raises(GridwiseError, match="full"):
        copy()
    with admin.opened(new, tmp_path) as to:
        assert admin.count_games(to) == 0


def test_a_backup_that_cannot_be_written_leaves_the_old_one(url: str, tmp_path: Path) -> None:
    """And nothing else; for PostgreSQL there is the command that makes one."""
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "old.db").write_text("the old one")
    with admin.opened(url, tmp_path) as store:
        with store.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE events")
            connection.exec_driver_sql("ALTER TABLE games RENAME TO gone")
        with pytest.raises(GridwiseError, match="Cannot write"):
            admin.back_up(store, folder / "old.db")
        with pytest.raises(GridwiseError, match="Cannot write"):
            admin.back_up(store, folder / "missing" / "new.db")
    assert [each.name for each in folder.iterdir()] == ["old.db"]
    assert (folder / "old.db").read_text() == "the old one"


def test_postgresql_is_backed_up_by_its_own_tool(postgres: str, tmp_path: Path) -> None:
    """Which is named with all that it needs, but for the password."""
    address = postgres.replace("gridwise@", "gridwise:secret@")
    said = tool("backup", str(tmp_path / "a b.dump"), "--database", address, status=2)
    assert f"pg_dump --format=custom '--file={tmp_path}/a b.dump' " in said
    assert "postgresql://gridwise:***@127.0.0.1" in said


NO_UTF_8 = "\udcff"  # how Python has the byte ff of a command line


NONSENSE = [
    ["drain", "--minutes", "1e308"],
    ["drain", "--minutes", "nan"],
    ["list", "--limit", "99999999999999999999"],
    ["list", "--name", NO_UTF_8],
    ["erase", NO_UTF_8],
    ["erase", "--token", NO_UTF_8],
    ["stop", NO_UTF_8],
    ["delete", NO_UTF_8],
    ["list", "--game", NO_UTF_8],
    ["list", "--status", NO_UTF_8],
]


def test_arguments_that_make_no_sense_are_refused(url: str) -> None:
    """In one sentence, with status 2."""
    for words in NONSENSE:
        said = tool(*words, "--database", url, status=2)
        assert said.startswith("gridwise: ")
        assert said.count("\n") == 1
    for address in ("postgresql://u@h:abc/db", "nonsense", "sqlite://"):
        assert tool("check", "--database", address, status=2).count("\n") == 1


def test_numbers_of_days_can_be_as_large_as_they_like(url: str) -> None:
    """No game is that old."""
    assert "no such games" in tool("list", "--older", "1e308", "--database", url)
    assert "0 games removed" in tool("retention", "--days", "1e308", "--database", url)


def test_a_game_that_is_named_twice_is_deleted_once(url: str, tmp_path: Path) -> None:
    """And counted once."""
    with admin.opened(url, tmp_path) as store:
        (game,) = admin.list_games(store, admin.such_games(), 9)
    assert "1 game deleted" in tool("delete", game["id"], game["id"], "--database", url)


def test_who_resigned_is_known_though_both_have_one_name(
    empty: str, browse: Browse, tmp_path: Path
) -> None:
    """The reason without the name says the number of the one who did."""
    with running(empty) as address:
        players, ids = (browse(address), browse(address)), []
        for player in players:
            state = players[1].take_seat(players[0].create("grid-runner", name="Sam"), "Sam")
            ids.append(ok(player.request("resign", state))["id"])
    with admin.opened(empty, tmp_path) as store:
        assert admin.erase_name(store, "Sam") == 2
        endings = [stored.ending for stored in map(store.load, ids) if stored]
        reasons = [ending.reason for ending in endings if ending]
        assert reasons == ["Player 1 resigned", "Player 2 resigned"]
        assert list(admin.check(store, nothing)) == []
