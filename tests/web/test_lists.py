"""Lists of games are read from an index: how many games there are does not matter."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.web.game.events import Stopped
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import (
    EntryAdded,
    GameCreated,
    GameEnding,
    JournalEntry,
    hash_token,
    new_id,
)
from gridwise.web.storage import GameStore, Visitors, open_database, schema
from tests.sizes import sample

from .postgres import Postgres
from .servers import Browse, ok, refused, running
from .stored import dealt_game

LISTED = NewGame.model_validate(
    {"game": "grid-runner", "opponent": "same-screen", "listed": True, "name": "Ann"}
)
AGAINST_A_BOT = NewGame.model_validate({"game": "grid-runner", "opponent": "bot", "name": "Ann"})
INVITATION = NewGame.model_validate({"game": "grid-runner", "name": "Ann"})
FEW, MANY = 100, sample(1_000, long=4_000)
TOKEN = "a" * 43
WEEK = 7 * 86_400.0

Ask = Callable[[GameStore], object]
QUESTIONS: dict[str, Ask] = {
    "open": lambda store: store.listed("open", 50, WEEK),
    "playing": lambda store: store.listed("playing", 50, WEEK),
    "recent": lambda store: store.listed("recent", 50, WEEK),
    "mine": lambda store: store.mine(hash_token(TOKEN), 50),
    "mine, over": lambda store: store.mine(hash_token(TOKEN), 50, over=True),
    "count": lambda store: store.count_open(WEEK),
    "count of mine": lambda store: store.count_open(WEEK, hash_token(TOKEN)),
    "record": lambda store: Visitors(store).bot_record(hash_token(TOKEN)),
}


@pytest.fixture(autouse=True)
def _small_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record is of the newest games alone; here of fewer than there are."""
    monkeypatch.setattr("gridwise.web.storage.visitors.MOST_RECORDED", 50)


def filled(url: str, many: int) -> GameStore:
    """A database with many games of one player: over, against bots, and called off at last."""
    store = GameStore(open_database(url))
    fill(store, many)
    fill(store, many, AGAINST_A_BOT)
    call_off(store, many)
    with store.engine.begin() as connection:
        connection.execute(sa.text("ANALYZE"))
    return store


def fill(store: GameStore, many: int, asked: NewGame = LISTED) -> None:
    """Write many finished games, quickly."""
    setup, seats = dealt_game(asked, hash_token(TOKEN), 1_000)
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


def call_off(store: GameStore, many: int) -> None:
    """Write many games that nobody has joined."""
    setup, seats = dealt_game(INVITATION, hash_token(TOKEN), 1_000)
    made = [GameCreated(replace(setup, id=new_id()), seats) for _ in range(many)]
    event, now = Stopped(1, "cancelled before it began"), time.time()
    entry, ending = JournalEntry(1, event, None, now), GameEnding(now, "", event.reason)
    store.write([*made, *(EntryAdded(each.setup.id, entry, ending) for each in made)])


@contextmanager
def statements(store: GameStore) -> Iterator[list[tuple[str, Any]]]:
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


def test_postgresql_visits_what_a_list_shows(cluster: Postgres) -> None:
    """And not all games there are, by its own plans."""
    with closing(filled(cluster.database(), MANY)) as store:
        with statements(store) as asked:
            for ask in QUESTIONS.values():
                ask(store)
        assert len(asked) >= len(QUESTIONS)
        with store.engine.connect() as connection:
            # Reading all of a table that is as small as this one would be quicker.
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            for statement, values in asked:
                plan: Any = connection.exec_driver_sql(
                    f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values
                ).scalar()
                steps = json.loads(plan) if isinstance(plan, str) else plan
                assert rows_visited(steps[0]["Plan"]) <= 100, statement


def test_sqlite_does_no_more_with_many_games_than_with_few(database: str, tmp_path: Path) -> None:
    """By the steps of its own machine."""
    few, many = filled(database, FEW), filled(f"sqlite:///{tmp_path / 'many.db'}", MANY)

    def steps(store: GameStore, ask: Ask) -> int:
        counted = [0]

        def tick() -> None:
            counted[0] += 1

        with store.engine.connect() as connection:
            connection.connection.driver_connection.set_progress_handler(tick, 100)  # type: ignore[union-attr]
        ask(store)
        return counted[0]

    for question, ask in QUESTIONS.items():
        assert steps(many, ask) <= 1.5 * steps(few, ask) + 5, question
    few.close()
    many.close()


def test_all_games_are_listed_page_by_page(database: str, browse: Browse) -> None:
    """Each once, the newest first, also those of the same moment."""
    store = GameStore(open_database(database))
    fill(store, 120)
    now = time.time()
    for _ in range(3):
        setup, seats = dealt_game(LISTED, "somebody", 1_000)
        ending = GameEnding(now, "p2", "resigned")
        store.write([GameCreated(replace(setup, created=now), seats, ending)])
    store.close()
    with running(database) as address:
        http = browse(address).http
        sizes, listed = [], []
        cursor: dict[str, str] | None = {}
        while cursor is not None:
            page = ok(http.get("/api/games", params={"status": "recent", **cursor}))
            listed += [(each["finished"], each["id"]) for each in page["games"]]
            sizes.append(len(page["games"]))
            cursor = {"cursor": page["next"]} if page["next"] else None
        assert sizes == [50, 50, 23]
        assert listed == sorted(set(listed), reverse=True)
        assert ok(http.get("/api/games"))["next"] is None
        for nonsense in ("x", "1_", "1e9_AAAAAAAAAAAA", "nan_AAAAAAAAAAAA"):
            refused(http.get("/api/games", params={"cursor": nonsense}), 400, "bad-request")
