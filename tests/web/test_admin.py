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

from gridwise.errors import BadRequest
from gridwise.web import admin
from gridwise.web.game.model import hash_token
from gridwise.web.storage import Store, open_database, schema
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

MANY = len(GAMES) + 2
TABLES = (schema.games, schema.seats, schema.events)


def nothing(_done: int) -> None:
    """Nobody watches."""


def rows(url: str) -> list[Json]:
    """Everything in the three tables."""
    with closing(Store(open_database(url))) as store, store.engine.connect() as connection:
        return [
            sorted(map(repr, connection.execute(sa.select(table)).mappings())) for table in TABLES
        ]


def tool(*arguments: str, status: int = 0) -> str:
    """What `gridwise server` prints, on standard output and standard error."""
    found, out, err = gridwise(Path("/nowhere"), "server", *arguments)
    assert found == status, err
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
        found = admin.list_games(store, admin.such_games("playing"), 50)
        ids = [each["id"] for each in found if each["events"] > 1]
        (listed,) = [each["id"] for each in found if each["events"] == 1]
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
    found = repr(rows(empty))
    assert "Zaphod" not in found
    assert "Trillian" not in found


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
