"""`gridwise server`: the tools that look after a database, also while a server runs on it."""

from __future__ import annotations

import json
import signal
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from gridwise.errors import BadRequest, GridwiseError
from gridwise.web import admin
from gridwise.web.game.stored_game import GameCreated, hash_token
from gridwise.web.storage import GameStore, open_database, schema
from tests.sizes import sample

from .postgres import Postgres
from .servers import (
    GAMES,
    TIMEOUT,
    Browse,
    Browser,
    Json,
    Program,
    eventually,
    gridwise,
    ok,
    receive,
    refused,
    running,
    sqlite_with_tables,
    until_closed,
)
from .stored import dealt_game

MANY = len(GAMES) + 2
TABLES = (schema.games, schema.seats, schema.events)


def nothing(_done: int) -> None:
    """Nobody watches."""


def rows(url: str) -> list[Json]:
    """Everything in the three tables."""
    with closing(GameStore(open_database(url))) as store, store.engine.connect() as connection:
        return [
            sorted(map(repr, connection.execute(sa.select(table)).mappings())) for table in TABLES
        ]


def tool(*arguments: str, status: int = 0) -> str:
    """What `gridwise server` prints, on standard output and standard error."""
    exit_status, out, err = gridwise(Path("/nowhere"), "server", *arguments)
    assert exit_status == status, err
    return out + err


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with games of all kinds, at all stages. Nobody changes it."""
    url = sqlite_with_tables(tmp_path_factory.mktemp("played"))
    with running(url) as address, Browser(address) as ann, Browser(address) as bob:
        for number, game in enumerate(GAMES):
            state = bob.take_seat(ann.create(game, name="Ann", listed=True), "Bob")
            for _ in range(number):
                mover = ann if state["turn"] == 1 else bob
                state = ok(mover.move(state, state["legal"][0], ref="same"[: 1 + number]))
                if state["status"] == "over":
                    break
        state = ann.state(ann.create("grid-conquest", opponent="same-screen", name="Ann"))
        state = ok(ann.request("takeback", ok(ann.move(state, state["legal"][0]))))
        ok(ann.request("resign", state))
        ann.create("number-run", name="Änne 🎲")
    return url


def test_a_backup_is_the_database_in_one_file(played: str, tmp_path: Path) -> None:
    """For its owner alone, without a file beside it, in place of an older one: it can be served."""
    path = tmp_path / "copy.db"
    path.write_text("the old one")
    with admin.opened(played, tmp_path) as store:
        assert admin.back_up(store, path) == MANY
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["copy.db"]
    assert rows(f"sqlite:///{path}") == rows(played)


def test_a_database_is_copied_to_one_of_any_kind(
    played: str, cluster: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it was, a few rows at a time; only into one that has no games."""
    monkeypatch.setattr("gridwise.web.admin.ROWS_COPIED", 3)
    before, postgres = rows(played), [cluster.database(), cluster.database()]
    for source, target in (
        (played, postgres[0]),
        (postgres[0], postgres[1]),
        (postgres[1], f"sqlite:///{tmp_path / '3.db'}"),
    ):
        with (
            admin.opened(source, tmp_path) as store,
            admin.opened(target, tmp_path, new=True) as other,
        ):
            assert admin.copy_games(store, other) == MANY
            with pytest.raises(BadRequest, match="empty"):
                admin.copy_games(store, other)
            assert list(admin.check(other, nothing)) == []
        assert rows(target) == before


def test_a_copy_is_of_one_moment_while_the_server_goes_on(
    empty: str, browse: Browse, tmp_path: Path
) -> None:
    """Every game in it can be played through, and moves are answered; a backup is such a copy."""
    with running(empty) as address:
        ann = browse(address)
        stop = threading.Event()

        def play() -> None:
            while not stop.is_set():
                state = ann.state(ann.create("grid-runner", opponent="same-screen"))
                for _ in range(3):
                    state = ok(ann.move(state, state["legal"][0]))

        playing = threading.Thread(target=play)
        playing.start()
        try:
            for number in range(sample(2, long=5)):
                path = tmp_path / f"{number}.db"
                with admin.opened(empty, tmp_path) as store:
                    before = admin.count_games(store)
                    eventually(lambda: admin.count_games(store) > before)  # noqa: B023 - now
                    if store.engine.dialect.name == "sqlite":
                        admin.back_up(store, path)
                    else:
                        with admin.opened(f"sqlite:///{path}", tmp_path, new=True) as copy:
                            admin.copy_games(store, copy)
                with admin.opened(f"sqlite:///{path}", tmp_path) as copy:
                    assert admin.count_games(copy) > before
                    assert list(admin.check(copy, nothing)) == []
        finally:
            stop.set()
            playing.join(TIMEOUT)


def test_check_finds_what_cannot_be_played_through(
    empty: str, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says which game it is, and nothing of its board; however many games it reads at once."""
    monkeypatch.setattr("gridwise.web.admin.GAMES_CHECKED", 1)
    with admin.opened(empty, tmp_path) as store:
        with admin.opened(played, tmp_path) as whole:
            admin.copy_games(whole, store)
        assert list(admin.check(store, nothing)) == []
        playing = admin.list_games(store, admin.such_games("playing"), 50)
        ids = [each["id"] for each in playing if each["events"] > 1]
        (listed,) = [each["id"] for each in playing if each["events"] == 1]
        spoil = [
            sa.update(schema.events)
            .where(schema.events.c.game_id == ids[0], schema.events.c.kind == "move")
            .values(data={"move": "Z99"}),
            sa.delete(schema.events).where(
                schema.events.c.game_id == ids[1], schema.events.c.number == 1
            ),
            sa.update(schema.games).where(schema.games.c.id == ids[2]).values(game="chess"),
            sa.update(schema.games).where(schema.games.c.id == listed).values(status="waiting"),
        ]
        with store.engine.begin() as connection:
            for statement in spoil:
                connection.execute(statement)
        problems = dict(admin.check(store, nothing))
    assert problems.keys() == {*ids[:3], listed}


def test_games_are_listed_stopped_and_deleted(empty: str, browse: Browse, tmp_path: Path) -> None:
    """On a running server those who play hear of it."""
    with running(empty, message_interval=0.05) as address, admin.opened(empty, tmp_path) as store:
        ann = browse(address)
        ids = [ann.create("grid-runner", opponent="same-screen", name=name) for name in "ab"]
        bot = ann.create("number-run", opponent="bot", level="novice")
        for such, expected in (
            (admin.such_games(), {*ids, bot}),
            (admin.such_games(game="number-run"), {bot}),
            (admin.such_games(name="b"), {ids[1]}),
            (admin.such_games(status="over"), set()),
            (admin.such_games(older=1.0), set()),
        ):
            assert {each["id"] for each in admin.list_games(store, such, 50)} == expected
            assert admin.count_games(store, such) == len(expected)
        newest = admin.list_games(store, admin.such_games(), 2)
        assert [each["id"] for each in newest] == [bot, ids[1]]
        assert "board" not in json.dumps(admin.list_games(store, admin.such_games(), 50))
        with ann.socket(ids[0]) as one, ann.socket(ids[1]) as two:
            receive(one, "state")
            receive(two, "state")
            admin.stop_game(store, ids[0])
            admin.delete_games(store, [ids[1]])
            assert [until_closed(socket)[0] for socket in (one, two)] == [1012, 1012]
        assert "operator" in ann.state(ids[0])["reason"]
        refused(ann.http.get(f"/api/games/{ids[1]}"), 404, "not-found")
        with pytest.raises(BadRequest, match="over already"):
            admin.stop_game(store, ids[0])
        with pytest.raises(BadRequest, match="Nothing was deleted"):
            admin.delete_games(store, [ids[0], "AAAAAAAAAAAA"])
        assert admin.count_games(store) == 2


def test_a_name_is_erased_everywhere(empty: str, browse: Browse, tmp_path: Path) -> None:
    """Also from the reason why a game ended, and from the memory of a running server."""
    with running(empty, message_interval=0.05) as address, admin.opened(empty, tmp_path) as store:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner", name="Zaphod")
        state = bob.take_seat(game_id, "Trillian")
        ok(ann.request("resign", state))
        assert "Zaphod" in ann.http.get(f"/g/{game_id}").text
        assert admin.erase_name(store, "Zaphod") == 1
        eventually(lambda: "Zaphod" not in ann.http.get(f"/g/{game_id}").text)
        assert ann.state(game_id)["reason"] == "Player 1 resigned"
        assert "Trillian" in ann.http.get(f"/g/{game_id}").text
        ann.create("grid-runner", name="Ford")
        for token in (ann.http.cookies["gridwise"], hash_token(bob.http.cookies["gridwise"])):
            assert admin.erase_name(store, token=token) == 1
        assert admin.erase_name(store, token="") == 0
        assert list(admin.check(store, nothing)) == []
    stored = repr(rows(empty))
    assert "Zaphod" not in stored
    assert "Trillian" not in stored


def test_the_command_line_does_it_all(played: str, tmp_path: Path) -> None:
    """In sentences, with a status for scripts, and JSON where it is asked for."""
    database = ("--database", played)
    file, other = tmp_path / "backup.db", f"sqlite:///{tmp_path / 'other.db'}"
    assert "7 games backed up" in tool("backup", str(file), *database)
    assert "7 games copied" in tool("copy", other, *database)
    assert "has games already" in tool("copy", other, *database, status=2)
    listed = json.loads(tool("list", "--json", "--status", "over", *database))
    assert "resigned" not in repr(listed)
    assert {each["status"] for each in listed} == {"over"}
    assert "would be removed" in tool("retention", "--days", "0", "--dry-run", *database)
    assert "There is no database" in tool("check", status=2)


def test_a_drained_server_takes_no_new_games_and_ends_after_the_last(
    tmp_path: Path, database: str, browse: Browse
) -> None:
    """Unless that is cancelled; a server that is started afterwards is not drained."""
    with admin.opened(database, tmp_path) as store:
        with Program(tmp_path, database=database) as server:
            ann = browse(server.address)
            state = ann.state(ann.create("grid-runner", opponent="same-screen"))
            with ann.socket(state["id"]) as socket:
                receive(socket, "state")
                for minutes, status in ((60, 503), (None, 201), (60, 503)):
                    admin.drain(store, minutes)
                    eventually(lambda: ann.post("/games", game="grid-runner").status_code == status)  # noqa: B023 - now
                state = ok(ann.move(state, state["legal"][0]))
                ok(ann.request("resign", state))
            server.process.communicate(timeout=TIMEOUT)
            assert server.process.returncode in (0, 128 + signal.SIGTERM, -signal.SIGTERM)
        with Program(tmp_path, database=database) as server:
            browse(server.address).create("grid-runner")
            admin.drain(store, 0)
            server.process.communicate(timeout=TIMEOUT)
            assert server.process.returncode in (0, 128 + signal.SIGTERM, -signal.SIGTERM)


# What the tools of `gridwise server` refuse, and what they leave as it is


FIELDS = {"game": "grid-runner", "opponent": "same-screen", "name": "Ann"}


def a_game() -> GameCreated:
    """A game of one who plays at one screen."""
    return GameCreated(*dealt_game(FIELDS, "ann", 1_000))


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with a game."""
    database = sqlite_with_tables(tmp_path)
    with closing(GameStore(open_database(database))) as store:
        store.write([a_game()])
    return database


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
