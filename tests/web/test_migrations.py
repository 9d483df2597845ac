"""Migrations keep what is in the database: up, down, up again, and when one is broken off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext

from gridwise.core.outcome import time_out
from gridwise.web import admin
from gridwise.web.game import GameSession, NewGame, events, new_game, restore_session
from gridwise.web.game.model import EntryAdded, GameEnding, JournalEntry
from gridwise.web.storage import Store, Visitors, open_database, schema
from gridwise.web.storage.database import BadDatabase, migrations
from tests.loaded_program import LOADED_WEB, Child

from .servers import TIMEOUT

BOARD = "31425/25134/42513/14252/53142"
ANN, BOB = "a" * 64, "b" * 64
Tables = dict[str, list[dict[str, Any]]]


def game(name: str, seats: str, **more: object) -> dict[str, Any]:
    """A row of `games` as the first version wrote it, and who sits there."""
    setup = {"game": "number-run", "board": BOARD, "target": 0, "handicap": 0, "first": 1}
    return {
        **setup, "id": name.ljust(12, "0"), "deal": "own", "seed": "5", "cap": None,
        "listed": True, "created": 1e9, "rematch_of": None, "finished": None, "result": None,
        "reason": None, "seats": seats, **more,
    }  # fmt: skip


# One of each: its status follows from who sits there and how it ended.
GAMES = {
    "waiting": game("waiting", "ao"),
    "playing": game("playing", "ab", created=1.1e9),
    "over": game("over", "ab", finished=1.2e9, result="p1", reason="Bob resigned"),
    "cancelled": game("cancelled", "ao", finished=1.3e9, result="", reason="cancelled"),
}
SEATS = {
    "a": {"kind": "human", "name": "Ann", "level": "", "token": ANN},
    "b": {"kind": "human", "name": "Bob", "level": "", "token": BOB},
    "o": {"kind": "open", "name": "", "level": "", "token": ""},
}
PLAYED = [
    {"number": 1, "kind": "seat", "player": 2, "data": {}, "ref": None, "at": 1.1e9},
    {"number": 2, "kind": "hint", "player": 1, "data": {}, "ref": "x", "at": 1.1e9 + 1},
]


def the_rows() -> Tables:
    """The three tables of the first version."""
    rows: Tables = {"games": [], "seats": [], "events": []}
    for each in GAMES.values():
        rows["games"].append({name: value for name, value in each.items() if name != "seats"})
        rows["seats"] += [
            {"game_id": each["id"], "number": number, **SEATS[who]}
            for number, who in enumerate(each["seats"], 1)
        ]
        if "b" in each["seats"]:
            rows["events"] += [{"game_id": each["id"], **event} for event in PLAYED]
    last = {"number": 3, "kind": "resign", "player": 2, "data": {}, "ref": "y", "at": 1.2e9}
    rows["events"].append({"game_id": GAMES["over"]["id"], **last})
    return rows


@contextmanager
def migrating(url: str) -> Iterator[tuple[sa.Connection, Config]]:
    """A transaction in which tables are changed."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        yield connection, migrations(connection)
    engine.dispose()


def old_database(url: str) -> None:
    """A database as the first version left it, with games of every status."""
    with migrating(url) as (connection, config):
        command.upgrade(config, "0001")
        write(connection, the_rows())


def tables(connection: sa.Connection) -> dict[str, sa.Table]:
    """The tables as they are in the database now."""
    found = sa.MetaData()
    found.reflect(connection, only=["games", "seats", "events"])
    for table in found.tables.values():
        if "listed" in table.c:
            table.c.listed.type = sa.Boolean()
    return dict(found.tables)


def write(connection: sa.Connection, rows: Tables) -> None:
    """Put rows into the tables of any version."""
    for name in ("games", "seats", "events"):
        connection.execute(sa.insert(tables(connection)[name]), rows[name])


def read(connection: sa.Connection) -> Tables:
    """All rows, in order."""
    found: Tables = {}
    for name, table in tables(connection).items():
        chosen = sa.select(table).order_by(*table.primary_key.columns)
        found[name] = [dict(row) for row in connection.execute(chosen).mappings()]
    return found


def in_order(rows: Tables) -> Tables:
    """The same rows, as `read` gives them."""

    def key(row: dict[str, Any]) -> tuple[str, int]:
        return str(row.get("game_id", row.get("id"))), row.get("number", 0)

    return {name: sorted(rows[name], key=key) for name in rows}


def test_games_of_the_first_version_are_all_there(bare: str) -> None:
    """They have a status, they are listed, counted and played on."""
    old_database(bare)
    store = Store(open_database(bare))
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.METADATA) == []
        found = read(connection)
    ids = {each["id"]: status for status, each in GAMES.items()}
    assert {row["id"]: row["status"] for row in found["games"]} == ids
    assert [row["id"] for row in found["games"] if row["finished"]] == sorted(
        GAMES[name]["id"] for name in ("over", "cancelled")
    )
    ever = 1e12
    listed = {
        status: [ids[each.setup.id] for each in store.listed(status, 50, ever)]
        for status in ("open", "playing", "recent")
    }
    assert listed == {"open": ["waiting"], "playing": ["playing"], "recent": ["over"]}
    assert {ids[each.setup.id] for each in store.mine(ANN, 50)} == {"waiting", "playing"}
    assert [ids[each.setup.id] for each in store.mine(BOB, 50, over=True)] == ["over"]
    assert (store.count_open(ever), store.count_open(ever, BOB)) == (2, 1)
    stored = store.load(GAMES["over"]["id"])
    assert stored
    assert restore_session(stored).reason == "Bob resigned"
    single = {(each.setup.best_of, each.setup.clock, each.turn) for each in store.mine(ANN, 50)}
    assert single == {(1, None, None)}  # whose turn it is follows from the events
    store.close()


def test_going_back_loses_nothing_that_the_older_version_knew(bare: str) -> None:
    """A ref that both players used is the first one's then; up again it is all as it was."""
    old_database(bare)
    open_database(bare).dispose()
    with migrating(bare) as (connection, _):
        now = read(connection)
        same = {"game_id": GAMES["over"]["id"], "number": 4, "player": 1, "ref": "y"}
        event = {**now["events"][0], **same, "kind": "rematch", "data": {"id": "A" * 12}}
        connection.execute(sa.insert(tables(connection)["events"]), [event])
        now = read(connection)
    with migrating(bare) as (connection, config):
        command.downgrade(config, "0001")
        expected = the_rows()
        expected["events"].append(event | {"ref": None})
        assert in_order(read(connection)) == in_order(expected)
    open_database(bare).dispose()
    with migrating(bare) as (connection, config):
        again = read(connection)
        for row in now["events"]:
            if row["number"] == 4:
                row["ref"] = None
        assert again == now
        command.downgrade(config, "base")
        assert set(sa.inspect(connection).get_table_names()) == {"alembic_version"}
    open_database(bare).dispose()


def test_matches_and_clocks_are_left_behind_on_the_way_back(bare: str) -> None:
    """An older version can read the games: a loss on time is a resignation there."""
    store = Store(open_database(bare))
    asked = {"game": "grid-runner", "opponent": "same-screen", "best_of": 3}
    request = NewGame.model_validate(asked | {"clock": {"minutes": 5, "increment": 2}})
    session = GameSession(*new_game(request, ANN, 1_000))
    store.write([session.created()])
    happened = (events.TimedOut(2), events.RematchAsked(1), events.Declined(2, "rematch"))
    for number, event in enumerate(happened, 1):
        entry = JournalEntry(number, event, None, 1e9)
        ending = GameEnding(1e9, "p1", "Player 2 ran out of time")
        store.write([EntryAdded(session.setup.id, entry, ending if number == 1 else None)])
    Visitors(store).new_link("A" * 43)
    stored = store.load(session.setup.id)
    assert stored
    assert stored.setup == session.setup
    assert restore_session(stored).match.outcome == time_out(2)
    store.close()
    with migrating(bare) as (connection, config):
        command.downgrade(config, "0003")
        rows = read(connection)
        assert [row["kind"] for row in rows["events"]] == ["resign", "decline", "decline"]
        assert "seconds" not in rows["games"][0]
        assert "device_links" not in sa.inspect(connection).get_table_names()
    store = Store(open_database(bare))
    again = store.load(session.setup.id)
    assert again
    assert (again.setup.best_of, again.setup.clock, again.turn) == (1, None, None)
    assert restore_session(again).reason == "Player 2 resigned"
    store.close()


def test_a_migration_that_fails_halfway_has_not_happened(bare: str) -> None:
    """What was there before is there after, and the next start tries again."""
    old_database(bare)
    with migrating(bare) as (connection, _):
        connection.execute(sa.text("CREATE INDEX games_recent ON games (id)"))  # in its way
    with pytest.raises(BadDatabase):
        open_database(bare)
    with migrating(bare) as (connection, _):
        assert MigrationContext.configure(connection).get_current_heads() == ("0001",)
        assert set(sa.inspect(connection).get_table_names()) == {
            "alembic_version", "games", "seats", "events",
        }  # fmt: skip
        assert in_order(read(connection)) == in_order(the_rows())
        connection.execute(sa.text("DROP INDEX games_recent"))
    open_database(bare).dispose()


def test_tools_leave_an_older_database_as_it_is(bare: str, tmp_path: Path) -> None:
    """An older server may be running on it."""
    old_database(bare)
    with pytest.raises(BadDatabase, match="older Gridwise"), admin.opened(bare, tmp_path):
        pass
    with migrating(bare) as (connection, _):
        assert MigrationContext.configure(connection).get_current_heads() == ("0001",)


def test_servers_that_start_at_once_take_turns(bare: str) -> None:
    """One migrates, the others find it done."""
    old_database(bare)
    starts = [Child(LOADED_WEB, [bare], runs="tests.web.runs:migrate") for _ in range(3)]
    said = [each.communicate(TIMEOUT) for each in starts]
    assert [each.returncode for each in starts] == [0] * 3, said
