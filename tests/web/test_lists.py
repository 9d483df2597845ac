"""Lists of games are read from an index: how many games there are does not matter."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.web.game import NewGame, new_game
from gridwise.web.game.model import GameCreated, GameEnding, hash_token, new_id
from gridwise.web.storage import Store, open_database, schema

from .postgres import Postgres
from .servers import Browse, ok, refused, running, sqlite

LISTED = NewGame.model_validate(
    {"game": "grid-runner", "opponent": "same-screen", "listed": True, "name": "Ann"}
)
MANY = 4_000
TOKEN = "a" * 43
WEEK = 7 * 86_400.0

Ask = Callable[[Store], object]
QUESTIONS: dict[str, Ask] = {
    "open": lambda store: store.listed("open", 50, WEEK),
    "playing": lambda store: store.listed("playing", 50, WEEK),
    "recent": lambda store: store.listed("recent", 50, WEEK),
    "mine": lambda store: store.mine(hash_token(TOKEN), 50),
    "mine, over": lambda store: store.mine(hash_token(TOKEN), 50, over=True),
    "count": lambda store: store.count_open(WEEK),
    "count of mine": lambda store: store.count_open(WEEK, hash_token(TOKEN)),
}


@pytest.fixture(scope="module")
def stores(
    tmp_path_factory: pytest.TempPathFactory, cluster: Postgres
) -> Iterator[dict[str, Store]]:
    """Databases of each kind with many finished games of one player."""
    found = {}
    urls = {
        "sqlite": sqlite(tmp_path_factory.mktemp("lists")),
        "postgres": cluster.database(),
    }
    for name, url in urls.items():
        store = found[name] = Store(open_database(url))
        fill(store, MANY)
        with store.engine.begin() as connection:
            connection.execute(sa.text("ANALYZE"))
    yield found
    for store in found.values():
        store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, stores: dict[str, Store]) -> Store:
    """Each of them."""
    return stores[request.param]


def fill(store: Store, many: int) -> None:
    """Write many finished games, quickly."""
    setup, seats = new_game(LISTED, hash_token(TOKEN), 1_000)
    games, sat = [], []
    for number in range(many):
        game_id, at = new_id(), setup.created - number
        over = {"finished": at, "result": "p1", "reason": "resigned", "status": "over"}
        games.append({**asdict(setup), "id": game_id, "created": at, **over})
        mine = {"game_id": game_id, "created": at, "finished": at}
        sat += [{**asdict(seat), **mine} for seat in seats]
    with store.engine.begin() as connection:
        connection.execute(sa.insert(schema.games), games)
        connection.execute(sa.insert(schema.seats), sat)


@contextmanager
def statements(store: Store) -> Iterator[list[tuple[str, Any]]]:
    """What is asked of the database meanwhile."""
    asked: list[tuple[str, Any]] = []

    def note(
        _connection: object, _cursor: object, statement: str, values: object, *_: object
    ) -> None:
        asked.append((statement, values))

    sa.event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(store.engine, "before_cursor_execute", note)


def rows_visited(plan: dict[str, Any]) -> int:
    """The most rows that one step of a plan of PostgreSQL has looked at."""
    looked_at = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    here: int = looked_at * plan["Actual Loops"]
    return max([here, *map(rows_visited, plan.get("Plans", []))])


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_list_visits_what_it_shows(store: Store, question: str) -> None:
    """And not all games there are."""
    with statements(store) as asked:
        QUESTIONS[question](store)
    assert asked
    with store.engine.connect() as connection:
        for statement, values in asked:
            if store.engine.dialect.name == "sqlite":
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
                scans = [str(row[3]) for row in plan if "SCAN" in str(row[3])]
                # A list of ids that were found is no table.
                assert [step for step in scans if "games" in step or "seats" in step] == []
            else:
                # Reading all of a table that is as small as this one would be quicker.
                connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
                found: Any = connection.exec_driver_sql(
                    f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values
                ).scalar()
                steps = json.loads(found) if isinstance(found, str) else found
                assert rows_visited(steps[0]["Plan"]) <= 100


def test_sqlite_does_no_more_with_many_games_than_with_few(
    stores: dict[str, Store], database: str
) -> None:
    """By the steps of its own machine."""
    few = Store(open_database(database))
    fill(few, 200)

    def steps(store: Store, ask: Ask) -> int:
        counted = [0]

        def tick() -> None:
            counted[0] += 1

        with store.engine.connect() as connection:
            connection.connection.driver_connection.set_progress_handler(tick, 100)  # type: ignore[union-attr]
        ask(store)
        return counted[0]

    for ask in QUESTIONS.values():
        assert steps(stores["sqlite"], ask) <= 1.5 * steps(few, ask) + 5
    few.close()


def test_all_games_are_listed_page_by_page(database: str, browse: Browse) -> None:
    """Each once, the newest first, also those of the same moment."""
    store = Store(open_database(database))
    fill(store, 120)
    now = time.time()
    for _ in range(3):
        setup, seats = new_game(LISTED, "somebody", 1_000)
        ending = GameEnding(now, "p2", "resigned")
        store.write([GameCreated(replace(setup, created=now), seats, ending)])
    store.close()
    with running(database) as address:
        http = browse(address).http
        sizes, found = [], []
        cursor: dict[str, str] | None = {}
        while cursor is not None:
            page = ok(http.get("/api/games", params={"status": "recent", **cursor}))
            found += [(each["finished"], each["id"]) for each in page["games"]]
            sizes.append(len(page["games"]))
            cursor = {"cursor": page["next"]} if page["next"] else None
        assert sizes == [50, 50, 23]
        assert found == sorted(set(found), reverse=True)
        assert ok(http.get("/api/games"))["next"] is None
        for nonsense in ("x", "1_", "1e9_AAAAAAAAAAAA", "nan_AAAAAAAAAAAA"):
            refused(http.get("/api/games", params={"cursor": nonsense}), 400, "bad-request")
