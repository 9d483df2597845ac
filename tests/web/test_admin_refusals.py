"""What the tools of `gridwise server` refuse, and what they leave as it is."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from gridwise.errors import BadRequest, GridwiseError
from gridwise.web import admin
from gridwise.web.admin.backup import BadBackup
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
        beside = [f"games.db{end}" for end in ("", "-wal", "-shm", ".lock")]
        for name in (*beside, "symbolic", "hard"):
            with pytest.raises(BadRequest, match="part of the database"):
                admin.back_up(store, tmp_path / name, nothing)
        assert admin.count_games(store) == 1
        assert admin.back_up(store, tmp_path / "games.jsonl", nothing) == 1
    with admin.opened(url, tmp_path) as store:
        assert admin.count_games(store) == 1


def test_a_game_of_a_backup_has_two_seats(url: str, tmp_path: Path) -> None:
    """Others could not be read once they are stored."""
    path = tmp_path / "games.jsonl"
    with admin.opened(url, tmp_path) as store:
        admin.back_up(store, path, nothing)
    head, game, end = map(json.loads, path.read_text().splitlines())
    seat = game["seats"][0]
    with admin.opened(f"sqlite:///{tmp_path / 'new.db'}", tmp_path, new=True) as store:
        for numbers in ([], [1], [2, 1, 1], [1, 3], [1, 1], ["1", "2"]):
            game["seats"] = [seat | {"number": number} for number in numbers]
            path.write_text("".join(json.dumps(line) + "\n" for line in (head, game, end)))
            with pytest.raises(BadBackup, match="Line 2"):
                admin.restore(store, path)
            assert admin.count_games(store) == 0


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


def test_a_full_disk_is_not_the_fault_of_a_backup(url: str, tmp_path: Path) -> None:
    """What is said is what the database says."""
    path = tmp_path / "games.jsonl"
    with admin.opened(url, tmp_path) as store:
        store.write([a_game() for _ in range(300)])
        admin.back_up(store, path, nothing)
    new = f"sqlite:///{tmp_path / 'new.db'}"
    with admin.opened(new, tmp_path, new=True):
        pass

    def restore() -> None:
        with admin.opened(new, tmp_path) as store:
            limit = sa.event.listens_for(store.engine, "connect")
            limit(lambda connection, _: connection.execute("PRAGMA max_page_count = 20"))
            store.engine.dispose()
            admin.restore(store, path)

    with pytest.raises(GridwiseError, match="full") as refused:
        restore()
    assert not isinstance(refused.value, BadBackup)


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
        (game,) = admin.list_games(store, admin.Filter(), 9)
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
